#include "missing/fractional_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hornbeam {
namespace {

constexpr double MIN_FRACTION = 1e-6;
constexpr std::int32_t NOT_SELECTED = -1;

// Copies the entries of the selected rows in order; ranks are renumbered from 0 to fit narrower entries.
template <class From, class To>
void move_list(const From* source, std::int32_t n, const std::vector<std::int32_t>& local, std::vector<To>& to) {
    To rank = 0;
    From before = 0;
    for (std::int32_t i = 0; i < n; ++i) {
        const std::int32_t row = local[row_of(source[i])];
        if (row == NOT_SELECTED) continue;
        const bool is_missing = rank_of(source[i]) == NO_RANK<From>;
        if (!to.empty() && rank_of(source[i]) != before) ++rank;
        before = rank_of(source[i]);
        to.push_back(((is_missing ? NO_RANK<To> : rank) << HALF<To>) | static_cast<To>(row));
    }
}

template <class Entry>
std::shared_ptr<AnyBlock> block_of(const Plan& plan, const NodeSlice& node, const std::vector<FractionalRow>& rows,
                                   const std::vector<std::int32_t>& active) {
    AnyBlock& from = node.block;
    auto to = std::make_shared<Block<Entry>>();
    const auto n = static_cast<std::int32_t>(rows.size());
    const Target& target = plan.target;
    const std::vector<NumberTarget> targets = target.number_targets();
    to->n_rows = n;
    to->is_wide = sizeof(Entry) == 8;
    to->order.resize(n);
    std::iota(to->order.begin(), to->order.end(), 0u);
    to->right.resize(n);
    to->branch.resize(n);
    if (!from.target_rank.empty()) to->target_rank.resize(n);
    std::vector<std::int32_t> local(from.n_rows, NOT_SELECTED);
    for (std::int32_t i = 0; i < n; ++i) {
        const std::uint32_t row = rows[i].row, at = from.row_of[row];
        local[row] = i;
        to->row_of.push_back(at);
        to->weights.push_back(rows[i].weight);
        const auto weight = static_cast<double>(rows[i].weight);
        if (target.is_class()) to->classes.push_back(from.classes[row]);
        for (const NumberTarget& each : targets)
            to->sums.push_back(std::llround((each.numbers[at] - each.origin) / each.unit * weight));
        if (!from.two_classes.empty()) to->two_classes.push_back(from.two_classes[row]);
    }
    to->has_list.assign(from.has_list.size(), false);
    to->is_sparse.assign(from.has_list.size(), false);
    to->lists.resize(from.has_list.size());
    to->codes.resize(from.codes.size());
    for (const std::int32_t c : active) {
        to->codes[c] = codes_of_rows(from.codes[c], n, [&](std::int64_t i) { return rows[i].row; });
        to->has_list[c] = from.has_list[c];
        if (!from.has_list[c]) continue;
        to->lists[c].reserve(n);
        with_entries(from,
                     [&](auto& typed) { move_list(typed.list(c) + node.begin, node.rows(), local, to->lists[c]); });
    }
    return to;
}

}  // namespace

std::vector<std::vector<FractionalRow>> fractional_rows(const Plan& plan, const NodeSlice& node,
                                                        const std::vector<std::int64_t>& known) {
    const AnyBlock& block = node.block;
    const std::size_t n_branches = known.size();
    const auto majority = static_cast<std::size_t>(std::max_element(known.begin(), known.end()) - known.begin());
    const double total = static_cast<double>(std::accumulate(known.begin(), known.end(), std::int64_t{0}));
    std::vector<std::vector<FractionalRow>> out(n_branches);
    std::vector<double> parts(n_branches);
    for (std::int32_t i = node.begin; i < node.end; ++i) {
        const std::uint32_t row = block.order[i];
        const std::int64_t weight = block.weights[row];
        if (block.branch[row] < n_branches) {
            out[block.branch[row]].push_back({row, weight});
            continue;
        }
        const auto whole = static_cast<double>(weight);
        const double min_weight = MIN_FRACTION * static_cast<double>(plan.target.weights[block.row_of[row]]);
        double sum = 0;
        for (std::size_t b = 0; b < n_branches; ++b) {
            parts[b] = whole * (static_cast<double>(known[b]) / total);
            if (known[b] == 0 || (parts[b] < min_weight && b != majority)) parts[b] = 0;
            sum += parts[b];
        }
        for (std::size_t b = 0; b < n_branches; ++b)
            if (parts[b] > 0)
                out[b].push_back({row, std::max<std::int64_t>(1, std::llround(parts[b] * (whole / sum)))});
    }
    return out;
}

std::shared_ptr<AnyBlock> fractional_block(const Plan& plan, const NodeSlice& node,
                                           const std::vector<FractionalRow>& rows,
                                           const std::vector<std::int32_t>& active) {
    if (rows.size() <= static_cast<std::size_t>(SMALL_BLOCK)) return block_of<std::uint32_t>(plan, node, rows, active);
    return block_of<std::uint64_t>(plan, node, rows, active);
}

bool has_missing(const Job& job, const Open& open) {
    if (open.best.many) return !open.best.many->has_fill();
    if (open.best.type == Candidate::Type::missing || !job.columns[open.best.column].has_missing) return false;
    const SourceColumn& source = job.plan.columns[open.best.column];
    const AnyBlock& block = *open.block;
    return std::any_of(block.order.begin() + open.begin, block.order.begin() + open.end,
                       [&](std::uint32_t row) { return source.is_missing(block.row_of[row]); });
}

}  // namespace hornbeam
