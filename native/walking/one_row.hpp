// What does a model say of one row?  The same as the walks of many rows, without their preparations.
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
    // One tree: what every node says, `width` numbers each, and the class it answers (empty for numbers).
    OneRow(const Walker& walker, std::span<const double> values, std::span<const double> answer, std::int64_t width);
    // Many trees: base + what they say, over `divisor`, then the link.
    OneRow(const ForestWalker& forest, std::span<const double> base, double divisor, Link link, bool is_class);

    // How many numbers an answer has: shares of classes, or one.
    std::int64_t width() const noexcept { return width_; }
    bool is_class() const noexcept { return is_class_; }

    // Fills `values` for a row with one entry of `numbers` or `codes` for each column of the table. Returns the class
    // (0 for numbers), or -1 when the policy `error` refuses the row.
    std::int32_t tell(const double* numbers, const std::int32_t* codes, double* values) const;

  private:
    std::int32_t tell_tree(const double* numbers, const std::int32_t* codes, double* values) const;
    std::int32_t tell_forest(const double* numbers, const std::int32_t* codes, double* values) const;

    const Walker* walker_ = nullptr;
    const ForestWalker* forest_ = nullptr;
    std::int64_t width_;
    bool is_class_;
    std::vector<double> values_, answer_;  // of a tree's nodes
    std::vector<double> base_;
    double divisor_ = 1.0;
    Link link_ = Link::identity;
};

}  // namespace hornbeam
