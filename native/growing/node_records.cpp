#include "growing/node_records.hpp"

#include "growing/found_candidates.hpp"

namespace hornbeam {
namespace {

// Appends items to a pool; returns the index of the first.
template <class Item, class Items>
std::int32_t append(std::vector<Item>& pool, const Items& items) {
    const auto at = static_cast<std::int32_t>(pool.size());
    pool.insert(pool.end(), items.begin(), items.end());
    return at;
}

}  // namespace

Reason late_reason(const Job& job, Open& node) {
    const Scoring& s = job.scoring;
    if (node.best.gain <= s.tolerance(node.impurity)) node.best.gain = 0.0;
    return job.plan.stops.late(node.best.gain, [&] { return s.mass(node.totals) / s.root_mass; });
}

ColumnUse use_of_column(const Job& job, const Candidate& best) {
    const bool is_once =
        best.is_multiway && job.plan.levels->is_once_per_path(static_cast<int>(job.columns[best.column].n_codes));
    return {is_once, is_once && !job.plan.reuses_columns()};
}

void record_node(Fragment& fragment, Open& node, const Scoring& scoring) {
    node.impurity = scoring.impurity(node.totals);
    Record& record = fragment.records[node.record];
    record.stats_at = append(fragment.cells, node.totals.cell);
    record.depth = node.depth;
    record.rows = node.totals.rows;
    record.weight = node.totals.weight;
    record.mean = node.totals.mean;
    record.spread = node.totals.spread;
    record.impurity = node.impurity;
    record.prediction = node.totals.prediction;
}

std::int32_t record_split(Fragment& fragment, const Open& node, std::int32_t missing_branch, const Job& job) {
    const Candidate& best = node.best;
    const auto first = static_cast<std::int32_t>(fragment.records.size());
    fragment.records.resize(fragment.records.size() + best.n_branches);
    Record& record = fragment.records[node.record];
    record.first_child = first;
    record.n_branches = best.n_branches;
    record.column = best.column;
    record.gain = best.gain;
    record.score = best.score;
    record.missing_branch = missing_branch;
    record.n_surrogates = static_cast<std::int32_t>(node.surrogates.size());
    record.n_competitors = static_cast<std::int32_t>(node.competitors.size());
    record.kept_at = append(fragment.kept, node.surrogates);
    append(fragment.kept, node.competitors);
    record.tests_missing = best.type == Candidate::Type::missing;
    record.is_multiway = best.is_multiway;
    if (best.many) {
        record.many_at = static_cast<std::int32_t>(fragment.many.size());
        fragment.many.push_back(best.many);
    } else if (best.type == Candidate::Type::map) {
        record.map_at = append(fragment.maps, best.groups->branch_of);
    } else if (best.cuts) {
        record.cuts_at = append(fragment.cuts, *best.cuts);
        record.n_cuts = static_cast<std::int32_t>(best.n_cuts());
    } else if (!record.tests_missing) {
        record.cut = threshold_of(best, job);
    }
    return first;
}

}  // namespace hornbeam
