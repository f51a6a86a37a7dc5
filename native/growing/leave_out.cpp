#include "growing/leave_out.hpp"

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

// Missing values follow the heavier of two branches, the first where they weigh the same.
bool missing_follows(const Grown& grown) {
    for (std::size_t node = 0; node < grown.first_child.size(); ++node) {
        const std::int32_t child = grown.first_child[node];
        const std::int32_t branch = child < 0 ? -1 : grown.weight[child] >= grown.weight[child + 1] ? 0 : 1;
        if (grown.missing_branch[node] != branch) return false;
    }
    return true;
}

// The mean squared distance from the mean.
bool impurity_follows(const Grown& grown) {
    const double* stats = grown.stats.data();
    for (const double impurity : grown.impurity) {
        if (!(stats[0] > 0) || stats[2] / stats[0] != impurity) return false;
        stats += grown.width;
    }
    return true;
}

bool answer_follows(const Grown& grown) {
    const double* stats = grown.stats.data();
    for (const double answer : grown.answer) {
        if (static_cast<double>(std::max_element(stats, stats + grown.width) - stats) != answer) return false;
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

constexpr std::size_t kSmallBytes = 4096;  // statistics of a tree that is small in any form
constexpr double kMost = 2147483647.0;     // the largest number that is narrowed

// The largest of the numbers; -1 if some is not whole, below 0 or too large. Blocks without a way out in between are
// quick, and a block is soon over.
template <class T>
std::int32_t largest_whole(const std::vector<T>& values) {
    constexpr std::size_t kBlock = 1024;
    std::int32_t largest = 0;
    for (std::size_t begin = 0; begin < values.size(); begin += kBlock) {
        const std::size_t end = std::min(values.size(), begin + kBlock);
        bool is_whole = true;
        for (std::size_t i = begin; i < end; ++i) {
            const double value = static_cast<double>(values[i]);
            const auto whole = static_cast<std::int32_t>(std::min(std::max(0.0, value), kMost));
            is_whole &= static_cast<double>(whole) == value;
            largest = std::max(largest, whole);
        }
        if (!is_whole) return -1;
    }
    return largest;
}

// Moves whole numbers into the narrowest type that holds them; others stay where they are.
template <class T>
void narrow(std::vector<T>& values, WholeNumbers& to) {
    const std::int32_t largest = largest_whole(values);
    if (largest < 0) return;
    to = narrowed(values.size(), largest, [&](std::size_t i) { return values[i]; });
    drop(values);
}

// Keeps the values of inner nodes where those of leaves are 0. Leaves come without a pattern: nothing here is guessed.
void keep_inner(std::vector<double>& values, const std::vector<std::int32_t>& first_child) {
    std::uint64_t at_leaves = 0;  // all bits of what they have
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

bool is_worth_packing(std::size_t n_stats) { return n_stats * sizeof(double) > kSmallBytes; }

void leave_out(Grown& grown, bool is_class) {
    drop(grown.parent), drop(grown.depth);
    if (is_binary(grown)) {
        drop(grown.n_branches);
        if (missing_follows(grown)) drop(grown.missing_branch);
    }
    if (grown.score == grown.gain) drop(grown.score);
    if (weight_follows(grown, is_class)) drop(grown.weight);
    if (is_class && answer_follows(grown)) drop(grown.answer);
    if (!is_class && impurity_follows(grown)) drop(grown.impurity);
    if (is_in_order(grown)) drop(grown.question);
    pack(grown, is_class);
    if (!are_thresholds(grown)) return;
    drop(grown.question_kind), drop(grown.encoding), drop(grown.whole_start), drop(grown.reals_start);
}

}  // namespace hornbeam
