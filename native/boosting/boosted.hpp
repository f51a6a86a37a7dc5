// The settings of boosting, and boosted trees as arrays.
#pragma once

#include <vector>

#include "boosting/class_groups.hpp"
#include "boosting/tree_decisions.hpp"
#include "nodes/plan.hpp"

namespace hornbeam {

struct BoostSettings {
    Loss loss = Loss::squared;
    double q = 0.5;
    int n_classes = 0;       // softmax
    double curvature = 1.0;  // softmax: see Rows
    JointTrees joint;
    double rate = 0.1, rows_per_tree = 1.0;
    Regularization regular;
    TreeLimits limits;
    double min_f = 0.0;  // of a split, see SplitTest; 0: no test
    double f_slope = 0.0;
    double mean_weight = 1.0;  // of the training rows
    int bins = MAX_NARROW_BINS;
    int threads = 0;
    std::int64_t first_round = 0;
    std::int64_t early_stopping_rounds = -1;  // -1: no early stop
    double min_improvement = 0.0;
    bool record_loss = false;  // record the training loss of every round
    std::vector<double> base;
};

// Trees with their questions, concatenated in the arrays of nodes/plan.hpp. The predictions of leaves are the values
// that are added to raw scores.
struct Boosted {
    Boosted() {
        grown.width = 3;
        grown.whole_start = grown.reals_start = {0};
    }

    Grown grown;
    std::vector<std::int64_t> node_start{0}, question_start{0};
    std::vector<double> training_loss, held_out_loss;  // per round
    std::int64_t rounds = 0;
    bool has_stopped = false;
};

// Appends trees, whose splits are on codes, as trees on values.
struct TreeWriter {
    const BinnedTable& table;
    std::vector<std::int32_t> n_levels;  // per column
    double rate = 1.0;

    void write(const GradientTree& tree, const Units& units, Boosted& out) const;

  private:
    std::int32_t write_question(const GradientTree& tree, std::size_t at, QuestionArrays& out) const;
};

// Poisson loss: with r = events / predicted events, Newton's step is r - 1 and the best step ln r.
void shorten_steps(GradientTree& tree);
// The cut after a code: the midpoint between its largest value and the smallest value of the next code.
double cut_after(const BinnedColumn& column, std::uint32_t code);

}  // namespace hornbeam
