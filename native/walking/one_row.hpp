// OneRow: the prediction of a model for one row, without the setup of a walk of many rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "walking/forest.hpp"
#include "walking/links.hpp"
#include "walking/walk.hpp"

namespace hornbeam {

class OneRow {
  public:
    // One tree: `width` values per node, and the class label of each node (empty for regression).
    OneRow(const Walker& walker, std::span<const double> values, std::span<const double> labels, std::int64_t width);
    // Many trees: (base + values of the trees) / divisor, then the link.
    OneRow(const ForestWalker& forest, std::span<const double> base, double divisor, Link link, bool is_class);

    // The number of values of a prediction: class probabilities, or one value.
    std::int64_t width() const noexcept { return width_; }
    bool is_class() const noexcept { return is_class_; }

    // Fills `values` for a row that has one entry of `numbers` or `codes` per column of the table. Returns the class (0
    // for regression), or -1 if the policy `error` rejects the row.
    std::int32_t predict(const double* numbers, const std::int32_t* codes, double* values) const;

  private:
    std::int32_t predict_tree(const double* numbers, const std::int32_t* codes, double* values) const;
    std::int32_t predict_forest(const double* numbers, const std::int32_t* codes, double* values) const;

    const Walker* walker_ = nullptr;
    const ForestWalker* forest_ = nullptr;
    std::int64_t width_;
    bool is_class_;
    std::vector<double> values_, labels_;  // of the nodes of a tree
    std::vector<double> base_;
    double divisor_ = 1.0;
    Link link_ = Link::identity;
};

}  // namespace hornbeam
