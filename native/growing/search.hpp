// What is the best question about one column at one node?  Picks the kernel once a job, runs it once a column and node.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "core/random.hpp"
#include "criteria/criterion.hpp"
#include "growing/block.hpp"
#include "growing/node.hpp"
#include "missing/filled.hpp"
#include "oblique/points.hpp"
#include "oblique/split_scorer.hpp"
#include "searches/code_table.hpp"
#include "searches/cut_kernels.hpp"
#include "searches/intervals.hpp"
#include "searches/levels.hpp"
#include "searches/peel.hpp"

namespace hornbeam {

// Memory that one worker uses again and again.
struct Scratch {
    CutScratch cuts;
    std::vector<std::int64_t> counts;
    CodeTable codes;
    std::vector<std::uint32_t> touched;
    std::vector<std::uint64_t> spare;
    // Room for so many items while others are moved about; what was there is lost.
    template <class Item>
    Item* spare_for(std::int32_t n) {
        const std::size_t words = (static_cast<std::size_t>(n) * sizeof(Item) + 7) / 8;
        if (spare.size() < words) {
            spare.clear();
            spare.resize(words);
        }
        return reinterpret_cast<Item*>(spare.data());
    }
    std::vector<std::uint16_t> unpacked;
    std::vector<Span> spans;
    std::vector<std::int64_t> cells;     // bins: sums, all 0 between uses
    std::vector<std::uint16_t> present;  // bins that rows fall into
    LevelTable levels;
    Points points;
    ScorerBuffers scorer;
    std::vector<PeelLink> links;  // quantiles: the rows that are left,
    std::vector<char> is_here;    // which were there at first,
    std::vector<double> behind;   // and what lies behind every cut
    std::vector<std::uint64_t> by_code;
    std::vector<char> is_marked;                       // cuts that are tried, by the row or code below them
    const std::vector<std::int64_t>* drawn = nullptr;  // of the column looked at
    Holes holes;                                       // of the column looked at last
    Filled filled;                                     // the same, where a value stands in for missing ones
    IntervalRoom intervals;
    std::vector<std::int64_t> second_counts;  // for a kernel beside another
};

// What a random question about a column is drawn from: the range of its numbers, or how many levels are present.
struct Look {
    bool varies = false;
    double low = 0.0, high = 0.0;
    std::int32_t n_levels = 0;
};

// The question drawn: a threshold, or who is inside among the levels present.
struct Drawn {
    double cut = 0.0;
    std::vector<bool> inside;
};

// x log2 x in fixed point, for whole weights up to a limit.
struct LogTable {
    std::vector<std::int64_t> values;
    double unit = 1.0;
    void fill(std::int64_t largest);
};

class ColumnSearch {
  public:
    ColumnSearch(const Plan& plan, const std::vector<ReadyColumn>& columns);

    Totals totals(const AnyBlock& block, const std::uint32_t* rows, std::int32_t n) const;
    double impurity(const Totals& totals) const;
    // Sets the sum of the squares of the classes, where the criterion needs it.
    void set_squares(Totals& totals) const {
        totals.squares = 0;
        if (kernel_ != Kernel::squares) return;
        for (const std::int64_t c : totals.counts) totals.squares += c * c;
    }
    double mean_target(const Center& rows) const;  // of numbers
    double mean_target(const Totals& totals) const { return mean_target(totals.center()); }
    // The mean and the standard deviation of a numeric target at a node, for a table of levels.
    void set_target_scale(const Totals& totals, LevelTable& table) const;
    // The mean of a node in units, scaled so that no sum about it loses digits.
    ScaledMean scaled_mean(const Totals& totals) const {
        const Target& target = plan_.target;
        return ScaledMean::of(totals.center(), totals.spread / (target.unit * target.unit * target.weight_unit),
                              totals.rows);
    }
    // Puts the rows of a node in the order of their numbers, where a quantile is sought.
    void order_targets(AnyBlock& block, std::int32_t begin, std::int32_t end, Totals& totals) const;
    // The tolerance of ties between scores at a node. Where all numbers are equal no score counts: it is rounding.
    double tolerance(double impurity) const {
        if (!criterion_->is_impurity() || plan_.c45) return SAME_SCORE;
        if (plan_.target.is_class()) return SAME_SCORE * std::max(impurity, LEAST_SCALE);
        return impurity > 0 ? SAME_SCORE * impurity : std::numeric_limits<double>::infinity();
    }
    bool is_pure(const Totals& totals) const;
    double mass(const Totals& totals) const;  // the weight as the criterion counts it
    double root_mass() const { return root_mass_; }
    double largest_share(const Totals& totals) const;

    // `span`: the node's entries of a sparse column.
    Candidate best(AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals, double impurity,
                   std::int32_t column, Span span, Scratch& scratch) const;
    // How many cuts of a column the least sizes allow.
    std::int64_t n_cuts(AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                        std::int32_t column, Span span, Scratch& scratch) const;
    // Random questions: a look at the column, one draw from the node's stream in the order of columns, and its score.
    Look look(const AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals, std::int32_t column,
              Scratch& scratch) const;
    Drawn draw(const Look& look, std::int32_t column, Stream& stream) const;
    Candidate of_drawn(const AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                       double impurity, std::int32_t column, const Drawn& drawn, Scratch& scratch) const;
    void complete(AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals, Candidate& best) const;
    // The same from the sums per code in `scratch.codes`, wherever the rows are that were added up; empties them. The
    // block has no rows, and weights if rows have.
    Candidate best_of_table(const AnyBlock& block, const Totals& totals, double impurity, std::int32_t column,
                            Scratch& scratch) const;
    void complete_of_table(const CodeTable& table, const Totals& totals, Candidate& best) const;
    // Random questions from the sums per code in `scratch.codes`, which are emptied. A cut that falls into a bin is
    // moved to its end.
    Look look_of_table(std::int32_t column, Scratch& scratch) const;
    Candidate drawn_of_table(const Totals& totals, double impurity, std::int32_t column, const Drawn& drawn,
                             Scratch& scratch) const;
    // The value that stands in for a missing one at a node; NaN or -1 where nothing is known.
    double stands_in(const AnyBlock& block, std::int32_t begin, std::int32_t end, std::int32_t column) const;
    std::vector<double> compared(const std::vector<Candidate>& candidates, double impurity) const;
    // The best of the columns' candidates, by index; -1 when none is admissible.
    int choose(const std::vector<Candidate>& candidates, const Totals& totals, double impurity) const;

    // What other ways to search a column share with this one: the kernel for cuts, least sizes, units, tables of logs.
    enum class Kernel { two_classes, squares, logs, moments, any };
    Kernel kernel() const { return kernel_; }
    bool is_gini() const { return is_gini_; }
    const Criterion& criterion() const { return *criterion_; }
    const std::vector<double>& factor() const { return factor_; }
    const LogTable& logs(std::int64_t weight) const { return weight <= SMALL_BLOCK ? small_logs_ : large_logs_; }
    Least least(std::int64_t known_weight, bool is_cut) const;
    // The best grouping of the levels in a table.
    void judge_groups(const LevelTable& table, const Totals& totals, double impurity, Candidate& out) const;
    // From the score on the known rows to the score of the column.
    void finish(Candidate& candidate, double known_share, int tried, const Totals& totals) const;

  private:
    friend class NodeScorer;
    Candidate best_listed(AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals, double impurity,
                          std::int32_t column, Scratch& scratch) const;
    template <class Entry>
    Candidate best_in_list(Block<Entry>& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                           double impurity, std::int32_t column, Scratch& scratch) const;
    template <class Entry>
    Cut scan(AnyBlock& block, const Entry* list, std::int32_t known, const Totals& totals, double unknown,
             double tolerance, const Least& least, std::int32_t column, Scratch& scratch, double& to_gain) const;
    template <class Run>
    Cut with_kernel(const AnyBlock& block, const Totals& totals, double unknown, Scratch& scratch, double& to_gain,
                    const Run& run) const;
    Candidate best_coded(const AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                         double impurity, std::int32_t column, Span span, Scratch& scratch) const;
    void best_of_codes(const AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                       double impurity, Scratch& scratch, Candidate& out) const;
    void list_branches(Candidate& best) const;
    void set_gain(const std::vector<std::int64_t>& counts, const Totals& totals, Candidate& best) const;
    void best_cut_of_codes(const AnyBlock& block, const Totals& totals, double impurity, Scratch& scratch,
                           Candidate& out) const;
    bool has_only_cut(std::int32_t column) const;
    template <class Add>
    void only_cut(const AnyBlock& block, std::int64_t listed, std::int64_t n, const Totals& totals, double impurity,
                  Scratch& scratch, Candidate& out, const Add& add) const;
    void best_groups(const Totals& totals, double impurity, Scratch& scratch, Candidate& out) const;
    void count_codes(const AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                     std::int32_t column, Span span, CodeTable& table) const;
    void fill_levels(const Totals& totals, std::int32_t column, Scratch& scratch) const;
    Candidate best_by_quantile(AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                               double impurity, std::int32_t column, Scratch& scratch) const;
    template <class Entry>
    Cut quantile_cut(const AnyBlock& block, const Entry* list, std::int32_t known, std::int32_t n, const Totals& totals,
                     double tolerance, Scratch& scratch) const;
    template <class LevelOf>
    bool fill_distributions(const AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                            std::int32_t n_levels, const LevelOf& level_of, Scratch& scratch) const;
    bool fill_code_distributions(const AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                                 std::int32_t column, Scratch& scratch) const;
    bool fill_side_distributions(const AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                                 std::int32_t column, double cut, Scratch& scratch) const;
    Candidate best_into_many(AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                             double impurity, std::int32_t column, Span span, Scratch& scratch) const;
    Candidate best_intervals(AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                             double impurity, std::int32_t column, Span span, Scratch& scratch) const;
    void group_list(AnyBlock& block, std::int32_t begin, std::int32_t end, std::int32_t column, Scratch& scratch) const;
    void group_codes(const AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                     std::int32_t column, Span span, Scratch& scratch) const;
    void sum_blocks(const Totals& totals, IntervalRoom& room) const;
    PieceRule piece_rule(const Totals& totals, double impurity, const Scratch& scratch) const;
    Pieces best_pieces(const Totals& totals, double impurity, Scratch& scratch) const;
    bool counts_holes(const Holes& holes) const;
    double pieces_gain(const SplitStats& split) const;
    struct PieceSplit;
    void add_holes(const Totals& totals, Holes& holes, PieceSplit& split) const;
    void try_holes(const std::vector<std::int64_t>& weight, double impurity, PieceSplit& split, Candidate& out) const;
    void judge_pieces(const Pieces& pieces, const Totals& totals, double impurity, Scratch& scratch,
                      Candidate& out) const;
    void name_cuts(const AnyBlock& block, const Pieces& pieces, const IntervalRoom& room, Candidate& out) const;
    void rank_targets();
    bool tries_some() const { return plan_.boundaries || plan_.pairs > 0; }
    const std::vector<std::int64_t>* drawn_cuts(const Scratch& scratch) const;
    template <class Entry>
    std::int64_t mark_cuts(const AnyBlock& block, const Entry* list, std::int32_t known, std::int64_t known_weight,
                           Scratch& scratch) const;
    std::int64_t mark_code_cuts(const CodeTable& table, std::int64_t known_weight, Scratch& scratch) const;
    void set_sides(const std::int64_t* counts, const std::int64_t* rows, const Totals& totals, LevelTable& table) const;
    void judge_drawn(const Totals& totals, double impurity, const Drawn& drawn, bool is_code,
                     std::vector<std::int32_t> branch, const LevelTable& table, Candidate& out) const;
    bool fill_sides(const AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                    std::int32_t column, double cut, Scratch& scratch) const;
    void add_stats(const std::int64_t* counts, const Totals& center, double* stats) const;
    template <class Use>
    Cut with_two_kernels(const AnyBlock& block, const Totals& totals, Scratch& scratch, double& to_gain,
                         const Use& use) const;
    template <class Entry>
    void best_both_in_list(Block<Entry>& block, const Entry* list, std::int32_t known, std::int32_t n,
                           const Totals& totals, double impurity, Scratch& scratch, Candidate& out) const;
    void best_both_of_codes(const AnyBlock& block, const Totals& totals, double impurity, Scratch& scratch,
                            Candidate& out) const;
    void consider_missing(const Totals& totals, double impurity, const Holes& holes, Candidate& out) const;
    void set_holes(const AnyBlock& block, const std::vector<std::uint32_t>& rows, Holes& holes) const;
    void set_holes(const std::int64_t* counts, std::int64_t rows, Holes& holes) const;
    void add_holes_to_levels(const Totals& totals, Scratch& scratch) const;
    bool are_own_branch(const Holes& holes) const;
    bool are_scored_apart(Holes& holes) const;
    void set_side(const Holes& holes, double* stats, const Totals& totals) const;
    bool fills(std::int32_t column) const { return plan_.fill != FillBy::nothing && columns_[column].has_missing; }
    FillBy fill_by(std::int32_t column) const;
    double mean_of(const AnyBlock& block, std::int32_t begin, std::int32_t end, std::int32_t column) const;
    double usual_number(const AnyBlock& block, std::int32_t begin, std::int32_t end, std::int32_t column) const;
    double usual_code(const AnyBlock& block, std::int32_t begin, std::int32_t end, std::int32_t column) const;
    double stands_in(const AnyBlock& block, std::int32_t begin, std::int32_t end, std::int32_t column,
                     const CodeTable& table) const;
    // Puts the missing rows of a node into the list, or the table of codes, of a column.
    template <class Entry>
    void fill_list(const AnyBlock& block, std::int32_t begin, std::int32_t end, std::int32_t column, const Entry* list,
                   std::int32_t known, Filled& filled) const;
    void fill_codes(const AnyBlock& block, std::int32_t begin, std::int32_t end, std::int32_t column,
                    Scratch& scratch) const;
    void best_in_filled(AnyBlock& block, const Totals& totals, double impurity, Scratch& scratch, Candidate& out) const;
    void direct_filled(double value, Candidate& out) const;
    void widen(double value, Candidate& best) const;
    template <class Entry>
    double information_of(const AnyBlock& block, const Entry* list, std::int32_t n, std::int32_t below,
                          double unknown) const;
    LevelSplit group_levels(const LevelTable& table, const LevelLimits& limits, const Totals& totals,
                            std::int32_t column, double impurity) const;
    LevelSplit best_subset(const LevelTable& table, const LevelLimits& limits) const;
    LevelSplit group_as_c45(const LevelTable& table, const LevelLimits& limits, std::int32_t column) const;
    void name_declared(const LevelTable& table, int missing, Candidate& out) const;
    LevelSplit group_many(const LevelTable& table, const LevelLimits& limits, const Totals& totals,
                          double impurity) const;
    Least computed_least(std::int64_t known_weight, bool is_cut) const;
    double paid(double score, const Candidate& candidate) const;
    double average_gain(const std::vector<Candidate>& candidates) const;
    double c45_value(const Candidate& candidate, double average) const;
    int choose_c45(const std::vector<Candidate>& candidates) const;

    const Plan& plan_;
    const std::vector<ReadyColumn>& columns_;
    std::unique_ptr<Criterion> criterion_;
    Kernel kernel_ = Kernel::any;
    std::vector<double> factor_;  // units to statistics
    LogTable small_logs_, large_logs_;
    std::vector<std::uint32_t> target_rank_;  // quantiles: of every row of the table
    double fine_unit_ = 1.0;                  // and what their numbers are counted in where rows are weighed
    double root_weight_ = 0.0, root_mass_ = 0.0;
    Least plain_least_;  // of every question but C4.5's cuts
    bool is_gini_ = false, is_ratio_ = false, is_poisson_ = false;
};

}  // namespace hornbeam
