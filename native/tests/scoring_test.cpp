// Tests of the scores of questions and of the choice among them.
#include "nodes/scoring.hpp"

#include <cmath>

#include "growing/choice.hpp"
#include "nodes/block.hpp"
#include "tests/test.hpp"

using namespace hornbeam;

namespace {

Plan plan_of(const char* criterion, int n_classes = 2) {
    Plan plan;
    plan.criterion.name = criterion;
    plan.target.n_classes = n_classes;
    plan.n_rows = 4;
    if (n_classes > 0) plan.target.classes = {0, 0, 1, 1};
    plan.columns.resize(3);
    return plan;
}

Candidate cut_of(std::int32_t column, double score, double information = 1.0) {
    Candidate out;
    out.type = Candidate::Type::cut;
    out.column = column;
    out.score = out.gain = score;
    out.information = information;
    return out;
}

const std::vector<ReadyColumn> COLUMNS(3);

}  // namespace

TEST("every family of criteria has its kernel of cuts") {
    const auto kernel = [](const char* name, int n_classes) {
        const Plan plan = plan_of(name, n_classes);
        return Scoring(plan, COLUMNS).kernel;
    };
    CHECK(kernel("gini", 2) == CutKernel::two_classes);
    CHECK(kernel("gini", 3) == CutKernel::squares);
    CHECK(kernel("entropy", 3) == CutKernel::logs);
    CHECK(kernel("misclassification", 2) == CutKernel::any);
    CHECK(kernel("squared_error", 0) == CutKernel::moments);
}

TEST("the sums over rows are exact, and weights and purity follow from them") {
    Plan plan = plan_of("gini");
    plan.target.weights = {1, 2, 3, 4};
    const Scoring scoring(plan, COLUMNS);
    Block<std::uint32_t> block;
    block.classes = plan.target.classes;
    block.weights = plan.target.weights;
    const std::uint32_t rows[3] = {0, 1, 3};
    const Totals all = sum_rows(scoring, block, rows, 3), first = sum_rows(scoring, block, rows, 2);
    CHECK(all.rows == 3 && all.weight == 7 && all.cell[0] == 3 && all.cell[1] == 4);
    CHECK(!scoring.is_pure(all) && scoring.is_pure(first));
    CHECK(scoring.mass(all) == 7.0);
    CHECK(std::fabs(scoring.largest_fraction(all) - 4.0 / 7.0) < 1e-15);
    CHECK(std::fabs(scoring.impurity(all) - (1 - (9.0 + 16.0) / 49.0)) < 1e-15);
}

TEST("the first of equal scores wins, and scores within the tolerance are equal") {
    const Plan plan = plan_of("gini");
    const Scoring scoring(plan, COLUMNS);
    CHECK(best_candidate(scoring, {cut_of(0, 0.2), cut_of(1, 0.3), cut_of(2, 0.3)}, 0.5) == 1);
    CHECK(best_candidate(scoring, {cut_of(0, 0.3), cut_of(1, 0.3 + 1e-13)}, 0.5) == 0);
    Candidate none;
    CHECK(best_candidate(scoring, {none}, 0.5) == -1);
}

TEST("the cost of a column divides its score") {
    Plan plan = plan_of("gini");
    plan.column_cost = {1.0, 4.0, 1.0};
    const Scoring scoring(plan, COLUMNS);
    CHECK(best_candidate(scoring, {cut_of(0, 0.2), cut_of(1, 0.4)}, 0.5) == 0);
}

TEST("C4.5 compares the ratios of the questions of at least average gain") {
    Plan plan = plan_of("c45");
    plan.criterion.c45 = true;
    const Scoring by_ratio(plan, COLUMNS);
    CHECK(by_ratio.choice == Choice::ratio_above_average);
    // The best ratio is that of column 0, but its gain is below the average.
    const std::vector<Candidate> found = {cut_of(0, 0.1, 0.1), cut_of(1, 0.5, 1.0), cut_of(2, 0.6, 1.5)};
    CHECK(best_candidate(by_ratio, found, 1.0) == 1);
    plan.criterion.c45_by_gain = true;
    const Scoring by_gain(plan, COLUMNS);
    CHECK(best_candidate(by_gain, found, 1.0) == 2);
    const std::vector<double> values = compared(by_gain, found, 1.0);
    CHECK(values[2] == 0.6 && values[0] == 0.1);
}

TEST("C4.5 lowers the gain of a cut by the number of cuts tried") {
    Plan plan = plan_of("c45");
    plan.criterion.c45 = true;
    const Scoring scoring(plan, COLUMNS);
    Totals totals;
    totals.weight = 4;
    Candidate cut = cut_of(0, 0.9);
    scoring.finish(cut, 1.0, 8, totals);
    CHECK(std::fabs(cut.score - (0.9 - 3.0 / 4.0)) < 1e-15);
    CHECK(cut.gain == 0.9);
    CHECK(best_candidate(scoring, {cut}, 1.0) == 0);
    scoring.finish(cut, 1.0, 8, totals);
    CHECK(cut.score < 0 && best_candidate(scoring, {cut}, 1.0) < 0);
}
