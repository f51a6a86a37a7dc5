#include "searches/conjunctions.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include "core/portable.hpp"
#include "core/stop.hpp"
#include "searches/level_order.hpp"

namespace hornbeam {
namespace {

struct Found {
    std::vector<int> indices;
    double score;
};

HORNBEAM_CLONES std::int64_t counted(const std::uint64_t* one, const std::uint64_t* other, std::size_t n) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += std::popcount(one[i] & other[i]);
    return sum;
}

// Keeps the best conjunctions, best first; scores that differ by rounding keep their order.
void keep_best(std::vector<Found>& found, const BeamPlan& plan) {
    std::vector<double> scores;
    for (const Found& each : found) scores.push_back(each.score);
    std::vector<int> order = best_first(std::move(scores), plan.tolerance);
    if (order.size() > static_cast<std::size_t>(plan.beam)) order.resize(plan.beam);
    std::vector<Found> kept;
    for (const int at : order) kept.push_back(std::move(found[at]));
    found = std::move(kept);
}

// The conjunctions with one more literal, each with the minimum score of the conjunctions that it extends.
std::map<std::vector<int>, double> longer(const std::vector<LiteralBits>& literals, const std::vector<Found>& beam) {
    std::map<std::vector<int>, double> minimum;
    for (const Found& each : beam)
        for (int index = 0; index < static_cast<int>(literals.size()); ++index) {
            check_stop(16);
            const bool is_used = std::any_of(each.indices.begin(), each.indices.end(), [&](int used) {
                return literals[used].literal.column == literals[index].literal.column;
            });
            if (is_used) continue;
            std::vector<int> made = each.indices;
            made.insert(std::upper_bound(made.begin(), made.end(), index), index);
            const auto [at, is_new] = minimum.emplace(std::move(made), each.score);
            if (!is_new) at->second = std::min(at->second, each.score);
        }
    return minimum;
}

double scored(const std::vector<LiteralBits>& literals, const std::vector<int>& indices, const ScoreBits& score,
              Bits& yes, Bits& no) {
    check_stop(static_cast<std::int64_t>(indices.size() * literals[indices[0]].yes.size()));
    yes = literals[indices[0]].yes;
    no = literals[indices[0]].no;
    for (std::size_t p = 1; p < indices.size(); ++p)
        for (std::size_t i = 0; i < yes.size(); ++i) {
            yes[i] &= literals[indices[p]].yes[i];
            no[i] |= literals[indices[p]].no[i];
        }
    return score(yes, no, indices.size() == 1);
}

}  // namespace

std::int32_t Literal::branch(double number) const {
    const std::int32_t side = tests_missing ? !std::isnan(number) : branch_of_number(number, cut, branch_of);
    return side < 0 ? -1 : is_negated ? 1 - side : side;
}

std::int64_t count_bits(const Bits& bits) { return counted(bits.data(), bits.data(), bits.size()); }

std::int64_t count_both(const Bits& one, const Bits& other) { return counted(one.data(), other.data(), one.size()); }

std::vector<int> best_conjunction(const std::vector<LiteralBits>& literals, const BeamPlan& plan,
                                  const ScoreBits& score, double& best_score) {
    Bits yes, no;
    std::vector<Found> beam;
    for (int index = 0; index < static_cast<int>(literals.size()); ++index) {
        const double found = scored(literals, {index}, score, yes, no);
        if (found > -std::numeric_limits<double>::infinity()) beam.push_back({{index}, found});
    }
    keep_best(beam, plan);
    std::vector<int> best;
    best_score = -std::numeric_limits<double>::infinity();
    for (int length = 2; length <= plan.length && !beam.empty(); ++length) {
        std::vector<Found> next;
        for (const auto& [indices, minimum] : longer(literals, beam)) {
            const double found = scored(literals, indices, score, yes, no);
            if (found - minimum > plan.tolerance) next.push_back({indices, found});
        }
        beam = std::move(next);
        keep_best(beam, plan);
        if (!beam.empty() && (best.empty() || beam[0].score - best_score > plan.tolerance)) {
            best = beam[0].indices;
            best_score = beam[0].score;
        }
    }
    return best;
}

}  // namespace hornbeam
