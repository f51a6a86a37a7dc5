// The rows of one piece while trees are boosted: scores, gradients, rows in the order of the nodes of the tree that
// grows, and the sums that the tree is grown from. All of it can be rebuilt from the trees so far.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "boosting/gradient_search.hpp"
#include "boosting/gradients.hpp"
#include "pieces/coded_tree.hpp"
#include "pieces/node_rows.hpp"
#include "pieces/row_sample.hpp"

namespace hornbeam {

struct PieceBoostSettings {
    Loss loss = Loss::squared;
    int n_classes = 0;  // of softmax
    double curvature = 1.0;
    bool is_weighted = false;
    double weight_step = 0.0;  // weights are rounded to multiples of it
    double mean_weight = 1.0;
    std::int64_t n_training = 0;  // rows of all pieces
    RowSample held_out;           // the rows of validation
    double rows_per_tree = 1.0;
    std::uint64_t seed = 0;
    std::vector<std::uint32_t> n_codes;  // of every column, the missing one not counted

    int outputs() const { return loss == Loss::softmax ? n_classes : 1; }
};

// The arrays of a piece. Those behind `scores` are kept between rounds by the caller.
struct BoostedRows {
    std::int64_t n = 0, first_row = 0;
    std::vector<PieceCodes> codes;
    const std::uint16_t* classes = nullptr;
    const double *numbers = nullptr, *weights = nullptr;
    double* scores = nullptr;       // by output
    Softmax softmax;                // of softmax
    std::uint32_t* rows = nullptr;  // in the order of nodes
    Pair* pairs = nullptr;
};

// Sums of losses and weights of the training rows and of the held-out rows.
struct PieceLosses {
    LimbSum training, held_out;
    double training_weight = 0.0, held_out_weight = 0.0;
};

class BoostedPiece {
  public:
    BoostedPiece(PieceBoostSettings settings, BoostedRows rows);

    void set_scores(const std::vector<double>& base);
    // Before the first tree of a round.
    void start_round();
    void start_tree(const Units& units, int output, std::uint64_t round);
    // A tree for all classes, on the gradients of a group of them (class_groups.hpp).
    void start_joint(const Units& units, const std::vector<std::uint8_t>& group, std::uint64_t round);
    // The gradients of another output for the rows of the tree that was started.
    void refill(const Units& units, int output);
    // Adds a complete tree to the scores; `is_current` if it is the tree that was started last.
    void apply(const CodedTree& tree, int output, bool is_current);

    // The largest gradient and second derivative of the training rows.
    Bounds largest(int output) const;
    PieceLosses losses() const;
    // The sums of all rows of the tree.
    Sums root() const;
    // Adds the rows of nodes to sums per code: for every node, every column, a pair per code and missing value.
    void add_cells(const CodedTree& tree, std::span<const std::int32_t> nodes, std::span<const std::int32_t> columns,
                   std::int64_t* cells);
    // The number of integers in the sums of a node; throws std::invalid_argument if a column does not exist.
    std::size_t cells_per_node(std::span<const std::int32_t> columns) const;
    // Adds the moments of nodes: the limbs of the sum of squares, and the weight.
    static constexpr int SQUARE_LIMBS = 4, MOMENTS = SQUARE_LIMBS + 1;
    void add_moments(const CodedTree& tree, std::span<const std::int32_t> nodes, std::int64_t* moments);

    // Adds the sums of nodes.
    void add_sums(const CodedTree& tree, std::span<const std::int32_t> nodes, std::int64_t* sums);

  private:
    void draw_rows(std::uint64_t round);

    PieceBoostSettings settings_;
    BoostedRows rows_;
    NodeRows node_rows_;  // of the tree that grows
};

}  // namespace hornbeam
