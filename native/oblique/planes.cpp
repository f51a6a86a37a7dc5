// The steps that all hyperplane searches share; the reference implementation is
// parts/searches/machinery/plane_search.py.
#include <algorithm>
#include <cmath>

#include "core/stop.hpp"
#include "oblique/fits.hpp"
#include "oblique/many.hpp"

namespace hornbeam {
namespace {

constexpr std::size_t MAX_ALL_GROUPINGS = 4;
constexpr double MIN_RELATIVE_VARIANCE = 1e-9;

// The superclasses that are tested against the remaining classes of the node; one flag per class.
std::vector<std::vector<bool>> superclasses(const SplitScorer& scorer, const Points& points) {
    std::vector<bool> is_present(scorer.n_classes, false);
    for (const std::uint16_t k : scorer.classes) is_present[k] = true;
    std::vector<int> present;
    for (int k = 0; k < scorer.n_classes; ++k)
        if (is_present[k]) present.push_back(k);
    std::vector<std::vector<bool>> out;
    const std::size_t count = present.size();
    if (count < 2) return out;
    const std::vector<bool> none(scorer.n_classes, false);
    if (count <= MAX_ALL_GROUPINGS) {
        for (std::size_t mask = 1; mask < std::size_t{1} << (count - 1); ++mask) {
            out.push_back(none);
            for (std::size_t j = 0; j + 1 < count; ++j) out.back()[present[j + 1]] = (mask >> j) & 1;
        }
        return out;
    }
    for (const int k : present) {
        out.push_back(none);
        out.back()[k] = true;
    }
    if (scorer.best_single.n_branches != 2) return out;
    Vector class_weight[2] = {Vector(scorer.n_classes, 0.0), Vector(scorer.n_classes, 0.0)};
    double total[2] = {0, 0};
    for (std::int64_t i = 0; i < points.n; ++i) {
        const int side =
            scorer.best_single.branch[i] < 0 ? scorer.best_single.missing_branch : scorer.best_single.branch[i];
        if (side >= 0) {
            class_weight[side][scorer.classes[i]] += points.weights[i];
            total[side] += points.weights[i];
        }
    }
    std::vector<bool> inside = none;
    std::size_t size = 0;
    for (const int k : present)
        if (class_weight[0][k] / total[0] >= class_weight[1][k] / total[1]) inside[k] = true, ++size;
    if (size > 1 && size + 1 < count) out.push_back(inside);
    return out;
}

Vector signs_of(const SplitScorer& scorer, const std::vector<bool>& positive) {
    Vector signs(scorer.classes.size());
    for (std::size_t i = 0; i < signs.size(); ++i) signs[i] = positive[scorer.classes[i]] ? 1.0 : -1.0;
    return signs;
}

Vector without_last(Vector theta) {
    theta.pop_back();
    return theta;
}

// A fit that returns a given direction, restricted to the remaining columns.
Fit fixed(Vector direction) {
    return [direction = std::move(direction)](const Points& points) {
        Vector out;
        for (const std::int32_t j : points.original) out.push_back(direction[j]);
        return out;
    };
}

void add_householder(const Points& points, const SplitScorer& scorer, std::vector<Fit>& fits) {
    const int d = points.d;
    for (int label = 0; label < scorer.n_classes; ++label) {
        const auto inside = [&](std::int64_t i) { return scorer.classes[i] == label; };
        if (std::count(scorer.classes.begin(), scorer.classes.end(), label) < 2) continue;
        Vector mean, spread, values, vectors;
        covariance(points, inside, mean, spread);
        eigen_symmetric(spread, d, values, vectors);
        for (int axis = 0; axis < d; ++axis) {
            check_stop(static_cast<std::int64_t>(d) * d);
            Vector q(vectors.begin() + axis * d, vectors.begin() + (axis + 1) * d);
            // Without any variance the eigenvectors are arbitrary.
            if (!(values[axis] > MIN_RELATIVE_VARIANCE * values[0]) || !make_canonical(q)) continue;
            double length = 0;
            for (int j = 0; j < d; ++j) {
                q[j] = (j == 0 ? 1.0 : 0.0) - q[j];
                length += q[j] * q[j];
            }
            for (int j = 0; j < d; ++j) {
                Vector column(d, 0.0);
                for (int i = 0; i < d; ++i)
                    column[i] = (i == j ? 1.0 : 0.0) - (length < 1e-18 ? 0.0 : 2.0 * (q[i] * q[j]) / length);
                fits.push_back(fixed(column));
            }
        }
    }
}

void add_lda(double gamma, const Points& points, const SplitScorer& scorer, std::vector<Fit>& fits) {
    std::vector<int> number(scorer.n_classes, -1), group;
    for (const std::uint16_t k : scorer.classes) number[k] = 0;
    int count = 0;
    for (int& n : number)
        if (n == 0) n = count++;
    for (const std::uint16_t k : scorer.classes) group.push_back(number[k]);
    if (count > 2) fits.push_back([=](const Points& p) { return fit_lda(p, group, count, gamma); });
    for (const auto& positive : superclasses(scorer, points)) {
        std::vector<int> side;
        for (const std::uint16_t k : scorer.classes) side.push_back(positive[k]);
        fits.push_back([=](const Points& p) { return fit_lda(p, side, 2, gamma); });
    }
}

// Alternates between the partition of the rows and a logistic fit to it; keeps the last fit that raised the score.
void add_chou(const ManyPlan& plan, const Points& points, SplitScorer& scorer, std::vector<Fit>& fits) {
    if (scorer.best_single.branch.empty()) return;
    const double ridge = plan.at("ridge");
    RowSides branch = scorer.best_single.branch;
    double score = -std::numeric_limits<double>::infinity();
    Fit best;
    for (int round = 0; round < static_cast<int>(plan.at("rounds")); ++round) {
        Vector signs, weights, numbers;
        scorer.wanted_sides(branch, signs, weights);
        bool has_left = false, has_right = false;
        for (std::size_t i = 0; i < signs.size(); ++i)
            if (weights[i] > 0) (signs[i] > 0 ? has_right : has_left) = true;
        if (!has_left || !has_right) break;
        const Fit fit = [=](const Points& p) { return without_last(fit_logistic(p, signs, weights, ridge)); };
        Vector direction = fit(points);
        const ManyQuestion found = plane_along(points, scorer, direction);
        if (found.kind == ManyQuestion::Kind::none || !scorer.beats(found.score, score)) break;
        best = fit;
        score = found.score;
        make_canonical(direction);
        plane_across(points, direction, numbers);
        const double bound = found.reals[found.terms.size()];
        for (std::size_t i = 0; i < branch.size(); ++i) branch[i] = numbers[i] > bound;
    }
    if (best) fits.push_back(best);
}

std::vector<Fit> fits_of(const ManyPlan& plan, const Points& points, SplitScorer& scorer) {
    std::vector<Fit> fits;
    if (plan.name == "householder_planes") {
        add_householder(points, scorer, fits);
    } else if (plan.name == "lda_plane") {
        add_lda(plan.at("gamma"), points, scorer, fits);
    } else if (plan.name == "chou_plane") {
        add_chou(plan, points, scorer, fits);
    } else if (plan.name == "sparse_planes") {
        fits = sparse_fits(plan, points, scorer);
    } else if (plan.name == "oc1_plane") {
        for (Vector& direction : oc1_directions(plan, points, scorer)) fits.push_back(fixed(std::move(direction)));
    } else {
        for (const auto& positive : superclasses(scorer, points)) {
            const Vector signs = signs_of(scorer, positive);
            if (plan.name == "perceptron_plane")
                fits.push_back([=, epochs = static_cast<int>(plan.at("epochs"))](const Points& p) {
                    return without_last(fit_perceptron(p, signs, epochs));
                });
            if (plan.name == "logistic_plane")
                fits.push_back([=, ridge = plan.at("ridge")](const Points& p) {
                    return without_last(fit_logistic(p, signs, p.weights, ridge));
                });
            if (plan.name == "svm_plane")
                fits.push_back(
                    [=, cost = plan.at("C")](const Points& p) { return without_last(fit_svm(p, signs, cost)); });
        }
    }
    return fits;
}

// The best plane of a fit with at most `max_terms` columns; drops columns that contribute less than `worth`.
ManyQuestion best_with_few_terms(const ManyPlan& plan, const Points& all, SplitScorer& scorer, const Fit& fit) {
    const auto max_terms = static_cast<std::int64_t>(plan.at("max_terms"));  // 0: no limit
    const double worth = plan.at("min_contribution");
    Vector direction = fit(all);
    ManyQuestion found = plane_along(all, scorer, direction);
    double top = found.score;
    Points fewer;
    const Points* points = &all;
    while (!direction.empty() && points->d > 2) {
        const auto terms = std::count_if(direction.begin(), direction.end(), [](double v) { return v != 0; });
        const bool too_many = max_terms > 0 && terms > max_terms;
        if (!too_many && worth == 0) break;
        const auto smallest = std::min_element(direction.begin(), direction.end(),
                                               [](double a, double b) { return std::abs(a) < std::abs(b); });
        fewer = without_column(*points, static_cast<int>(smallest - direction.begin()));
        points = &fewer;
        direction = fit(fewer);
        ManyQuestion shorter = plane_along(fewer, scorer, direction);
        if (!too_many && !(shorter.score > top * (1 - worth))) break;
        top = std::max(top, shorter.score);
        found = std::move(shorter);
    }
    return found;
}

}  // namespace

ManyQuestion plane_across(const Points& points, const Vector& unit, Vector& numbers) {
    ManyQuestion out;
    std::vector<int> named;
    Vector weights;
    for (int j = 0; j < points.d; ++j)
        if (unit[j] != 0) {
            named.push_back(j);
            weights.push_back(unit[j] / points.sd[j]);
            out.terms.push_back(points.columns[j]);
        }
    weighted_sum(points, named, weights, numbers);
    out.reals = std::move(weights);
    out.reals.push_back(0.0);
    for (const int j : named) out.reals.push_back(points.mean[j]);
    return out;
}

void set_bound(ManyQuestion& plane, double bound) {
    plane.kind = ManyQuestion::Kind::plane;
    plane.reals[plane.terms.size()] = bound;
}

ManyQuestion plane_along(const Points& points, SplitScorer& scorer, Vector direction) {
    if (direction.empty() || !make_canonical(direction)) return {};
    if (std::count_if(direction.begin(), direction.end(), [](double v) { return v != 0; }) < 2) return {};
    ManyQuestion out = plane_across(points, direction, scorer.numbers);
    double at = 0, score = 0;
    if (!scorer.cut(scorer.numbers, score, at)) return {};
    out.score = score;
    set_bound(out, at);
    return out;
}

ManyQuestion best_plane(const ManyPlan& plan, const Points& points, SplitScorer& scorer) {
    ManyQuestion best;
    const int min_rows = plan.name == "sparse_planes" ? 2 * MIN_TERMS : 2 * points.d;
    if (points.d < 2 || points.n < min_rows) return best;
    for (const Fit& fit : fits_of(plan, points, scorer)) {
        check_stop();
        ManyQuestion found = best_with_few_terms(plan, points, scorer, fit);
        if (found.kind == ManyQuestion::Kind::none) continue;
        if (best.kind == ManyQuestion::Kind::none || scorer.beats(found.score, best.score)) best = std::move(found);
    }
    return best;
}

}  // namespace hornbeam
