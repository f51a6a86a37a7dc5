// What does the core know of a table?  Columns in order, as numbers or codes, and a target. Nothing here is owned but
// what `prepare` makes; nothing here knows of Python.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace hornbeam {

enum class Kind : int { numeric = 0, ordinal = 1, nominal = 2 };

// Numbers as they lie outside: doubles in a row, or any step apart, or in single precision, as in a matrix of rows.
class Reals {
  public:
    Reals() = default;
    Reals(const double* doubles, std::int64_t step = 1) : doubles_(doubles), step_(step) {}
    Reals(const float* singles, std::int64_t step) : singles_(singles), step_(step) {}
    double operator[](std::int64_t row) const { return singles_ ? singles_[row * step_] : doubles_[row * step_]; }
    explicit operator bool() const { return doubles_ || singles_; }
    // The doubles, where they lie in a row; else nothing.
    const double* in_a_row() const { return step_ == 1 ? doubles_ : nullptr; }
    // The same numbers as doubles in a row; `room` holds them where they do not lie so.
    const double* in_a_row(std::int64_t n_rows, std::unique_ptr<double[]>& room) const {
        if (const double* found = in_a_row()) return found;
        room.reset(new double[static_cast<std::size_t>(n_rows)]);
        for (std::int64_t row = 0; singles_ && row < n_rows; ++row) room[row] = singles_[row * step_];
        for (std::int64_t row = 0; doubles_ && row < n_rows; ++row) room[row] = doubles_[row * step_];
        return room.get();
    }

  private:
    const double* doubles_ = nullptr;
    const float* singles_ = nullptr;
    std::int64_t step_ = 1;
};

// A column as it comes from outside: reals with NaN for missing, or codes with negatives for missing.
struct SourceColumn {
    Kind kind = Kind::numeric;
    Reals reals;
    const std::int32_t* codes = nullptr;
    std::int32_t n_levels = 0;
};

// Codes of one column, as narrow as they fit.
struct Codes {
    int bytes = 0;  // 0: there are none
    std::unique_ptr<std::uint8_t[]> data;
    template <class Code>
    const Code* as() const {
        return reinterpret_cast<const Code*>(data.get());
    }
};

// Calls use(codes) with the codes in their width; not at all where there are none.
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

// `n_codes` itself stands for missing, so a byte holds up to 255 codes and the mark.
template <class Get>
Codes packed_for(std::uint32_t n_codes, std::int64_t n, const Get& get) {
    if (n_codes <= 255) return packed<std::uint8_t>(n, get);
    if (n_codes <= 65535) return packed<std::uint16_t>(n, get);
    return packed<std::uint32_t>(n, get);
}

// A column made ready for growth: every value is a code, codes are in the order of the values.
//   listed   many distinct numbers: (rank << 32 | row) sorted by rank then row; missing ones last, with rank NO_RANK
//   coded    few distinct values, or categories: a code a row; missing is `n_codes`
//   sparse   coded, most rows having one code: (code << 32 | row) of the others, in the order of rows
//   plain    numbers whose cuts are drawn: only the source column is looked at
struct ReadyColumn {
    static constexpr std::uint32_t NO_RANK = std::numeric_limits<std::uint32_t>::max();
    Kind kind = Kind::numeric;
    bool is_listed = false;
    bool is_sparse = false;
    bool is_plain = false;
    bool has_missing = false;
    std::uint32_t n_codes = 0;
    std::uint32_t common = 0;    // sparse: the code that is not listed
    std::vector<double> values;  // the distinct numbers (ordinal: codes) that occur, ascending; listed: where asked for
    std::vector<std::uint64_t> sorted;  // listed and sparse
    Codes codes;                        // coded
};

// The target: classes as codes, or numbers in fixed point (`origin + integer * unit`), with weights as integers times
// `weight_unit`. All sums over it are exact.
struct Target {
    int n_classes = 0;  // 0: numbers
    std::vector<std::uint16_t> classes;
    std::vector<std::int64_t> sums;         // weight times number, in fixed point (weights are 1: the number itself)
    std::vector<std::int64_t> weights;      // empty: every row weighs one unit
    const double* given_weights = nullptr;  // the weights as they came; none: 1 each
    const double* numbers = nullptr;        // the target as it came
    double origin = 0.0;
    double unit = 1.0;
    double weight_unit = 1.0;
    std::vector<double> class_scale;  // priors and costs: each class's weight is multiplied by this; empty: no change

    bool is_class() const { return n_classes > 0; }
};

}  // namespace hornbeam
