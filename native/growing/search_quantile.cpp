// The best question where impurity is the distance from a quantile: moments do not tell it, the order of the targets
// does. A node's rows are put in that order once; every column is then walked twice, and rows are taken from it one by
// one (searches/peel.hpp). Groupings of levels look at the distribution of every level.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/ranks.hpp"
#include "core/stop.hpp"
#include "growing/search.hpp"

namespace hornbeam {
namespace {

constexpr int FINE_BITS = 60;  // of a number that is multiplied by weights in 128 bits

template <class Use>
void with_peel(bool is_weighted, const Use& use) {
    if (is_weighted)
        use(std::true_type());
    else
        use(std::false_type());
}

}  // namespace

void ColumnSearch::rank_targets() {
    const double* numbers = plan_.target.numbers;
    const ReadyColumn ready = ranked(numbers, plan_.n_rows, false);
    target_rank_.resize(plan_.n_rows);
    for (const std::uint64_t word : ready.sorted)
        target_rank_[static_cast<std::uint32_t>(word)] = static_cast<std::uint32_t>(word >> 32);
    with_codes(ready.codes, [&](const auto* codes) { std::copy_n(codes, plan_.n_rows, target_rank_.begin()); });
    double largest = 0;
    for (std::int64_t i = 0; i < plan_.n_rows; ++i)
        largest = std::max(largest, std::fabs(numbers[i] - plan_.target.origin));
    fine_unit_ = largest > 0 ? std::ldexp(1.0, std::ilogb(largest) + 1 - FINE_BITS) : 1.0;
}

void ColumnSearch::order_targets(AnyBlock& block, std::int32_t begin, std::int32_t end, Totals& totals) const {
    if (begin == end) return;
    const std::int32_t n = end - begin;
    const bool is_weighted = !block.weights.empty();
    std::vector<std::uint64_t> words(n);
    for (std::int32_t i = 0; i < n; ++i) {
        const std::uint32_t row = block.order[begin + i];
        words[i] = static_cast<std::uint64_t>(target_rank_[block.row_of[row]]) << 32 | row;
    }
    sort_words(words.data(), n);
    auto order = std::make_shared<TargetOrder>();
    order->values.resize(n);
    order->place.resize(n);
    if (is_weighted) order->weights.resize(n);
    for (std::int32_t i = 0; i < n; ++i) {
        const auto row = static_cast<std::uint32_t>(words[i]);
        const double number = plan_.target.numbers[block.row_of[row]];
        block.target_rank[row] = static_cast<std::uint32_t>(i);
        if (i == 0 || words[i] >> 32 != words[i - 1] >> 32) order->numbers.push_back(number);
        order->place[i] = static_cast<std::uint32_t>(order->numbers.size() - 1);
        order->values[i] = is_weighted ? std::llround((number - plan_.target.origin) / fine_unit_) : block.sums[row];
        if (is_weighted) order->weights[i] = block.weights[row];
    }
    std::vector<PeelLink> links;
    const auto seek = [&](const QuantileRule& rule, const auto& read) {
        with_peel(is_weighted, [&](auto weighted) {
            read(Peel<decltype(weighted)::value>(rule, order->values, order->weights, {}, links));
        });
    };
    if (plan_.leaf_quantile >= 0)
        seek({plan_.leaf_quantile, 1.0},
             [&](const auto& peel) { totals.answer = order->numbers[order->place[peel.place()]]; });
    if (plan_.quantile < 0) return;
    const double unit = is_weighted ? fine_unit_ : plan_.target.unit;
    seek({plan_.quantile, plan_.quantile_scale},
         [&](const auto& peel) { totals.risk = peel.risk() * unit / static_cast<double>(peel.weight()); });
    totals.order = std::move(order);
}

// The first `known` of the `n` entries have a value; the score is the decrease of the mean over these.
template <class Entry>
Cut ColumnSearch::quantile_cut(const AnyBlock& block, const Entry* list, std::int32_t known, std::int32_t n,
                               const Totals& totals, double tolerance, Scratch& scratch) const {
    const TargetOrder& order = *totals.order;
    const bool is_weighted = !block.weights.empty();
    const auto rank = [&](std::int32_t i) { return block.target_rank[row_of(list[i])]; };
    const auto differs = [&](std::int32_t i) { return rank_of(list[i - 1]) != rank_of(list[i]); };
    scratch.is_here.assign(known < n ? n : 0, 0);
    for (std::int32_t i = 0; known < n && i < known; ++i) scratch.is_here[rank(i)] = 1;
    scratch.behind.resize(known);
    const QuantileRule rule{plan_.quantile, plan_.quantile_scale};
    const double unit = is_weighted ? fine_unit_ : plan_.target.unit;
    Cut best;
    best.score = plain_least_.start(0.0);
    with_peel(is_weighted, [&](auto weighted) {
        using Peeled = Peel<decltype(weighted)::value>;
        Peeled right(rule, order.values, order.weights, scratch.is_here, scratch.links);
        const double whole = right.risk(), weight = static_cast<double>(right.weight());
        const std::int64_t all = right.weight();
        const Least low = least(all, true);
        const bool some = tries_some();
        if (some) mark_cuts(block, list, known, all, scratch);
        for (std::int32_t i = 1; i < known; ++i) {
            check_stop(4);
            right.remove(rank(i - 1));
            if (differs(i)) scratch.behind[i] = right.risk();
        }
        Peeled left(rule, order.values, order.weights, scratch.is_here, scratch.links);
        for (std::int32_t i = known - 1; i >= 1; --i) {
            check_stop(4);
            left.remove(rank(i));
            const bool is_allowed = differs(i) && (!some || scratch.is_marked[row_of(list[i - 1])]) && i >= low.rows &&
                                    known - i >= low.rows && left.weight() >= low.weight &&
                                    all - left.weight() >= low.weight;
            best.tried += is_allowed;
            scratch.behind[i] = is_allowed ? (whole - left.risk() - scratch.behind[i]) * unit / weight
                                           : -std::numeric_limits<double>::infinity();
        }
    });
    scratch.behind[0] = -std::numeric_limits<double>::infinity();
    take_best(scratch.behind.data(), known, tolerance, best);
    return best;
}

// Every level's distribution over the numbers of the node; whether there are two levels or more.
template <class LevelOf>
bool ColumnSearch::fill_distributions(const AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                                      std::int32_t n_levels, const LevelOf& level_of, Scratch& scratch) const {
    const TargetOrder& order = *totals.order;
    LevelTable& table = scratch.levels;
    table = LevelTable();
    set_target_scale(totals, table);
    std::vector<std::int32_t> place(n_levels, 0);
    for (std::int32_t i = begin; i < end; ++i)
        if (const std::int32_t level = level_of(block.order[i]); level >= 0) place[level] = 1;
    for (std::int32_t level = 0; level < n_levels; ++level) {
        if (place[level] == 0) continue;
        place[level] = table.size();
        table.present.push_back(static_cast<std::uint32_t>(level));
    }
    table.width = static_cast<int>(order.numbers.size());
    const auto m = static_cast<std::size_t>(table.size()), width = static_cast<std::size_t>(table.width);
    table.targets = order.numbers;
    table.rows.assign(m, 0);
    table.weight.assign(m, 0);
    table.sums.assign(m, 0.0);
    table.stats.assign(m * width, 0.0);
    table.parent.assign(width, 0.0);
    for (std::int32_t i = begin; i < end; ++i) {
        const std::uint32_t row = block.order[i];
        const std::int64_t w = block.weights.empty() ? 1 : block.weights[row];
        const double weight = static_cast<double>(w) * plan_.target.weight_unit;
        const std::int32_t level = level_of(row);
        if (level < 0) {
            table.unknown += weight;
            continue;
        }
        const std::uint32_t at = order.place[block.target_rank[row]];
        table.stats[place[level] * width + at] += weight;
        table.parent[at] += weight;
        table.sums[place[level]] += weight * (order.numbers[at] - table.mean);
        ++table.rows[place[level]];
        table.weight[place[level]] += w;
        ++table.total_rows;
        table.total_weight += w;
    }
    return m > 1;
}

bool ColumnSearch::fill_side_distributions(const AnyBlock& block, std::int32_t begin, std::int32_t end,
                                           const Totals& totals, std::int32_t column, double cut,
                                           Scratch& scratch) const {
    const Reals reals = plan_.columns[column].reals;
    const auto side = [&](std::uint32_t row) {
        const double known = reals[block.row_of[row]], x = std::isnan(known) ? scratch.filled.value : known;
        return std::isnan(x) ? -1 : static_cast<std::int32_t>(x > cut);
    };
    return fill_distributions(block, begin, end, totals, 2, side, scratch);
}

bool ColumnSearch::fill_code_distributions(const AnyBlock& block, std::int32_t begin, std::int32_t end,
                                           const Totals& totals, std::int32_t column, Scratch& scratch) const {
    const auto n_codes = static_cast<std::int32_t>(columns_[column].n_codes);
    const std::int32_t usual = fills(column) ? static_cast<std::int32_t>(stands_in(block, begin, end, column)) : -1;
    bool varies = false;
    with_codes(block.codes[column], [&](const auto* codes) {
        const auto level = [&](std::uint32_t row) {
            return codes[row] < columns_[column].n_codes ? static_cast<std::int32_t>(codes[row]) : usual;
        };
        varies = fill_distributions(block, begin, end, totals, n_codes, level, scratch);
    });
    return varies;
}

Candidate ColumnSearch::best_by_quantile(AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                                         double impurity, std::int32_t column, Scratch& scratch) const {
    Candidate out;
    out.column = column;
    out.type = Candidate::Type::constant;
    const ReadyColumn& ready = columns_[column];
    const std::int32_t n = end - begin;
    if (ready.kind == Kind::nominal) {
        if (!fill_code_distributions(block, begin, end, totals, column, scratch)) return out;
        out.type = Candidate::Type::none;
        judge_groups(scratch.levels, totals, impurity, out);
        return out;
    }
    const auto set_cut = [&](const auto* list, std::int32_t at) {
        out.type = Candidate::Type::cut;
        out.below = at;
        if (ready.is_listed) return;
        const auto below = static_cast<std::uint32_t>(rank_of(list[at - 1]));
        const auto above = static_cast<std::uint32_t>(rank_of(list[at]));
        out.code = below;
        out.low = ready.kind == Kind::numeric ? ready.values[below] : below;
        out.high = ready.kind == Kind::numeric ? ready.values[above] : above;
    };
    const auto search = [&](const auto* list) {
        using Entry = std::remove_cv_t<std::remove_reference_t<decltype(list[0])>>;
        const auto is_known = [](Entry e) { return rank_of(e) != NO_RANK<Entry>; };
        const auto known = static_cast<std::int32_t>(std::partition_point(list, list + n, is_known) - list);
        if (known < 2 || rank_of(list[0]) == rank_of(list[known - 1])) return;
        out.type = Candidate::Type::none;
        if (plan_.fill != FillBy::nothing && known < n) {
            fill_list(block, begin, end, column, list, known, scratch.filled);
            const Filled& filled = scratch.filled;
            const Cut cut = quantile_cut(block, filled.list.data(), n, n, totals, tolerance(impurity), scratch);
            if (cut.at < 0) return;
            out.missing_branch = filled.branch(cut.at);
            set_cut(list, filled.known_below(cut.at));
            out.score = cut.score;
            if (!ready.is_listed) widen(filled.value, out);
            finish(out, 1.0, cut.tried, totals);
            return;
        }
        std::int64_t weight = known < n ? 0 : totals.weight;
        for (std::int32_t i = 0; known < n && i < known; ++i)
            weight += block.weights.empty() ? 1 : block.weights[row_of(list[i])];
        const double share = static_cast<double>(weight) / static_cast<double>(totals.weight);
        const Cut cut = quantile_cut(block, list, known, n, totals, tolerance(impurity) / share, scratch);
        if (cut.at < 0) return;
        set_cut(list, cut.at);
        out.score = cut.score;
        finish(out, share, cut.tried, totals);
    };
    if (ready.is_listed && block.is_wide) {
        search(static_cast<Block<std::uint64_t>&>(block).list(column) + begin);
    } else if (ready.is_listed) {
        search(static_cast<Block<std::uint32_t>&>(block).list(column) + begin);
    } else {
        scratch.by_code.resize(n);
        with_codes(block.codes[column], [&](const auto* codes) {
            for (std::int32_t i = 0; i < n; ++i) {
                const std::uint32_t row = block.order[begin + i];
                const std::uint64_t code = codes[row] < ready.n_codes ? codes[row] : NO_RANK<std::uint64_t>;
                scratch.by_code[i] = code << 32 | row;
            }
        });
        sort_words(scratch.by_code.data(), n);
        search(static_cast<const std::uint64_t*>(scratch.by_code.data()));
    }
    return out;
}

}  // namespace hornbeam
