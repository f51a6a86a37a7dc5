// The best intervals of an ordered column. Rows of equal values are groups; neighboring groups of the same class are a
// block, and cuts are between blocks:
//
//   optimal   for B = 2, 3, ... the B consecutive pieces of largest total score, by dynamic programming:
//             V_b(j) = max over i < j of V_{b-1}(i) + score(i..j), ties to the smaller i
//   mdlp      cut in two by entropy, and each side again, while Fayyad and Irani's test accepts
//
// The score of a piece is minus its weight times its impurity, up to terms whose sum is the same for all cuts:
//
//   squares   sum_k W_k^2 / W         Gini; regression S^2 / W, S centered: squared error
//   logs      sum_k W_k log W_k - W log W
//   largest   max_k W_k
//   rates     2 W m phi(d)            Poisson: the mean of the piece is m (1 + d), phi as in criteria/poisson.hpp
//   any       by a function
//
// Blocks are summed cumulatively once, so a piece is the difference of two sums. Pieces are stored as last blocks.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace hornbeam {

// The sums per group of equal values, in units: class weights, or (weight, sum).
struct ValueGroups {
    int width = 0;
    bool is_class = true;
    std::vector<std::int64_t> counts;
    std::vector<std::int64_t> rows;
    std::vector<double> values;
    std::int64_t known = 0;  // number of rows in all groups

    void clear(int numbers, bool of_classes);
    int size() const { return static_cast<int>(rows.size()); }
    const std::int64_t* of(int group) const { return counts.data() + static_cast<std::size_t>(group) * width; }
    std::int64_t weight(int group) const;
    // Sets the last group of each block; classes with factor 0 do not count.
    void find_blocks(const std::vector<double>& factor, std::vector<int>& ends) const;
};

// The cumulative sums of blocks.
struct BlockSums {
    std::vector<double> weight;
    std::vector<std::vector<double>> parts;  // per class; regression: the sum

    int size() const { return static_cast<int>(weight.size()) - 1; }
};

enum class PieceScore { squares, logs, largest, rates, any };

// How pieces are scored: scores that differ by at most `slack` are equal. `logs`: a table of x log x in some unit, for
// integer weights, or null.
struct PieceRule {
    PieceScore score = PieceScore::squares;
    double slack = 0.0;
    double mean = 1.0, off = 0.0;  // rates: the mean of all known rows, and its distance from the origin of sums
    bool needs_events = true;      // rates: pieces without events are inadmissible
    // any: the scores of the pieces from each block to `end`.
    std::function<void(int end, double* out)> score_pieces = {};
    const std::int64_t* logs = nullptr;
    double log_unit = 1.0;
};

using Pieces = std::vector<int>;

// Buffers that are reused.
struct IntervalBuffers {
    ValueGroups groups;
    std::vector<int> ends;
    BlockSums sums;
    std::vector<std::uint32_t> sorted;  // all rows in the order of their values, if needed
    std::vector<double> piece_score, score;
    std::vector<std::vector<double>> best;   // indexed by the number of pieces minus 1, then by block
    std::vector<std::vector<int>> previous;  // the first block of the last of that many pieces
};

// The best B pieces for B = 2 to `max_pieces`, or to the number of blocks.
std::vector<Pieces> optimal_pieces(int max_pieces, const PieceRule& rule, IntervalBuffers& buffers);
Pieces mdlp_pieces(const BlockSums& sums);

}  // namespace hornbeam
