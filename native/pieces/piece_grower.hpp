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

#include <memory>
#include <vector>

#include "growing/assemble.hpp"
#include "pieces/node_search.hpp"

namespace hornbeam {

// The arrays that a request refers to.
struct RequestArrays {
    std::vector<std::int32_t> first_child, first_question, question_column, slot, total, columns;
    std::vector<std::int16_t> otherwise, maps;
    std::vector<std::int64_t> question_map;
    std::vector<std::uint32_t> n_codes;
    std::int32_t n_slots = 0, n_totals = 0;
    bool by_side = false;
    CellShape shape;
};

struct PieceLimits {
    std::int64_t round_cells = std::int64_t{1} << 25;  // integers in the sums per code of one round
    std::int64_t held_cells = std::int64_t{1} << 26;   // integers that open nodes keep, to be subtracted from
    std::int64_t collected = 0;                        // nodes of at most this many rows are finished from their rows,
    std::int64_t collected_at_once = 0;                // this many rows at once
    int threads = 0;
};

class PieceGrower {
  public:
    // The plan has no rows: counts, units and settings only.
    PieceGrower(Plan plan, std::vector<ReadyColumn> columns, const CellShape& shape, const TargetUnits& units,
                const PieceLimits& limits);
    PieceGrower(const PieceGrower&) = delete;
    PieceGrower& operator=(const PieceGrower&) = delete;

    // Prepares the next request; false when the tree is complete.
    bool next(Stop& stop);
    const RequestArrays& request() const { return request_; }
    bool wants_rows() const { return step_ == Step::rows; }
    void answer(const PieceSums& sums, Stop& stop);
    // `rows` are all rows of the nodes with a slot, each with its node; `request` has the units of their targets.
    void finish(const PieceRequest& request, const PieceRows& rows, Stop& stop);
    Grown grown();

    std::int64_t n_nodes() const { return static_cast<std::int64_t>(fragments_[0].records.size()); }
    std::int64_t n_open() const { return static_cast<std::int64_t>(queue_.size() + small_.size()); }

  private:
    enum class Step { sums, sides, rows };
    // The children of a split: those searched, the slots of those added up from rows (-1: none), and the one whose
    // cells are what is left of the parent's.
    struct Family {
        std::shared_ptr<NodeCells> cells;  // of the parent
        std::vector<PieceNode> children;
        std::vector<std::int32_t> active;
        std::vector<char> is_searched;
        std::vector<std::int32_t> slot;
        std::int32_t rest = -1, first_total = -1;
        bool needs_totals = false;
    };

    bool keeps_order() const {
        return plan_.order == Order::best_first || plan_.max_leaves >= 0 || plan_.max_nodes >= 0;
    }
    void plant();
    void add_records(std::size_t n);
    double priority(const PieceNode& node) const;
    void take_in_order();
    void take_level();
    void open_taken(Stop& stop);
    Family opened(PieceNode& node);
    void place(Family& family, bool is_whole) const;
    void settle(std::vector<Family>& families, Stop& stop);
    void drop_cells();

    void write_tree();
    void set_columns(const std::vector<char>& is_wanted);
    void request_sums();
    void request_sides();
    void request_rows();
    void answer_sides(const PieceSums& sums);
    void take_cells(Family& family, const PieceSums& sums);
    void read_total(const PieceSums& sums, std::int32_t place, Totals& totals) const;

    Plan plan_;
    std::vector<ReadyColumn> columns_;
    CellShape shape_;
    TargetUnits units_;
    PieceLimits limits_;
    NodeSearch search_;
    std::vector<Fragment> fragments_;
    std::vector<Scratch> scratch_;
    std::vector<std::vector<RouteQuestion>> routes_;  // of every record
    std::vector<std::int16_t> otherwise_;
    std::vector<PieceNode> queue_;     // to be split
    std::vector<PieceNode> taken_;     // being split: their surrogates are searched
    std::vector<PieceNode> small_;     // to be finished from their rows
    std::vector<PieceNode> finished_;  // whose rows were requested
    std::vector<Family> families_;     // waiting for sums
    std::int64_t leaves_ = 1;
    bool is_planted_ = false;
    Step step_ = Step::sums;
    RequestArrays request_;
    std::shared_ptr<const std::vector<std::int64_t>> cell_start_;  // of the columns of the request
    std::int64_t slot_size_ = 0;
};

}  // namespace hornbeam
