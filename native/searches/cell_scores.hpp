// CellScores: the kernel of cuts for any criterion, from the cells of any statistic on both sides.
#pragma once

#include <span>
#include <vector>

#include "criteria/criterion.hpp"
#include "searches/cut.hpp"
#include "statistics/any_statistic.hpp"

namespace hornbeam {

// The node whose rows a cut separates.
struct CutNode {
    std::span<const std::int64_t> cell;
    double unknown;                    // the weight of rows whose value is missing
    double mean;                       // regression: the value that is subtracted from the target in all sums
    const std::vector<double>& third;  // the statistics of a third branch of each cut; empty: none
};

// Not a template: a score by any criterion takes far longer than a call.
class CellScores {
  public:
    static constexpr bool is_cheap = false;
    CellScores(const AnyStatistic& statistic, const Criterion& criterion, const RowTargets& rows, const CutNode& node);
    CellScores(const CellScores&);
    CellScores& operator=(const CellScores&);
    ~CellScores();
    void count_in(std::vector<std::int64_t>&) {}
    void add(std::uint32_t row);
    void add_counts(const std::int64_t* cell);
    void write(CutScratch& s, std::int32_t at);
    bool allows(const MinSize& min_size) const;
    double base() const { return 0.0; }
    void finish(CutScratch& s, std::int32_t count, double tolerance, Cut& best) const;

  private:
    const AnyStatistic* statistic_;
    const Criterion* criterion_;
    RowTargets rows_;
    const std::int64_t* whole_;
    double unknown_, mean_;
    std::vector<std::int64_t> left_, right_;
    std::vector<double> parent_, sides_;
};

}  // namespace hornbeam
