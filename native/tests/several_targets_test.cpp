// Tests of a statistic that only the core has: several numbers per row. Every search, rule for missing values, order
// and source serves it.
#include <cmath>
#include <limits>

#include "tests/example_table.hpp"
#include "tests/test.hpp"

using namespace hornbeam;
using namespace hornbeam::tests;

namespace {

constexpr double MISSING = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t TARGETS = 3;

ExampleTable several_table(int n, bool has_missing) {
    ExampleTable out;
    Stream stream(key(23, Purpose::other));
    std::vector<double> many(n), few(n);
    std::vector<std::int32_t> codes(n), wide(n);
    out.several.assign(TARGETS, std::vector<double>(n));
    for (int i = 0; i < n; ++i) {
        many[i] = stream.uniform(), few[i] = static_cast<double>(stream.below(12));
        codes[i] = static_cast<std::int32_t>(stream.below(5)), wide[i] = static_cast<std::int32_t>(stream.below(20));
        out.several[0][i] = many[i] + stream.uniform();
        out.several[1][i] = (few[i] > 6 ? 2.0 : 0.0) + stream.uniform();
        out.several[2][i] = (codes[i] * 2 % 5) + wide[i] * 7 % 20 * 0.2 + stream.uniform();
        if (has_missing && stream.below(8) == 0) many[i] = MISSING;
        if (has_missing && stream.below(8) == 0) codes[i] = -1;
    }
    out.add_numbers(many), out.add_numbers(few);
    out.add_levels(codes, 5), out.add_levels(wide, 20);
    out.parts.criterion.name = "squared_error";
    out.parts.stops.push_back({"stop", "max_depth", {{"depth", std::int64_t{4}}}});
    out.parts.stops.push_back({"stop", "min_leaf", {{"rows", std::int64_t{10}}}});
    return out;
}

// The gain of every question is the fall of the squares about the means, over the weight of the node.
void check_gains(const Grown& tree) {
    const std::size_t width = TARGETS + 2, squares = TARGETS + 1;
    CHECK(tree.width == static_cast<int>(width));
    CHECK(tree.parent.size() > 3);
    for (std::size_t node = 0; node < tree.parent.size(); ++node) {
        if (tree.first_child[node] < 0) continue;
        double fall = tree.stats[node * width + squares], weight = 0.0;
        for (int b = 0; b < tree.n_branches[node]; ++b) {
            const std::size_t child = static_cast<std::size_t>(tree.first_child[node] + b) * width;
            fall -= tree.stats[child + squares];
            weight += tree.stats[child];
        }
        CHECK(std::fabs(weight - tree.weight[node]) < 1e-9 * weight);
        CHECK(std::fabs(fall / weight - tree.gain[node]) < 1e-9);
    }
}

}  // namespace

TEST("every search gains what it takes off the squares about several means") {
    const std::vector<std::vector<PartValue>> searches = {
        {{"search", "sorted_cuts", {}}, {"search", "best_subset", {}}},
        {{"search", "sorted_cuts", {}}, {"search", "chou", {}}},
        {{"search", "sorted_cuts", {}}, {"search", "level_vs_rest", {}}},
        {{"search", "sorted_cuts", {}}, {"search", "multiway", {}}},
        {{"search", "sorted_cuts", {}}, {"search", "random_subsets", {}}},
        {{"search", "sorted_cuts", {}}, {"search", "many_levels", {{"penalize_sets", false}}}},
        {{"search", "binned_cuts", {{"bins", std::int64_t{16}}}}, {"search", "best_subset", {}}},
        {{"search", "random_cuts", {}}},
        {{"search", "random_pairs", {}}},
        {{"search", "intervals", {}}},
        {{"search", "sorted_cuts", {}}, {"search", "conjunctions", {}}},
        {{"search", "sorted_cuts", {}}, {"search", "oc1_plane", {}}},
        {{"search", "sorted_cuts", {}}, {"search", "chou_plane", {}}},
        {{"search", "sorted_cuts", {}}, {"search", "sparse_planes", {}}},
        {{"search", "sorted_cuts", {}}, {"search", "lookahead", {{"when", "always"}}}},
    };
    for (const auto& each : searches) {
        ExampleTable table = several_table(600, false);
        table.parts.searches = each;
        check_gains(table.grown());
    }
}

TEST("every rule for missing values serves several numbers, with one thread and two") {
    for (const char* rule : {"skip_column", "learned", "own_branch", "fractional", "surrogates"}) {
        ExampleTable table = several_table(26'000, true);
        table.parts.missing.name = rule;
        const Grown one = table.grown();
        CHECK(one.parent.size() > 8);
        table.threads = 2;
        CHECK(same_tree(one, table.grown()));
    }
}

TEST("every order serves several numbers") {
    ExampleTable table = several_table(1000, true);
    const Grown first = table.grown();
    for (const char* order : {"level_wise", "best_first"}) {
        table.parts.order.name = order;
        CHECK(same_tree(first, table.grown()));
    }
}

TEST("one number among several grows the tree of one number, and the order of the numbers does not matter") {
    ExampleTable table = several_table(800, true);
    const Grown tree = table.grown();
    std::swap(table.several[0], table.several[2]);
    const Grown swapped = table.grown();
    CHECK(tree.parent == swapped.parent && tree.reals == swapped.reals && tree.whole == swapped.whole);
    table.several.resize(1);
    table.numbers = table.several[0];
    const Grown of_several = table.grown();
    table.several.clear();
    const Grown of_one = table.grown();
    CHECK(of_one.parent.size() > 8);
    CHECK(of_several.parent == of_one.parent && of_several.reals == of_one.reals && of_several.rows == of_one.rows);
}

TEST("means and squares of several numbers agree with values computed by hand") {
    ExampleTable table;
    table.add_numbers({1, 2, 3, 4});
    table.several = {{0, 0, 2, 2}, {5, 5, 5, 9}};
    table.parts.criterion.name = "squared_error";
    table.parts.stops.push_back({"stop", "max_depth", {{"depth", std::int64_t{1}}}});
    // Means 1 and 6; squares about them 4 and 12. A cut at 3.5 leaves squares 8/3 and 0 on its left, none on its right:
    // 16 - 8/3 over 4 rows; one at 2.5 leaves 0 and 8: 8 over 4 rows.
    const Grown tree = table.grown();
    CHECK((std::vector<double>(tree.stats.begin(), tree.stats.begin() + 4) == std::vector<double>{4, 1, 6, 16}));
    CHECK(tree.reals[0] == 3.5 && std::fabs(tree.gain[0] - (16 - 8.0 / 3) / 4) < 1e-12);
}
