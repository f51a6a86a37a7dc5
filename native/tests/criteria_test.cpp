// Tests of the split scores.
#include "criteria/criterion.hpp"

#include <cmath>

#include "tests/test.hpp"

using namespace hornbeam;

namespace {

// The score of a split of two classes in two branches.
double score(const char* name, std::vector<double> sides) {
    const std::vector<double> parent = {sides[0] + sides[2], sides[1] + sides[3]};
    return make_criterion(name)->score({parent.data(), sides.data(), 2, 2, 0.0});
}

bool is_near(double a, double b) { return std::fabs(a - b) < 1e-12; }

}  // namespace

TEST("a split that separates two classes gains the whole impurity") {
    CHECK(is_near(score("gini", {2, 0, 0, 2}), 0.5));
    CHECK(is_near(score("entropy", {2, 0, 0, 2}), 1.0));
    CHECK(is_near(score("misclassification", {2, 0, 0, 2}), 0.5));
    CHECK(is_near(score("gain_ratio", {2, 0, 0, 2}), 1.0));
}

TEST("a split whose branches are alike gains nothing") {
    for (const char* name : {"gini", "entropy", "misclassification"}) CHECK(is_near(score(name, {1, 2, 2, 4}), 0.0));
}

TEST("an impurity is zero for one class and largest for equal parts") {
    for (const char* name : {"gini", "entropy"}) {
        const auto criterion = make_criterion(name);
        const double one[2] = {3, 0}, uneven[2] = {3, 1}, even[2] = {2, 2};
        CHECK(criterion->impurity(one, 2) == 0.0);
        CHECK(criterion->impurity(uneven, 2) < criterion->impurity(even, 2));
        CHECK(criterion->is_impurity());
    }
}

TEST("scores of splits agree with values computed by hand") {
    // 10 rows: 6 of class 0, 4 of class 1; branches (5, 1) and (1, 3).
    const std::vector<double> sides = {5, 1, 1, 3};
    // gini: 1 - .36 - .16 = .48; branches 10/36 and 6/16; .48 - .6 * 10/36 - .4 * 6/16 = .163333...
    CHECK(is_near(score("gini", sides), 0.48 - 0.6 * 10 / 36 - 0.4 * 6 / 16));
    CHECK(is_near(score("two_class_variance", sides), score("gini", sides) / 2));
    CHECK(is_near(score("misclassification", sides), 0.4 - 0.2));  // 4 rows are wrong before, 2 afterwards
    // Twoing: .6 * .4 / 4 * (|5/6 - 1/4| + |1/6 - 3/4|)^2 = .06 * (7/6)^2.
    CHECK(is_near(score("twoing", sides), 0.06 * 49 / 36));
    // Expected counts 3.6, 2.4, 2.4, 1.6: every cell is off by 1.4.
    CHECK(is_near(score("chi_square", sides), 1.96 * (1 / 3.6 + 2 / 2.4 + 1 / 1.6) / 10));
    // |.5 - .36| + |.1 - .24| + |.1 - .24| + |.3 - .16|.
    CHECK(is_near(score("cart_measure", sides), 4 * 0.14));
    // Shares of the classes in the first branch: 5/6 and 1/4.
    const double first = std::sqrt(5.0 / 6) - std::sqrt(0.25), second = std::sqrt(1.0 / 6) - std::sqrt(0.75);
    CHECK(is_near(score("hellinger", sides), std::sqrt(first * first + second * second)));
}

TEST("the play-tennis table of Quinlan (1986) has the gains of the paper") {
    // Outlook: sunny 2 yes 3 no, overcast 4 yes, rain 3 yes 2 no. The paper has a gain of 0.246 and a ratio of 0.156.
    const std::vector<double> parent = {9, 5}, sides = {2, 3, 4, 0, 3, 2};
    const SplitStats outlook{parent.data(), sides.data(), 3, 2, 0.0};
    CHECK(std::fabs(make_criterion("entropy")->impurity(parent.data(), 2) - 0.940) < 5e-4);
    CHECK(std::fabs(make_criterion("entropy")->score(outlook) - 0.2467) < 5e-5);
    CHECK(std::fabs(split_information(outlook, false) - 1.577) < 5e-4);
    CHECK(std::fabs(make_criterion("gain_ratio")->score(outlook) - 0.2467 / 1.577) < 5e-4);
}

TEST("rows of unknown outcome are one more branch of the split information") {
    const double parent[2] = {2, 2}, sides[4] = {2, 0, 0, 2};
    CHECK(is_near(split_information({parent, sides, 2, 2, 4.0}, false), 1.5));  // shares 1/4, 1/4, 1/2
}

TEST("numbers are scored from weights and centered sums") {
    // Targets 1, 1, 4, 6 have the mean 3: sums about it are -4 and 4; variance 4.5, inside the branches 0 and 1.
    const double parent[2] = {4, 0}, sides[4] = {2, -4, 2, 4};
    CHECK(is_near(make_criterion("squared_error")->score({parent, sides, 2, 2, 0.0, nullptr, 3.0}), 4.0));
    // Poisson: rates 1 and 5 about 3: 2 * (1/2 * 1 ln(1/3) + 1/2 * 5 ln(5/3)); the linear terms cancel.
    const double gain = std::log(1.0 / 3) + 5 * std::log(5.0 / 3);
    CHECK(is_near(make_criterion("poisson")->score({parent, sides, 2, 2, 0.0, nullptr, 3.0}), gain));
}

TEST("a branch without events is not admissible under the Poisson criterion") {
    const double parent[2] = {4, 0}, sides[4] = {2, -6, 2, 6};  // rates 0 and 6 about 3
    const SplitStats split{parent, sides, 2, 2, 0.0, nullptr, 3.0};
    CHECK(make_criterion("poisson")->forbids(split) && make_criterion("poisson")->score(split) == 0.0);
}

TEST("no score falls if a branch is split further") {
    for (const char* name : {"gini", "entropy", "misclassification"}) {
        const auto criterion = make_criterion(name);
        const double parent[3] = {6, 7, 5}, two[6] = {4, 2, 1, 2, 5, 4}, three[9] = {4, 2, 1, 2, 1, 0, 0, 4, 4};
        CHECK(criterion->score({parent, three, 3, 3, 0.0}) >= criterion->score({parent, two, 2, 3, 0.0}) - 1e-15);
        CHECK(is_near(criterion->decrease({parent, two, 2, 3, 0.0}), criterion->score({parent, two, 2, 3, 0.0})));
    }
}
