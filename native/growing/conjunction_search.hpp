// ConjunctionSearch: finds conjunctions at a node, whose literals are the best questions about single columns.
#pragma once

#include "growing/node_scorer.hpp"
#include "nodes/work.hpp"

namespace hornbeam {

class ConjunctionSearch {
  public:
    // `rows` are the rows of the node in the table.
    ConjunctionSearch(const Job& job, Open& node, const NodeScorer& scorer, const std::vector<std::uint32_t>& rows)
        : job_(job), node_(node), sides_(scorer.sides()), rows_(rows), tolerance_(scorer.tolerance()) {}
    // `found` are the best questions about single columns.
    ManyQuestion best(const ManyPlan& search, const std::vector<Candidate>& found);

  private:
    std::vector<LiteralBits> literals_of(const std::vector<Candidate>& found, int pool) const;
    Literal literal_of(Candidate candidate) const;
    void sum_bits(const Bits& bits, const std::vector<Bits>& of_class, SideSums& out) const;

    const Job& job_;
    Open& node_;
    const NodeSides& sides_;
    const std::vector<std::uint32_t>& rows_;
    double tolerance_;
};

}  // namespace hornbeam
