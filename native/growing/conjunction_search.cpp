#include "growing/conjunction_search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "growing/found_candidates.hpp"
#include "growing/search.hpp"
#include "searches/level_order.hpp"

namespace hornbeam {
namespace {

void set_bit(Bits& bits, std::int64_t i) { bits[i / 64] |= std::uint64_t{1} << (i % 64); }

template <class Use>
void each_bit(const Bits& bits, const Use& use) {
    for (std::size_t word = 0; word < bits.size(); ++word)
        for (std::uint64_t left = bits[word]; left != 0; left &= left - 1)
            use(static_cast<std::int64_t>(word * 64 + std::countr_zero(left)));
}

}  // namespace

// Converts a candidate to a literal.
Literal ConjunctionSearch::literal_of(Candidate candidate) const {
    complete(job_.scoring, node_.view(), candidate);
    Literal out;
    out.column = candidate.column;
    out.source = &job_.plan.columns[candidate.column];
    out.tests_missing = candidate.type == Candidate::Type::missing;
    if (candidate.type == Candidate::Type::map) out.branch_of = candidate.groups->branch_of;
    if (candidate.type == Candidate::Type::cut) out.cut = threshold_of(candidate, job_);
    return out;
}

// The binary questions and their negations in the order of columns, at most `pool`, selected by score.
std::vector<LiteralBits> ConjunctionSearch::literals_of(const std::vector<Candidate>& found, int pool) const {
    std::vector<const Candidate*> usable;
    std::vector<double> scores;
    for (const Candidate& each : found) {
        if (!each.found() || each.many || each.n_cuts() > 1 || each.is_multiway) continue;
        usable.push_back(&each);
        scores.push_back(each.score);
    }
    std::vector<int> ranked = best_first(std::move(scores), tolerance_);
    ranked.resize(std::min<std::size_t>(ranked.size(), std::max(1, pool / 2)));
    std::sort(ranked.begin(), ranked.end());
    std::vector<LiteralBits> out;
    for (const int at : ranked) {
        LiteralBits one{literal_of(*usable[at]), Bits((sides_.size() + 63) / 64, 0),
                        Bits((sides_.size() + 63) / 64, 0)};
        for (std::int64_t i = 0; i < sides_.size(); ++i)
            if (const std::int32_t side = one.literal.branch(one.literal.source->number(rows_[i])); side >= 0)
                set_bit(side ? one.no : one.yes, i);
        LiteralBits opposite{one.literal, one.no, one.yes};
        opposite.literal.is_negated = true;
        out.push_back(std::move(one));
        out.push_back(std::move(opposite));
    }
    return out;
}

// Sums the marked rows; rows of one unit are counted 64 at a time.
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
    for (const int index : best_conjunction(literals, plan, score, out.score)) {
        out.literals.push_back(literals[index].literal);
        out.terms.push_back(literals[index].literal.column);
    }
    if (!out.literals.empty()) out.kind = ManyQuestion::Kind::all;
    return out;
}

}  // namespace hornbeam
