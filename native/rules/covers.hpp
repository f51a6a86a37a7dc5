// How much do rules cover?  Sums over rows, asked many times while rules are cut back and chosen among.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hornbeam {

// Rows that fail none of a rule's conditions, and those that fail one alone. `failing` holds one set of bits a
// condition, `n_words` words each (bits past the last row are set in no condition but unknown to `wrong` and `inside`);
// `kept` names those that still count. Sums are counts where `weights` is empty, else weights added in the order of
// rows.
struct FailingRows {
    const std::uint64_t* failing;
    std::size_t n_words;
    const std::uint64_t* inside;  // bits of the rows there are
    const std::uint64_t* wrong;   // bits of the rows of another class
    std::span<const double> weights;
};

// rows[0], errors[0]: all conditions hold. rows[1 + i], errors[1 + i]: all but perhaps kept[i] hold.
void leave_one_out(const FailingRows& data, std::span<const std::int32_t> kept, std::span<double> rows,
                   std::span<double> errors);

// For each rule the weight it covers of some rows; `rules` lists the rules of row r at starts[r] to starts[r + 1].
// sums[rule] takes rows whose side is 0, sums[n_rules + rule] those whose side is 1.
void covered_sums(std::span<const std::int64_t> chosen, std::span<const std::int64_t> starts,
                  std::span<const std::int32_t> rules, std::span<const double> weights,
                  std::span<const std::uint8_t> side, std::size_t n_rules, std::span<double> sums);

}  // namespace hornbeam
