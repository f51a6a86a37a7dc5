// The table as the core sees it: columns in order, as values or codes, and a target. Source arrays are borrowed; only
// prepared columns own memory. Nothing here depends on Python.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace hornbeam {

enum class Kind : int { numeric = 0, ordinal = 1, nominal = 2 };

// A read-only view of the caller's values: float64 or float32, contiguous or with a stride, as in a row-major matrix.
class Reals {
  public:
    Reals() = default;
    Reals(const double* doubles, std::int64_t step = 1) : doubles_(doubles), step_(step) {}
    Reals(const float* singles, std::int64_t step) : singles_(singles), step_(step) {}
    double operator[](std::int64_t row) const {
        if (rows_) row = rows_[row];
        return singles_ ? singles_[row * step_] : doubles_[row * step_];
    }
    explicit operator bool() const { return doubles_ || singles_; }
    // The doubles if they are contiguous, else null.
    const double* in_a_row() const { return step_ == 1 && !rows_ ? doubles_ : nullptr; }
    // The values of some rows, in their order.
    Reals at(const std::uint32_t* rows) const {
        Reals out = *this;
        out.rows_ = rows;
        return out;
    }
    // The values as contiguous doubles; `buffer` holds a copy if the source is not contiguous float64.
    const double* in_a_row(std::int64_t n_rows, std::unique_ptr<double[]>& buffer) const {
        if (const double* found = in_a_row()) return found;
        buffer.reset(new double[static_cast<std::size_t>(n_rows)]);
        for (std::int64_t row = 0; row < n_rows; ++row) buffer[row] = (*this)[row];
        return buffer.get();
    }

  private:
    const double* doubles_ = nullptr;
    const float* singles_ = nullptr;
    const std::uint32_t* rows_ = nullptr;  // the row of each value; null: all rows in order
    std::int64_t step_ = 1;
};

class ChosenRows;
class KeptColumn;

// The branch that a cut gives a number, or a map of levels, if there is one, a code; -1 for NaN.
inline std::int32_t branch_of_number(double number, double cut, const std::vector<std::int32_t>& branch_of) {
    if (std::isnan(number)) return -1;
    return branch_of.empty() ? number > cut : branch_of[static_cast<std::size_t>(number)];
}

// A column of the caller's table: floats with NaN for missing values, or codes that are negative for missing values.
struct SourceColumn {
    Kind kind = Kind::numeric;
    Reals reals;
    const std::int32_t* codes = nullptr;
    std::int32_t n_levels = 0;
    const KeptColumn* kept = nullptr;    // the column prepared before, if it was,
    const ChosenRows* chosen = nullptr;  // of which these rows are used; null: all

    // The value of a row, or the code of its level; NaN if it is missing.
    double number(std::int64_t row) const {
        if (!codes) return reals[row];
        return codes[row] < 0 ? std::numeric_limits<double>::quiet_NaN() : codes[row];
    }
    bool is_missing(std::int64_t row) const { return std::isnan(number(row)); }
    // The branch of a row; -1 if the value is missing.
    std::int32_t branch(std::int64_t row, double cut, const std::vector<std::int32_t>& branch_of) const {
        return branch_of_number(number(row), cut, branch_of);
    }
};

// Codes of one column in the narrowest integer type that can store them.
struct Codes {
    int bytes = 0;  // per code; 0: no codes
    std::unique_ptr<std::uint8_t[]> data;
    template <class Code>
    const Code* as() const {
        return reinterpret_cast<const Code*>(data.get());
    }
};

// Calls use(codes) with a pointer of the width of the codes; does nothing if there are no codes.
template <class Use>
void with_codes(const Codes& codes, const Use& use) {
    if (codes.bytes == 1) use(codes.as<std::uint8_t>());
    if (codes.bytes == 2) use(codes.as<std::uint16_t>());
    if (codes.bytes == 4) use(codes.as<std::uint32_t>());
}

template <class Code, class Get>
Codes packed(std::int64_t n, const Get& get) {
    Codes out;
    out.bytes = sizeof(Code);
    out.data.reset(new std::uint8_t[static_cast<std::size_t>(n) * sizeof(Code)]);
    auto* to = reinterpret_cast<Code*>(out.data.get());
    for (std::int64_t i = 0; i < n; ++i) to[i] = static_cast<Code>(get(i));
    return out;
}

// The code `n_codes` means missing, so one byte can store up to 255 codes and the missing code.
template <class Get>
Codes packed_for(std::uint32_t n_codes, std::int64_t n, const Get& get) {
    if (n_codes <= 255) return packed<std::uint8_t>(n, get);
    if (n_codes <= 65535) return packed<std::uint16_t>(n, get);
    return packed<std::uint32_t>(n, get);
}

// The codes of n rows: those of row_at(0), row_at(1), ...
template <class RowAt>
Codes codes_of_rows(const Codes& from, std::int64_t n, const RowAt& row_at) {
    Codes out;
    with_codes(from, [&]<class Code>(const Code* codes) {
        out = packed<Code>(n, [&](std::int64_t i) { return codes[row_at(i)]; });
    });
    return out;
}

// A column prepared for growth: every value is a code, codes are in the order of the values.
//   listed   many distinct values: (rank << 32 | row) sorted by rank, then row; missing values last, with rank NO_RANK
//   coded    few distinct values, or categories: one code per row; missing values have the code `n_codes`
//   sparse   coded, and most rows have the same code: (code << 32 | row) of the other rows, in row order
//   plain    numeric column with random cuts: only the source column is read
struct ReadyColumn {
    static constexpr std::uint32_t NO_RANK = std::numeric_limits<std::uint32_t>::max();
    Kind kind = Kind::numeric;
    bool is_listed = false;
    bool is_sparse = false;
    bool is_plain = false;
    bool has_missing = false;
    std::uint32_t n_codes = 0;
    std::uint32_t common = 0;    // sparse: the code that is not listed
    std::vector<double> values;  // the distinct values (ordinal: codes) that occur, ascending; listed: only on request
    std::vector<double> lows;    // codes that are bins: the smallest value of each, `values` are the largest
    std::vector<std::uint64_t> sorted;  // listed and sparse
    Codes codes;                        // coded

    // Whether codes are bins, each of one value or more.
    bool is_binned() const { return !lows.empty(); }
    // The largest and the smallest value of a code.
    double high_of(std::uint32_t code) const { return kind == Kind::numeric || is_binned() ? values[code] : code; }
    double low_of(std::uint32_t code) const { return is_binned() ? lows[code] : high_of(code); }
    // The bin of a value that occurs.
    std::uint32_t bin_of(double value) const {
        return static_cast<std::uint32_t>(std::lower_bound(values.begin(), values.end(), value) - values.begin());
    }
};

// One of several numbers of a row, in fixed point: `origin + integer * unit`.
struct NumberTarget {
    const double* numbers = nullptr;  // the caller's
    double origin = 0.0, unit = 1.0;
};

// The target: class codes, or regression values in fixed point (`origin + integer * unit`); sample weights are integers
// times `weight_unit`. All sums over the target are exact.
struct Target {
    int n_classes = 0;  // 0: regression
    std::vector<std::uint16_t> classes;
    std::vector<std::int64_t> sums;         // weight times value, in fixed point
    std::vector<std::int64_t> weights;      // empty: every row has the weight of one unit
    const double* given_weights = nullptr;  // the caller's weights; null: 1 each
    const double* numbers = nullptr;        // the caller's regression target
    double origin = 0.0;
    double unit = 1.0;
    double weight_unit = 1.0;
    std::vector<NumberTarget> several;       // numbers per row, whose sums are adjacent; empty: one
    std::vector<double> class_scale;         // priors and costs: factor per class on its weight; empty: all 1
    std::vector<std::int64_t> class_totals;  // the weight of each class where the rows are elsewhere

    bool is_class() const { return n_classes > 0; }
    // The numbers of a row; none for classes.
    std::vector<NumberTarget> number_targets() const {
        if (is_class() || !several.empty()) return several;
        return {{numbers, origin, unit}};
    }
};

}  // namespace hornbeam
