// Properties of grown trees: sums add up, threads and orders change nothing, leaves respect their limits.
#include <cmath>
#include <limits>

#include "tests/example_table.hpp"
#include "tests/test.hpp"

using namespace hornbeam;
using namespace hornbeam::tests;

namespace {

constexpr double MISSING = std::numeric_limits<double>::quiet_NaN();

ExampleTable mixed_table(int n, int n_classes, bool has_weights) {
    ExampleTable out;
    Stream stream(key(11, Purpose::other));
    std::vector<std::vector<double>> numbers(4, std::vector<double>(n));
    std::vector<std::int32_t> codes(n);
    std::vector<std::uint16_t> classes(n);
    for (int i = 0; i < n; ++i) {
        double level = 0;
        for (std::size_t c = 0; c < numbers.size(); ++c) {
            numbers[c][i] = c % 2 == 0 ? stream.uniform() : static_cast<double>(stream.below(20)) / 20;
            level += numbers[c][i] * static_cast<double>(c + 1);
            if (stream.below(10) == 0) numbers[c][i] = MISSING;
        }
        codes[i] = static_cast<std::int32_t>(stream.below(6)) - 1;  // -1: missing
        out.numbers.push_back(level + (codes[i] == 2 ? 3.0 : 0.0));
        classes[i] = static_cast<std::uint16_t>(static_cast<int>(out.numbers[i]) % std::max(n_classes, 1));
        if (has_weights) out.weights.push_back(static_cast<double>(1 + stream.below(4)));
    }
    for (auto& column : numbers) out.add_numbers(std::move(column));
    out.add_levels(std::move(codes), 5);
    if (n_classes > 0) out.set_classes(std::move(classes), n_classes);
    out.parts.criterion.name = n_classes > 0 ? "gini" : "squared_error";
    out.parts.stops.push_back({"stop", "max_depth", {{"depth", std::int64_t{4}}}});
    out.parts.stops.push_back({"stop", "min_leaf", {{"rows", std::int64_t{5}}}});
    return out;
}

PartValue rule_named(const char* name) {
    if (std::string(name) == "impute") return {"missing", name, {{"method", "median"}, {"scope", "node"}}};
    return {"missing", name, {}};
}

const std::vector<const char*> RULES = {"skip_column", "learned", "own_branch", "fractional", "surrogates", "impute"};

}  // namespace

TEST("one thread and several grow the same tree under every rule for missing values") {
    for (const char* rule : RULES)
        for (const int n_classes : {0, 3}) {
            ExampleTable table = mixed_table(24'000, n_classes, false);
            table.parts.missing = rule_named(rule);
            const Grown one = table.grown();
            CHECK(one.parent.size() > 8);
            table.threads = n_classes == 0 ? 2 : 3;
            CHECK(same_tree(one, table.grown()));
        }
}

TEST("every order of nodes grows the same tree where its size has no limit") {
    for (const int n_classes : {0, 2}) {
        ExampleTable table = mixed_table(2000, n_classes, true);
        const Grown first = table.grown();
        for (const char* order : {"level_wise", "best_first"}) {
            table.parts.order.name = order;
            CHECK(same_tree(first, table.grown()));
        }
    }
}

TEST("rows and class weights of the branches add up to those of the node, and its gain is their fall of impurity") {
    for (const char* rule : RULES)
        for (const bool has_weights : {false, true}) {
            ExampleTable table = mixed_table(1500, 3, has_weights);
            table.parts.missing = rule_named(rule);
            const Grown tree = table.grown();
            const auto k = static_cast<std::size_t>(tree.width);
            for (std::size_t node = 0; node < tree.parent.size(); ++node) {
                if (tree.first_child[node] < 0) continue;
                std::vector<double> sum(k, 0.0);
                double weight = 0;
                for (int b = 0; b < tree.n_branches[node]; ++b) {
                    const auto child = static_cast<std::size_t>(tree.first_child[node] + b);
                    weight += tree.weight[child];
                    CHECK(tree.rows[child] >= 1 && tree.gain[node] >= 0.0);
                    for (std::size_t c = 0; c < k; ++c) sum[c] += tree.stats[child * k + c];
                }
                CHECK(std::fabs(weight - tree.weight[node]) < 1e-6 * tree.weight[node]);
                for (std::size_t c = 0; c < k; ++c)
                    CHECK(std::fabs(sum[c] - tree.stats[node * k + c]) < 1e-6 * tree.weight[node]);
            }
        }
}

TEST("the squares about the mean of a node are those of its branches and those between them") {
    ExampleTable table = mixed_table(1500, 0, true);
    const Grown tree = table.grown();
    CHECK(tree.width == 3);  // weight, mean, squares about the mean
    for (std::size_t node = 0; node < tree.parent.size(); ++node) {
        if (tree.first_child[node] < 0) continue;
        double inside = 0, between = 0;
        for (int b = 0; b < tree.n_branches[node]; ++b) {
            const double* child = tree.stats.data() + (tree.first_child[node] + b) * std::size_t{3};
            const double off = child[1] - tree.stats[node * 3 + 1];
            inside += child[2];
            between += child[0] * off * off;
        }
        CHECK(std::fabs(inside + between - tree.stats[node * 3 + 2]) < 1e-8 * tree.stats[2]);
    }
}

TEST("a leaf keeps the rows and the weight that a side must have") {
    ExampleTable table = mixed_table(1200, 2, true);
    table.parts.stops = {{"stop", "pure", {}}, {"stop", "min_leaf", {{"rows", std::int64_t{7}}, {"weight", 40.0}}}};
    const Grown tree = table.grown();
    CHECK(tree.parent.size() > 5);
    for (std::size_t node = 1; node < tree.parent.size(); ++node)
        CHECK(tree.rows[node] >= 7 && tree.weight[node] >= 40.0);
}
