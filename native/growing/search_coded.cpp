// The best question about a column kept as codes: count the rows of every code, then search the table of levels.
#include <algorithm>
#include <cmath>

#include "growing/search.hpp"

namespace hornbeam {
namespace {

// Adds every row of a node to its code's statistics: `width` integers a code, then rows and weight.
struct Accumulator {
    const AnyBlock& block;
    bool is_class;
    int width;
    std::int64_t* counts;  // width a code: class weights, or (weight, sum)
    std::int64_t* rows;

    template <class Code>
    void run(const Code* codes, const std::uint32_t* order, std::int32_t n) const {
        const std::int64_t* weights = block.weights.empty() ? nullptr : block.weights.data();
        if (is_class && !weights) {
            const std::uint16_t* classes = block.classes.data();
            for (std::int32_t i = 0; i < n; ++i) {
                const std::uint32_t row = order[i];
                const std::size_t code = codes[row];
                ++counts[code * width + classes[row]];
                ++rows[code];
            }
            return;
        }
        for (std::int32_t i = 0; i < n; ++i) {
            const std::uint32_t row = order[i];
            const std::size_t code = codes[row];
            const std::int64_t w = weights ? weights[row] : 1;
            ++rows[code];
            if (is_class) {
                counts[code * width + block.classes[row]] += w;
            } else {
                counts[code * width] += w;
                counts[code * width + 1] += block.sums[row];
            }
        }
    }
};

double known_mass(const LevelTable& table) {
    return table.is_number ? table.parent[0] : total(table.parent.data(), table.width);
}

template <class Use>
void with_codes(const Codes& codes, const Use& use) {
    if (codes.bytes == 1) use(codes.as<std::uint8_t>());
    if (codes.bytes == 2) use(codes.as<std::uint16_t>());
    if (codes.bytes == 4) use(codes.as<std::uint32_t>());
}

}  // namespace

void ColumnSearch::fill_levels(const AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                               std::int32_t column, Scratch& scratch) const {
    const Target& target = plan_.target;
    const std::uint32_t n_codes = columns_[column].n_codes;
    const int width = target.is_class() ? target.n_classes : 2;
    const std::size_t room = static_cast<std::size_t>(n_codes) + 1;
    if (scratch.code_rows.size() < room) scratch.code_rows.resize(room, 0);
    if (scratch.code_counts.size() < room * width) scratch.code_counts.resize(room * width, 0);
    const std::uint32_t* order = block.order.data() + begin;
    const std::int32_t n = end - begin;
    LevelTable& table = scratch.levels;
    table.present.clear();
    with_codes(block.codes[column], [&](const auto* codes) {
        Accumulator{block, target.is_class(), width, scratch.code_counts.data(), scratch.code_rows.data()}.run(
            codes, order, n);
        if (room <= 4 * static_cast<std::size_t>(n)) {
            for (std::uint32_t code = 0; code < n_codes; ++code)
                if (scratch.code_rows[code] > 0) table.present.push_back(code);
        } else {
            for (std::int32_t i = 0; i < n; ++i)
                if (codes[order[i]] < n_codes) table.present.push_back(codes[order[i]]);
            std::sort(table.present.begin(), table.present.end());
            table.present.erase(std::unique(table.present.begin(), table.present.end()), table.present.end());
        }
    });
    const std::size_t m = table.present.size();
    table.width = width;
    table.is_number = !target.is_class();
    table.rows.resize(m);
    table.weight.resize(m);
    table.stats.resize(m * width);
    table.parent.assign(width, 0.0);
    table.total_rows = table.total_weight = 0;
    const bool centred = !target.is_class() && plan_.criterion == "squared_error";
    const double mean =
        centred && totals.weight > 0 ? static_cast<double>(totals.sum) / static_cast<double>(totals.weight) : 0.0;
    for (std::size_t i = 0; i < m; ++i) {
        std::int64_t* counts = scratch.code_counts.data() + static_cast<std::size_t>(table.present[i]) * width;
        table.rows[i] = scratch.code_rows[table.present[i]];
        std::int64_t weight = 0;
        for (int k = 0; k < width; ++k) {
            if (target.is_class() || k == 0) weight += counts[k];
            double units = static_cast<double>(counts[k]);
            if (centred && k == 1) units -= mean * static_cast<double>(counts[0]);
            table.stats[i * width + k] = units * factor_[k];
            table.parent[k] += table.stats[i * width + k];
        }
        std::fill(counts, counts + width, 0);
        scratch.code_rows[table.present[i]] = 0;
        table.weight[i] = weight;
        table.total_rows += table.rows[i];
        table.total_weight += weight;
    }
    std::fill_n(scratch.code_counts.data() + static_cast<std::size_t>(n_codes) * width, width, 0);
    scratch.code_rows[n_codes] = 0;
    table.unknown = table.total_rows < n ? mass(totals) - known_mass(table) : 0.0;
}

LevelSplit ColumnSearch::group_levels(const LevelTable& table, const LevelLimits& limits) const {
    switch (plan_.nominal) {
        case NominalSearch::one_value:
            return one_value(table, *criterion_, limits);
        case NominalSearch::ordered_categories:
            return ordered_categories(table, *criterion_, limits);
        case NominalSearch::all_subsets:
            return all_subsets(table, *criterion_, limits);
        case NominalSearch::each_value:
            return each_value(table, *criterion_, limits);
        case NominalSearch::best_subset:
            if (table.is_number || table.width <= 2) return ordered_categories(table, *criterion_, limits);
            if (table.size() <= plan_.try_all) return all_subsets(table, *criterion_, limits);
            return chou(table, *criterion_, limits);
        case NominalSearch::chou:
            return chou(table, *criterion_, limits);
        default:
            return {};
    }
}

Candidate ColumnSearch::best_coded(AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                                   double impurity, std::int32_t column, Scratch& scratch) const {
    fill_levels(block, begin, end, totals, column, scratch);
    return best_of_levels(scratch.levels, totals, impurity, column);
}

Candidate ColumnSearch::best_of_levels(const LevelTable& table, const Totals& totals, double impurity,
                                       std::int32_t column) const {
    Candidate out;
    out.column = column;
    const ReadyColumn& ready = columns_[column];
    if (table.size() < 2) {
        out.type = Candidate::Type::constant;
        return out;
    }
    const bool is_cut = ready.kind != Kind::nominal;
    const double share = table.unknown > 0 ? known_mass(table) / mass(totals) : 1.0;
    LevelLimits limits;
    limits.least = least(table.total_weight, is_cut);
    limits.tolerance = tolerance(impurity) / share;
    limits.size_limit = plan_.size_limit;
    if (plan_.c45 && ready.kind == Kind::numeric) limits.values = ready.values.data();
    const bool free = plan_.admits_zero && !is_cut;
    if (free) limits.floor = -1.0;
    LevelSplit split = is_cut ? cut_levels(table, *criterion_, limits) : group_levels(table, limits);
    if (split.n_branches == 0) return out;
    out.score = split.score;
    out.is_free = free;
    out.n_branches = split.n_branches;
    if (is_cut) {
        int below = 0;
        while (split.branch[below + 1] == 0) ++below;
        out.type = Candidate::Type::cut;
        out.code = table.present[below];
        out.low = ready.kind == Kind::numeric ? ready.values[out.code] : out.code;
        out.high = ready.kind == Kind::numeric ? ready.values[table.present[below + 1]] : table.present[below + 1];
    } else {
        out.type = Candidate::Type::map;
        out.branch_of.assign(ready.n_codes, -1);
        for (int i = 0; i < table.size(); ++i) out.branch_of[table.present[i]] = split.branch[i];
        if (plan_.declared_levels && plan_.nominal == NominalSearch::each_value) {
            out.n_branches = static_cast<std::int32_t>(ready.n_codes);
            for (std::uint32_t code = 0; code < ready.n_codes; ++code)
                out.branch_of[code] = static_cast<std::int32_t>(code);
        }
    }
    if (plan_.c45 || is_ratio_) {
        std::vector<double> sides(split.n_branches, 0.0);
        for (int i = 0; i < table.size(); ++i) sides[split.branch[i]] += total(table.of(i), table.width);
        out.information = split_information({nullptr, sides.data(), split.n_branches, 1, table.unknown}, true);
    }
    finish(out, share, split.tried, totals);
    return out;
}

}  // namespace hornbeam
