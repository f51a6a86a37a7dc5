// PairTables: joint tables of two questions, to find the best second question of both branches of each first one. The
// reference implementation is parts/searches/lookahead.py with machinery/pair_tables.py.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace hornbeam {

// The questions about one column: the cell of each row, and the cells of branch 0.
//   cuts   question q: cells 0 to q
//   sets   question q: the cells of sets[q]
struct QuestionFamily {
    std::int32_t column = -1;
    std::int32_t n_cells = 0;
    std::vector<std::int32_t> cell;  // per row of the node; -1: missing
    bool is_cut = true;
    std::vector<std::vector<std::int32_t>> sets;

    std::int32_t size() const { return is_cut ? n_cells - 1 : static_cast<std::int32_t>(sets.size()); }
};

// Sums of rows: statistics, number of rows, weight; all in integer units.
using Channels = std::vector<std::int64_t>;

struct PairTables {
    int n_channels = 0;
    std::vector<std::int64_t> channels;  // `n_channels` per row; or `weights`,
    std::vector<std::uint32_t> entry;    // and the statistic to which each row adds its weight
    std::vector<std::int64_t> weights;
    // Whether a branch is admissible, and the decrease of weight times impurity by a split.
    std::function<bool(const std::int64_t* side)> admits;
    std::function<double(const std::int64_t* left, const std::int64_t* whole)> decrease;

    // The sums of branch 0 of each question of a family, followed by those of all known rows.
    std::vector<Channels> left_sums(const QuestionFamily& family) const;
    // The decrease by the best second questions in both branches of each question of a family.
    std::vector<double> second_decreases(const QuestionFamily& family, const std::vector<QuestionFamily>& others) const;

  private:
    void add_row(std::int64_t* to, std::size_t row) const;
    Channels joint(const QuestionFamily& first, const QuestionFamily& second) const;
    double best_second(const std::int64_t* cells, const QuestionFamily& second, Channels& left, Channels& whole) const;
};

// All sets of up to half of m levels by size, halves only with the first level; if m > `most`, single levels.
std::vector<std::vector<std::int32_t>> candidate_sets(std::int32_t m, std::int32_t most);

}  // namespace hornbeam
