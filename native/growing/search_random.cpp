// One random question a column (extremely randomised trees): what it is drawn from, the draw, and how good it is.
//
//   numbers, ordinal levels   min + u (max - min); min where that is not below max
//   categories                each level present goes to branch 0 with probability 1/2; again if all go one way
//
// Numbers are read from the source column: a drawn cut needs no order, so nothing is sorted and nothing partitioned.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/midpoint.hpp"
#include "growing/search.hpp"

namespace hornbeam {

Look ColumnSearch::look(const AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                        std::int32_t column, Scratch& scratch) const {
    Look out;
    if (!columns_[column].is_plain) {
        CodeTable& table = scratch.codes;
        count_codes(block, begin, end, totals, column, {}, table);
        out.n_levels = static_cast<std::int32_t>(table.present.size());
        out.varies = out.n_levels > 1;
        if (out.varies) out.low = table.present.front(), out.high = table.present.back();
        table.clear(columns_[column].n_codes);
        return out;
    }
    const double* reals = plan_.columns[column].reals.in_a_row();
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::int32_t i = begin; i < end; ++i) {
        const double x = reals[block.row_of[block.order[i]]];  // no comparison with NaN holds
        low = x < low ? x : low;
        high = x > high ? x : high;
    }
    out.varies = low < high;
    out.low = low, out.high = high;
    return out;
}

Drawn ColumnSearch::draw(const Look& look, std::int32_t column, Stream& stream) const {
    Drawn out;
    if (columns_[column].kind != Kind::nominal) {
        const double cut = look.low + stream.uniform() * (look.high - look.low);
        out.cut = look.low <= cut && cut < look.high ? cut : finite_low(look.low, look.high);
        return out;
    }
    std::ptrdiff_t n_inside = 0;
    while (n_inside == 0 || n_inside == look.n_levels) {
        out.inside.resize(look.n_levels);
        for (std::int32_t i = 0; i < look.n_levels; ++i) out.inside[i] = stream.uniform() < 0.5;
        n_inside = std::count(out.inside.begin(), out.inside.end(), true);
    }
    return out;
}

// Statistics from counts in units; sums of numbers are centered on the mean of a node.
void ColumnSearch::add_stats(const std::int64_t* counts, const Totals& center, double* stats) const {
    if (!plan_.target.is_class()) {
        stats[0] += static_cast<double>(counts[0]) * factor_[0];
        stats[1] += center.center().of(counts[0], counts[1]) * factor_[1];
        return;
    }
    for (std::size_t k = 0; k < factor_.size(); ++k) stats[k] += static_cast<double>(counts[k]) * factor_[k];
}

// Both sides of a cut of numbers, as a table of two levels.
bool ColumnSearch::fill_sides(const AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                              std::int32_t column, double cut, Scratch& scratch) const {
    if (plan_.quantile >= 0) return fill_side_distributions(block, begin, end, totals, column, cut, scratch);
    const Target& target = plan_.target;
    const std::size_t width = factor_.size();
    const double* reals = plan_.columns[column].reals.in_a_row();
    const std::int64_t* weights = block.weights.empty() ? nullptr : block.weights.data();
    LevelTable& table = scratch.levels;
    std::vector<std::int64_t>& counts = scratch.counts;
    counts.assign(3 * width, 0);
    std::int64_t rows[3] = {0, 0, 0};  // at or below, above, unknown
    for (std::int32_t i = begin; i < end; ++i) {
        const std::uint32_t row = block.order[i];
        double x = reals[block.row_of[row]];
        if (std::isnan(x)) x = scratch.filled.value;
        const int side = x <= cut ? 0 : x > cut ? 1 : 2;
        const std::int64_t w = weights ? weights[row] : 1;
        ++rows[side];
        if (target.is_class()) {
            counts[side * width + block.classes[row]] += w;
        } else {
            counts[side * width] += w;
            counts[side * width + 1] += block.sums[row];
        }
    }
    set_sides(counts.data(), rows, totals, table);
    return rows[0] > 0 && rows[1] > 0;
}

// A table of two levels from what lies at or below a cut, above it, and what is unknown.
void ColumnSearch::set_sides(const std::int64_t* counts, const std::int64_t* rows, const Totals& totals,
                             LevelTable& table) const {
    const Target& target = plan_.target;
    const std::size_t width = factor_.size();
    table.rows.assign(2, 0);
    table.weight.assign(2, 0);
    set_target_scale(totals, table);
    table.width = static_cast<int>(width);
    table.is_number = !target.is_class();
    table.present = {0, 1};
    table.stats.assign(2 * width, 0.0);
    table.parent.assign(width, 0.0);
    table.total_rows = rows[0] + rows[1];
    table.total_weight = 0;
    for (int side = 0; side < 2; ++side) {
        const std::int64_t* of_side = counts + side * width;
        add_stats(of_side, totals, table.stats.data() + side * width);
        add_stats(of_side, totals, table.parent.data());
        for (std::size_t k = 0; k < (target.is_class() ? width : 1); ++k) table.weight[side] += of_side[k];
        table.rows[side] = rows[side];
        table.total_weight += table.weight[side];
    }
    table.unknown = 0.0;
    for (std::size_t k = 0; k < (target.is_class() ? width : 1); ++k)
        table.unknown += static_cast<double>(counts[2 * width + k]) * factor_[k];
}

Candidate ColumnSearch::of_drawn(const AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                                 double impurity, std::int32_t column, const Drawn& drawn, Scratch& scratch) const {
    Candidate out;
    out.column = column;
    const ReadyColumn& ready = columns_[column];
    const bool is_cut = ready.kind != Kind::nominal;
    const LevelTable& table = scratch.levels;
    std::vector<std::int32_t> branch = {0, 1};
    // Nobody looked whether numbers that lie in no order have holes.
    const bool is_filled = plan_.fill != FillBy::nothing && (ready.has_missing || ready.is_plain);
    const double usual = is_filled ? stands_in(block, begin, end, column) : std::numeric_limits<double>::quiet_NaN();
    scratch.filled.value = usual;
    if (ready.is_plain) {
        if (!fill_sides(block, begin, end, totals, column, drawn.cut, scratch)) return out;
    } else {
        if (plan_.quantile >= 0) {
            fill_code_distributions(block, begin, end, totals, column, scratch);
        } else {
            count_codes(block, begin, end, totals, column, {}, scratch.codes);
            if (is_filled) fill_codes(block, begin, end, column, scratch);
            fill_levels(totals, column, scratch);
            scratch.codes.clear(ready.n_codes);
        }
        branch.resize(table.size());
        for (int i = 0; i < table.size(); ++i) branch[i] = is_cut ? table.present[i] > drawn.cut : !drawn.inside[i];
        if (!is_cut) make_canonical(branch);
    }
    judge_drawn(totals, impurity, drawn, !ready.is_plain, std::move(branch), table, out);
    if (!out.found()) return out;
    if (is_filled && is_cut) out.missing_branch = usual > drawn.cut;
    if (is_filled) direct_filled(usual, out);
    return out;
}

// The score of a drawn question from the branches of the levels of a table.
void ColumnSearch::judge_drawn(const Totals& totals, double impurity, const Drawn& drawn, bool is_code,
                               std::vector<std::int32_t> branch, const LevelTable& table, Candidate& out) const {
    const bool is_cut = columns_[out.column].kind != Kind::nominal;
    TwoSides sides(table, *criterion_);
    for (int i = 0; i < table.size(); ++i)
        if (branch[i] == 0) sides.add(i);
    const double known = table.is_number ? table.parent[0] : total(table.parent.data(), table.width);
    const double share = known / (known + table.unknown);
    if (!sides.allows(least(table.total_weight, is_cut))) return;
    out.score = sides.score();
    if (!plan_.zero_gain && out.score <= tolerance(impurity) / share) return;
    out.type = is_cut ? Candidate::Type::cut : Candidate::Type::map;
    if (is_cut) {
        out.low = drawn.cut;
        out.high = std::numeric_limits<double>::infinity();  // no middle: the cut stands where it was drawn
        if (is_code) out.code = static_cast<std::uint32_t>(drawn.cut);
    } else {
        out.groups = std::make_shared<Grouping>();
        out.groups->levels = table.present;
        out.groups->branch = std::move(branch);
    }
    finish(out, share, 1, totals);
}

Look ColumnSearch::look_of_table(std::int32_t column, Scratch& scratch) const {
    const ReadyColumn& ready = columns_[column];
    CodeTable& table = scratch.codes;
    Look out;
    out.n_levels = static_cast<std::int32_t>(table.present.size());
    out.varies = out.n_levels > 1;
    if (out.varies) out.low = ready.low_of(table.present.front()), out.high = ready.high_of(table.present.back());
    table.clear(ready.n_codes);
    return out;
}

Candidate ColumnSearch::drawn_of_table(const Totals& totals, double impurity, std::int32_t column, const Drawn& drawn,
                                       Scratch& scratch) const {
    const ReadyColumn& ready = columns_[column];
    CodeTable& codes = scratch.codes;
    LevelTable& table = scratch.levels;
    Candidate out;
    out.column = column;
    if (ready.kind != Kind::numeric) {
        fill_levels(totals, column, scratch);
        std::vector<std::int32_t> branch(table.size());
        const bool is_cut = ready.kind == Kind::ordinal;
        for (int i = 0; i < table.size(); ++i) branch[i] = is_cut ? table.present[i] > drawn.cut : !drawn.inside[i];
        if (!is_cut) make_canonical(branch);
        codes.clear(ready.n_codes);
        judge_drawn(totals, impurity, drawn, true, std::move(branch), table, out);
        return out;
    }
    // The last code below the cut; the bin that the cut falls into lies above it, unless it is the first.
    std::size_t below = 0;
    while (below + 2 < codes.present.size() && ready.high_of(codes.present[below + 1]) <= drawn.cut) ++below;
    const double low = ready.high_of(codes.present[below]), high = ready.low_of(codes.present[below + 1]);
    Drawn moved = drawn;
    if (drawn.cut < low || drawn.cut >= high) moved.cut = midpoint(low, high);
    const int width = codes.width;
    std::vector<std::int64_t> counts(static_cast<std::size_t>(3) * width, 0);
    std::int64_t rows[3] = {0, 0, 0};
    const auto add = [&](std::uint32_t code, int side) {
        rows[side] += codes.rows[code];
        for (int k = 0; k < width; ++k) counts[side * width + k] += codes.of(code)[k];
    };
    for (std::size_t i = 0; i < codes.present.size(); ++i) add(codes.present[i], i > below);
    add(ready.n_codes, 2);
    const std::uint32_t code = codes.present[below];
    codes.clear(ready.n_codes);
    set_sides(counts.data(), rows, totals, table);
    judge_drawn(totals, impurity, moved, false, {0, 1}, table, out);
    out.code = code;
    return out;
}

}  // namespace hornbeam
