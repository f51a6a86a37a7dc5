#include "boosting/split_test.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace hornbeam {
namespace {

constexpr double WEIGHT_UNITS = 0x1p20;  // of the mean weight
constexpr double MAX_INVERSE = 1e300;    // finite, so 0 times it is 0

bool is_leaf(const GradientNode& node) { return node.first_child < 0; }

// Drops the nodes below removed splits; the order of the others stays, so children stay adjacent and after their
// parent.
void compact(GradientTree& tree) {
    std::vector<std::int32_t> index(tree.nodes.size(), -1);
    std::int32_t kept = 0;
    tree.levels.resize(tree.nodes.size());
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        GradientNode& node = tree.nodes[i];
        const bool is_reached =
            node.parent < 0 || (index[node.parent] >= 0 && !is_leaf(tree.nodes[index[node.parent]]));
        if (!is_reached) continue;
        index[i] = kept;
        if (node.parent >= 0) {
            node.parent = index[node.parent];
            GradientNode& parent = tree.nodes[node.parent];
            if (parent.first_child == static_cast<std::int32_t>(i)) parent.first_child = kept;
        }
        if (static_cast<std::size_t>(kept) != i) {
            tree.nodes[kept] = std::move(node);
            tree.levels[kept] = std::move(tree.levels[i]);
        }
        ++kept;
    }
    tree.nodes.resize(kept);
    tree.levels.resize(kept);
}

}  // namespace

std::int64_t weight_in_test(double weight, double mean_weight) {
    return static_cast<std::int64_t>(std::rint(weight / mean_weight * WEIGHT_UNITS));
}

double inverse_in_test(double weight, double mean_weight) { return std::min(mean_weight / weight, MAX_INVERSE); }

double largest_square(std::int64_t n_rows) {
    return std::ldexp(1.0, 126 - static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n_rows))));
}

SplitTest::SplitTest(double min_f, double f_slope, bool is_weighted)
    : min_f_(min_f), f_slope_(f_slope), unit_(is_weighted ? 1.0 / WEIGHT_UNITS : 1.0) {}

SplitTest::SplitTest(double min_f, double f_slope, const std::vector<double>& weights, double mean_weight)
    : SplitTest(min_f, f_slope, !weights.empty()) {
    if (min_f <= 0 || weights.empty()) return;
    largest_square_ = largest_square(static_cast<std::int64_t>(weights.size()));
    counts_.reserve(weights.size());
    inverse_.reserve(weights.size());
    for (const double weight : weights) {
        counts_.push_back(weight_in_test(weight, mean_weight));
        inverse_.push_back(inverse_in_test(weight, mean_weight));
    }
}

TestMoments SplitTest::moments(const GradientNode& node, const Pair* pairs, const std::uint32_t* rows) const {
    TestMoments out;
    out.is_known = true;
    for (std::int32_t i = node.begin; i < node.end; ++i) {
        const std::uint32_t row = rows[i];
        if (counts_.empty())
            out.add(pairs[row].first);
        else
            out.add(pairs[row].first, counts_[row], inverse_[row], largest_square_);
    }
    return out;
}

bool SplitTest::is_weak(const GradientNode& a, const TestMoments& of_a, const GradientNode& b, const TestMoments& of_b,
                        double minimum) const {
    const auto ga = static_cast<double>(a.sums.g), gb = static_cast<double>(b.sums.g);
    const double na = static_cast<double>(of_a.count) * unit_, nb = static_cast<double>(of_b.count) * unit_;
    const Wide crossed = static_cast<Wide>(a.sums.g) * of_b.count - static_cast<Wide>(b.sums.g) * of_a.count;
    const double difference = static_cast<double>(crossed) * unit_, n = na + nb;
    if (na <= 0 || nb <= 0 || n <= 2) return true;
    const double between = difference / na * (difference / nb) / n;
    const double within = static_cast<double>(of_a.squares + of_b.squares) - (ga * ga / na + gb * gb / nb);
    return between * (n - 2) < minimum * (1 - NEAR) * std::max(within, 0.0);
}

void SplitTest::prune(GradientTree& tree, const BinnedTable& table, const Pair* pairs, const std::uint32_t* rows,
                      Team& team) const {
    auto& nodes = tree.nodes;
    if (min_f_ <= 0 || nodes.size() == 1) return;
    std::vector<TestMoments> of(nodes.size());
    std::vector<std::int32_t> first;  // leaves that are always tested
    for (const GradientNode& node : nodes)
        if (!is_leaf(node) && is_leaf(nodes[node.first_child]) && is_leaf(nodes[node.first_child + 1]))
            first.insert(first.end(), {node.first_child, node.first_child + 1});
    team.each(static_cast<std::int64_t>(first.size()),
              [&](std::int64_t i, int) { of[first[i]] = moments(nodes[first[i]], pairs, rows); });
    prune(tree, table, of, [&](std::int32_t leaf) { return moments(nodes[leaf], pairs, rows); });
}

void SplitTest::prune(GradientTree& tree, const BinnedTable& table, std::vector<TestMoments>& of,
                      const std::function<TestMoments(std::int32_t)>& moments_of) const {
    auto& nodes = tree.nodes;
    bool is_changed = false;
    for (std::size_t at = nodes.size(); at-- > 0;) {
        GradientNode& node = nodes[at];
        if (is_leaf(node) || !is_leaf(nodes[node.first_child]) || !is_leaf(nodes[node.first_child + 1])) continue;
        const std::int32_t a = node.first_child, b = a + 1;
        for (const std::int32_t child : {a, b})
            if (!of[child].is_known) of[child] = moments_of(child);
        const std::int64_t cuts = static_cast<std::int64_t>(table.columns[node.split.column].n_bins) - 1;
        const auto tried = static_cast<double>(std::clamp<std::int64_t>(cuts, 1, node.rows()));
        if (!is_weak(nodes[a], of[a], nodes[b], of[b], min_f_ + f_slope_ * std::log(tried))) continue;
        of[at] = {of[a].squares + of[b].squares, of[a].count + of[b].count, true};
        node.first_child = -1;
        node.is_weak = is_changed = true;
    }
    if (is_changed) compact(tree);
}

}  // namespace hornbeam
