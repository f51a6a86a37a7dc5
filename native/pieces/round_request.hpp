// A request of a grower as arrays, and where its answer has the sums of a node.
#pragma once

#include <memory>
#include <vector>

#include "pieces/node.hpp"

namespace hornbeam {

// How rows are routed at every node that is split, by record.
struct TreeRoutes {
    std::vector<std::vector<RouteQuestion>> questions;
    std::vector<std::int16_t> otherwise;

    void add(std::size_t n) {
        questions.resize(questions.size() + n);
        otherwise.resize(questions.size(), -1);
    }
};

class RoundRequest {
  public:
    RoundRequest() = default;
    RoundRequest(const TreeRoutes& routes, const std::vector<Record>& records, const std::vector<ReadyColumn>& columns,
                 const CellShape& shape);

    const RequestArrays& arrays() const { return arrays_; }
    // The place of a node among the sums per code, and among the sums of whole nodes.
    std::int32_t add_slot(std::int32_t record) { return arrays_.slot[record] = arrays_.n_slots++; }
    std::int32_t add_total(std::int32_t record) { return arrays_.total[record] = arrays_.n_totals++; }
    // The class of a row is the branch that the first of these questions gives it.
    void set_sides(const std::vector<PieceNode>& nodes);
    void set_columns(const std::vector<char>& is_wanted);

    // Where the answer has the integers of a slot, and those of a column in it.
    std::int64_t slot_at(std::int32_t slot) const { return slot * slot_size_; }
    std::int64_t slot_size() const { return slot_size_; }
    const std::shared_ptr<const std::vector<std::int64_t>>& column_start() const { return column_start_; }

  private:
    RequestArrays arrays_;
    std::shared_ptr<const std::vector<std::int64_t>> column_start_;
    std::int64_t slot_size_ = 0;
};

}  // namespace hornbeam
