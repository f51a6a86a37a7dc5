// The weakest-link sequence of a worked example: children 1:(2,3) 2:(4,5) 3:(6,7) 5:(8,9) 7:(10,11), errors of 100
// rows.
#include "prunings/cost_complexity.hpp"

#include <cmath>
#include <vector>

#include "tests/test.hpp"

using namespace hornbeam;

TEST("the example collapses at 0, 0.5, 1, 4 and 20 errors per leaf") {
    const std::vector<std::int32_t> first{1, 3, 7, -1, 5, -1, -1, -1, 9, -1, -1};
    const std::vector<std::int32_t> count{2, 2, 2, 0, 2, 0, 0, 0, 2, 0, 0};
    const std::vector<double> risk{40, 10, 10, 1, 9, 2, 6, 4, 2, 2, 0};
    std::vector<double> own(11), gained(11);
    std::vector<std::int64_t> lost(11);
    weakest_links(first, count, risk, own, lost, gained);
    CHECK(own[8] == 0.0);
    CHECK(own[1] == 0.5);
    CHECK(own[4] == 1.0);
    CHECK(own[2] == 4.0);
    CHECK(own[0] == 20.0);
    CHECK(std::isnan(own[3]));
    CHECK(lost[1] == 2 && gained[1] == 1.0);
    CHECK(lost[0] == 1 && gained[0] == 20.0);
}

TEST("a single leaf has no alpha") {
    const std::vector<std::int32_t> first{-1}, count{0};
    const std::vector<double> risk{3};
    std::vector<double> own(1), gained(1);
    std::vector<std::int64_t> lost(1);
    weakest_links(first, count, risk, own, lost, gained);
    CHECK(std::isnan(own[0]) && lost[0] == 0 && gained[0] == 0.0);
}
