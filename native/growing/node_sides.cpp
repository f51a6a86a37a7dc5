#include "growing/node_sides.hpp"

#include <algorithm>

namespace hornbeam {
namespace {

// The weight of rows in the criterion.
double mass(const Scoring& s, const SideSums& rows) {
    return s.plan.target.is_class() ? s.statistic.mass(rows.cell.data())
                                    : static_cast<double>(rows.weight) * s.plan.target.weight_unit;
}

}  // namespace

NodeSides::NodeSides(const Scoring& scoring, const Open& node)
    : scoring_(scoring),
      node_(node),
      block_(*node.block),
      targets_(block_.targets()),
      order_(scoring.plan.criterion.quantile >= 0 ? node.totals.order.get() : nullptr),
      whole_(empty()),
      rest_(width()),
      parent_(width()),
      sides_(2 * static_cast<std::size_t>(width())) {
    for (std::int64_t i = 0; i < size(); ++i) add(whole_, i);
}

void NodeSides::add(SideSums& side, std::int64_t position, std::int64_t sign) const {
    side.rows += sign;
    side.weight += sign * weight_of(position);
    if (order_) {
        side.cell[group_of(position)] += sign * weight_of(position);
        return;
    }
    std::visit([&](const auto& statistic) { statistic.add(targets_, row(position), side.cell.data(), sign); },
               scoring_.statistic);
}

KnownSums NodeSides::sums_of(const RowSides& branch) const {
    KnownSums out{empty(), empty()};
    for (std::int64_t i = 0; i < size(); ++i) {
        if (branch[i] >= 0) add(out.known, i);
        if (branch[i] == 0) add(out.left, i);
    }
    return out;
}

void NodeSides::add_real(const std::int64_t* cell, const std::int64_t* whole, double* to) const {
    if (!order_) return scoring_.statistic.add_real(cell, whole, to);
    for (int k = 0; k < width(); ++k) to[k] += static_cast<double>(cell[k]) * scoring_.plan.target.weight_unit;
}

bool NodeSides::admits(const SideSums& side, const SideSums& whole) const {
    const MinSize& min_size = scoring_.fixed_min_size;
    return side.rows >= min_size.rows && whole.rows - side.rows >= min_size.rows && side.weight >= min_size.weight &&
           whole.weight - side.weight >= min_size.weight;
}

SplitStats NodeSides::two_sides(const std::int64_t* side, const std::int64_t* whole, double* parent,
                                double* sides) const {
    const int n = width();
    for (int k = 0; k < n; ++k) rest_[k] = whole[k] - side[k];
    std::fill_n(parent, n, 0.0);
    std::fill_n(sides, 2 * n, 0.0);
    add_real(whole, whole, parent);
    add_real(side, whole, sides);
    add_real(rest_.data(), whole, sides + n);
    SplitStats out{parent, sides, 2, n, 0.0};
    if (order_)
        out.targets = order_->rounded.data();
    else if (!scoring_.plan.target.is_class())
        out.mean = scoring_.mean_target(Center{whole[0], whole[1]});
    return out;
}

double NodeSides::mass_without(const SideSums& known) const {
    if (known.rows == whole_.rows) return 0.0;
    SideSums rest = whole_;
    rest.weight -= known.weight;
    for (std::size_t k = 0; k < rest.cell.size(); ++k) rest.cell[k] -= known.cell[k];
    return mass(scoring_, rest);
}

double NodeSides::score(const SideSums& side, const SideSums& whole, double unknown) const {
    SplitStats split = two_sides(side.cell.data(), whole.cell.data(), parent_.data(), sides_.data());
    split.unknown = unknown;
    const double score = scoring_.criterion->score(split);
    if (scoring_.is_ratio || unknown == 0) return score;
    const double known = mass(scoring_, whole);
    return score * (known / (known + unknown));
}

}  // namespace hornbeam
