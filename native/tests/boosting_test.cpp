// Tests of bins, exact histograms, teams of threads and the exponential function.
#include <atomic>
#include <cmath>
#include <limits>
#include <vector>

#include "binned/histogram.hpp"
#include "boosting/gradient_tree.hpp"
#include "core/exponential.hpp"
#include "tests/test.hpp"

using namespace hornbeam;

namespace {

std::vector<double> waves(std::int64_t n, double step) {
    std::vector<double> out(n);
    for (std::int64_t i = 0; i < n; ++i) out[i] = std::sin(static_cast<double>(i) * step) * 1e3;
    return out;
}

}  // namespace

TEST("the bin of a value is floor(bins C / W) with the weight C below it, without empty bins") {
    std::vector<double> values = waves(3000, 0.7);
    values[5] = std::numeric_limits<double>::quiet_NaN();
    values[6] = std::numeric_limits<double>::infinity();
    for (int i = 100; i < 900; ++i) values[i] = 0.0;  // a value with more weight than many bins
    BinnedColumn column;
    std::vector<std::uint16_t> codes(values.size());
    bin_numbers(values.data(), 3000, nullptr, 50, column, codes.data());
    CHECK(column.has_missing);
    CHECK(codes[5] == column.n_bins);
    std::vector<int> raw(values.size(), -1);
    std::vector<bool> is_used(50, false);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::isnan(values[i])) continue;
        int below = 0;
        for (const double other : values) below += other < values[i];
        raw[i] = std::min(below * 50 / 2999, 49);
        is_used[raw[i]] = true;
    }
    std::vector<int> number(50, 0);
    for (int bin = 1; bin < 50; ++bin) number[bin] = number[bin - 1] + is_used[bin - 1];
    for (std::size_t i = 0; i < values.size(); ++i)
        if (raw[i] >= 0) CHECK(codes[i] == number[raw[i]]);
}

TEST("the histogram of a node minus that of one child is the histogram of the other child") {
    const std::int64_t n = 5000;
    std::vector<std::vector<double>> values = {waves(n, 0.3), waves(n, 0.9), waves(n, 1.7), waves(n, 2.9),
                                               waves(n, 5.1)};
    std::vector<SourceColumn> columns(values.size());
    for (std::size_t c = 0; c < columns.size(); ++c) columns[c].reals = values[c].data();
    Stop stop;
    const BinnedTable table = binned_table(columns, n, {}, 255, 1, stop);
    std::vector<Pair> pairs(n);
    std::vector<std::uint32_t> first, second, all;
    for (std::uint32_t row = 0; row < n; ++row) {
        pairs[row] = {static_cast<std::int64_t>(row * 7919 % 101) - 50, (static_cast<std::int64_t>(row) << 20) + 1};
        (row % 3 ? first : second).push_back(row);
        all.push_back(row);
    }
    CellSource source;
    source.kind = CellKind::pairs;
    source.pairs = pairs.data();
    const CellPlan plan(table, 2);
    for (std::size_t group = 0; group < table.groups.size(); ++group) {
        std::vector<std::int64_t> whole(plan.size), part(plan.size), rest(plan.size);
        add_rows({table, source, plan}, group, all, whole.data());
        add_rows({table, source, plan}, group, first, part.data());
        add_rows({table, source, plan}, group, second, rest.data());
        std::vector<std::int64_t> left = whole;
        subtract(left.data(), part.data(), left.size());
        CHECK(left == rest);
        add_rows({table, source, plan}, group, first, whole.data(), true);
        CHECK(whole == rest);
    }
}

TEST("a team processes every index once") {
    Stop stop;
    std::vector<std::atomic<int>> done(1000);
    Team::run(3, stop, [&](Team& team) {
        for (int round = 0; round < 50; ++round)
            team.each(1000, [&](std::int64_t i, int worker) {
                if (worker < 0 || worker >= team.size()) throw std::runtime_error("no such worker");
                ++done[i];
            });
    });
    for (const auto& times : done) CHECK(times == 50);
}

TEST("an exception in a worker of a team reaches the caller") {
    Stop stop;
    bool is_caught = false;
    try {
        Team::run(2, stop, [&](Team& team) {
            team.each(100, [](std::int64_t i, int) {
                if (i == 37) throw std::runtime_error("37");
            });
        });
    } catch (const std::runtime_error& error) {
        is_caught = std::string(error.what()) == "37";
    }
    CHECK(is_caught);
}

TEST("the error of the exponential is at most a few units in the last place") {
    for (double x = -690; x < 690; x += 0.377) CHECK(std::fabs(exponential(x) / std::exp(x) - 1) < 1e-15);
    CHECK(exponential(0) == 1.0);
    CHECK(std::isfinite(exponential(1e9)) && exponential(-1e9) > 0);
}
