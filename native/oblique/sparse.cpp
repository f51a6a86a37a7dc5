// Random directions of few columns; the reference implementation is parts/searches/sparse_planes.py.
#include <algorithm>
#include <cmath>

#include "oblique/many.hpp"

namespace hornbeam {
namespace {

struct Term {
    int position;
    double weight;
};
using Terms = std::vector<Term>;  // by ascending position

// Samples a direction of at least two columns.
void sample_terms(Stream& stream, int d, double probability, bool is_binary, Terms& out) {
    do {
        out.clear();
        for (int position = 0; position < d; ++position) {
            if (!(stream.uniform() < probability)) continue;
            const double u = stream.uniform();
            const double weight = is_binary ? (u >= 0.5 ? 1.0 : -1.0) : 2.0 * u - 1.0;
            if (weight != 0) out.push_back({position, weight});
        }
    } while (out.size() < MIN_TERMS);
}

// A fit that returns a given direction, restricted to the remaining columns. A node has thousands of them, so only
// their terms are stored.
Fit along(Terms terms) {
    return [terms = std::move(terms)](const Points& points) {
        Vector out(points.d, 0.0);
        for (const Term& term : terms) {
            const auto at = std::lower_bound(points.original.begin(), points.original.end(), term.position);
            if (at != points.original.end() && *at == term.position) out[at - points.original.begin()] = term.weight;
        }
        return out;
    };
}

}  // namespace

std::vector<Fit> sparse_fits(const ManyPlan& plan, const Points& points, const SplitScorer& scorer) {
    const double power = std::pow(static_cast<double>(points.d), plan.at("exponent"));
    const double at_least = plan.at("min_directions"), at_most = plan.at("max_directions");
    const auto count = static_cast<std::int64_t>(std::min(at_most, std::max(at_least, power)));
    const double probability = plan.at("density") / points.d;
    const bool is_binary = plan.at("is_binary") != 0, is_scaled = plan.at("is_scaled") != 0;
    Stream stream = scorer.stream();
    std::vector<Fit> out;
    Terms terms;
    for (std::int64_t i = 0; i < count; ++i) {
        sample_terms(stream, points.d, probability, is_binary, terms);
        if (2 * static_cast<std::int64_t>(terms.size()) > points.n) continue;
        if (!is_scaled)
            for (Term& term : terms) term.weight *= points.sd[term.position];
        out.push_back(along(terms));
    }
    return out;
}

}  // namespace hornbeam
