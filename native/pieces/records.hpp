// Nodes and splits as records of a fragment of the tree.
#pragma once

#include "pieces/node_search.hpp"

namespace hornbeam {

inline void write_node(const PieceNode& node, Fragment& fragment) {
    Record& record = fragment.records[node.record];
    record.stats_at = static_cast<std::int32_t>(fragment.counts.size());
    fragment.counts.insert(fragment.counts.end(), node.totals.counts.begin(), node.totals.counts.end());
    record.depth = node.depth;
    record.rows = node.totals.rows;
    record.weight = node.totals.weight;
    record.mean = node.totals.mean;
    record.spread = node.totals.spread;
    record.impurity = node.impurity;
}

// Records the split of a node and adds the records of its children; returns the first of them.
inline std::int32_t write_split(const PieceNode& node, const NodeSearch& search, Fragment& fragment) {
    const Candidate& best = node.best;
    const auto first = static_cast<std::int32_t>(fragment.records.size());
    Record& record = fragment.records[node.record];
    record.first_child = first;
    record.n_branches = best.n_branches;
    record.column = best.column;
    record.gain = best.gain;
    record.score = best.score;
    record.missing_branch = best.type == Candidate::Type::missing ? 0 : node.missing_branch;
    record.kept_at = static_cast<std::int32_t>(fragment.kept.size());
    record.n_surrogates = static_cast<std::int32_t>(node.surrogates.size());
    record.n_competitors = static_cast<std::int32_t>(node.competitors.size());
    for (const auto* kept : {&node.surrogates, &node.competitors})
        fragment.kept.insert(fragment.kept.end(), kept->begin(), kept->end());
    record.asks_missing = best.type == Candidate::Type::missing;
    if (best.type == Candidate::Type::map) {
        record.whole_at = static_cast<std::int32_t>(fragment.maps.size());
        const std::vector<std::int32_t>& map = best.groups->branch_of;
        fragment.maps.insert(fragment.maps.end(), map.begin(), map.end());
    } else if (best.type == Candidate::Type::cut) {
        record.cut = search.threshold(best);
    }
    fragment.records.resize(fragment.records.size() + best.n_branches);
    return first;
}

// The children of a node that is split, with the sums that its question gives them.
inline std::vector<PieceNode> children_of(const PieceNode& node, std::int32_t first, bool finishes_column) {
    std::vector<PieceNode> children(node.best.n_branches);
    for (std::size_t b = 0; b < children.size(); ++b) {
        PieceNode& child = children[b];
        child.record = first + static_cast<std::int32_t>(b);
        child.depth = node.depth + 1;
        child.id = child_id(node.id, b);
        child.n_used = node.n_used + finishes_column;
        child.totals = node.branches[b];
        child.totals.id = child.id;
    }
    return children;
}

// The columns that the children of a node may use.
inline std::vector<std::int32_t> columns_below(const PieceNode& node, bool finishes_column) {
    std::vector<std::int32_t> active = node.active;
    if (finishes_column) std::erase(active, node.best.column);
    return active;
}

}  // namespace hornbeam
