// Conjunctions at a node: the best question about every column becomes a literal, and literals become bits.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/midpoint.hpp"
#include "growing/node_scorer.hpp"
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
bool NodeScorer::first_cut(std::int32_t column, Literal& out) const {
    const SourceColumn& source = plan_.columns[column];
    std::vector<std::pair<double, std::int64_t>> known;  // value, weight
    std::int64_t all = 0;
    for (std::int64_t i = 0; i < n_; ++i) {
        const double value = source.codes ? source.codes[rows_[i]] : source.reals[rows_[i]];
        if (source.codes ? value < 0 : std::isnan(value)) continue;
        known.emplace_back(value, weight_of(i));
        all += weight_of(i);
    }
    std::sort(known.begin(), known.end());
    const Least least = scoring_.least(all, true);
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
bool NodeScorer::first_set(std::int32_t column, Literal& out) const {
    const SourceColumn& source = plan_.columns[column];
    LevelTable table;
    table.width = width_;
    table.is_number = n_classes == 0;
    scoring_.set_target_scale(node_.totals, table);
    std::vector<Side> sides(source.n_levels, empty());
    for (std::int64_t i = 0; i < n_; ++i) {
        if (const std::int32_t code = source.codes[rows_[i]]; code >= 0)
            add(sides[code], i, 1);
        else
            table.unknown += static_cast<double>(weight_of(i)) * scoring_.factor[n_classes > 0 ? classes[i] : 0];
    }
    table.parent.assign(width_, 0.0);
    for (std::int32_t code = 0; code < source.n_levels; ++code) {
        const Side& side = sides[code];
        if (side.rows == 0) continue;
        table.present.push_back(static_cast<std::uint32_t>(code));
        table.rows.push_back(side.rows);
        table.weight.push_back(side.weight);
        table.total_rows += side.rows;
        table.total_weight += side.weight;
        table.stats.resize(table.stats.size() + width_, 0.0);
        double* stats = table.stats.data() + table.stats.size() - width_;
        scoring_.add_stats(side.stats.data(), node_.totals, stats);
        for (int k = 0; k < width_; ++k) table.parent[k] += stats[k];
    }
    if (table.size() < 2) return false;
    LevelLimits limits;
    limits.least = scoring_.least(table.total_weight, false);
    limits.tolerance = tolerance();
    limits.floor = -1.0;
    const auto find = table.has_order() ? ordered_categories : table.size() <= TRY_ALL ? all_subsets : chou;
    const LevelSplit split = find(table, *scoring_.criterion, limits);
    if (split.n_branches == 0) return false;
    out.branch_of.assign(source.n_levels, -1);
    for (int i = 0; i < table.size(); ++i) out.branch_of[table.present[i]] = split.branch[i];
    return true;
}

// The best question about every column and its opposite, in the order of columns; at most so many, by score.
std::vector<LiteralBits> NodeScorer::literals_of(const std::vector<Candidate>& found, int pool) {
    std::vector<Literal> questions;
    std::vector<double> scores;
    for (const Candidate& each : found) {
        if (each.column < 0 || each.many || each.type == Candidate::Type::constant) continue;
        Literal literal;
        literal.column = each.column;
        literal.source = &plan_.columns[each.column];
        double score = 0.0;
        if (each.type == Candidate::Type::none) {
            const bool is_nominal = literal.source->kind == Kind::nominal;
            if (!(is_nominal ? first_set(each.column, literal) : first_cut(each.column, literal))) continue;
        } else {
            score = each.score * (plan_.column_cost.empty() ? 1.0 : plan_.column_cost[each.column]);
            Candidate whole = each;
            complete(scoring_, node_.view(), whole);
            if (whole.type == Candidate::Type::map)
                literal.branch_of = whole.groups->branch_of;
            else
                literal.cut = midpoint(whole.low, whole.high);
        }
        questions.push_back(std::move(literal));
        scores.push_back(score);
    }
    std::vector<int> ranked = best_first(std::move(scores), tolerance());
    ranked.resize(std::min<std::size_t>(ranked.size(), std::max(1, pool / 2)));
    std::sort(ranked.begin(), ranked.end());
    std::vector<LiteralBits> out;
    for (const int at : ranked) {
        LiteralBits one{questions[at], Bits((n_ + 63) / 64, 0), Bits((n_ + 63) / 64, 0)};
        for (std::int64_t i = 0; i < n_; ++i)
            if (const std::int32_t side = one.literal.branch(rows_[i]); side >= 0) set_bit(side ? one.no : one.yes, i);
        LiteralBits opposite{one.literal, one.no, one.yes};
        opposite.literal.is_negated = true;
        out.push_back(std::move(one));
        out.push_back(std::move(opposite));
    }
    return out;
}

// What the marked rows hold. Rows that all weigh one unit are counted by words of bits.
void NodeScorer::sum_bits(const Bits& bits, const std::vector<Bits>& of_class, Side& out) const {
    out = empty();
    if (of_class.empty()) return each_bit(bits, [&](std::int64_t i) { add(out, i, 1); });
    out.rows = out.weight = count_bits(bits);
    out.stats[n_classes - 1] = out.rows;
    for (int k = 0; k + 1 < n_classes; ++k) {
        out.stats[k] = count_both(bits, of_class[k]);
        out.stats[n_classes - 1] -= out.stats[k];
    }
}

ManyQuestion NodeScorer::conjunction(const ManyPlan& search, const std::vector<Candidate>& found) {
    ManyQuestion out;
    const std::vector<LiteralBits> literals = literals_of(found, static_cast<int>(search.at("pool")));
    if (literals.size() < 4) return out;  // fewer than two columns
    std::vector<Bits> of_class;
    if (n_classes > 0 && block_.weights.empty()) {
        of_class.assign(n_classes, Bits((n_ + 63) / 64, 0));
        for (std::int64_t i = 0; i < n_; ++i) set_bit(of_class[classes[i]], i);
    }
    Side left, right, known = empty();
    const auto score = [&](const Bits& yes, const Bits& no, bool is_single) {
        sum_bits(yes, of_class, left);
        sum_bits(no, of_class, right);
        known.rows = left.rows + right.rows;
        known.weight = left.weight + right.weight;
        for (int k = 0; k < width_; ++k) known.stats[k] = left.stats[k] + right.stats[k];
        if (left.rows == 0 || right.rows == 0 || (!is_single && !admits(left, known)))
            return -std::numeric_limits<double>::infinity();
        return score_of(left, known, mass_without(known));
    };
    BeamPlan plan{static_cast<int>(search.at("length")), static_cast<int>(search.at("beam")), tolerance()};
    for (const int place : best_conjunction(literals, plan, score, out.score)) {
        out.literals.push_back(literals[place].literal);
        out.terms.push_back(literals[place].literal.column);
    }
    if (!out.literals.empty()) out.kind = ManyQuestion::Kind::all;
    return out;
}

}  // namespace hornbeam
