#include "growing/leave_out.hpp"

#include <algorithm>
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

bool in_order(const Grown& grown) {
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

}  // namespace

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
    if (in_order(grown)) drop(grown.question);
    if (!are_thresholds(grown)) return;
    drop(grown.question_kind), drop(grown.encoding), drop(grown.whole_start), drop(grown.reals_start);
}

}  // namespace hornbeam
