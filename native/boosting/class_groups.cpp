#include "boosting/class_groups.hpp"

#include <algorithm>

#include "core/random.hpp"

namespace hornbeam {

std::vector<std::uint8_t> JointTrees::group(int n_classes, std::uint64_t seed, std::int64_t round) const {
    std::vector<std::uint8_t> out(static_cast<std::size_t>(n_classes), 0);
    const auto n = static_cast<std::int64_t>(classes.size());
    Stream stream(key(seed, Purpose::other, static_cast<std::uint64_t>(round)));
    for (const std::int64_t i : stream.choose(n, n / 2)) out[classes[i]] = 1;
    return out;
}

void refit(GradientTree& tree, const GradientSearch& search, const Regularization& regular) {
    const auto n_nodes = static_cast<std::int64_t>(tree.nodes.size());
    const LeafScores& leaf = search.leaf();
    const auto score = [&](const Sums& sums, double l2) { return leaf.bounded_score(sums, {}, l2); };
    for (std::int64_t at = n_nodes; at-- > 0;) {
        GradientNode& node = tree.nodes[at];
        if (node.first_child < 0) continue;
        GradientNode &left = tree.nodes[node.first_child], &right = tree.nodes[node.first_child + 1];
        const double l2 = search.l2_below(node.split);
        node.sums = left.sums + right.sums;
        node.gain = std::max((score(left.sums, l2) + score(right.sums, l2) - score(node.sums, regular.l2)) / 2, 0.0);
        for (GradientNode* child : {&left, &right}) child->value = leaf.value(child->sums, {}, l2);
    }
    GradientNode& root = tree.nodes[0];
    root.value = n_nodes > 1 ? leaf.value(root.sums, {}, regular.l2) : 0.0;
}

}  // namespace hornbeam
