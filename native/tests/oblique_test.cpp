// Tests of questions about many columns: linear algebra, fits of directions, planes and spheres of a tree.
#include <cmath>
#include <limits>

#include "oblique/fits.hpp"
#include "tests/example_table.hpp"
#include "tests/split_by_definition.hpp"
#include "tests/test.hpp"

using namespace hornbeam;
using namespace hornbeam::tests;

namespace {

bool is_near(double a, double b, double slack = 1e-12) { return std::fabs(a - b) <= slack; }

// Points as a search has them: two columns that need no scaling, weights of 1.
Points points_of(const std::vector<std::pair<double, double>>& rows) {
    Points out;
    out.n = static_cast<std::int64_t>(rows.size());
    out.d = 2;
    out.stride = 8;
    out.columns = out.original = {0, 1};
    out.mean = {0, 0};
    out.sd = {1, 1};
    out.weights.assign(rows.size(), 1.0);
    for (const auto& [a, b] : rows) {
        out.raw.insert(out.raw.end(), {a, b});
        out.x.insert(out.x.end(), {a, b, 1, 0, 0, 0, 0, 0});
    }
    return out;
}

double value_at(const Vector& theta, double a, double b) { return theta[0] * a + theta[1] * b + theta[2]; }

// Classes of a grid of points: whether inside(a, b).
template <class Inside>
ExampleTable grid(const Inside& inside) {
    ExampleTable out;
    std::vector<double> a, b;
    std::vector<std::uint16_t> classes;
    for (int i = 0; i < 14; ++i)
        for (int j = 0; j < 14; ++j) {
            a.push_back(i), b.push_back(j);
            classes.push_back(inside(i, j));
        }
    out.add_numbers(a), out.add_numbers(b);
    out.set_classes(classes, 2);
    out.parts.stops.push_back({"stop", "max_depth", {{"depth", std::int64_t{1}}}});
    return out;
}

// The gain of the first question of a tree: its rows are put on their sides and counted.
double counted_gain(const ExampleTable& table, const Grown& tree, bool is_ball) {
    std::vector<Rows> sides(2);
    const double* reals = tree.reals.data();
    const auto n = static_cast<std::size_t>(tree.whole_start[1]);
    for (std::int64_t row = 0; row < table.n_rows(); ++row) {
        double sum = 0;
        for (std::size_t t = 0; t < n; ++t) {
            const double value = table.columns()[tree.whole[t]].reals[row];
            sum += is_ball ? std::pow((value - reals[t]) / reals[n + t], 2) : reals[t] * value;
        }
        sides[sum > reals[is_ball ? 2 * n : n]].push_back({table.classes[row]});
    }
    return score_of("gini", sides, 2);
}

}  // namespace

TEST("positive definite systems are solved, others are refused") {
    Vector b = {1, 2};
    CHECK(solve_positive({4, 1, 1, 3}, b, 2));
    CHECK(is_near(b[0], 1.0 / 11) && is_near(b[1], 7.0 / 11));  // Cramer's rule, determinant 11
    Vector indefinite = {1, 2, 2, 1};
    CHECK(!cholesky(indefinite, 2));
    Vector positive = {4, 2, 2, 5};
    CHECK(cholesky(positive, 2));
    CHECK(is_near(positive[0], 2) && is_near(positive[2], 1) && is_near(positive[3], 2));  // 4 = 2^2, 5 = 1^2 + 2^2
}

TEST("eigenvalues come largest first, with vectors that the matrix only scales") {
    Vector values, vectors;
    eigen_symmetric({2, 1, 1, 2}, 2, values, vectors);
    CHECK(is_near(values[0], 3) && is_near(values[1], 1));
    CHECK(is_near(std::fabs(vectors[0]), std::sqrt(0.5)) && is_near(vectors[0], vectors[1]));
}

TEST("equal eigenvalues have the basis that the first coordinate axes give") {
    Vector values, vectors;
    eigen_symmetric({1, 1e-17, 1e-17, 1 + 2e-16}, 2, values, vectors);
    CHECK(is_near(vectors[0], 1) && is_near(vectors[1], 0) && is_near(vectors[3], 1));
    eigen_symmetric({2, 0, 1, 0, 3, 0, 1, 0, 2}, 3, values, vectors);  // 3, 3, 1
    CHECK(is_near(vectors[0], std::sqrt(0.5)) && is_near(vectors[2], std::sqrt(0.5)) && is_near(vectors[4], 1));
}

TEST("a gram matrix is the weighted sum of outer products") {
    const Points points = points_of({{1, 2}, {3, -1}});
    Vector out;
    const double weights[2] = {2, 1};
    weighted_gram(DenseRows{points.x.data(), points.n, points.d, points.stride}, weights, out);
    CHECK((out == Vector{2 * 1 + 9, 2 * 2 - 3, 2 * 2 - 3, 2 * 4 + 1}));
}

TEST("points have mean 0 and deviation 1 at their node, and the mean in place of missing values") {
    const std::vector<double> a = {1, 3, std::numeric_limits<double>::quiet_NaN()}, b = {5, 5, 5};
    const std::vector<SourceColumn> columns = {{Kind::numeric, Reals(a.data()), nullptr, 0},
                                               {Kind::numeric, Reals(b.data()), nullptr, 0}};
    Points points;
    points.weights = {1, 1, 1};
    fill_points(row_table(columns, 3), {0, 1}, {0, 1, 2}, points);
    CHECK(points.d == 1 && points.columns[0] == 0);  // a constant column is left out
    CHECK(is_near(points.mean[0], 2) && is_near(points.raw[2], 2));
    CHECK(is_near(points.x[0], -points.x[points.stride]) && is_near(points.x[2 * points.stride], 0));
}

TEST("a direction has length 1 and a positive largest component") {
    Vector direction = {3, -4};
    CHECK(make_canonical(direction));
    CHECK(is_near(direction[0], -0.6, 1e-9) && is_near(direction[1], 0.8, 1e-9));
    Vector none = {0, 0};
    CHECK(!make_canonical(none));
}

TEST("Fisher's direction is the difference of the means where the scatter is round") {
    // Both groups have the covariance c I, so S^-1 (m1 - m0) is a multiple of m1 - m0 = (2, 1).
    const Points points = points_of({{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {3, 1}, {1, 1}, {2, 2}, {2, 0}});
    const Vector v = fit_lda(points, {0, 0, 0, 0, 1, 1, 1, 1}, 2, 1e-9);
    CHECK(is_near(v[0] / v[1], 2.0, 1e-6));
}

TEST("fits separate two groups on both sides of a line") {
    const std::vector<std::pair<double, double>> rows = {{-1, -2}, {-2, -1}, {-1, -1}, {1, 2}, {2, 1}, {1, 1}};
    const Points points = points_of(rows);
    const Vector signs = {-1, -1, -1, 1, 1, 1};
    for (const Vector& theta : {fit_perceptron(points, signs, 100), fit_logistic(points, signs, points.weights, 0.001),
                                fit_svm(points, signs, 1.0)}) {
        for (std::size_t i = 0; i < rows.size(); ++i)
            CHECK(signs[i] * value_at(theta, rows[i].first, rows[i].second) > 0);
    }
    // The groups are mirror images: the line goes through the origin and treats both columns alike.
    for (const Vector& theta : {fit_logistic(points, signs, points.weights, 0.001), fit_svm(points, signs, 1.0)})
        CHECK(is_near(theta[0], theta[1], 1e-6) && is_near(theta[2], 0, 1e-6));
}

TEST("a plane gains what its sides come to, and more than any cut where the border is diagonal") {
    const ExampleTable diagonal = grid([](int a, int b) { return a + b > 12; });
    const double cut = diagonal.grown().gain[0];
    for (const char* search : {"lda_plane", "logistic_plane", "svm_plane", "perceptron_plane", "oc1_plane",
                               "householder_planes", "chou_plane", "sparse_planes"}) {
        ExampleTable table = grid([](int a, int b) { return a + b > 12; });
        table.parts.searches.push_back({"search", search, {}});
        const Grown tree = table.grown();
        CHECK(tree.column[0] == -1);  // a question about several columns
        CHECK(tree.gain[0] > cut);
        CHECK(is_near(tree.gain[0], counted_gain(table, tree, false)));
    }
    ExampleTable table = grid([](int a, int b) { return a + b > 12; });
    table.parts.searches.push_back({"search", "lda_plane", {}});
    const Grown tree = table.grown();
    CHECK(is_near(tree.reals[0], tree.reals[1], 1e-9));  // the direction (1, 1), by symmetry of the grid
    CHECK(is_near(tree.gain[0], tree.impurity[0]));      // both sides are pure
}

TEST("a sphere gains what its sides come to, and more than any cut where a class is a disc") {
    const auto disc = [](int a, int b) { return (a - 6) * (a - 6) + (b - 7) * (b - 7) <= 16; };
    const double cut = grid(disc).grown().gain[0];
    for (const char* search : {"spheres", "ball"}) {
        ExampleTable table = grid(disc);
        table.parts.searches.push_back({"search", search, {}});
        const Grown tree = table.grown();
        CHECK(tree.column[0] == -1 && tree.gain[0] > cut);
        CHECK(is_near(tree.gain[0], counted_gain(table, tree, true)));
    }
}

TEST("one thread and two choose the same planes") {
    ExampleTable table;
    Stream stream(key(5, Purpose::other));
    std::vector<double> a, b;
    std::vector<std::uint16_t> classes;
    for (int i = 0; i < 60'000; ++i) {
        a.push_back(stream.uniform()), b.push_back(stream.uniform());
        classes.push_back(a.back() + b.back() + stream.uniform() / 4 > 1.1);
    }
    table.add_numbers(a), table.add_numbers(b);
    table.set_classes(classes, 2);
    table.parts.searches.push_back({"search", "logistic_plane", {}});
    table.parts.stops.push_back({"stop", "max_depth", {{"depth", std::int64_t{3}}}});
    const Grown one = table.grown();
    table.threads = 2;
    CHECK(same_tree(one, table.grown()));
}
