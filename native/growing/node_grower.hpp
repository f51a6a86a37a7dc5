// NodeGrower: splits nodes, records their children, searches those that are not leaves and queues those to be split.
// Each object belongs to one thread and writes to one fragment of the tree.
#pragma once

#include <vector>

#include "nodes/source.hpp"

namespace hornbeam {

class NodeGrower {
  public:
    NodeGrower(const Source& source, Work work, Fragment& fragment)
        : source_(source), work_(std::move(work)), fragment_(fragment) {}

    // Records the root and queues it if it is to be split.
    void add_root(Open&& root, std::vector<Open>& queue);
    // Splits a node and queues those of its children that are to be split, branch 0 first.
    void expand(Open& open, std::vector<Open>& queue);
    // Makes an open node a leaf.
    void close(const Open& open, Reason reason);

  private:
    void expand_fractional(Open& open, std::vector<Open>& queue);
    // Records the split of a node and its children; returns the children without their rows.
    std::vector<Open> children_of(Open& open, const RowPartition& rows);
    void set_totals(Open& node) const;
    // Searches the nodes of a family that do not stop early and queues those to be split.
    void search(Family&& family, std::vector<Open>& queue);
    void choose(Open& node, std::vector<Candidate>& found, std::vector<Open>& queue);

    const Source& source_;
    Work work_;
    Fragment& fragment_;
    std::vector<std::vector<Candidate>> found_;  // reused
};

}  // namespace hornbeam
