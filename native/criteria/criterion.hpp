// Criterion: scores a split from the statistics of its branches. The criteria are in impurities.hpp, split_scores.hpp,
// poisson.hpp and quantile.hpp; the reference implementation of each is in parts/criteria.
//
//   classification   the statistics of a node are the weights of its K classes
//   regression       the statistics of a node are (weight, weighted sum of the target minus `SplitStats::mean`), with
//                    several numbers per row one sum each, about their means
//
// The scan of sorted cuts has its own kernels for Gini, entropy and squared error on integer counts
// (searches/cut_kernels.hpp); all other searches and criteria use this interface.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace hornbeam {

// The statistics of a split: the parent's, then those of the branches, `width` values each. All weights are those of
// rows whose outcome is defined; `unknown` is the weight of the other rows.
struct SplitStats {
    const double* parent;
    const double* branches;
    int n_branches;
    int width;
    double unknown = 0.0;
    const double* targets = nullptr;  // if the statistics are distributions: the target value of each entry
    double mean = 0.0;                // regression: the value that is subtracted from the target in all sums
};

class Criterion {
  public:
    virtual ~Criterion() = default;
    virtual double score(const SplitStats& split) const = 0;
    // The impurity of a node of classes; of numbers the grower computes it from the rows.
    virtual double impurity(const double*, int) const { return 0.0; }
    // The decrease of impurity by a split (classification), also if the score is another measure.
    double decrease(const SplitStats& split) const;
    // Whether the score is that decrease.
    virtual bool is_impurity() const { return true; }
    // Whether a split with one of these branches is inadmissible.
    virtual bool forbids(const SplitStats&) const { return false; }
    // The distance of a group from a center in the loss of the criterion: squared distance of the class distributions,
    // or of the means.
    virtual double divergence(const double* stats, const double* center, int width, bool is_number) const;
};

std::unique_ptr<Criterion> make_criterion(const std::string& name);
// The expected cost of the best prediction, from costs[truth * K + prediction].
std::unique_ptr<Criterion> make_cost_criterion(const std::vector<double>& costs);

double total(const double* stats, int width);

// The split information of the gain ratio: entropy in bits of the branch weights; rows with an undefined outcome are
// one more branch.
double split_information(const SplitStats& split, bool is_number);

}  // namespace hornbeam
