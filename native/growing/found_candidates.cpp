#include "growing/found_candidates.hpp"

#include <algorithm>
#include <cmath>

#include "core/column_sampler.hpp"
#include "core/midpoint.hpp"
#include "core/random.hpp"

namespace hornbeam {
namespace {

// Keeps the candidates of the columns sampled for this node, with further columns until one varies.
void keep_sampled(const Open& node, std::vector<Candidate>& found, const Plan& plan) {
    const auto n_columns = static_cast<std::int64_t>(plan.columns.size());
    const std::uint64_t node_key = key(plan.seed, Purpose::features, plan.tree, node.id);
    std::vector<std::int32_t> at(plan.columns.size(), -1);
    for (std::size_t i = 0; i < found.size(); ++i)
        if (found[i].column >= 0 && found[i].type != Candidate::Type::constant &&
            plan.reads(plan.columns[found[i].column].kind))
            at[found[i].column] = static_cast<std::int32_t>(i);
    std::vector<bool> keep(found.size(), false);
    sample_columns(n_columns, plan.max_features, node_key, [&](std::int32_t column) {
        if (at[column] >= 0) keep[at[column]] = true;
        return at[column] >= 0;
    });
    for (std::size_t i = 0; i < found.size(); ++i)
        if (!keep[i]) found[i].type = Candidate::Type::constant, found[i].second.reset();
}

}  // namespace

void keep_varying(Open& node, std::vector<Candidate>& found, const std::vector<std::int32_t>& active,
                  const std::vector<Span>& spans, const Plan& plan) {
    node.active.reserve(active.size());
    node.spans.reserve(spans.size());
    for (std::size_t i = 0; i < active.size(); ++i) {
        if (found[i].type == Candidate::Type::constant && !found[i].second) continue;
        node.active.push_back(active[i]);
        if (!spans.empty()) node.spans.push_back(spans[i]);
    }
    const bool are_kept = plan.cuts.random && !plan.tests_missing_last();  // only sampled columns were searched
    if (plan.max_features > 0 && !are_kept) keep_sampled(node, found, plan);
}

void add_seconds(std::vector<Candidate>& found) {
    const auto has_second = [](const Candidate& each) { return each.second != nullptr; };
    if (std::none_of(found.begin(), found.end(), has_second)) return;
    std::vector<Candidate> all;
    all.reserve(2 * found.size());
    for (Candidate& each : found) {
        const auto first = static_cast<std::ptrdiff_t>(all.size());
        for (auto next = std::make_shared<Candidate>(std::move(each)); next; next = std::move(all.back().second))
            all.push_back(std::move(*next));
        std::stable_sort(all.begin() + first, all.end(),
                         [](const Candidate& a, const Candidate& b) { return a.rank < b.rank; });
    }
    found = std::move(all);
}

double threshold_of(const Candidate& cut, const Job& job) {
    if (cut.cuts) return cut.cuts->front();
    const ReadyColumn& column = job.columns[cut.column];
    const double middle = midpoint(cut.low, cut.high);
    if (!job.plan.cuts.at_data) return middle;
    const double below = *(std::upper_bound(column.values.begin(), column.values.end(), middle) - 1);
    return std::isfinite(below) ? below : middle;
}

}  // namespace hornbeam
