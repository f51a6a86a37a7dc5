// The loop of all growers: splits the next nodes of a schedule and adds their open children, until no node is open.
//
// A schedule has a type Next, the unit of one step (a node, or all nodes of a level), and a function next(Next&) that
// removes it and returns false if nothing is open. The step, a function of the grower, stops, searches, splits, records
// and schedules the children. Stack and RankedNodes are two schedules; boosting has another one.
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

// The schedule of depth-first growth.
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

// The schedule of an order: later(a, b) returns whether a comes after b.
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

// The size of a tree during growth.
struct TreeSize {
    std::int64_t leaves = 1, nodes = 1;

    // Adds a split, or returns the limit that it exceeds.
    Reason add_split(const StopRules& stops, std::int64_t branches) {
        const Reason reason = stops.size(leaves, nodes, branches);
        if (reason == Reason::none) add(branches);
        return reason;
    }
    // Adds a split without a test of the limits.
    void add(std::int64_t branches) { leaves += branches - 1, nodes += branches; }
};

}  // namespace hornbeam
