// BinSource: binned columns as the source of a grower.
//
//     large nodes   a histogram of all columns; that of the smaller of two children is built from its rows, that of the
//                   other one is the difference to the parent's
//     small nodes   only the bins of their rows, four columns at a time, in memory that stays in the cache
#pragma once

#include <atomic>
#include <memory>

#include "binned/bin_search.hpp"
#include "nodes/source.hpp"

namespace hornbeam {

// Whether histograms support a plan: each column is scored separately, by sums, without its missing values. Other plans
// with bins are grown on codes that are the same bins (coded_bins).
bool serves_histograms(const Plan& plan);
// The columns of a binned table for the other components of a grower: kinds and counts, no data.
std::vector<ReadyColumn> columns_on_bins(const BinnedTable& table);
// The block of the whole table without lists or codes.
std::shared_ptr<AnyBlock> block_on_bins(const Plan& plan);

class BinSource final : public Source {
  public:
    BinSource(const BinnedTable& table, const Scoring& scoring, const AnyBlock& block);
    RowPartition partition_rows(Open& open, Work& work) const override;
    void search(Family& family, Work& work) const override;

  private:
    // The source of the sums of every searched node.
    struct Sums;
    // A node, one group of columns, the index of every column among the active ones, or -1, and what is found.
    struct Searched {
        const Open& node;
        std::size_t group;
        const std::vector<std::int32_t>& active_index;
        std::vector<Candidate>& found;
    };
    Sums plan_sums(Family& family) const;
    void add_up(const Family& family, const Sums& sums, std::size_t group) const;
    void search_large(const Searched& searched, Scratch& scratch) const;
    void search_small(const Searched& searched, Scratch& scratch) const;

    const BinnedTable& table_;
    CellSource source_;
    CellPlan cells_;  // of a complete histogram
    CellPlan local_;  // of one word or one wide column, relative to the scratch space of the word
    BinSearch search_;
    std::int32_t large_;                             // minimum number of rows of a node with a histogram
    mutable std::atomic<std::int64_t> n_stored_{0};  // integers in all histograms in memory
};

}  // namespace hornbeam
