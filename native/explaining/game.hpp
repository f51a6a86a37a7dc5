// How is a tree a game that columns play?  The prediction is shared out among them by Shapley's rule.
//
// A node's question is answered when all of its columns have joined; else the row goes down every edge with the share
// of training weight that the edge took. So a leaf is worth, to those who have joined,
//
//     value * product over the column sets on its path of (joined ? onward : share)
//
// where `share` is the product of the edges' shares and `onward` that of the row's own shares (1 on the edge it takes,
// 0 elsewhere). The value of a column is the integral over t in [0, 1] of what it adds when all others have joined with
// probability t: a polynomial in t, which Gauss's points integrate exactly. All factors are positive: nothing cancels.
//
// Beside the tree's own edges a node may have a last edge to a leaf of its own: rows that stay there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/pool.hpp"
#include "walking/walk.hpp"

namespace hornbeam {

inline std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

struct GameArrays {
    std::span<const std::int32_t> edge_start;  // one a node and one more; leaves have no edges
    std::span<const std::int32_t> child;       // one an edge
    std::span<const double> share;             // one an edge
    std::span<const std::int8_t> has_stay;     // one a node: 1 when its last edge is for rows that stay, 2 when rows
                                               // that would be shared out stay too (no branch has training weight)
    std::span<const std::int32_t> set;         // one a node: the columns it asks, as a row of the sets; -1 for leaves
    std::span<const std::int32_t> set_start;   // the sets: columns [set_start[s], set_start[s + 1])
    std::span<const std::int32_t> set_columns;
    std::span<const double> values;  // nodes x width
    std::int64_t width = 1;
    std::int32_t output = 0;  // the first of the outputs that the values add to
};

class Game {
  public:
    // The walker must outlive the game. Throws std::invalid_argument when an index points outside.
    Game(const Walker& walker, const GameArrays& arrays, std::int32_t n_columns, std::int32_t n_outputs);

    const Walker& walker() const noexcept { return *walker_; }
    std::int32_t most_players() const noexcept { return most_players_; }  // columns on one path, at most
    std::int32_t most_sets() const noexcept { return most_sets_; }  // sets of several columns on one path, at most
    bool is_simple() const noexcept { return most_sets_ == 0; }     // every question is about one column
    bool has_surrogates() const noexcept { return has_surrogates_; }
    bool may_share() const noexcept { return may_share_; }  // whether a row may go down several branches

    std::vector<std::int32_t> edge_start, child, set, set_start, set_columns;
    std::vector<double> share, values;
    std::vector<std::int8_t> has_stay;
    std::int64_t width;
    std::int32_t output, n_columns, n_outputs;

    bool is_leaf(std::int32_t node) const { return edge_start[at(node)] == edge_start[at(node) + 1]; }
    // The player of a node whose question is about one column.
    std::int32_t player(std::int32_t node) const { return set_columns[at(set_start[at(set[at(node)])])]; }
    const double* value(std::int32_t node) const { return values.data() + node * width; }
    // The edge that a step takes, kShare for all of them.
    std::int32_t edge_of(std::int32_t node, const Walker::Step& step) const {
        if (step.branch >= 0) return step.branch;
        if (step.branch == kShare && has_stay[at(node)] != 2) return kShare;
        return edge_start[at(node) + 1] - edge_start[at(node)] - 1;
    }

  private:
    void check() const;
    void measure();

    const Walker* walker_;
    std::int32_t most_players_ = 0, most_sets_ = 0;
    bool has_surrogates_ = false, may_share_ = false;
};

// Gauss's points in (0, 1) and their weights.
struct GaussPoints {
    std::span<const double> at, weight;
};

// One tree among those explained together, with its columns of the rows (as its walker wants them).
struct Member {
    const Game* game;
    std::vector<WalkColumn> columns;
    std::vector<WalkColumn> background;  // empty for the path-dependent game
    GaussPoints points;
};

// out is rows x columns x outputs, and is added to.
void explain_by_paths(std::span<const Member> members, std::int64_t n_rows, int threads, Stop& stop, double* out);

// The other game: who has not joined is taken from a background row; the mean over these, with weights that add up
// to 1.
void explain_by_background(std::span<const Member> members, std::int64_t n_rows, std::span<const double> weights,
                           int threads, Stop& stop, double* out);

// One row of one member, whatever its questions: the path-dependent game leaf by leaf.
class RowGame {
  public:
    void add(const Member& member, std::int64_t row, double* out);

  private:
    struct Frame {
        std::int32_t node, edge, taken;
        double share, onward;  // of the node's set, before the edge
        bool is_new;
    };
    void enter(const Game& game, const Member& member, std::int64_t row, std::int32_t node);
    void leaf(const Member& member, const double* value, double* out);
    void leaf_with(const Member& member, std::uint64_t joined, const double* value, double* out);

    std::vector<Frame> stack_;
    std::vector<std::int32_t> active_, many_, single_, union_, stamp_;
    std::vector<double> share_, onward_, product_, total_;
    std::vector<std::int8_t> seen_;
    std::int32_t clock_ = 0;
};

}  // namespace hornbeam
