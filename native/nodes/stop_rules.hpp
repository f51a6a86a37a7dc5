// StopRules: the stopping rules of all growers: a node becomes a leaf before it is searched (`early`), after its best
// question is known (`late`), or because of the size of the tree (`size`). All functions are inline: nodes are small.
#pragma once

#include <cstdint>
#include <limits>

#include "core/weight_limits.hpp"

namespace hornbeam {

// Why a node is a leaf; the codes are those of REASONS in tree/name_codes.py.
enum class Reason : std::int8_t {
    none = 0,
    pure = 1,
    same_vectors = 2,
    no_improvement = 3,
    depth = 4,
    rows_to_split = 5,
    rows_in_leaf = 6,
    eta = 7,
    purity = 8,
    min_gain = 9,
    min_decrease = 10,
    leaves = 11,
    nodes = 12,
    no_attributes = 13,
    empty = 14,
    not_significant = 17,
};

inline constexpr std::int64_t NO_LIMIT = std::numeric_limits<std::int64_t>::max();

// The input of the early rules.
struct NodeSize {
    std::int64_t rows = 0;
    double weight = 0.0;
    std::int64_t depth = 0;
    bool is_pure = false;
};

// With the defaults no node that can be split is stopped.
struct StopRules {
    std::int64_t min_split = 2, min_leaf = 1, eta = 0;
    double min_split_weight = 0.0, min_leaf_weight = 0.0;
    std::int64_t max_depth = NO_LIMIT, max_leaves = NO_LIMIT, max_nodes = NO_LIMIT;
    double purity = 2.0;  // minimum fraction of the largest class that stops a node; above 1: never
    double min_gain = -1.0, min_decrease = 0.0;
    bool same_vectors = false;  // nodes whose rows have equal values have their own reason
    bool splits_pure = false;   // pure nodes are searched, too

    // `largest` returns the fraction of the largest class, `alike` whether all rows have equal values; each is called
    // only if its rule is used.
    template <class Largest, class Alike>
    Reason early(const NodeSize& node, const Largest& largest, const Alike& alike) const {
        if (node.rows == 0) return Reason::empty;
        if (node.is_pure && !splits_pure) return Reason::pure;
        if (same_vectors && alike()) return Reason::same_vectors;
        if (node.rows <= eta) return Reason::eta;
        if (purity <= 1 && largest() >= purity - ROUNDING) return Reason::purity;
        if (node.rows < min_split || !reaches(node.weight, min_split_weight)) return Reason::rows_to_split;
        if (node.depth >= max_depth) return Reason::depth;
        if (node.rows < 2 * min_leaf || !reaches(node.weight, 2 * min_leaf_weight)) return Reason::rows_in_leaf;
        return Reason::none;
    }

    // `fraction` returns the node's fraction of the root's weight. A decrease equal to the limit is sufficient.
    template <class Fraction>
    Reason late(double gain, const Fraction& fraction) const {
        if (min_gain >= 0 && gain <= min_gain * (1 + ROUNDING)) return Reason::min_gain;
        if (min_decrease > 0 && fraction() * gain < min_decrease * (1 - ROUNDING)) return Reason::min_decrease;
        return Reason::none;
    }

    // The limit that one more split with `branches` branches would exceed.
    Reason size(std::int64_t leaves, std::int64_t nodes, std::int64_t branches) const {
        if (leaves + branches - 1 > max_leaves) return Reason::leaves;
        if (nodes + branches > max_nodes) return Reason::nodes;
        return Reason::none;
    }
    bool limits_size() const { return max_leaves != NO_LIMIT || max_nodes != NO_LIMIT; }

  private:
    static constexpr double ROUNDING = 1e-12;  // relative
};

}  // namespace hornbeam
