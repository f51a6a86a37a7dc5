// SplitScorer: the interface by which a search of several columns scores splits. growing/node_scorer.cpp implements it;
// the fits see the target only as groups and sides.
#pragma once

#include <cstdint>
#include <vector>

#include "core/random.hpp"
#include "oblique/dense.hpp"

namespace hornbeam {

using RowSides = std::vector<std::int8_t>;  // the branch of every row of the node; -1: undefined

// The best question about one column at the node: the parts of it that the fits use.
struct BestSingle {
    std::int32_t n_branches = 0;       // with that of missing values, where they have their own; 0: no such question
    RowSides branch;                   // by its value; empty unless the value decides between two
    std::int32_t missing_branch = -1;  // the branch in which it counts missing values; -1: in none
    std::int32_t column = -1;          // of a cut of a numeric column
    double cut = 0.0;
    bool is_cut = false;
};

// Buffers that are reused from node to node.
struct ScorerBuffers {
    struct Item {
        std::uint64_t key;
        std::uint32_t position;
    };
    std::vector<std::uint32_t> rows;
    std::vector<std::uint16_t> classes;
    std::vector<Item> items, spare;
    std::vector<std::uint64_t> list;
    Vector ascending, numbers;
};

class SplitScorer {
  public:
    explicit SplitScorer(ScorerBuffers& room) : classes(room.classes), numbers(room.numbers) {}
    virtual ~SplitScorer() = default;
    int n_classes = 0;                    // 0: regression
    std::vector<std::uint16_t>& classes;  // of every row of the node
    Vector& numbers;                      // buffer for one value per row
    BestSingle best_single;

    virtual double tolerance() const = 0;
    bool beats(double score, double other) const { return score - other > tolerance(); }
    // The best cut of one value per row; false if no cut is admissible.
    virtual bool cut(const Vector& numbers, double& score, double& at) = 0;
    // The midpoint of the lower weighted median of the known values and the next larger value. `is_exact`: values that
    // differ only by rounding are different.
    virtual bool median(const Vector& numbers, bool is_exact, double& at) = 0;
    // What replaces missing values of a column at the node; NaN if nothing does.
    virtual double fill_of(std::int32_t column) const = 0;
    // The score of a partition; false if the limits forbid it.
    virtual bool score(const RowSides& sides, double& out) = 0;
    // The branch in which each row has the lower cost (+1: branch 1), and its weight times the difference of the costs.
    virtual void wanted_sides(const RowSides& sides, Vector& signs, Vector& weights) = 0;
    // The rows `turning` change sides in this order, to the right branch where `joins` is 1. Returns the best score
    // among the partition before all changes and those after the positions `ends` (minus infinity if none is
    // admissible), and its index.
    virtual double sweep(const std::vector<std::uint8_t>& right, const std::vector<std::uint32_t>& turning,
                         const std::vector<std::uint8_t>& joins, const std::vector<std::uint32_t>& ends,
                         std::size_t& best) = 0;
    // The random stream of the node for oblique questions.
    virtual Stream stream() const = 0;
};

}  // namespace hornbeam
