// The decision at a node from tables of sums per code: stop, or the question to split by. The searches, the choice and
// the criteria are those of the exact grower; only the tables come from elsewhere.
#pragma once

#include <functional>
#include <vector>

#include "nodes/block.hpp"
#include "nodes/scoring.hpp"
#include "nodes/work.hpp"
#include "pieces/node.hpp"

namespace hornbeam {

class NodeSearch {
  public:
    // Puts the sums per code of a column at the node into an empty table.
    using Fill = std::function<void(std::int32_t column, CodeTable& table)>;
    // The cells of a column with the branch of a row as its class: 0, 1, or 2 if the node's question decides nothing.
    using FillSides = std::function<void(std::int32_t column, std::vector<std::int64_t>& cells)>;

    // Both must outlive this object. `shape` is that of the sums.
    NodeSearch(const Plan& plan, const std::vector<ReadyColumn>& columns, const CellShape& shape);

    const Scoring& scoring() const { return scoring_; }
    const Job& job() const { return job_; }
    // Searches the columns of `active`, sets those that vary and the split; returns why the node is a leaf, or `none`.
    Reason decide(PieceNode& node, const std::vector<std::int32_t>& active, const Fill& fill, Scratch& scratch) const;
    // The surrogates of a node that is split, and the branch of rows that they do not decide.
    void choose_surrogates(PieceNode& node, const FillSides& fill) const;
    // Sets what follows from the sums of a node of classes.
    void finish_totals(Totals& totals) const;

  private:
    std::vector<Candidate> searched(PieceNode& node, const std::vector<std::int32_t>& active, const Fill& fill,
                                    Scratch& scratch) const;
    std::vector<Candidate> drawn(PieceNode& node, const std::vector<std::int32_t>& active, const Fill& fill,
                                 Scratch& scratch) const;
    NodeView view(const PieceNode& node) const { return {{no_rows_, 0, 0}, node.totals, node.impurity, &node.used}; }
    void set_branches(PieceNode& node, const CodeTable& table) const;

    const Plan& plan_;
    const std::vector<ReadyColumn>& columns_;
    CellShape shape_;
    Scoring scoring_;
    RowTable no_cells_;
    Job job_{plan_, columns_, scoring_, false, no_cells_};
    mutable Block<std::uint32_t> no_rows_;  // never written
};

// A table of a column from its cells: `n_codes` codes and the missing one.
void read_cells(const std::int64_t* cells, std::uint32_t n_codes, const CellShape& shape, CodeTable& table);

}  // namespace hornbeam
