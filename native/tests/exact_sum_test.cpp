// Tests of sums that are rounded only once.
#include "missing/exact_sum.hpp"

#include <cmath>

#include "tests/test.hpp"

using namespace hornbeam;

namespace {

double summed(std::initializer_list<double> numbers) {
    ExactSum sum;
    for (const double x : numbers) sum.add(x);
    return sum.rounded();
}

}  // namespace

TEST("large values cancel and the small value between them remains") {
    CHECK(summed({1e100, 1.0, -1e100}) == 1.0);
    CHECK(summed({}) == 0.0);
    CHECK(summed({0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}) == 1.0);
}

TEST("half a unit in the last place is rounded by the bits below it") {
    // Halfway between 1 and the next double, and slightly above or below: as math.fsum of Python.
    const double half = std::ldexp(1.0, -53), little = std::ldexp(1.0, -120);
    CHECK(summed({1.0, half}) == 1.0);
    CHECK(summed({1.0, half, little}) == std::nextafter(1.0, 2.0));
    CHECK(summed({1.0, half, -little}) == 1.0);
}

TEST("a multiple of a value is added without rounding") {
    ExactSum once, often;
    for (int i = 0; i < 1000; ++i) once.add(0.1);
    often.add(0.1, 1000.0);
    CHECK(once.rounded() == often.rounded());
}

TEST("a quick sum that is sure equals the exact sum, and most quick sums are sure") {
    int sure = 0;
    for (int seed = 0; seed < 200; ++seed) {
        ExactSum exact;
        QuickSum quick;
        double x = 0.1 + seed;
        for (int i = 0; i < 300; ++i) {
            x = std::fmod(x * 997.0 + 0.3, 1013.0) - 400.0 * (i % 3);
            exact.add(x);
            quick.add(x);
        }
        double sum = 0.0;
        if (!quick.is_sure(sum)) continue;
        ++sure;
        CHECK(sum == exact.rounded());
    }
    CHECK(sure > 190);
}

TEST("a quick sum is not sure at half a unit or at overflow") {
    double sum = 0.0;
    QuickSum half, large;
    for (const double x : {1.0, std::ldexp(1.0, -53), std::ldexp(1.0, -120)}) half.add(x);
    CHECK(!half.is_sure(sum));
    for (int i = 0; i < 3; ++i) large.add(1.7e308);
    CHECK(!large.is_sure(sum));
}
