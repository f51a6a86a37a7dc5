// Sums of row weights covered by rules; used many times while rules are pruned and selected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hornbeam {

// Bit sets of the rows that fail the conditions of a rule. `failing` has one bit set per condition, `n_words` words
// each; bits after the last row are 0 in `inside`, so they are never counted. Sums are counts if `weights` is empty,
// else weights added in row order.
struct FailingRows {
    const std::uint64_t* failing;
    std::size_t n_words;
    const std::uint64_t* inside;  // bits of the existing rows
    const std::uint64_t* wrong;   // bits of the rows of another class
    std::span<const double> weights;
};

// `kept` lists the conditions in use. rows[0], errors[0]: rows that fulfil all of them. rows[1 + i], errors[1 + i]:
// rows that fulfil all except possibly kept[i].
void leave_one_out(const FailingRows& data, std::span<const std::int32_t> kept, std::span<double> rows,
                   std::span<double> errors);

// Rows and the rules that cover them: those of row r are rules[starts[r]] to rules[starts[r + 1] - 1].
struct CoveredRows {
    std::span<const std::int64_t> starts;
    std::span<const std::int32_t> rules;
    std::span<const double> weights;
    std::span<const std::uint8_t> side;
};

// The weight that each rule covers among the chosen rows. sums[rule] is the sum of rows with side 0,
// sums[n_rules + rule] that of rows with side 1.
void covered_sums(const CoveredRows& rows, std::span<const std::int64_t> chosen, std::size_t n_rules,
                  std::span<double> sums);

}  // namespace hornbeam
