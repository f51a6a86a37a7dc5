// Tests of rules for missing values on tables small enough to compute by hand.
#include <cmath>
#include <limits>

#include "tests/example_table.hpp"
#include "tests/test.hpp"

using namespace hornbeam;
using namespace hornbeam::tests;

namespace {

constexpr double MISSING = std::numeric_limits<double>::quiet_NaN();

bool is_near(double a, double b) { return std::fabs(a - b) < 1e-12; }

// Four known rows that a cut at 5 separates, and a row without a value of the second class.
ExampleTable five_rows() {
    ExampleTable out;
    out.add_numbers({1, 2, 8, 9, MISSING});
    out.set_classes({0, 0, 1, 1, 1}, 2);
    return out;
}

Grown imputed(const char* method) {
    ExampleTable table = five_rows();
    table.parts.missing = {"missing", "impute", {{"method", method}, {"scope", "node"}}};
    return table.grown();
}

}  // namespace

TEST("the value that is put in for a missing one is compared with the cut") {
    // The mean of 1, 2, 8, 9 is 5: the row stands between 2 and 8, and a cut at 3.5 separates all five rows.
    const Grown by_mean = imputed("mean");
    CHECK(by_mean.reals[0] == 3.5 && by_mean.missing_branch[0] == 1 && is_near(by_mean.gain[0], 0.48));
    // The lower median is 2: below the cut at 5 are rows of classes 0, 0, 1, and 0.48 - 3/5 * 4/9 is gained.
    const Grown by_median = imputed("median");
    CHECK(by_median.reals[0] == 5.0 && by_median.missing_branch[0] == 0);
    CHECK(is_near(by_median.gain[0], 0.48 - 3.0 / 5 * 4 / 9));
    // Every value occurs once: the mode is the smallest, and the row is next to the 1.
    const Grown by_mode = imputed("mode");
    CHECK(by_mode.reals[0] == 5.0 && by_mode.missing_branch[0] == 0);
}

TEST("rows without a value lower the gain of a column by their share of the weight") {
    // The known rows gain 1/2, and they are four of five.
    const Grown tree = five_rows().grown();
    CHECK(tree.reals[0] == 5.0 && is_near(tree.gain[0], 0.5 * 4 / 5));
}

TEST("missing values are a branch of their own if that separates them") {
    ExampleTable table;
    table.add_numbers({1, 2, 8, 9, MISSING, MISSING});
    table.set_classes({0, 0, 1, 1, 2, 2}, 3);
    table.parts.missing.name = "own_branch";
    const Grown tree = table.grown();
    CHECK(tree.n_branches[0] == 3 && tree.missing_branch[0] == 2 && tree.reals[0] == 5.0);
    CHECK(is_near(tree.gain[0], 2.0 / 3));  // gini of three equal classes; all branches are pure
}

TEST("whether the value is missing is tested if that is the better question") {
    ExampleTable table;
    table.add_numbers({1, 2, 3, 4, MISSING, MISSING});
    table.set_classes({0, 0, 0, 0, 1, 1}, 2);
    table.parts.missing.name = "learned";
    const Grown tree = table.grown();
    CHECK(tree.question_kind.size() == 1 && tree.question_kind[0] == 4);  // IS_MISSING
    CHECK(tree.parent.size() == 3 && is_near(tree.gain[0], 4.0 / 9));     // 1 - (4/6)^2 - (2/6)^2
}

TEST("a row of unknown answer goes down every branch in part") {
    ExampleTable table = five_rows();
    table.parts.missing.name = "fractional";
    const Grown tree = table.grown();
    CHECK(tree.parent.size() == 3 && is_near(tree.gain[0], 0.4));
    // Two known rows on each side: half of the row without a value, of class 1, goes to either.
    for (const std::size_t child : {1, 2}) CHECK(is_near(tree.weight[child], 2.5));
    CHECK(is_near(tree.stats[2], 2.0) && is_near(tree.stats[3], 0.5));
    CHECK(is_near(tree.stats[4], 0.0) && is_near(tree.stats[5], 2.5));
}

TEST("a surrogate decides for rows without the first value") {
    ExampleTable table;
    table.add_numbers({1, 2, 3, 10, 11, 12, MISSING});
    table.add_numbers({1, 2, 10, 3, 11, 12, 11});
    table.set_classes({0, 0, 0, 1, 1, 1, 1}, 2);
    table.parts.missing.name = "surrogates";
    const Grown tree = table.grown();
    CHECK(tree.column[0] == 0 && tree.reals[0] == 6.5);
    // The second column cut at 2.5 agrees on five of the six rows that both answer; the majority on three of them.
    CHECK(tree.surrogate_question.size() == 1);
    const auto question = static_cast<std::size_t>(tree.surrogate_question[0]);
    CHECK(tree.column[question] == 1 && tree.reals[tree.reals_start[question]] == 2.5);
    CHECK(is_near(tree.surrogate_agree[0], 5.0 / 6) && is_near(tree.surrogate_adjusted[0], 2.0 / 3));
    // The row without a value has 11 in the second column and goes right.
    CHECK(tree.rows[1] == 3 && tree.rows[2] == 4);
}

TEST("with weights the missing row follows the branch of largest weight") {
    ExampleTable table = five_rows();
    table.weights = {1, 1, 1, 2, 1};
    CHECK(table.grown().missing_branch[0] == 1);
    table.weights = {2, 1, 1, 1, 1};
    CHECK(table.grown().missing_branch[0] == 0);
}
