// Columns as bins:
//
//     large nodes   a histogram of all columns; of two children the smaller one's is added up from its rows, the
//     other's
//                   is what is left of the parent's
//     small nodes   the bins that their rows fall into, four columns at a time, in memory that stays in the cache
#pragma once

#include <atomic>
#include <memory>

#include "binned/bin_search.hpp"
#include "nodes/source.hpp"

namespace hornbeam {

// Whether histograms serve a plan: each column for itself, scored by sums, and missing values apart. Other plans with
// bins are grown on codes that are the same bins (coded_bins).
bool serves_histograms(const Plan& plan);
// The columns of a table on bins as the other parts of a grower need them: kinds and counts, no data.
std::vector<ReadyColumn> columns_on_bins(const BinnedTable& table);
// The block of the whole table without lists or codes.
std::shared_ptr<AnyBlock> block_on_bins(const Plan& plan);

class BinSource final : public Source {
  public:
    BinSource(const BinnedTable& table, const Scoring& scoring, const AnyBlock& block);
    RowPartition partition_rows(Open& open, Work& work) const override;
    void search(Family& family, Work& work) const override;

  private:
    // How the sums of every searched node are found.
    struct Sums;
    // The columns that are added up together: those of a word, or one wide column.
    struct Task;

    std::vector<Task> tasks_of(const std::vector<std::int32_t>& place) const;
    Sums plan_sums(Family& family) const;
    void add_up(const Family& family, const Sums& sums, const Task& task) const;
    void add(const Task& task, const std::uint32_t* rows, std::int64_t n, std::int64_t* cells, bool take_away) const;
    void search_large(const Open& node, const Task& task, std::vector<Candidate>& found, Scratch& scratch) const;
    void search_small(const Open& node, const Task& task, std::vector<Candidate>& found, Scratch& scratch) const;
    void search_small_wide(const Open& node, const Task& task, std::vector<Candidate>& found, Scratch& scratch) const;

    const BinnedTable& table_;
    CellSource source_;
    CellPlan cells_;  // of a whole histogram
    CellPlan local_;  // of one word (or one wide column): all columns begin where the word's scratch begins
    BinSearch search_;
    std::int32_t large_;                         // rows from which a node has a histogram
    mutable std::atomic<std::int64_t> held_{0};  // numbers in all histograms that live
};

}  // namespace hornbeam
