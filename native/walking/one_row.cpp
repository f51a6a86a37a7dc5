// See one_row.hpp.
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

OneRow::OneRow(const Walker& walker, std::span<const double> values, std::span<const double> answer, std::int64_t width)
    : walker_(&walker),
      width_(width),
      is_class_(!answer.empty()),
      values_(values.begin(), values.end()),
      answer_(answer.begin(), answer.end()) {
    if (width < 1 || values_.size() != walker.size() * static_cast<std::size_t>(width) ||
        (is_class_ && answer_.size() != walker.size())) {
        throw std::invalid_argument("values and answers of every node are needed");
    }
}

OneRow::OneRow(const ForestWalker& forest, std::span<const double> base, double divisor, Link link, bool is_class)
    : forest_(&forest),
      width_(linked_width(link, forest.width())),
      is_class_(is_class),
      base_(base.begin(), base.end()),
      divisor_(divisor),
      link_(link) {
    if (std::ssize(base_) != forest.width()) throw std::invalid_argument("the base does not fit the width");
}

std::int32_t OneRow::tell(const double* numbers, const std::int32_t* codes, double* values) const {
    return walker_ != nullptr ? tell_tree(numbers, codes, values) : tell_forest(numbers, codes, values);
}

std::int32_t OneRow::tell_tree(const double* numbers, const std::int32_t* codes, double* values) const {
    const std::vector<std::int32_t>& used = walker_->columns();
    std::vector<WalkColumn> columns(used.size());
    for (std::size_t i = 0; i < used.size(); ++i)
        columns[i] = column_at(numbers, codes, used[i], walker_->n_levels()[i] == 0);
    const Walker::End end = walker_->end_of(columns.data(), 0);
    if (end.refused) return -1;
    if (!end.is_shared) {
        std::copy_n(values_.data() + end.node * width_, width_, values);
        return is_class_ ? static_cast<std::int32_t>(answer_[static_cast<std::size_t>(end.node)]) : 0;
    }
    const std::int64_t row = 0;
    Stop stop;
    walker_->mix(columns, {&row, 1}, &end.node, values_.data(), width_, 1, stop, values);
    return is_class_ ? largest(values, width_) : 0;
}

std::int32_t OneRow::tell_forest(const double* numbers, const std::int32_t* codes, double* values) const {
    const std::vector<std::int32_t>& n_levels = forest_->n_levels();
    std::vector<WalkColumn> columns(n_levels.size());
    for (const std::int32_t column : forest_->columns()) {
        const auto at = static_cast<std::size_t>(column);
        columns[at] = column_at(numbers, codes, column, n_levels[at] == 0);
    }
    std::vector<double> totals = base_;
    Stop stop;
    if (forest_->add_up(columns, 1, 1, stop, totals.data(), nullptr, nullptr) >= 0) return -1;
    for (double& total : totals) total /= divisor_;
    linked(link_, totals.data(), forest_->width(), values);
    return is_class_ ? largest(values, width_) : 0;
}

}  // namespace hornbeam
