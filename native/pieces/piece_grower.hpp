// Growth of a tree whose rows are elsewhere: it makes requests, and the sums that answer them decide the next splits.
//
//     PieceGrower grower(plan, columns, facts);
//     while (grower.next()) {
//         if (grower.wants_rows()) grower.finish(rows of the nodes in the request); else grower.answer(sums);
//     }
//     Grown tree = grower.grown();
//
// Stops that look at one node alone make the order of splits irrelevant: all open nodes are split in one round, and
// nodes with few enough rows are finished from their rows. Else nodes are split one at a time in the order of the plan.
// Sums are integers, so the tree depends neither on the pieces nor on what is finished where.
#pragma once

#include <vector>

#include "growing/assemble.hpp"
#include "pieces/family.hpp"
#include "pieces/open_nodes.hpp"

namespace hornbeam {

class PieceGrower {
  public:
    // The plan has no rows: counts, units and settings only.
    PieceGrower(Plan plan, std::vector<ReadyColumn> columns, const CellShape& shape, const TargetUnits& units,
                const PieceLimits& limits);
    PieceGrower(const PieceGrower&) = delete;

    // Prepares the next request; false when the tree is complete.
    bool next(Stop& stop);
    const RequestArrays& request() const { return request_.arrays(); }
    bool wants_rows() const { return step_ == Step::rows; }
    void answer(const PieceSums& sums, Stop& stop);
    // `rows` are all rows of the nodes with a slot, each with its node; `request` has the units of their targets.
    void finish(const PieceRequest& request, const PieceRows& rows, Stop& stop);
    Grown grown();

    std::int64_t n_nodes() const { return static_cast<std::int64_t>(fragments_[0].records.size()); }
    std::int64_t n_open() const { return static_cast<std::int64_t>(open_.count()); }

  private:
    friend class GrowerState;
    enum class Step { sums, sides, rows };

    void plant();
    void open_taken(Stop& stop);
    PieceFamily opened(PieceNode& node);
    void settle(std::vector<PieceFamily>& families, Stop& stop);
    void make_request(Step step);

    Plan plan_;
    std::vector<ReadyColumn> columns_;
    CellShape shape_;
    TargetUnits units_;
    PieceLimits limits_;
    NodeSearch search_;
    std::vector<Fragment> fragments_;
    std::vector<Scratch> scratch_;
    TreeRoutes routes_;
    OpenNodes open_;
    std::vector<PieceNode> taken_;       // being split: their surrogates are searched
    std::vector<PieceNode> finished_;    // whose rows were requested
    std::vector<PieceFamily> families_;  // waiting for sums
    bool is_planted_ = false;
    Step step_ = Step::sums;
    RoundRequest request_;
};

}  // namespace hornbeam
