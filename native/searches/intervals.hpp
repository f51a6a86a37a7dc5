// Into which intervals is an ordered column best cut?  Rows of equal values are groups; neighbouring groups of one and
// the same class are a block, and only blocks are parted:
//
//   optimal   for B = 2, 3, ... the B consecutive pieces of largest worth, by dynamic programming:
//             V_b(j) = max over i < j of V_{b-1}(i) + worth(i..j), ties to the smaller i
//   mdlp      cut in two by entropy, and each part again, while Fayyad and Irani's test accepts
//
// The worth of a piece is what its weight times its impurity lacks of a sum that is the same however blocks are cut, so
// the worthiest pieces are the purest:
//
//   squares   sum_k W_k^2 / W         Gini; of numbers S^2 / W, S centred: squared error
//   logs      sum_k W_k log W_k - W log W
//   largest   max_k W_k
//   rates     2 W m phi(d)            Poisson: the mean of the piece is m (1 + d), phi as in criteria/poisson.hpp
//   any       as a function says
//
// All blocks before each are summed once, so a piece is a difference of two sums. A piece is named by its last block.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace hornbeam {

// What the rows of equal values hold, one group after the other, in units: class weights, or (weight, sum).
struct ValueGroups {
    int width = 0;
    bool is_class = true;
    std::vector<std::int64_t> counts;
    std::vector<std::int64_t> rows;
    std::vector<double> values;
    std::int64_t known = 0;  // rows in all groups

    void clear(int numbers, bool of_classes);
    int size() const { return static_cast<int>(rows.size()); }
    const std::int64_t* of(int group) const { return counts.data() + static_cast<std::size_t>(group) * width; }
    std::int64_t weight(int group) const;
    // The last group of every block; classes whose factor is 0 do not count.
    void find_blocks(const std::vector<double>& factor, std::vector<int>& ends) const;
};

// The sums of all blocks before each, and of all.
struct BlockSums {
    std::vector<double> weight;
    std::vector<std::vector<double>> parts;  // of every class; of numbers: their sum

    int size() const { return static_cast<int>(weight.size()) - 1; }
};

enum class PieceWorth { squares, logs, largest, rates, any };

// What pieces are compared by: worths that differ by no more than `slack` are equal. `logs`: a table of x log x in
// some unit, for whole weights, or none.
struct PieceRule {
    PieceWorth worth = PieceWorth::squares;
    double slack = 0.0;
    double mean = 1.0, off = 0.0;  // rates: the mean of all known rows, and how far it is from the origin of sums
    bool needs_events = true;      // rates: a piece without events is forbidden
    std::function<void(int end, double* out)> weigh = {};  // any: of the pieces from every block up to `end`
    const std::int64_t* logs = nullptr;
    double log_unit = 1.0;
};

using Pieces = std::vector<int>;

// Memory used again and again.
struct IntervalRoom {
    ValueGroups groups;
    std::vector<int> ends;
    BlockSums sums;
    std::vector<std::uint32_t> sorted;  // the rows of all groups in the order of their values, where they are needed
    std::vector<double> worth, score;
    std::vector<std::vector<double>> most;  // by the number of pieces less one, then by blocks
    std::vector<std::vector<int>> came;     // where the last of so many pieces begins
};

// For B = 2 up to `at_most`, or as many as there are blocks.
std::vector<Pieces> optimal_pieces(int at_most, const PieceRule& rule, IntervalRoom& room);
Pieces mdlp_pieces(const BlockSums& sums);

}  // namespace hornbeam
