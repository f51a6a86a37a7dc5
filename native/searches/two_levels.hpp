// Which question is good because of the next one?  Tables of two questions together, looked through for the best second
// question of both branches of every first one; the twin of parts/searches/lookahead.py and pairs.py.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace hornbeam {

// The questions about one column: the cell of every row, and which cells go to branch 0.
//   cuts   question q: cells 0 to q
//   sets   question q: the cells of sets[q]
struct QuestionFamily {
    std::int32_t column = -1;
    std::int32_t n_cells = 0;
    std::vector<std::int32_t> cell;  // of every row of the node; -1: unknown
    bool is_cut = true;
    std::vector<std::vector<std::int32_t>> sets;

    std::int32_t size() const { return is_cut ? n_cells - 1 : static_cast<std::int32_t>(sets.size()); }
};

// Sums of rows: statistics, then rows, then weight; all in whole units.
using Channels = std::vector<std::int64_t>;

struct TwoLevels {
    int n_channels = 0;
    std::vector<std::int64_t> channels;  // of every row, `n_channels` a row; or `weights`,
    std::vector<std::uint32_t> place;    // and the only statistic that a row adds its weight to
    std::vector<std::int64_t> weights;
    // Whether a branch may be, and how far a split of some rows lowers weight times impurity.
    std::function<bool(const std::int64_t* side)> admits;
    std::function<double(const std::int64_t* left, const std::int64_t* whole)> fall;

    // What every question of a family holds in branch 0; the sum of all its known rows comes last.
    std::vector<Channels> lefts(const QuestionFamily& family) const;
    // What the best second questions take off both branches of every question of a family.
    std::vector<double> below(const QuestionFamily& family, const std::vector<QuestionFamily>& others) const;

  private:
    void add_row(std::int64_t* to, std::size_t row) const;
    Channels joint(const QuestionFamily& first, const QuestionFamily& second) const;
    double best_second(const std::int64_t* cells, const QuestionFamily& second, Channels& left, Channels& whole) const;
};

// All sets of up to half of m things, by size; halves only with the first; from `most` on single ones.
std::vector<std::vector<std::int32_t>> sets_of_few(std::int32_t m, std::int32_t most);

}  // namespace hornbeam
