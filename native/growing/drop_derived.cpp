#include "growing/drop_derived.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <numeric>

namespace hornbeam {
namespace {

template <class T>
void drop(std::vector<T>& values) {
    std::vector<T>().swap(values);
}

bool is_binary(const Grown& grown) {
    return std::all_of(grown.n_branches.begin(), grown.n_branches.end(), [](int n) { return n == 0 || n == 2; });
}

bool weight_follows(const Grown& grown, bool is_class) {
    const double* stats = grown.stats.data();
    for (const double weight : grown.weight) {
        if ((is_class ? std::accumulate(stats, stats + grown.width, 0.0) : stats[0]) != weight) return false;
        stats += grown.width;
    }
    return true;
}

// Whether missing values follow the majority branch of two, the first on ties.
bool missing_follows(const Grown& grown) {
    for (std::size_t node = 0; node < grown.first_child.size(); ++node) {
        const std::int32_t child = grown.first_child[node];
        const std::int32_t branch = child < 0 ? -1 : grown.weight[child] >= grown.weight[child + 1] ? 0 : 1;
        if (grown.missing_branch[node] != branch) return false;
    }
    return true;
}

// Whether the impurity is the mean squared distance from the mean.
bool impurity_follows(const Grown& grown) {
    const double* stats = grown.stats.data();
    for (const double impurity : grown.impurity) {
        if (!(stats[0] > 0) || stats[2] / stats[0] != impurity) return false;
        stats += grown.width;
    }
    return true;
}

bool prediction_follows(const Grown& grown) {
    const double* stats = grown.stats.data();
    for (const double prediction : grown.prediction) {
        if (static_cast<double>(std::max_element(stats, stats + grown.width) - stats) != prediction) return false;
        stats += grown.width;
    }
    return true;
}

bool is_in_order(const Grown& grown) {
    std::int32_t next = 0;
    return std::all_of(grown.question.begin(), grown.question.end(),
                       [&](std::int32_t question) { return question < 0 || question == next++; });
}

bool are_thresholds(const Grown& grown) {
    const auto is_zero = [](std::int8_t value) { return value == 0; };
    return grown.reals.size() == grown.column.size() && grown.whole.empty() &&
           std::all_of(grown.question_kind.begin(), grown.question_kind.end(), is_zero) &&
           std::all_of(grown.encoding.begin(), grown.encoding.end(), is_zero);
}

constexpr std::size_t MAX_UNPACKED_BYTES = 4096;  // smaller statistics are not packed
constexpr double MAX_NARROWED = 2147483647.0;     // the largest integer that is narrowed

// The largest of the numbers; -1 if one is not an integer, negative or too large. Blocks without early exit vectorize.
template <class T>
std::int32_t largest_integer(const std::vector<T>& values) {
    constexpr std::size_t BLOCK = 1024;
    std::int32_t largest = 0;
    for (std::size_t begin = 0; begin < values.size(); begin += BLOCK) {
        const std::size_t end = std::min(values.size(), begin + BLOCK);
        bool is_integer = true;
        for (std::size_t i = begin; i < end; ++i) {
            const double value = static_cast<double>(values[i]);
            const auto integer = static_cast<std::int32_t>(std::min(std::max(0.0, value), MAX_NARROWED));
            is_integer &= static_cast<double>(integer) == value;
            largest = std::max(largest, integer);
        }
        if (!is_integer) return -1;
    }
    return largest;
}

// Moves values to the narrowest integer type that can store all of them, if there is one.
template <class T>
void narrow(std::vector<T>& values, NarrowIntegers& to) {
    const std::int32_t largest = largest_integer(values);
    if (largest < 0) return;
    to = narrowed(values.size(), largest, [&](std::size_t i) { return values[i]; });
    drop(values);
}

// Drops the values of leaves if all are 0. Without branches, because leaves have no predictable order.
void keep_inner(std::vector<double>& values, const std::vector<std::int32_t>& first_child) {
    std::uint64_t at_leaves = 0;  // bitwise or of their values
    for (std::size_t node = 0; node < values.size(); ++node)
        at_leaves |= first_child[node] < 0 ? std::bit_cast<std::uint64_t>(values[node]) : 0;
    if (at_leaves != 0 || values.size() < 2) return;
    std::ptrdiff_t inner = 0;
    for (std::size_t node = 0; node < values.size(); ++node) {
        values[static_cast<std::size_t>(inner)] = values[node];
        inner += first_child[node] >= 0 ? 1 : 0;
    }
    values = std::vector<double>(values.begin(), values.begin() + inner);
}

void pack(Grown& grown, bool is_class) {
    if (!is_worth_packing(grown.stats.size())) return;
    if (is_class) narrow(grown.stats, grown.counts);
    narrow(grown.rows, grown.row_counts);
    keep_inner(grown.gain, grown.first_child);
    keep_inner(grown.impurity, grown.first_child);
}

}  // namespace

bool is_worth_packing(std::size_t n_stats) { return n_stats * sizeof(double) > MAX_UNPACKED_BYTES; }

void drop_derived(Grown& grown, bool is_class) {
    drop(grown.parent), drop(grown.depth);
    if (is_binary(grown)) {
        drop(grown.n_branches);
        if (missing_follows(grown)) drop(grown.missing_branch);
    }
    if (grown.score == grown.gain) drop(grown.score);
    if (weight_follows(grown, is_class)) drop(grown.weight);
    if (is_class && prediction_follows(grown)) drop(grown.prediction);
    if (!is_class && impurity_follows(grown)) drop(grown.impurity);
    if (is_in_order(grown)) drop(grown.question);
    pack(grown, is_class);
    if (!are_thresholds(grown)) return;
    drop(grown.question_kind), drop(grown.encoding), drop(grown.whole_start), drop(grown.reals_start);
}

}  // namespace hornbeam
