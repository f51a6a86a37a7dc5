// Source: the interface to the columns of nodes: sorted lists and codes (growing/list_source.hpp), or bins
// (binned/bin_source.hpp).
#pragma once

#include <vector>

#include "nodes/work.hpp"

namespace hornbeam {

// Nodes that are searched together: the root, or the children of a split.
struct Family {
    std::vector<Open>& nodes;
    const std::vector<std::int32_t>& active;     // the columns that may vary in one of them
    const Open* parent;                          // null for the root
    const RowPartition* partition;               // of the parent's rows
    std::vector<std::vector<Candidate>>& found;  // per searched node: the best question about each active column
    std::vector<Open*> searched = {};
    std::vector<std::vector<Span>> spans = {};  // per node and active column: its entries if it is sparse

    Span span(const Open& node, std::size_t index) const {
        const std::vector<Span>& of_node = spans[&node - nodes.data()];
        return of_node.empty() ? Span{} : of_node[index];
    }
};

class Source {
  public:
    virtual ~Source() = default;
    // Called before a node is split; may move its rows to another block.
    virtual void prepare(Open&) const {}
    // Assigns the rows of a node to branches by its question and partitions the row list.
    virtual RowPartition partition_rows(Open& open, Work& work) const = 0;
    // Partitions the columns among the nodes and searches them.
    virtual void search(Family& family, Work& work) const = 0;
};

}  // namespace hornbeam
