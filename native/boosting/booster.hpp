// Booster: adds trees one after the other, each fitted to the gradients of the loss at the scores of the trees before.
//
//     F = base;  every round: gradients of the loss at F, a tree on them, F += rate * value of each row's leaf
//
// Several classes: one tree per class and round, all from the same F; in joint rounds (class_groups.hpp) the trees of a
// round have the same splits. The rows sampled for a round are the same for all classes. Held-out rows are coded with
// the same bins and predicted by the same trees; growth ends if their loss (or that of the training rows, if none are
// held out) has not decreased by more than `min_improvement` for `early_stopping_rounds` rounds.
#pragma once

#include <vector>

#include "boosting/boosted.hpp"
#include "boosting/split_test.hpp"

namespace hornbeam {

// Rows with their targets; `scores`: initial scores by output, or empty.
struct BoostRows {
    std::vector<SourceColumn> columns;
    std::int64_t n = 0;
    std::vector<double> target, weights, scores;
};

class Booster {
  public:
    // The arrays of the columns are read only here.
    Booster(BoostSettings settings, BoostRows rows, BoostRows held_out, Stop& stop);
    Booster(const Booster&) = delete;

    const std::vector<double>& base() const { return base_; }
    // Runs at most `rounds` further rounds.
    Boosted run(std::int64_t rounds, Stop& stop);

  private:
    int outputs() const { return settings_.loss == Loss::softmax ? settings_.n_classes : 1; }
    Rows training() const;
    Rows held_out() const;
    void round(GradientGrower& grower, Team& team, Boosted& out);
    Units fill(int k, Team& team);
    void sample_rows();
    void refit_leaves(GradientTree& tree, const double* score, Team& team) const;
    void update(const GradientTree& tree, int k, Team& team);
    bool check_early_stopping(Team& team, Boosted& out);
    double mean_loss(const Rows& rows, const std::vector<double>& scores, Team& team) const;

    BoostSettings settings_;
    BoostRows rows_, held_out_;
    BinnedTable table_, held_out_table_;
    SplitTest test_;
    TreeWriter writer_;
    std::vector<double> base_, scores_, held_out_scores_;
    std::vector<double> softmax_max_, softmax_scale_;
    Softmax softmax_;
    std::vector<Pair> pairs_;
    std::vector<std::uint32_t> sampled_, sample_, unsampled_;
    std::int64_t round_ = 0, since_best_ = 0;
    double best_ = std::numeric_limits<double>::infinity();
};

// Codes other rows with the bins of a table.
BinnedTable coded_by(const BinnedTable& table, const std::vector<SourceColumn>& columns, std::int64_t n_rows);

}  // namespace hornbeam
