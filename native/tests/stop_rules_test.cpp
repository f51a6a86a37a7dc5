// Tests of the stopping rules and of the sampling of columns.
#include "nodes/stop_rules.hpp"

#include <algorithm>

#include "core/column_sampler.hpp"
#include "tests/test.hpp"

using namespace hornbeam;

namespace {

Reason early(const StopRules& rules, const NodeSize& node, double largest = 0.5, bool alike = false) {
    return rules.early(node, [&] { return largest; }, [&] { return alike; });
}

constexpr NodeSize TEN_ROWS{10, 10.0, 3, false};

}  // namespace

TEST("rules without limits stop only nodes that are empty, pure or of one row") {
    const StopRules rules;
    CHECK(early(rules, TEN_ROWS) == Reason::none);
    CHECK(early(rules, {0, 0.0, 0, true}) == Reason::empty);
    CHECK(early(rules, {10, 10.0, 3, true}) == Reason::pure);
    CHECK(early(rules, {1, 1.0, 3, false}) == Reason::rows_to_split);
    CHECK(early(rules, TEN_ROWS, 1.0, true) == Reason::none);
    CHECK(rules.late(0.0, [] { return 1.0; }) == Reason::none);
    CHECK(rules.size(1'000'000, 2'000'000, 100) == Reason::none);
    CHECK(!rules.limits_size());
}

TEST("every early rule has its reason, and the first one in order is given") {
    StopRules rules;
    rules.max_depth = 3;
    rules.min_leaf = 6;
    CHECK(early(rules, TEN_ROWS) == Reason::depth);
    rules.max_depth = 4;
    CHECK(early(rules, TEN_ROWS) == Reason::rows_in_leaf);
    rules.min_split = 11;
    CHECK(early(rules, TEN_ROWS) == Reason::rows_to_split);
    rules.purity = 0.9;
    CHECK(early(rules, TEN_ROWS, 0.89) == Reason::rows_to_split);
    CHECK(early(rules, TEN_ROWS, 0.9) == Reason::purity);
    rules.eta = 10;
    CHECK(early(rules, TEN_ROWS, 0.9) == Reason::eta);
    rules.same_vectors = true;
    CHECK(early(rules, TEN_ROWS, 0.9, true) == Reason::same_vectors);
    rules.splits_pure = true;
    CHECK(early(rules, {10, 10.0, 3, true}, 0.9, true) == Reason::same_vectors);
}

TEST("a weight that lacks rounding alone reaches a limit") {
    StopRules rules;
    rules.min_leaf_weight = 5.0;
    CHECK(early(rules, {10, 10.0 - 1e-10, 0, false}) == Reason::none);
    CHECK(early(rules, {10, 9.9, 0, false}) == Reason::rows_in_leaf);
    CHECK(whole_limit(5.0) == 5);
    CHECK(whole_limit(4.9) == 5);
    CHECK(whole_limit(0.0) == 0);
}

TEST("a split whose decrease equals the limit is made, a gain that equals the limit is not enough") {
    StopRules rules;
    rules.min_decrease = 0.05;
    CHECK(rules.late(0.1, [] { return 0.5; }) == Reason::none);
    CHECK(rules.late(0.1, [] { return 0.4; }) == Reason::min_decrease);
    rules.min_gain = 0.1;
    CHECK(rules.late(0.1, [] { return 0.5; }) == Reason::min_gain);
}

TEST("a tree grows up to its limits of leaves and nodes and not beyond") {
    StopRules rules;
    rules.max_leaves = 4;
    CHECK(rules.limits_size());
    CHECK(rules.size(3, 5, 2) == Reason::none);
    CHECK(rules.size(3, 5, 3) == Reason::leaves);
    rules.max_nodes = 6;
    CHECK(rules.size(3, 5, 2) == Reason::nodes);
}

TEST("columns are sampled without replacement, and the same key gives the same columns again") {
    ColumnSampler sampler(20);
    std::vector<std::int32_t> first, again;
    for (std::vector<std::int32_t>* found : {&first, &again}) {
        sampler.start();
        Stream from(key(3, Purpose::features, 1, 2));
        while (sampler.has_next()) found->push_back(sampler.next(from));
    }
    CHECK(first == again);
    std::sort(first.begin(), first.end());
    for (std::int32_t c = 0; c < 20; ++c) CHECK(first[c] == c);
}

TEST("the sampler chooses the columns that the stream itself chooses") {
    Stream stream(key(4, Purpose::features));
    const std::vector<std::int64_t> expected = stream.choose(30, 7);
    std::vector<std::int64_t> found;
    sample_columns(30, 7, key(4, Purpose::features), [&](std::int32_t column) {
        found.push_back(column);
        return true;
    });
    std::sort(found.begin(), found.end());
    CHECK(found == expected);
}

TEST("sampling goes on until a column varies") {
    int n_calls = 0;
    sample_columns(10, 2, key(5, Purpose::features), [&](std::int32_t) { return ++n_calls == 6; });
    CHECK(n_calls == 6);
    n_calls = 0;
    sample_columns(10, 2, key(5, Purpose::features), [&](std::int32_t) { return ++n_calls, false; });
    CHECK(n_calls == 10);
}
