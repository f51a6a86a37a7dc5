// Tests of the branches of rows whose value is missing.
#include "missing/missing_branch.hpp"

#include "missing/fractional_rows.hpp"
#include "missing/surrogates.hpp"
#include "nodes/block.hpp"
#include "tests/test.hpp"

using namespace hornbeam;

TEST("missing values follow the branch of largest weight unless the question or the rule decides") {
    Plan plan;
    Candidate best;
    best.n_branches = 3;
    CHECK(missing_branch(plan, best, {2, 5, 5}) == 1);
    best.missing_branch = 2;
    CHECK(missing_branch(plan, best, {2, 5, 5}) == 2);
    best.missing_branch = -1;
    plan.missing.stays = true;
    CHECK(missing_branch(plan, best, {2, 5, 5}) == 3);
}

TEST("the entries without a value are last and are not counted") {
    const std::uint32_t known = 7, missing = NO_RANK<std::uint32_t> << HALF<std::uint32_t>;
    const std::vector<std::uint32_t> list = {known, known + 1, missing, missing | 1};
    CHECK(known_entries(list.data(), 4) == 2);
    CHECK(known_entries(list.data(), 2) == 2);
    CHECK(known_entries(list.data() + 2, 2) == 0);
    CHECK(known_entries(list.data(), 0) == 0);
}

TEST("a row of unknown branch is shared by the weights of the branches, without tiny fractions") {
    Plan plan;
    plan.target.weights = {1000, 1000, 1'000'000};
    Block<std::uint32_t> block;
    block.n_rows = 3;
    block.order = block.row_of = {0, 1, 2};
    block.weights = plan.target.weights;
    block.branch = {0, 1, 2};  // the last is unknown
    const auto rows = fractional_rows(plan, {block, 0, 3}, {300, 100});
    CHECK(rows[0].size() == 2 && rows[1].size() == 2);
    CHECK(rows[0][1].weight == 750'000 && rows[1][1].weight == 250'000);
    const auto skewed = fractional_rows(plan, {block, 0, 3}, {100'000'000, 1});
    CHECK(skewed[0][1].weight == 1'000'000 && skewed[1].size() == 1);
}

TEST("a surrogate that sends rows the same way or the opposite way agrees with all of them") {
    const std::vector<std::uint64_t> list = {std::uint64_t{0} << 32 | 0, std::uint64_t{1} << 32 | 1,
                                             std::uint64_t{2} << 32 | 2, std::uint64_t{3} << 32 | 3};
    const std::int64_t held[2] = {2, 2};
    const std::uint8_t same[4] = {0, 0, 1, 1}, opposite[4] = {1, 1, 0, 0};
    const auto search = [&](const std::uint8_t* side) {
        return best_agreeing<std::uint64_t, false>(list.data(), 4, side, nullptr, held, 4);
    };
    CHECK(search(same).below == 2 && search(same).agreed == 4 && !search(same).is_flipped);
    CHECK(search(opposite).below == 2 && search(opposite).agreed == 4 && search(opposite).is_flipped);
}
