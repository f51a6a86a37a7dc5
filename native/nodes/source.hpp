// Where the columns of nodes come from: sorted lists and codes (growing/list_source.hpp), or bins
// (binned/bin_source.hpp).
#pragma once

#include <vector>

#include "nodes/work.hpp"

namespace hornbeam {

// Nodes that are searched together: the root, or the children of one split.
struct Family {
    std::vector<Open>& nodes;
    const std::vector<std::int32_t>& active;  // the columns that may differ in some of them
    const Open* parent;                       // none for the root
    const RowPartition* partition;            // of the parent's rows
    std::vector<std::vector<Candidate>>&
        found;  // of every node that is searched: the best question of every active column
    std::vector<Open*> searched = {};
    std::vector<std::vector<Span>> spans = {};  // of every node: of every active column, the entries if it is sparse

    Span span(const Open& node, std::size_t place) const {
        const std::vector<Span>& of_node = spans[&node - nodes.data()];
        return of_node.empty() ? Span{} : of_node[place];
    }
};

class Source {
  public:
    virtual ~Source() = default;
    // Called before a node is split: its rows may move to a better place.
    virtual void settle(Open&) const {}
    // Gives each row of a node its branch by the node's question, and partitions the row list.
    virtual RowPartition partition_rows(Open& open, Work& work) const = 0;
    // Partitions the columns among the nodes and searches them.
    virtual void search(Family& family, Work& work) const = 0;
};

}  // namespace hornbeam
