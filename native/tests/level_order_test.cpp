// Tests of the order of levels and scores whose keys differ by rounding.
#include "searches/level_order.hpp"

#include <vector>

#include "tests/test.hpp"

using namespace hornbeam;

TEST("scores within the tolerance keep their order, at the edge of a grid too") {
    for (int step = 0; step < 12; ++step) {
        const double middle = step * 0.25e-10;
        CHECK((best_first({middle - 1e-14, middle + 1e-14, middle, middle + 2e-10}, 1e-10) ==
               std::vector<int>{3, 0, 1, 2}));
    }
}
