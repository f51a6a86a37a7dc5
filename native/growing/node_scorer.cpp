#include "growing/node_scorer.hpp"

#include <algorithm>
#include <cmath>

#include "core/digit_sort.hpp"
#include "core/keys.hpp"
#include "core/midpoint.hpp"
#include "core/weight_limits.hpp"
#include "growing/quantile_search.hpp"
#include "growing/search.hpp"
#include "missing/impute.hpp"

namespace hornbeam {
namespace {

constexpr double SAME = 1e-10;         // numbers closer than this fraction of their range are equal
constexpr double MAX_COST = 20.0;      // of a row whose class is absent from a branch
constexpr double EQUAL_COSTS = 1e-10;  // relative

// The difference of two costs; 0 if they are equal up to rounding.
double cost_difference(double first, double second) {
    return std::abs(first - second) <= EQUAL_COSTS * std::max(first, second) ? 0.0 : first - second;
}

}  // namespace

NodeScorer::NodeScorer(const Scoring& scoring, Open& node, Scratch& scratch)
    : SplitScorer(scratch.scorer),
      scoring_(scoring),
      node_(node),
      scratch_(scratch),
      sides_(scoring, node),
      items_(scratch.scorer.items),
      spare_(scratch.scorer.spare),
      list_(scratch.scorer.list),
      ascending_(scratch.scorer.ascending) {
    n_classes = scoring.plan.target.n_classes;
    classes.resize(n_classes > 0 ? sides_.size() : 0);
    for (std::size_t i = 0; i < classes.size(); ++i)
        classes[i] = node.block->classes[sides_.row(static_cast<std::int64_t>(i))];
}

void set_row_weights(const Scoring& scoring, const NodeSides& sides, Vector& out) {
    out.assign(sides.size(), 1.0);
    if (scoring.plan.target.weights.empty() && scoring.plan.target.class_scale.empty()) return;
    const bool is_class = scoring.plan.target.is_class();
    for (std::int64_t i = 0; i < sides.size(); ++i)
        out[i] = static_cast<double>(sides.weight_of(i)) * scoring.factor[is_class ? sides.group_of(i) : 0];
}

bool NodeScorer::rank(const Vector& numbers, bool is_exact) {
    constexpr std::size_t FEW = 2048;
    items_.clear();
    for (std::int64_t i = 0; i < sides_.size(); ++i)
        if (!std::isnan(numbers[i])) items_.push_back({ordered_bits(numbers[i]), static_cast<std::uint32_t>(i)});
    const std::size_t n = items_.size();
    if (n < 2) return false;
    if (n <= FEW) {
        std::sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) {
            return a.key != b.key ? a.key < b.key : a.position < b.position;
        });
    } else {
        spare_.resize(n);
        const auto key = [](const Item& item) { return item.key; };
        const Item* sorted = sort_by_digits<0>(items_.data(), spare_.data(), static_cast<std::int64_t>(n), key);
        if (sorted != items_.data()) std::swap(items_, spare_);
    }
    ascending_.resize(n);
    for (std::size_t i = 0; i < n; ++i) ascending_[i] = from_ordered_bits(items_[i].key);
    if (!std::isfinite(ascending_.front()) || !std::isfinite(ascending_.back())) return false;
    const double gap = is_exact ? 0.0 : SAME * (ascending_.back() - ascending_.front());
    list_.resize(n);
    std::uint64_t block = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (i > 0) block += ascending_[i] - ascending_[i - 1] > gap;
        list_[i] = block << 32 | sides_.row(items_[i].position);
    }
    return block > 0;
}

double NodeScorer::between(std::int64_t below) const { return midpoint(ascending_[below - 1], ascending_[below]); }

bool NodeScorer::cut(const Vector& numbers, double& score, double& at) {
    if (!rank(numbers, false) || list_.size() < static_cast<std::size_t>(sides_.size())) return false;
    Vector lowest;  // per block of equal numbers
    for (std::size_t i = 0; scoring_.penalizes_cuts && i < list_.size(); ++i)
        if (list_[i] >> 32 == lowest.size()) lowest.push_back(ascending_[i]);
    const ListScan scan{node_.totals, 0.0, tolerance(), -1, lowest.data()};
    const bool is_quantile = scoring_.plan.criterion.quantile >= 0;
    const Cut found = is_quantile
                          ? quantile_cut(scoring_, node_.view(), list_.data(), node_.rows(), scan, scratch_)
                          : best_cut_of_list(scoring_, *node_.block, list_.data(), node_.rows(), scan, scratch_);
    if (found.at < 0) return false;
    Candidate cut;
    cut.type = Candidate::Type::cut;
    cut.score = found.score;
    scoring_.finish(cut, 1.0, found.tried, node_.totals);
    score = cut.score;
    at = between(is_quantile ? found.at / 2 : found.at);
    return true;
}

bool NodeScorer::median(const Vector& numbers, bool is_exact, double& at) {
    if (!rank(numbers, is_exact)) return false;
    std::int64_t all = 0, weight = 0;
    for (const Item& item : items_) all += sides_.weight_of(item.position);
    std::size_t i = 0, last_gap = 0;
    // The block of the lower median, or the last but one.
    for (; i < items_.size(); ++i) {
        weight += sides_.weight_of(items_[i].position);
        const bool is_end = i + 1 < items_.size() && list_[i] >> 32 != list_[i + 1] >> 32;
        if (!is_end) continue;
        last_gap = i + 1;
        if (reaches_half(weight, all)) break;
    }
    at = between(static_cast<std::int64_t>(last_gap));
    return true;
}

double NodeScorer::fill_of(std::int32_t column) const {
    return imputes(scoring_, column) ? imputed_value(scoring_, node_.slice(), column)
                                     : std::numeric_limits<double>::quiet_NaN();
}

bool NodeScorer::score(const RowSides& sides, double& out) {
    const auto [left, known] = sides_.sums_of(sides);
    if (left.rows == 0 || left.rows == known.rows || !sides_.admits(left, known)) return false;
    out = sides_.score(left, known, sides_.mass_without(known));
    return true;
}

double NodeScorer::sweep(const std::vector<std::uint8_t>& right, const std::vector<std::uint32_t>& turning,
                         const std::vector<std::uint8_t>& joins, const std::vector<std::uint32_t>& ends,
                         std::size_t& best) {
    SideSums side = sides_.empty();
    const SideSums& whole = sides_.whole();
    for (std::int64_t i = 0; i < sides_.size(); ++i)
        if (right[i]) sides_.add(side, i);
    double top = -std::numeric_limits<double>::infinity();
    bool is_found = false;
    const auto look = [&](std::size_t moment) {
        if (side.rows == 0 || side.rows == whole.rows || !sides_.admits(side, whole)) return;
        const double score = sides_.score(side, whole, 0.0);
        if (is_found && !beats(score, top)) return;
        top = score;
        best = moment;
        is_found = true;
    };
    look(0);
    std::size_t next = 0;
    for (std::size_t e = 0; e < ends.size(); ++e) {
        for (; next <= ends[e]; ++next) sides_.add(side, turning[next], joins[next] ? 1 : -1);
        look(e + 1);
    }
    return top;
}

void NodeScorer::wanted_sides(const RowSides& sides, Vector& signs, Vector& weights) {
    SideSums side[2] = {sides_.empty(), sides_.empty()}, one_row = sides_.empty();
    const std::int64_t n = sides_.size();
    const int width = sides_.width(), n_groups = scoring_.plan.criterion.quantile >= 0 ? width : n_classes;
    for (std::int64_t i = 0; i < n; ++i)
        if (sides[i] >= 0) sides_.add(side[sides[i]], i);
    const std::int64_t* node = sides_.whole().cell.data();
    std::vector<double> center[2] = {std::vector<double>(width, 0.0), std::vector<double>(width, 0.0)};
    for (int s = 0; s < 2; ++s) sides_.add_real(side[s].cell.data(), node, center[s].data());
    const Criterion& criterion = *scoring_.criterion;
    signs.resize(n);
    set_row_weights(scoring_, sides_, weights);
    std::vector<double> of_group, one(width, 0.0);
    for (int k = 0; k < n_groups; ++k) {
        std::fill(one.begin(), one.end(), 0.0);
        one[k] = 1.0;
        const double here = criterion.divergence(one.data(), center[0].data(), width, false);
        const double there = criterion.divergence(one.data(), center[1].data(), width, false);
        of_group.push_back(cost_difference(std::min(here, MAX_COST), std::min(there, MAX_COST)));
    }
    for (std::int64_t i = 0; i < n; ++i) {
        double less = 0;
        if (n_groups > 0) {
            less = of_group[sides_.group_of(i)];
        } else {
            std::fill(one_row.cell.begin(), one_row.cell.end(), 0);
            std::fill(one.begin(), one.end(), 0.0);
            sides_.add(one_row, i);
            sides_.add_real(one_row.cell.data(), node, one.data());
            less = cost_difference(criterion.divergence(one.data(), center[0].data(), width, true),
                                   criterion.divergence(one.data(), center[1].data(), width, true));
        }
        signs[i] = less > 0 ? 1.0 : -1.0;
        weights[i] *= std::abs(less);
    }
}

}  // namespace hornbeam
