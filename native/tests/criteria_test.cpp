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
