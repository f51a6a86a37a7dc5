// Tests of the search at a node: every question is tried directly, by the definitions, and none is better than the one
// that the grower chose. Columns are sorted lists, codes, sparse lists, bins and levels.
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "tests/example_table.hpp"
#include "tests/split_by_definition.hpp"
#include "tests/test.hpp"

using namespace hornbeam;
using namespace hornbeam::tests;

namespace {

constexpr double MISSING = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t MIN_LEAF = 3;

// The score of branches; those of several targets are added.
double score_in_table(const ExampleTable& table, const std::vector<std::vector<std::int64_t>>& branches) {
    double sum = 0;
    for (std::size_t t = 0; t < std::max<std::size_t>(table.several.size(), 1); ++t) {
        const std::vector<double>& numbers = table.several.empty() ? table.numbers : table.several[t];
        std::vector<Rows> rows;
        for (const auto& branch : branches) {
            rows.emplace_back();
            for (const std::int64_t row : branch)
                rows.back().push_back({table.n_classes > 0 ? table.classes[row] : 0, numbers[row], table.weight(row)});
        }
        sum += score_of(table.parts.criterion.name, rows, table.n_classes);
    }
    return sum;
}

// The best score over splits that are given as the branch of every row; -1: the value is missing and the row does not
// count, but lowers the score by its share of the weight.
class Best {
  public:
    Best(const ExampleTable& table, std::int64_t min_leaf) : table_(table), min_leaf_(min_leaf) {}
    void offer(const std::function<int(std::int64_t)>& branch_of, int n_branches) {
        std::vector<std::vector<std::int64_t>> branches(n_branches);
        double weight = 0, known = 0;
        for (std::int64_t row = 0; row < table_.n_rows(); ++row) {
            const int branch = branch_of(row);
            weight += table_.weight(row);
            if (branch < 0) continue;
            known += table_.weight(row);
            branches[branch].push_back(row);
        }
        for (const auto& branch : branches) {
            if (static_cast<std::int64_t>(branch.size()) < min_leaf_) return;
            const auto has_events = [&](std::int64_t row) { return table_.numbers[row] > 0; };
            const bool is_empty = std::none_of(branch.begin(), branch.end(), has_events);
            if (table_.parts.criterion.name == "poisson" && is_empty) return;  // not admissible
        }
        score = std::max(score, score_in_table(table_, branches) * known / weight);
    }
    double score = 0.0;

  private:
    const ExampleTable& table_;
    std::int64_t min_leaf_;
};

// Tries every cut of a column; a row is below it if its key is. Missing values by the rule of the table.
void try_cuts(const ExampleTable& table, const std::vector<double>& keys, Best& best) {
    std::set<double> distinct;
    bool has_missing = false;
    for (const double key : keys)
        if (std::isnan(key))
            has_missing = true;
        else
            distinct.insert(key);
    const std::string& rule = table.parts.missing.name;
    const bool counts = has_missing && rule != "skip_column";
    for (auto next = distinct.begin(); next != distinct.end(); ++next) {
        const double low = *next;
        if (std::next(next) == distinct.end()) break;
        const auto side = [&](std::int64_t row, int missing) {
            return std::isnan(keys[row]) ? missing : keys[row] > low;
        };
        if (!counts) best.offer([&](std::int64_t row) { return side(row, -1); }, 2);
        if (counts && rule == "own_branch") best.offer([&](std::int64_t row) { return side(row, 2); }, 3);
        for (int to = 0; counts && rule == "learned" && to < 2; ++to)
            best.offer([&](std::int64_t row) { return side(row, to); }, 2);
    }
    if (counts) best.offer([&](std::int64_t row) { return !std::isnan(keys[row]); }, 2);
}

std::vector<double> column_values(const SourceColumn& column, std::int64_t n) {
    std::vector<double> out(n);
    for (std::int64_t i = 0; i < n; ++i) out[i] = column.reals[i];
    return out;
}

// The bin of every value: floor(bins C / W) with the weight C of the smaller values among all of weight W; each value
// is a bin if there are no more of them than bins.
std::vector<double> bins_of(const ExampleTable& table, const std::vector<double>& values, int bins) {
    double all = 0;
    std::set<double> distinct;
    for (const double value : values)
        if (!std::isnan(value)) distinct.insert(value);
    if (static_cast<int>(distinct.size()) <= bins) return values;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!std::isnan(values[i])) all += table.weight(static_cast<std::int64_t>(i));
    std::vector<double> out(values.size(), MISSING);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::isnan(values[i])) continue;
        double below = 0;
        for (std::size_t j = 0; j < values.size(); ++j)
            if (values[j] < values[i]) below += table.weight(static_cast<std::int64_t>(j));
        out[i] = std::min<double>(std::floor(bins * below / all), bins - 1);
    }
    return out;
}

double best_of_every_cut(const ExampleTable& table, int bins = 0) {
    Best best(table, MIN_LEAF);
    for (const SourceColumn& column : table.columns()) {
        const std::vector<double> values = column_values(column, table.n_rows());
        try_cuts(table, bins > 0 ? bins_of(table, values, bins) : values, best);
    }
    return best.score;
}

// Columns of many values (sorted lists), of few (codes) and of mostly one value (sparse), some values missing.
ExampleTable random_table(std::uint64_t seed, int n_classes, bool has_weights, bool has_missing) {
    constexpr int N = 400;
    ExampleTable out;
    Stream stream(key(seed, Purpose::other));
    std::vector<double> many(N), few(N), sparse(N);
    std::vector<std::uint16_t> classes(N);
    for (int i = 0; i < N; ++i) {
        many[i] = stream.uniform() * 100;
        few[i] = static_cast<double>(stream.below(9));
        sparse[i] = stream.below(20) == 0 ? static_cast<double>(1 + stream.below(3)) : 0.0;
        const double level = many[i] / 50 + few[i] / 4 + sparse[i] + stream.uniform();
        classes[i] = static_cast<std::uint16_t>(
            std::min<int>(static_cast<int>(level * n_classes / 6), std::max(n_classes, 1) - 1));
        out.numbers.push_back(std::floor(level * 3));
        if (has_weights) out.weights.push_back(0.5 * static_cast<double>(1 + stream.below(5)));
        for (std::vector<double>* column : {&many, &few})
            if (has_missing && stream.below(6) == 0) (*column)[i] = MISSING;
    }
    if (n_classes > 0) out.set_classes(classes, n_classes);
    out.add_numbers(many), out.add_numbers(few), out.add_numbers(sparse);
    out.parts.stops.push_back({"stop", "min_leaf", {{"rows", MIN_LEAF}}});
    out.parts.stops.push_back({"stop", "max_depth", {{"depth", std::int64_t{1}}}});
    return out;
}

bool is_near(double a, double b) { return std::fabs(a - b) <= 1e-9 * std::max(1.0, std::fabs(b)); }

const std::vector<const char*> OF_CLASSES = {"gini", "entropy", "misclassification", "twoing", "chi_square"};
const std::vector<const char*> OF_NUMBERS = {"squared_error", "poisson", "absolute_error"};

void check_every_cut(const char* criterion, int n_classes, const char* rule, bool has_weights, int bins,
                     int n_targets = 1) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        ExampleTable table = random_table(seed, n_classes, has_weights, true);
        table.parts.criterion.name = criterion;
        for (int t = 0; n_targets > 1 && t < n_targets; ++t) {
            Stream stream(key(seed, Purpose::subsample, static_cast<std::uint64_t>(t)));
            table.several.push_back(table.numbers);
            for (double& number : table.several.back()) number = stream.below(3) == 0 ? number : stream.uniform() * t;
        }
        table.parts.missing.name = rule;
        if (bins > 0) table.parts.searches = {{"search", "binned_cuts", {{"bins", std::int64_t{bins}}}}};
        const Grown tree = table.grown();
        CHECK(tree.parent.size() >= 3);
        CHECK(is_near(tree.score[0], best_of_every_cut(table, bins)));
    }
}

}  // namespace

TEST("no cut of a list, of codes or of a sparse column is better than the one that is chosen") {
    for (const bool has_weights : {false, true}) {
        for (const char* criterion : OF_CLASSES)
            for (const int n_classes : {2, 3}) check_every_cut(criterion, n_classes, "skip_column", has_weights, 0);
        for (const char* criterion : OF_NUMBERS) check_every_cut(criterion, 0, "skip_column", has_weights, 0);
    }
}

TEST("no cut with missing values on either side, and not the question of whether the value is missing, is better") {
    for (const bool has_weights : {false, true}) {
        for (const char* criterion : OF_CLASSES)
            for (const int n_classes : {2, 3}) check_every_cut(criterion, n_classes, "learned", has_weights, 0);
        check_every_cut("squared_error", 0, "learned", has_weights, 0);
    }
}

TEST("no cut with a branch of its own for missing values is better") {
    for (const bool has_weights : {false, true}) {
        for (const char* criterion : {"gini", "entropy"})
            for (const int n_classes : {2, 3}) check_every_cut(criterion, n_classes, "own_branch", has_weights, 0);
        check_every_cut("squared_error", 0, "own_branch", has_weights, 0);
    }
}

TEST("no cut between bins is better than the one that is chosen") {
    for (const bool has_weights : {false, true}) {
        for (const char* criterion : OF_CLASSES)
            for (const int n_classes : {2, 3}) check_every_cut(criterion, n_classes, "skip_column", has_weights, 12);
        for (const char* criterion : {"squared_error", "poisson"})
            check_every_cut(criterion, 0, "skip_column", has_weights, 12);
    }
}

TEST("no cut is better where several numbers per row are added up") {
    for (const bool has_weights : {false, true})
        for (const char* rule : {"skip_column", "learned", "own_branch"})
            for (const int n_targets : {2, 5}) check_every_cut("squared_error", 0, rule, has_weights, 0, n_targets);
    for (const bool has_weights : {false, true}) check_every_cut("squared_error", 0, "skip_column", has_weights, 12, 3);
}

TEST("the best cut is between different classes (Fayyad and Irani 1992)") {
    for (const char* criterion : {"gini", "entropy"}) {
        ExampleTable table = random_table(7, 3, false, false);
        table.parts.criterion.name = criterion;
        table.parts.searches = {{"search", "boundary_points", {}}};
        CHECK(is_near(table.grown().score[0], best_of_every_cut(table)));
    }
}

TEST("no set of levels is better than the one that is chosen") {
    constexpr int N = 200, LEVELS = 7;
    const auto check = [](const char* search, const char* criterion, int n_classes, bool one_level) {
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            Stream stream(key(seed, Purpose::other));
            ExampleTable table;
            std::vector<std::int32_t> codes(N);
            std::vector<std::uint16_t> classes(N);
            for (int i = 0; i < N; ++i) {
                codes[i] = static_cast<std::int32_t>(stream.below(LEVELS));
                classes[i] = static_cast<std::uint16_t>((stream.below(4) + codes[i] * 5 % 7) % std::max(n_classes, 1));
                table.numbers.push_back(static_cast<double>(codes[i] * 5 % 7 + stream.below(4)));
            }
            if (n_classes > 0) table.set_classes(classes, n_classes);
            table.add_levels(codes, LEVELS);
            table.parts.criterion.name = criterion;
            table.parts.searches = {{"search", search, {}}};
            table.parts.stops.push_back({"stop", "max_depth", {{"depth", std::int64_t{1}}}});
            Best best(table, 1);
            for (int set = 1; set < 1 << (LEVELS - 1); ++set) {
                const bool is_one = (set & (set - 1)) == 0;
                if (!one_level || is_one) best.offer([&](std::int64_t row) { return set >> codes[row] & 1; }, 2);
            }
            if (one_level) best.offer([&](std::int64_t row) { return codes[row] == LEVELS - 1; }, 2);
            CHECK(is_near(table.grown().score[0], best.score));
        }
    };
    for (const char* criterion : {"gini", "entropy", "twoing"}) {
        check("all_subsets", criterion, 3, false);
        check("best_subset", criterion, 3, false);
        check("level_vs_rest", criterion, 3, true);
    }
    // Levels in the order of their means have the best set among their cuts (Breiman et al. 1984, theorem 4.5).
    for (const char* search : {"ordered_categories", "all_subsets", "best_subset"}) {
        check(search, "gini", 2, false);
        check(search, "entropy", 2, false);
        check(search, "squared_error", 0, false);
    }
}
