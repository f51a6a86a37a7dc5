// Who splits a node of a table held as bins?  The same worker with another way to search and to part rows.
//
//     large nodes   a histogram of all columns. Of two children the smaller one's is added up from its rows, the
//     other's
//                   is what is left of the parent's
//     small nodes   the bins that their rows fall into, four columns at a time, in memory that stays in the cache
#pragma once

#include <atomic>
#include <memory>

#include "binned/bin_search.hpp"
#include "growing/worker.hpp"

namespace hornbeam {

// What all workers on bins share, and only read.
struct BinnedJob {
    BinnedJob(const Plan& plan, const BinnedTable& table, const ColumnSearch& search, const AnyBlock& block);

    const BinnedTable& table;
    CellSource source;
    CellPlan cells;  // of a whole histogram
    CellPlan local;  // of one word (or one wide column): all columns begin where the word's scratch says
    BinSearch search;
    std::int32_t large;                         // rows from which a node has a histogram
    mutable std::atomic<std::int64_t> held{0};  // numbers in all histograms that live
};

// The columns of a table on bins as the grower's shared parts want to see them: kinds and counts, no data.
std::vector<ReadyColumn> columns_on_bins(const BinnedTable& table);
// The block of the whole table without lists or codes.
std::shared_ptr<AnyBlock> block_on_bins(const Plan& plan);

class BinnedWorker final : public Worker {
  public:
    BinnedWorker(const Job& job, const BinnedJob& binned, Scratch& scratch, Fragment& fragment)
        : Worker(job, scratch, fragment), binned_(binned) {}

  private:
    // The children of one split (or the root), and how each one's sums are found.
    struct Family;

    Parting part_rows(Open& open) override;
    void search_columns(std::vector<Open>& nodes, std::vector<Open*>& searched, const std::vector<std::int32_t>& active,
                        const Open* parent, const Parting* parting, std::vector<std::vector<Candidate>>& found,
                        std::vector<std::vector<Span>>& spans) override;
    void search_large(const Open& node, const std::vector<std::int32_t>& columns, const std::vector<std::int32_t>& at,
                      std::vector<Candidate>& found, Scratch& scratch) const;
    void search_small(const Open& node, std::int64_t task, const std::vector<std::int32_t>& at,
                      std::vector<Candidate>& found, Scratch& scratch) const;
    void search_small_wide(const Open& node, std::int32_t column, Candidate& found, Scratch& scratch) const;
    void add(std::int64_t task, const std::uint32_t* rows, std::int64_t n, std::int64_t* cells, bool take_away) const;
    std::int32_t missing_branch(const Open& open, const std::vector<std::uint16_t>& branch_of) const;
    template <class Code>
    void divide(Open& open, const std::vector<std::uint16_t>& branch_of, const Code& code, Parting& out);

    const BinnedJob& binned_;
};

}  // namespace hornbeam
