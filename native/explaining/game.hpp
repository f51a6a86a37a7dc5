// Game: a tree as a cooperative game of its columns; the Shapley values of the game explain a prediction.
//
// If all columns of a node's question are in the coalition, the row takes the edge of its outcome; otherwise it goes
// down every edge with the fraction of training weight that took the edge. So the value of a leaf for a coalition is
//
//     value * product over the column sets on its path of (in the coalition ? onward : fraction)
//
// where `fraction` is the product of the fractions of the edges and `onward` that of the row's own edges (1 on the edge
// it takes, 0 elsewhere). The Shapley value of a column is the integral over t in [0, 1] of its contribution if every
// other column is in the coalition with probability t: a polynomial in t, which Gauss quadrature integrates exactly.
// All factors are positive, so nothing cancels.
//
// In addition to the edges of the tree a node may have a last edge to a leaf of its own, for rows that stay there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/pool.hpp"
#include "walking/walk.hpp"

namespace hornbeam {

inline std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

struct GameArrays {
    std::vector<std::int32_t> edge_start;  // per node, plus one; leaves have no edges
    std::vector<std::int32_t> child;       // per edge
    std::vector<double> fraction;          // per edge: fraction of the training weight
    std::vector<std::int8_t> has_stay;     // per node: 1 if its last edge is for rows that stay, 2 if distributed rows
                                           // stay too (no branch has weight)
    std::vector<std::int32_t> set;         // per node: index of the set of columns of its question; -1 for leaves
    std::vector<std::int32_t> set_start;   // the columns of set s are [set_start[s], set_start[s + 1])
    std::vector<std::int32_t> set_columns;
    std::vector<double> values;  // nodes x width
    std::int64_t width = 1;
    std::int32_t output = 0;  // the first output that the values are added to
};

class Game : public GameArrays {
  public:
    // The walker must outlive the game. Throws std::invalid_argument if an index is out of range.
    Game(const Walker& walker, GameArrays arrays, std::int32_t n_columns, std::int32_t n_outputs);

    const Walker& walker() const noexcept { return *walker_; }
    // Maximum number of columns, and of sets of several columns, on one path.
    std::int32_t max_players() const noexcept { return max_players_; }
    std::int32_t max_sets() const noexcept { return max_sets_; }
    bool is_simple() const noexcept { return max_sets_ == 0; }  // every question is about one column
    bool has_surrogates() const noexcept { return has_surrogates_; }
    bool may_distribute() const noexcept { return may_distribute_; }  // whether a row may go down several branches

    std::int32_t n_columns, n_outputs;

    bool is_leaf(std::int32_t node) const { return edge_start[node] == edge_start[at(node) + 1]; }
    // The column of a node whose question is about one column.
    std::int32_t player(std::int32_t node) const { return set_columns[set_start[set[node]]]; }
    const double* value(std::int32_t node) const { return values.data() + node * width; }
    // The edge that a step takes; ALL_BRANCHES if the row is distributed.
    std::int32_t edge_of(std::int32_t node, const Step& step) const {
        if (step.branch >= 0) return step.branch;
        if (step.branch == ALL_BRANCHES && has_stay[node] != 2) return ALL_BRANCHES;
        return edge_start[at(node) + 1] - edge_start[node] - 1;
    }

  private:
    void check() const;
    void measure();

    const Walker* walker_;
    std::int32_t max_players_ = 0, max_sets_ = 0;
    bool has_surrogates_ = false, may_distribute_ = false;
};

// Gauss points in (0, 1) and their weights.
struct GaussPoints {
    std::span<const double> at, weight;
};

// One of the trees that are explained together, with the columns of the rows in the order of its walker.
struct ExplainedTree {
    const Game* game;
    std::vector<WalkColumn> columns;
    std::vector<WalkColumn> background;  // empty for the path-dependent game
    GaussPoints points;
};

// The path-dependent game. Adds to `out` (rows x columns x outputs).
void explain_by_paths(std::span<const ExplainedTree> trees, std::int64_t n_rows, int threads, Stop& stop, double* out);

// The game against background rows: a column outside the coalition has its value from a background row; mean over the
// background rows with weights that add up to 1.
void explain_by_background(std::span<const ExplainedTree> trees, std::int64_t n_rows, std::span<const double> weights,
                           int threads, Stop& stop, double* out);

// The path-dependent game of one row, leaf by leaf; supports all questions.
class RowGame {
  public:
    void add(const ExplainedTree& tree, std::int64_t row, double* out);

  private:
    struct Frame {
        std::int32_t node, edge, taken;
        double fraction, onward;  // of the node's set, above the edge
        bool is_new;
    };
    void enter(const Game& game, const ExplainedTree& tree, std::int64_t row, std::int32_t node);
    void leaf(const ExplainedTree& tree, const double* value, double* out);
    void leaf_with(const ExplainedTree& tree, std::uint64_t coalition, const double* value, double* out);

    std::vector<Frame> stack_;
    std::vector<std::int32_t> active_, many_, single_, union_, stamp_;
    std::vector<double> fraction_, onward_, product_, total_;
    std::vector<std::int8_t> seen_;
    std::int32_t clock_ = 0;
};

}  // namespace hornbeam
