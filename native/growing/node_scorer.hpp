// The scores of questions about many columns by the criterion of the tree, for the searches of native/oblique: the cut
// of a number of every row is found by the same kernels as the cut of a column.
#pragma once

#include "growing/search.hpp"
#include "oblique/many.hpp"
#include "searches/two_levels.hpp"

namespace hornbeam {

class NodeScorer final : public SplitScorer {
  public:
    NodeScorer(const Plan& plan, const RowTable& cells, const Scoring& scoring, Open& node, Scratch& scratch);

    // The best questions about some of the columns, one a search of the plan, behind the rival that is given.
    void add_best(const std::vector<std::int32_t>& columns, const Candidate* rival, double rival_cut,
                  std::vector<Candidate>& found);
    // The best question about every column by what the next question can make of it.
    void look_ahead(std::vector<Candidate>& found);

    double tolerance() const override { return scoring_.tolerance(node_.impurity); }
    bool cut(const Vector& numbers, double& score, double& at) override;
    bool median(const Vector& numbers, bool is_exact, double& at) override;
    bool score(const RowSides& sides, double& out) override;
    void wanted_sides(const RowSides& sides, Vector& signs, Vector& weights) override;
    double sweep(const std::vector<std::uint8_t>& right, const std::vector<std::uint32_t>& turning,
                 const std::vector<std::uint8_t>& joins, const std::vector<std::uint32_t>& ends,
                 std::size_t& best) override;
    Stream stream() const override { return Stream(key(plan_.seed, Purpose::oblique, plan_.tree, node_.id)); }

  private:
    // What lies on one side: integer statistics, rows and weight.
    struct Side {
        std::vector<std::int64_t> stats;
        std::int64_t rows = 0, weight = 0;
    };

    // Sorts the rows by their numbers and numbers the blocks of equal ones; false when all are alike.
    bool rank(const Vector& numbers, bool is_exact);
    void look_at(const Candidate* rival, double rival_cut);
    void set_row_weights(Vector& out) const;
    Side empty() const { return {std::vector<std::int64_t>(width_, 0), 0, 0}; }
    void add(Side& side, std::int64_t position, std::int64_t sign) const;
    bool admits(const Side& side, const Side& whole) const;
    // A side and the rest of `whole` as the criterion's statistics, written to `parent` and `sides`.
    SplitStats two_sides(const std::int64_t* side, const std::int64_t* whole, double* parent, double* sides,
                         double unknown) const;
    double score_of(const Side& side, const Side& whole, double unknown) const;
    // The weight of the node's other rows.
    double mass_without(const Side& known) const {
        std::vector<std::int64_t> rest = whole_.stats;
        for (int k = 0; k < width_; ++k) rest[k] -= known.stats[k];
        return scoring_.mass(rest.data());
    }
    double between(std::int64_t below) const;
    ManyQuestion conjunction(const ManyPlan& search, const std::vector<Candidate>& found);
    std::vector<LiteralBits> literals_of(const std::vector<Candidate>& found, int pool);
    bool first_cut(std::int32_t column, Literal& out) const;
    bool first_set(std::int32_t column, Literal& out) const;
    struct ColumnValues;
    ColumnValues values_of(std::int32_t column) const;
    TwoLevels two_levels() const;
    Candidate candidate_of(const QuestionFamily& family, const std::vector<double>& values,
                           const std::vector<std::int32_t>& places, std::int32_t question, std::int64_t below) const;
    void sum_bits(const Bits& bits, const std::vector<Bits>& of_class, Side& out) const;
    void write_gain(const ManyQuestion& question, Candidate& out);
    std::int64_t weight_of(std::int64_t position) const;

    const Plan& plan_;
    const RowTable& cells_;
    const Scoring& scoring_;
    Open& node_;
    AnyBlock& block_;
    Scratch& scratch_;
    std::int64_t n_;
    int width_;  // integer statistics a side
    Side whole_;
    using Item = ScorerBuffers::Item;
    std::vector<std::uint32_t>& rows_;  // of the table
    std::vector<Item>&items_, &spare_;
    std::vector<std::uint64_t>& list_;  // block of equal numbers << 32 | row of the memory block
    Vector& ascending_;
};

}  // namespace hornbeam
