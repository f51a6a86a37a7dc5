// Spheres: cuts of the squared distance to a center. The reference implementation is parts/searches/spheres.py.
#include "core/stop.hpp"
#include "oblique/many.hpp"

namespace hornbeam {
namespace {

constexpr std::int64_t MAX_ALL_CENTERS = 200;

Vector row_of(const Points& points, std::int64_t i) { return Vector(points.raw_row(i), points.raw_row(i) + points.d); }

std::vector<Vector> centers(const ManyPlan& plan, const Points& points, const SplitScorer& scorer) {
    std::vector<Vector> out;
    for (int label = 0; label < scorer.n_classes; ++label) {
        Vector sum(points.d, 0.0);
        double weight = 0;
        bool is_there = false;
        for (std::int64_t i = 0; i < points.n; ++i) {
            if (scorer.classes[i] != label) continue;
            is_there = true;
            weight += points.weights[i];
            for (int j = 0; j < points.d; ++j) sum[j] += points.raw_row(i)[j] * points.weights[i];
        }
        if (!is_there) continue;
        for (double& s : sum) s /= weight;
        out.push_back(std::move(sum));
    }
    out.push_back(points.mean);
    if (points.n <= MAX_ALL_CENTERS) {
        for (std::int64_t i = 0; i < points.n; ++i) out.push_back(row_of(points, i));
    } else {
        Stream stream = scorer.stream();
        for (const std::int64_t i : stream.choose(points.n, static_cast<std::int64_t>(plan.at("rows"))))
            out.push_back(row_of(points, i));
    }
    return out;
}

}  // namespace

ManyQuestion sphere_about(const Points& points, const Vector& center, const Vector& scale, double squared_radius) {
    ManyQuestion out;
    out.kind = ManyQuestion::Kind::ball;
    out.terms = points.columns;
    out.reals = center;
    out.reals.insert(out.reals.end(), scale.begin(), scale.end());
    out.reals.push_back(squared_radius);
    out.reals.insert(out.reals.end(), points.mean.begin(), points.mean.end());
    return out;
}

ManyQuestion best_sphere(const ManyPlan& plan, const Points& points, SplitScorer& scorer) {
    ManyQuestion best;
    if (points.d < 1 || points.n < 2 * points.d) return best;
    const Vector scale = plan.at("is_scaled") != 0 ? points.sd : Vector(points.d, 1.0);
    Vector distance;
    for (const Vector& center : centers(plan, points, scorer)) {
        check_stop();
        squared_distance(points, center, scale, distance);
        double score = 0, at = 0;
        if (!scorer.cut(distance, score, at)) continue;
        if (best.kind != ManyQuestion::Kind::none && !scorer.beats(score, best.score)) continue;
        best = sphere_about(points, center, scale, at);
        best.score = score;
    }
    return best;
}

}  // namespace hornbeam
