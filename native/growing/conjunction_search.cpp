#include "growing/conjunction_search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/midpoint.hpp"
#include "growing/search.hpp"
#include "missing/surrogates.hpp"
#include "searches/level_order.hpp"
#include "searches/levels.hpp"

namespace hornbeam {
namespace {

constexpr int TRY_ALL = 12;  // best_subset: up to so many levels all sets are tried

void set_bit(Bits& bits, std::int64_t i) { bits[i / 64] |= std::uint64_t{1} << (i % 64); }

template <class Use>
void each_bit(const Bits& bits, const Use& use) {
    for (std::size_t word = 0; word < bits.size(); ++word)
        for (std::uint64_t left = bits[word]; left != 0; left &= left - 1)
            use(static_cast<std::int64_t>(word * 64 + std::countr_zero(left)));
}

}  // namespace

// A column of which no cut gains anything may still gain beside another: its first cut that the limits admit.
bool ConjunctionSearch::first_cut(std::int32_t column, Literal& out) const {
    const SourceColumn& source = job_.plan.columns[column];
    std::vector<std::pair<double, std::int64_t>> known;  // value, weight
    std::int64_t all = 0;
    for (std::int64_t i = 0; i < sides_.size(); ++i) {
        const double value = source.number(rows_[i]);
        if (std::isnan(value)) continue;
        known.emplace_back(value, sides_.weight_of(i));
        all += sides_.weight_of(i);
    }
    std::sort(known.begin(), known.end());
    const Least least = job_.scoring.least(0, false);
    std::int64_t below = 0;
    for (std::size_t i = 0; i + 1 < known.size(); ++i) {
        below += known[i].second;
        if (known[i].first == known[i + 1].first) continue;
        const auto rows = static_cast<std::int64_t>(i) + 1, other = static_cast<std::int64_t>(known.size()) - rows;
        if (rows < least.rows || other < least.rows || below < least.weight || all - below < least.weight) continue;
        out.cut = midpoint(known[i].first, known[i + 1].first);
        return true;
    }
    return false;
}

// The same of a column of levels: the first set, in the order in which ties are decided.
bool ConjunctionSearch::first_set(std::int32_t column, Literal& out) const {
    const SourceColumn& source = job_.plan.columns[column];
    LevelTable table;
    const int width = job_.scoring.statistic.width();
    table.width = width;
    table.is_number = !job_.plan.target.is_class();
    job_.scoring.set_target_scale(node_.totals, table);
    std::vector<SideSums> sides(source.n_levels, sides_.empty());
    for (std::int64_t i = 0; i < sides_.size(); ++i) {
        if (const std::int32_t code = source.codes[rows_[i]]; code >= 0)
            sides_.add(sides[code], i);
        else
            table.unknown += sides_.mass_of(i);
    }
    table.parent.assign(width, 0.0);
    for (std::int32_t code = 0; code < source.n_levels; ++code) {
        const SideSums& side = sides[code];
        if (side.rows == 0) continue;
        table.present.push_back(static_cast<std::uint32_t>(code));
        table.rows.push_back(side.rows);
        table.weight.push_back(side.weight);
        table.total_rows += side.rows;
        table.total_weight += side.weight;
        table.stats.resize(table.stats.size() + width, 0.0);
        double* stats = table.stats.data() + table.stats.size() - width;
        job_.scoring.statistic.add_real(side.cell.data(), node_.totals.cell.data(), stats);
        for (int k = 0; k < width; ++k) table.parent[k] += stats[k];
    }
    if (table.size() < 2) return false;
    LevelLimits limits;
    limits.least = job_.scoring.least(table.total_weight, false);
    limits.tolerance = tolerance_;
    limits.floor = -1.0;
    const auto find = table.has_order() ? ordered_categories : table.size() <= TRY_ALL ? all_subsets : chou;
    const LevelSplit split = find(table, *job_.scoring.criterion, limits);
    if (split.n_branches == 0) return false;
    out.branch_of.assign(source.n_levels, -1);
    for (int i = 0; i < table.size(); ++i) out.branch_of[table.present[i]] = split.branch[i];
    return true;
}

// The best question about every column and its opposite, in the order of columns; at most so many, by score.
std::vector<LiteralBits> ConjunctionSearch::literals_of(const std::vector<Candidate>& found, int pool) const {
    std::vector<Literal> questions;
    std::vector<double> scores;
    for (const Candidate& each : found) {
        if (each.column < 0 || each.type == Candidate::Type::constant || each.type == Candidate::Type::missing)
            continue;
        Literal literal;
        literal.column = each.column;
        literal.source = &job_.plan.columns[each.column];
        double score = 0.0;
        if (each.type == Candidate::Type::none) {
            const bool is_nominal = literal.source->kind == Kind::nominal;
            if (!(is_nominal ? first_set(each.column, literal) : first_cut(each.column, literal))) continue;
        } else {
            score = each.score * (job_.plan.column_cost.empty() ? 1.0 : job_.plan.column_cost[each.column]);
            Candidate whole = each;
            complete(job_.scoring, node_.view(), whole);
            if (whole.type == Candidate::Type::map)
                literal.branch_of = whole.groups->branch_of;
            else
                literal.cut = midpoint(whole.low, whole.high);
        }
        questions.push_back(std::move(literal));
        scores.push_back(score);
    }
    std::vector<int> ranked = best_first(std::move(scores), tolerance_);
    ranked.resize(std::min<std::size_t>(ranked.size(), std::max(1, pool / 2)));
    std::sort(ranked.begin(), ranked.end());
    std::vector<LiteralBits> out;
    for (const int at : ranked) {
        LiteralBits one{questions[at], Bits((sides_.size() + 63) / 64, 0), Bits((sides_.size() + 63) / 64, 0)};
        for (std::int64_t i = 0; i < sides_.size(); ++i)
            if (const std::int32_t side = one.literal.branch(rows_[i]); side >= 0) set_bit(side ? one.no : one.yes, i);
        LiteralBits opposite{one.literal, one.no, one.yes};
        opposite.literal.is_negated = true;
        out.push_back(std::move(one));
        out.push_back(std::move(opposite));
    }
    return out;
}

// What the marked rows hold. Rows that all weigh one unit are counted by words of bits.
void ConjunctionSearch::sum_bits(const Bits& bits, const std::vector<Bits>& of_class, SideSums& out) const {
    out = sides_.empty();
    if (of_class.empty()) return each_bit(bits, [&](std::int64_t i) { sides_.add(out, i); });
    out.rows = out.weight = count_bits(bits);
    const std::size_t last = of_class.size() - 1;
    out.cell[last] = out.rows;
    for (std::size_t k = 0; k < last; ++k) {
        out.cell[k] = count_both(bits, of_class[k]);
        out.cell[last] -= out.cell[k];
    }
}

ManyQuestion ConjunctionSearch::best(const ManyPlan& search, const std::vector<Candidate>& found) {
    ManyQuestion out;
    const std::vector<LiteralBits> literals = literals_of(found, static_cast<int>(search.at("pool")));
    if (literals.size() < 4) return out;  // fewer than two columns
    const AnyBlock& block = *node_.block;
    std::vector<Bits> of_class;
    if (job_.plan.target.is_class() && block.weights.empty()) {
        of_class.assign(job_.plan.target.n_classes, Bits((sides_.size() + 63) / 64, 0));
        for (std::int64_t i = 0; i < sides_.size(); ++i) set_bit(of_class[block.classes[sides_.row(i)]], i);
    }
    SideSums left, right, known = sides_.empty();
    const auto score = [&](const Bits& yes, const Bits& no, bool is_single) {
        sum_bits(yes, of_class, left);
        sum_bits(no, of_class, right);
        known.rows = left.rows + right.rows;
        known.weight = left.weight + right.weight;
        for (std::size_t k = 0; k < known.cell.size(); ++k) known.cell[k] = left.cell[k] + right.cell[k];
        if (left.rows == 0 || right.rows == 0 || (!is_single && !sides_.admits(left, known)))
            return -std::numeric_limits<double>::infinity();
        return sides_.score(left, known, sides_.mass_without(known));
    };
    BeamPlan plan{static_cast<int>(search.at("length")), static_cast<int>(search.at("beam")), tolerance_};
    for (const int place : best_conjunction(literals, plan, score, out.score)) {
        out.literals.push_back(literals[place].literal);
        out.terms.push_back(literals[place].literal.column);
    }
    if (!out.literals.empty()) out.kind = ManyQuestion::Kind::all;
    return out;
}

}  // namespace hornbeam
