// The twin of parts/searches/sparse_planes.py: random directions of few columns.
#include <algorithm>
#include <cmath>

#include "oblique/many.hpp"

namespace hornbeam {
namespace {

struct Term {
    int place;
    double weight;
};
using Terms = std::vector<Term>;  // by ascending place

// A direction of two columns at least.
void draw(Stream& stream, int d, double share, bool is_binary, Terms& out) {
    do {
        out.clear();
        for (int place = 0; place < d; ++place) {
            if (!(stream.uniform() < share)) continue;
            const double u = stream.uniform();
            const double weight = is_binary ? (u >= 0.5 ? 1.0 : -1.0) : 2.0 * u - 1.0;
            if (weight != 0) out.push_back({place, weight});
        }
    } while (out.size() < FEWEST_TERMS);
}

// The same direction whatever columns are left. Thousands are drawn at a node, so only their terms are kept.
Fit along(Terms terms) {
    return [terms = std::move(terms)](const Points& points) {
        Vector out(points.d, 0.0);
        for (const Term& term : terms) {
            const auto at = std::lower_bound(points.kept.begin(), points.kept.end(), term.place);
            if (at != points.kept.end() && *at == term.place) out[at - points.kept.begin()] = term.weight;
        }
        return out;
    };
}

}  // namespace

std::vector<Fit> sparse_fits(const ManyPlan& plan, const Points& points, const Judge& judge) {
    const double power = std::pow(static_cast<double>(points.d), plan.at("exponent"));
    const auto count = static_cast<std::int64_t>(std::min(plan.at("at_most"), std::max(plan.at("at_least"), power)));
    const double share = plan.at("density") / points.d;
    const bool is_binary = plan.at("is_binary") != 0, is_scaled = plan.at("is_scaled") != 0;
    Stream stream = judge.stream();
    std::vector<Fit> out;
    Terms terms;
    for (std::int64_t i = 0; i < count; ++i) {
        draw(stream, points.d, share, is_binary, terms);
        if (2 * static_cast<std::int64_t>(terms.size()) > points.n) continue;
        if (!is_scaled)
            for (Term& term : terms) term.weight *= points.sd[term.place];
        out.push_back(along(terms));
    }
    return out;
}

}  // namespace hornbeam
