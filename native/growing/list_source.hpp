// Columns as sorted lists, codes and sparse lists in blocks: each is partitioned once per split and, while it is in the
// cache, searched for every child.
#pragma once

#include "nodes/source.hpp"

namespace hornbeam {

class ListSource final : public Source {
  public:
    // A node that has become small moves to a block of its own.
    void settle(Open& open) const override;
    RowPartition partition_rows(Open& open, Work& work) const override;
    void search(Family& family, Work& work) const override;
};

}  // namespace hornbeam
