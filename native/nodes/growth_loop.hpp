// The loop of all growers: what is next by a schedule is split, its open children are scheduled, until no node is open.
//
// A schedule has a type Next, what is split in one step (a node, or all nodes of a level), and a function next(Next&)
// that takes it out and returns false when nothing is open. The step is the grower's: it stops, searches, splits and
// records, and schedules the children. Stack and RankedNodes are two schedules; boosting has a third of its own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "nodes/stop_rules.hpp"

namespace hornbeam {

// step(next) returns false to end the growth early.
template <class Schedule, class Step>
void grow_nodes(Schedule& schedule, const Step& step) {
    for (typename Schedule::Next next; schedule.next(next);)
        if (!step(next)) return;
}

// Depth first.
template <class Node>
struct Stack {
    using Next = Node;
    std::vector<Node> open;

    bool next(Node& out) {
        if (open.empty()) return false;
        out = std::move(open.back());
        open.pop_back();
        return true;
    }
};

// The first of an order: later(a, b) returns whether a comes after b.
template <class Node, class Later>
class RankedNodes {
  public:
    using Next = Node;
    explicit RankedNodes(Later later) : later_(std::move(later)) {}

    void push(Node&& node) {
        open_.push_back(std::move(node));
        std::push_heap(open_.begin(), open_.end(), later_);
    }
    bool next(Node& out) {
        if (open_.empty()) return false;
        std::pop_heap(open_.begin(), open_.end(), later_);
        out = std::move(open_.back());
        open_.pop_back();
        return true;
    }

  private:
    Later later_;
    std::vector<Node> open_;
};

// How large a tree has become, by the rules that limit its size.
struct TreeSize {
    std::int64_t leaves = 1, nodes = 1;

    // Adds a split, or returns the reason why there is no room for it.
    Reason add_split(const StopRules& stops, std::int64_t branches) {
        const Reason reason = stops.size(leaves, nodes, branches);
        if (reason == Reason::none) add(branches);
        return reason;
    }
    // Adds a split for which there is room in any tree.
    void add(std::int64_t branches) { leaves += branches - 1, nodes += branches; }
};

}  // namespace hornbeam
