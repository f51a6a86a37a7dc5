// Predictions for one row (one_row.hpp).
#include "walking/one_row.hpp"

#include <algorithm>
#include <stdexcept>

namespace hornbeam {
namespace {

WalkColumn column_at(const double* numbers, const std::int32_t* codes, std::int32_t column, bool is_number) {
    return is_number ? WalkColumn{numbers + column, nullptr} : WalkColumn{nullptr, codes + column};
}

std::int32_t largest(const double* values, std::int64_t width) {
    return static_cast<std::int32_t>(std::max_element(values, values + width) - values);
}

}  // namespace

OneRow::OneRow(const Walker& walker, std::span<const double> values, std::span<const double> labels, std::int64_t width)
    : walker_(&walker),
      width_(width),
      is_class_(!labels.empty()),
      values_(values.begin(), values.end()),
      labels_(labels.begin(), labels.end()) {
    if (width < 1 || values_.size() != walker.size() * static_cast<std::size_t>(width) ||
        (is_class_ && labels_.size() != walker.size())) {
        throw std::invalid_argument("values and labels must have one entry per node");
    }
}

OneRow::OneRow(const ForestWalker& forest, std::span<const double> base, double divisor, Link link, bool is_class)
    : forest_(&forest),
      width_(output_width(link, forest.width())),
      is_class_(is_class),
      base_(base.begin(), base.end()),
      divisor_(divisor),
      link_(link) {
    if (std::ssize(base_) != forest.width()) throw std::invalid_argument("base must have width entries");
}

std::int32_t OneRow::predict(const double* numbers, const std::int32_t* codes, double* values) const {
    return walker_ != nullptr ? predict_tree(numbers, codes, values) : predict_forest(numbers, codes, values);
}

std::int32_t OneRow::predict_tree(const double* numbers, const std::int32_t* codes, double* values) const {
    const std::vector<std::int32_t>& used = walker_->columns();
    std::vector<WalkColumn> columns(used.size());
    for (std::size_t i = 0; i < used.size(); ++i)
        columns[i] = column_at(numbers, codes, used[i], walker_->n_levels()[i] == 0);
    const RowEnd end = walker_->nodes().end_of(columns.data(), 0);
    if (end.rejected) return -1;
    if (!end.is_fractional) {
        std::copy_n(values_.data() + end.node * width_, width_, values);
        return is_class_ ? static_cast<std::int32_t>(labels_[end.node]) : 0;
    }
    const std::int64_t row = 0;
    Stop stop;
    mix_values(walker_->nodes(), {columns, {&row, 1}, &end.node}, {values_.data(), width_}, {1, stop}, values);
    return is_class_ ? largest(values, width_) : 0;
}

std::int32_t OneRow::predict_forest(const double* numbers, const std::int32_t* codes, double* values) const {
    const std::vector<std::int32_t>& n_levels = forest_->n_levels();
    std::vector<WalkColumn> columns(n_levels.size());
    for (const std::int32_t column : forest_->columns()) {
        const auto at = static_cast<std::size_t>(column);
        columns[at] = column_at(numbers, codes, column, n_levels[at] == 0);
    }
    std::vector<double> totals = base_;
    Stop stop;
    if (forest_->add_up(columns, 1, {1, stop}, totals.data(), {}) >= 0) return -1;
    for (double& total : totals) total /= divisor_;
    apply_link(link_, totals.data(), forest_->width(), values);
    return is_class_ ? largest(values, width_) : 0;
}

}  // namespace hornbeam
