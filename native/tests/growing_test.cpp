// Tests of the growth of one tree: splits, leaves with their reasons, missing values, threads.
#include <cmath>
#include <limits>

#include "core/stop.hpp"
#include "growing/grower.hpp"
#include "tests/test.hpp"

using namespace hornbeam;

namespace {

constexpr double MISSING = std::numeric_limits<double>::quiet_NaN();

// A table of one numeric column and two classes; it owns what the plan points to.
struct Example {
    Example(std::vector<double> numbers, std::vector<std::uint16_t> classes) : values(std::move(numbers)) {
        plan.n_rows = static_cast<std::int64_t>(values.size());
        plan.columns.emplace_back();
        plan.columns[0].kind = Kind::numeric;
        plan.columns[0].reals = Reals(values.data());
        plan.target.n_classes = 2;
        plan.target.classes = std::move(classes);
        plan.threads = 1;
    }
    Grown grown() {
        Stop stop;
        return grow(plan, stop);
    }
    std::vector<double> values;
    Plan plan;
};

std::vector<Reason> reasons(const Grown& tree) {
    std::vector<Reason> out;
    for (const std::int8_t each : tree.reason) out.push_back(static_cast<Reason>(each));
    return out;
}

}  // namespace

TEST("a column that separates two classes is cut once, between the values on both sides") {
    Example example({1, 2, 3, 10, 11}, {0, 0, 0, 1, 1});
    const Grown tree = example.grown();
    CHECK(tree.parent.size() == 3);
    CHECK(tree.reals.size() == 1 && tree.reals[0] == 6.5);
    CHECK((reasons(tree) == std::vector<Reason>{Reason::none, Reason::pure, Reason::pure}));
}

TEST("stopping rules make leaves of nodes that could be split") {
    Example example({1, 2, 3, 4}, {0, 1, 0, 1});
    example.plan.stops.max_depth = 0;
    CHECK(reasons(example.grown()) == std::vector<Reason>{Reason::depth});
    example.plan.stops.max_depth = NO_LIMIT;
    example.plan.stops.min_split = 5;
    CHECK(reasons(example.grown()) == std::vector<Reason>{Reason::rows_to_split});
    example.plan.stops.min_split = 2;
    example.plan.stops.max_leaves = 1;
    CHECK(reasons(example.grown()) == std::vector<Reason>{Reason::leaves});
}

TEST("a column of one value improves nothing") {
    Example example({5, 5, 5, 5}, {0, 1, 0, 1});
    CHECK(reasons(example.grown()) == std::vector<Reason>{Reason::no_improvement});
}

TEST("rows with a missing value follow the branch of larger weight, or stay at the node") {
    Example example({1, 2, 3, 10, 11, MISSING}, {0, 0, 0, 1, 1, 1});
    Grown tree = example.grown();
    CHECK(tree.missing_branch[0] == 0);
    example.plan.missing.stays = true;
    tree = example.grown();
    CHECK(tree.missing_branch[0] == -1);
    CHECK(tree.parent.size() == 3);
}

TEST("a learned branch for missing values is the one that fits them") {
    Example example({1, 2, 3, 10, 11, MISSING, MISSING}, {0, 0, 0, 1, 1, 1, 1});
    example.plan.missing.mode = MissingMode::either;
    const Grown tree = example.grown();
    CHECK(tree.missing_branch[0] == 1);
    CHECK((reasons(tree) == std::vector<Reason>{Reason::none, Reason::pure, Reason::pure}));
}

TEST("the largest gain is split first, and a budget of leaves ends the growth") {
    Example example({1, 2, 3, 4, 5, 6, 7, 8}, {0, 0, 0, 0, 1, 0, 1, 1});
    example.plan.order = Order::best_first;
    example.plan.stops.max_leaves = 2;
    const Grown tree = example.grown();
    CHECK(tree.parent.size() == 3);
    CHECK(tree.reals.size() == 1 && tree.reals[0] == 4.5);
    CHECK((reasons(tree) == std::vector<Reason>{Reason::none, Reason::pure, Reason::leaves}));
}

TEST("one thread and two threads grow the same tree, from lists and from bins") {
    std::vector<double> values;
    std::vector<std::uint16_t> classes;
    for (int i = 0; i < 120'000; ++i) {
        values.push_back((i * 7919) % 100'003);
        classes.push_back(static_cast<std::uint16_t>((i * 31) % 7 < 3));
    }
    Example example(values, classes);
    example.plan.stops.max_depth = 5;
    for (const int bins : {0, 64}) {
        example.plan.cuts.bins = bins;
        example.plan.threads = 1;
        const Grown one = example.grown();
        example.plan.threads = 2;
        const Grown two = example.grown();
        CHECK(one.parent.size() > 3);
        CHECK(one.parent == two.parent && one.reals == two.reals && one.gain == two.gain);
    }
}
