// The weakest-link sequence with pairing heaps (cost_complexity.hpp).
#include "prunings/cost_complexity.hpp"

#include <limits>
#include <utility>
#include <vector>

namespace hornbeam {
namespace {

// Pairing heaps of nodes with the largest alpha on top. A heap is identified by its top node, -1 if it is empty. Of
// nodes with equal alpha the lower index is on top, so that sums have the same order on every machine.
class AlphaHeap {
  public:
    AlphaHeap(std::size_t n, const double* alpha) : alpha_(alpha), child_(n, -1), next_(n, -1) {}

    std::int32_t merged(std::int32_t a, std::int32_t b) {
        if (a < 0) return b;
        if (b < 0) return a;
        if (is_above(b, a)) std::swap(a, b);
        next_[b] = child_[a];
        child_[a] = b;
        return a;
    }

    // The heap without its top: merges pairs from the left, then all of them from the right.
    std::int32_t without_top(std::int32_t top) {
        pairs_.clear();
        for (std::int32_t at = child_[top]; at >= 0;) {
            const std::int32_t second = next_[at];
            const std::int32_t rest = second >= 0 ? next_[second] : -1;
            next_[at] = -1;
            if (second >= 0) next_[second] = -1;
            pairs_.push_back(merged(at, second));
            at = rest;
        }
        child_[top] = -1;
        std::int32_t heap = -1;
        while (!pairs_.empty()) {
            heap = merged(heap, pairs_.back());
            pairs_.pop_back();
        }
        return heap;
    }

  private:
    bool is_above(std::int32_t a, std::int32_t b) const {
        return alpha_[a] > alpha_[b] || (alpha_[a] == alpha_[b] && a < b);
    }

    const double* alpha_;
    std::vector<std::int32_t> child_, next_, pairs_;
};

// The alpha at which a node and its subtree have the same cost.
double link_strength(double risk, double below, std::int64_t leaves) {
    return leaves > 1 ? (risk - below) / static_cast<double>(leaves - 1) : -std::numeric_limits<double>::infinity();
}

}  // namespace

void weakest_links(std::span<const std::int32_t> first_child, std::span<const std::int32_t> n_branches,
                   std::span<const double> risk, std::span<double> own, std::span<std::int64_t> lost,
                   std::span<double> gained) {
    const auto n = static_cast<std::int32_t>(first_child.size());
    std::vector<std::int32_t> top_of(first_child.size(), -1);
    AlphaHeap heaps(first_child.size(), own.data());
    for (std::int32_t node = n - 1; node >= 0; --node) {
        own[node] = std::numeric_limits<double>::quiet_NaN();
        lost[node] = 0;
        gained[node] = 0.0;
        if (first_child[node] < 0) continue;
        std::int32_t top = -1;
        double below = 0.0;
        for (std::int32_t child = first_child[node]; child < first_child[node] + n_branches[node]; ++child) {
            below += risk[child];
            top = heaps.merged(top, top_of[child]);
        }
        std::int64_t leaves = n_branches[node];
        double alpha = link_strength(risk[node], below, leaves);
        while (top >= 0 && own[top] > alpha) {
            leaves += lost[top];
            below -= gained[top];
            alpha = link_strength(risk[node], below, leaves);
            top = heaps.without_top(top);
        }
        own[node] = alpha;
        lost[node] = leaves - 1;
        gained[node] = risk[node] - below;
        top_of[node] = heaps.merged(top, node);
    }
}

}  // namespace hornbeam
