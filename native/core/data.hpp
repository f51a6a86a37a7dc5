// What does the core know of a table?  Columns in order, as numbers or codes, and a target. Nothing here is owned but
// what `prepare` makes; nothing here knows of Python.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace hornbeam {

enum class Kind : int { numeric = 0, ordinal = 1, nominal = 2 };

// A column as it comes from outside: reals with NaN for missing, or codes with negatives for missing.
struct SourceColumn {
    Kind kind = Kind::numeric;
    const double* reals = nullptr;
    const std::int32_t* codes = nullptr;
    std::int32_t n_levels = 0;
};

// A column made ready for growth: every value is a code, codes are in the order of the values.
//   listed   many distinct numbers: (rank << 32 | row) sorted by rank then row; missing ones last, with rank NO_RANK
//   coded    few distinct values, or categories: a code a row; missing is `n_codes`
//   plain    numbers whose cuts are drawn: only the source column is looked at
struct ReadyColumn {
    static constexpr std::uint32_t NO_RANK = std::numeric_limits<std::uint32_t>::max();
    Kind kind = Kind::numeric;
    bool is_listed = false;
    bool is_plain = false;
    bool has_missing = false;
    std::uint32_t n_codes = 0;
    std::vector<double> values;  // the distinct numbers (ordinal: codes) that occur, ascending; listed: where asked for
    std::vector<std::uint64_t> sorted;  // listed
    std::vector<std::uint32_t> codes;   // coded
};

// The target: classes as codes, or numbers in fixed point (`origin + integer * unit`), with weights as integers times
// `weight_unit`. All sums over it are exact.
struct Target {
    int n_classes = 0;  // 0: numbers
    std::vector<std::uint16_t> classes;
    std::vector<std::int64_t> sums;     // weight times number, in fixed point (weights are 1: the number itself)
    std::vector<std::int64_t> weights;  // empty: every row weighs one unit
    const double* numbers = nullptr;    // the target as it came
    double origin = 0.0;
    double unit = 1.0;
    double weight_unit = 1.0;
    std::vector<double> class_scale;  // priors and costs: each class's weight is multiplied by this; empty: no change

    bool is_class() const { return n_classes > 0; }
};

}  // namespace hornbeam
