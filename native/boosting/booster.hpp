// How are trees added one after the other, each fitted to what the ones before left over?
//
//     F = base;  every round: gradients of the loss at F, a tree on them, F += rate * value of each row's leaf
//
// Several classes: one tree per class and round, all from the same F; in joint rounds (class_groups.hpp) the trees of a
// round have the same splits. Rows drawn for a round are the same for its classes. Held-out rows are coded by the same
// bins and go down the same trees; when their loss (that of all rows where none are held out) has not fallen by more
// than `least` for `patience` rounds, growth ends.
#pragma once

#include <memory>
#include <vector>

#include "boosting/class_groups.hpp"
#include "boosting/split_test.hpp"
#include "nodes/plan.hpp"

namespace hornbeam {

struct BoostSettings {
    Loss loss = Loss::squared;
    double q = 0.5;
    int n_classes = 0;       // softmax
    double curvature = 1.0;  // softmax: see Rows
    JointTrees joint;
    double rate = 0.1, rows_per_tree = 1.0;
    Regular regular;
    TreeLimits limits;
    double min_f = 0.0;  // of a split, see SplitTest; 0: no test
    double f_slope = 0.0;
    double mean_weight = 1.0;  // of the training rows
    int bins = MOST_NARROW;
    int threads = 0;
    std::int64_t first_round = 0;
    std::int64_t patience = -1;  // -1: no early stop
    double least = 0.0;
    bool watch = false;  // keep the training loss of every round
    std::vector<double> base;
};

// Rows with their targets; scores they start from, by output, or none.
struct BoostRows {
    std::vector<SourceColumn> columns;
    std::int64_t n = 0;
    std::vector<double> target, weights, scores;
};

// Trees with their questions in the arrays of nodes/plan.hpp, one behind the other.
struct Boosted {
    Grown grown;
    std::vector<double> value;
    std::vector<std::int64_t> node_start{0}, question_start{0}, whole_start{0}, reals_start{0};
    std::vector<std::int32_t> first, missing_answer;   // of every question
    std::vector<double> training_loss, held_out_loss;  // of every round
    std::int64_t rounds = 0;
    bool has_stopped = false;
};

class Booster {
  public:
    // The columns' arrays are read here only.
    Booster(BoostSettings settings, BoostRows rows, BoostRows held_out, Stop& stop);

    const std::vector<double>& base() const { return base_; }
    // At most so many more rounds.
    Boosted run(std::int64_t rounds, Stop& stop);

  private:
    int outputs() const { return settings_.loss == Loss::softmax ? settings_.n_classes : 1; }
    Rows training() const;
    Rows held_out() const;
    void round(GradientGrower& grower, Team& team, Boosted& out);
    Units fill(int k, Team& team);
    void draw_rows();
    void fit_again(GradientTree& tree, const double* score, Team& team) const;
    static void shorten(GradientTree& tree);
    void update(const GradientTree& tree, int k, Team& team);
    bool judge(Team& team, Boosted& out);
    double mean_loss(const Rows& rows, const std::vector<double>& scores, Team& team) const;
    void write(const GradientTree& tree, const GradientSearch& search, Boosted& out) const;
    void write_question(const GradientTree& tree, std::int32_t at, Boosted& out) const;

    BoostSettings settings_;
    BoostRows rows_, held_out_;
    BinnedTable table_, held_out_table_;
    SplitTest test_;
    std::vector<double> base_, scores_, held_out_scores_;
    Softmax softmax_;
    std::vector<Pair> pairs_;
    std::vector<std::uint32_t> drawn_, sample_, left_out_;
    std::int64_t round_ = 0, since_best_ = 0;
    double best_ = std::numeric_limits<double>::infinity();
};

// Other rows by the bins of a table.
BinnedTable coded_by(const BinnedTable& table, const std::vector<SourceColumn>& columns, std::int64_t n_rows);
// Where a code ends: the middle between its largest value and the next one's smallest.
double cut_behind(const BinnedColumn& column, std::uint32_t code);

}  // namespace hornbeam
