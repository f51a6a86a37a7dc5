// Tests of the random numbers against recorded vectors, which the tests of seeds.py use too.
#include "core/random.hpp"

#include "tests/test.hpp"

using namespace hornbeam;

TEST("mix scatters words as splitmix64 does") {
    CHECK(mix(0) == 16294208416658607535ULL);
    CHECK(mix(42) == 13679457532755275413ULL);
}

TEST("keys and streams equal the vectors of seed 42") {
    CHECK(key(42, Purpose::bootstrap) == 4488420693440655736ULL);
    Stream stream(key(42, Purpose::bootstrap));
    for (const std::uint64_t word :
         {9658020836451211975ULL, 13539915169153680603ULL, 3721768391386791782ULL, 13652203368602181540ULL}) {
        CHECK(stream.next() == word);
    }
}

TEST("a bootstrap sample of ten rows is the recorded one") {
    Stream stream(key(42, Purpose::bootstrap));
    for (const std::uint64_t row : {5, 7, 2, 7, 1, 4, 7, 2, 4, 0}) CHECK(stream.below(10) == row);
}

TEST("the identity of a child follows from its path") { CHECK(child_id(kRootId, 0) == 15398788102373112401ULL); }

TEST("a subset of columns is the recorded one") {
    Stream stream(key(42, Purpose::features, 3, child_id(kRootId, 0)));
    CHECK((stream.choose(10, 3) == std::vector<std::int64_t>{3, 5, 6}));
}

TEST("a shuffle is the recorded one") {
    Stream stream(key(42, Purpose::folds));
    std::vector<int> items{0, 1, 2, 3, 4, 5, 6, 7};
    stream.shuffle(items);
    CHECK((items == std::vector<int>{1, 6, 4, 0, 2, 3, 7, 5}));
}

TEST("uniform numbers are the recorded ones") {
    Stream stream(key(42, Purpose::thresholds));
    CHECK(stream.uniform() == 0.3422999449491235);
    CHECK(stream.uniform() == 0.34340772733778335);
}
