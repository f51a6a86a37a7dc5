// How good is a split?  Statistics in, one number out. One file a criterion; each has a plain twin in parts/criteria.
//
//   classes   a node's statistics are the weights of its K classes
//   numbers   a node's statistics are (weight, weighted sum of the target)
//
// Gini, entropy and squared error on plain counts also have kernels of their own inside the scan of sorted cuts
// (searches/cut_kernels.hpp); this interface serves every other search and every other criterion.
#pragma once

#include <memory>
#include <string>

namespace hornbeam {

// The tables of a split: parent, then the branches one after the other, each `width` numbers. All weights are those of
// rows whose answer is known; `unknown` is the weight of the others.
struct SplitStats {
    const double* parent;
    const double* branches;
    int n_branches;
    int width;
    double unknown = 0.0;
    const double* targets = nullptr;  // statistics that are distributions: the number of each place
};

class Criterion {
  public:
    virtual ~Criterion() = default;
    virtual double score(const SplitStats& split) const = 0;
    // The impurity of a node of classes.
    virtual double impurity(const double* stats, int width) const = 0;
    // The decrease of impurity by a split of classes, whatever the score is.
    double decrease(const SplitStats& split) const;
    // Whether that is the score.
    virtual bool is_impurity() const { return true; }
    // Whether no split may have one of these branches, whatever the others are.
    virtual bool forbids(const SplitStats&) const { return false; }
    // How far a group lies from a centre in the loss behind the criterion: squared distance of class shares, or of
    // means.
    virtual double divergence(const double* stats, const double* centre, int width, bool is_number) const;
};

// `origin` is what sums of a numeric target are measured from.
std::unique_ptr<Criterion> make_criterion(const std::string& name, double origin = 0.0);

double total(const double* stats, int width);

// The split information of gain ratio: entropy in bits of the branches' weights, the unknown rows being one more
// branch.
double split_information(const SplitStats& split, bool is_number);

}  // namespace hornbeam
