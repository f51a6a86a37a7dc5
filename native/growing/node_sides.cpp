#include "growing/node_sides.hpp"

#include <algorithm>

namespace hornbeam {

NodeSides::NodeSides(const Scoring& scoring, const Open& node)
    : scoring_(scoring),
      node_(node),
      block_(*node.block),
      targets_(block_.targets()),
      whole_(empty()),
      rest_(scoring.statistic.empty_cell()),
      parent_(scoring.statistic.width()),
      sides_(2 * scoring.factor.size()) {
    for (std::int64_t i = 0; i < size(); ++i) add(whole_, i);
}

double NodeSides::mass_of(std::int64_t position) const {
    const bool is_class = scoring_.plan.target.is_class();
    return static_cast<double>(weight_of(position)) * scoring_.factor[is_class ? block_.classes[row(position)] : 0];
}

void NodeSides::add(SideSums& side, std::int64_t position, std::int64_t sign) const {
    side.rows += sign;
    side.weight += sign * weight_of(position);
    std::visit([&](const auto& statistic) { statistic.add(targets_, row(position), side.cell.data(), sign); },
               scoring_.statistic);
}

bool NodeSides::admits(const SideSums& side, const SideSums& whole) const {
    const Least least = scoring_.least(0, false);
    return side.rows >= least.rows && whole.rows - side.rows >= least.rows && side.weight >= least.weight &&
           whole.weight - side.weight >= least.weight;
}

SplitStats NodeSides::two_sides(const std::int64_t* side, const std::int64_t* whole, double* parent,
                                double* sides) const {
    const int width = scoring_.statistic.width();
    for (int k = 0; k < width; ++k) rest_[k] = whole[k] - side[k];
    std::fill_n(parent, width, 0.0);
    std::fill_n(sides, 2 * width, 0.0);
    std::visit(
        [&](const auto& statistic) {
            statistic.add_real(whole, whole, parent);
            statistic.add_real(side, whole, sides);
            statistic.add_real(rest_.data(), whole, sides + width);
        },
        scoring_.statistic);
    SplitStats out{parent, sides, 2, width, 0.0};
    if (!scoring_.plan.target.is_class()) out.mean = scoring_.mean_target(Center{whole[0], whole[1]});
    return out;
}

double NodeSides::mass_without(const SideSums& known) const {
    for (std::size_t k = 0; k < rest_.size(); ++k) rest_[k] = whole_.cell[k] - known.cell[k];
    return scoring_.statistic.mass(rest_.data());
}

double NodeSides::score(const SideSums& side, const SideSums& whole, double unknown) const {
    SplitStats split = two_sides(side.cell.data(), whole.cell.data(), parent_.data(), sides_.data());
    split.unknown = unknown;
    const double score = scoring_.criterion->score(split);
    if (scoring_.is_ratio || unknown == 0) return score;
    const double known = scoring_.statistic.mass(whole.cell.data());
    return score * (known / (known + unknown));
}

}  // namespace hornbeam
