#include "growing/node_records.hpp"

#include "growing/found_candidates.hpp"

namespace hornbeam {
namespace {

// Appends items to a pool; returns where they begin.
template <class Item, class Items>
std::int32_t append(std::vector<Item>& pool, const Items& items) {
    const auto at = static_cast<std::int32_t>(pool.size());
    pool.insert(pool.end(), items.begin(), items.end());
    return at;
}

}  // namespace

void record_node(Fragment& fragment, const Open& node) {
    Record& record = fragment.records[node.record];
    record.stats_at = append(fragment.cells, node.totals.cell);
    record.depth = node.depth;
    record.rows = node.totals.rows;
    record.weight = node.totals.weight;
    record.mean = node.totals.mean;
    record.spread = node.totals.spread;
    record.impurity = node.impurity;
    record.answer = node.totals.answer;
}

void record_split(Fragment& fragment, const Open& node, const RowPartition& rows, std::int32_t first, const Job& job) {
    const Candidate& best = node.best;
    Record& record = fragment.records[node.record];
    record.first_child = first;
    record.n_branches = best.n_branches;
    record.question.column = best.column;
    record.gain = best.gain;
    record.score = best.score;
    record.missing_branch = rows.missing_branch;
    record.n_surrogates = static_cast<std::int32_t>(node.surrogates.size());
    record.n_competitors = static_cast<std::int32_t>(node.competitors.size());
    record.kept_at = append(fragment.kept, node.surrogates);
    append(fragment.kept, node.competitors);
    record.question.asks_missing = best.type == Candidate::Type::missing;
    if (record.question.asks_missing) return;
    if (best.many) {
        record.question.many_at = static_cast<std::int32_t>(fragment.many.size());
        fragment.many.push_back(best.many);
    } else if (best.type == Candidate::Type::map) {
        record.question.map_at = append(fragment.maps, best.groups->branch_of);
    } else if (best.cuts) {
        record.question.cuts_at = append(fragment.cuts, best.cuts->at);
        record.question.n_cuts = static_cast<std::int32_t>(best.cuts->at.size());
    } else {
        record.question.cut = threshold_of(best, job);
    }
}

}  // namespace hornbeam
