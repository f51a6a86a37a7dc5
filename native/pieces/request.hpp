// What is added up over the rows of one piece of a table, and what the rows of a piece are. A request is a value: the
// tree so far, the nodes whose rows are added up, the columns, the units of the target. The same request gives the same
// sums for the same rows in every process; the sums of all pieces add up in any order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pieces/row_sample.hpp"

namespace hornbeam {

// Where the sums of one code are stored: `width` integers per code.
//
//     classes   weight of each class       (and the rows, if they have weights)
//     numbers   weight, sum                (and the rows, if they have weights)
struct CellShape {
    int n_classes = 0;  // 0: numbers
    bool is_weighted = false;

    int sums() const { return n_classes > 0 ? n_classes : 2; }
    int width() const { return sums() + is_weighted; }
    std::int64_t rows_in(const std::int64_t* cell) const {
        if (is_weighted) return cell[sums()];
        if (n_classes == 0) return cell[0];
        std::int64_t rows = 0;
        for (int k = 0; k < n_classes; ++k) rows += cell[k];
        return rows;
    }
};

// How a target is counted in integers.
struct TargetUnits {
    double origin = 0.0, unit = 1.0;               // of numbers
    double weight_unit = 1.0;                      // of rows with weights
    double weight_scale = 1.0, weight_step = 0.0;  // weights are scaled, then rounded to multiples of the step
    double square_unit = 1.0;                      // of squares of numbers in rows with weights
    int limb_bits = 31;                            // long sums are two integers: high * 2^limb_bits + low
};

// A view of numbers, and numbers of one's own.
template <class T>
using View = std::span<const T>;
template <class T>
using Own = std::vector<T>;

// A question that decides where the rows of a node go: the branch of every code of a column, -1 if it decides nothing.
// The questions of a node are tried in turn; a row that none decides takes `otherwise` of the node, or stays if that is
// -1.
template <template <class> class Array>
struct RequestOf {
    // The tree so far, by node; the children of a node follow each other.
    Array<std::int32_t> first_child;     // -1: not split
    Array<std::int32_t> first_question;  // n_nodes + 1: the first question of every node
    Array<std::int16_t> otherwise;
    Array<std::int32_t> question_column;
    Array<std::int64_t> question_map;  // the first entry in `maps`, one per code and one for missing values
    Array<std::int16_t> maps;
    Array<std::int32_t> slot;      // of every node: its place among the sums per code; -1: none
    Array<std::int32_t> total;     // of every node: its place among the sums of whole nodes; -1: none
    Array<std::int32_t> columns;   // whose codes are added up
    Array<std::uint32_t> n_codes;  // of every column of the table, the missing one not counted
    std::int32_t n_slots = 0, n_totals = 0;
    // The class of a row is the branch that the first question of its node gives it, or 2 if it decides nothing.
    bool by_side = false;
    CellShape shape;
};
using RequestArrays = RequestOf<Own>;  // of a grower

struct PieceRequest : RequestOf<View> {
    TargetUnits units;
    std::span<const double> class_weight;  // factor on the weight of a row, by class; empty: none
    RowSample sample;
};

// Codes of one column: one or two bytes each.
struct PieceCodes {
    const std::uint8_t* narrow = nullptr;
    const std::uint16_t* wide = nullptr;
    std::uint32_t operator[](std::int64_t row) const { return narrow ? narrow[row] : wide[row]; }
};

// The largest code of some rows.
std::uint32_t largest_code(const PieceCodes& codes, std::int64_t n_rows);

struct PieceRows {
    std::int64_t n_rows = 0;
    std::vector<PieceCodes> codes;  // of every column; none for a column that the request does not use
    const std::uint16_t* classes = nullptr;
    const double* numbers = nullptr;
    const double* weights = nullptr;
    std::int64_t first_row = 0;                // the number of the first row in the whole table;
    const std::int64_t* row_number = nullptr;  // of every row, where they do not follow each other
    // The node that every row was known to be at: 0, or what an earlier call wrote. It becomes the row's node now.
    std::int32_t* node = nullptr;
};

struct PieceSums {
    std::vector<std::int64_t> cells;   // by slot, wanted column, code, number
    std::vector<std::int64_t> totals;  // by place: one cell, and the long sums of numbers
    std::vector<double> low, high;     // of numbers, by place: the smallest and the largest
};

// The number of integers of one slot.
std::int64_t slot_size(const PieceRequest& request);
// The integers of one whole node. The long sums of numbers are that of their squares, in squares of units; of rows with
// weights those of weight * number and weight * number^2, in `unit` and `square_unit` with a fraction of `limb_bits`.
inline int total_width(const CellShape& shape) {
    return shape.width() + (shape.n_classes > 0 ? 0 : shape.is_weighted ? 4 : 2);
}

// Routes rows only: `rows.node` becomes the node of every row.
void route_piece(const PieceRequest& request, const PieceRows& rows);

// The weight of a row, and its weight times its number, in integers.
std::int64_t whole_weight(const PieceRequest& request, const PieceRows& rows, std::int64_t row);
std::int64_t whole_sum(const TargetUnits& units, double number, std::int64_t weight);

}  // namespace hornbeam
