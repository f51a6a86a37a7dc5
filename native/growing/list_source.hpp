// ListSource: columns as sorted lists, codes and sparse lists in blocks. Each is partitioned once per split and
// searched for all children while it is in the cache.
#pragma once

#include "nodes/source.hpp"

namespace hornbeam {

class ListSource final : public Source {
  public:
    // Moves a small node to a new block.
    void prepare(Open& open) const override;
    RowPartition partition_rows(Open& open, Work& work) const override;
    void search(Family& family, Work& work) const override;
};

}  // namespace hornbeam
