#include "pieces/value_codes.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "core/cut_search.hpp"

namespace hornbeam {

template <class Code>
void code_numbers(std::span<const double> values, std::span<const double> cuts, Code missing, Code* codes) {
    CutSearch(cuts).code<Code>(values, missing, codes);
}
template void code_numbers(std::span<const double>, std::span<const double>, std::uint8_t, std::uint8_t*);
template void code_numbers(std::span<const double>, std::span<const double>, std::uint16_t, std::uint16_t*);

template <class Code>
bool code_known_numbers(std::span<const double> values, std::span<const double> numbers, std::span<const Code> table,
                        Code* codes) {
    constexpr std::size_t BLOCK = 1024;
    const CutSearch search(numbers);
    const auto n_numbers = static_cast<std::int32_t>(numbers.size());
    std::array<std::int32_t, BLOCK> places;
    for (std::size_t begin = 0; begin < values.size(); begin += BLOCK) {
        const auto block = values.subspan(begin, std::min(BLOCK, values.size() - begin));
        search.code<std::int32_t>(block, n_numbers, places.data());
        for (std::size_t i = 0; i < block.size(); ++i) {
            const bool is_known = block[i] != block[i] || (places[i] < n_numbers && numbers[places[i]] == block[i]);
            if (!is_known) return false;
            codes[begin + i] = table[places[i]];
        }
    }
    return true;
}
template bool code_known_numbers(std::span<const double>, std::span<const double>, std::span<const std::uint8_t>,
                                 std::uint8_t*);
template bool code_known_numbers(std::span<const double>, std::span<const double>, std::span<const std::uint16_t>,
                                 std::uint16_t*);
template bool code_known_numbers(std::span<const double>, std::span<const double>, std::span<const std::int32_t>,
                                 std::int32_t*);

template <class Code>
void code_levels(std::span<const std::int32_t> levels, std::span<const Code> table, Code* codes) {
    const auto n_levels = static_cast<std::int32_t>(table.size()) - 1;
    for (std::size_t row = 0; row < levels.size(); ++row) {
        if (levels[row] >= n_levels) throw std::invalid_argument("A level has no code.");
        codes[row] = table[levels[row] < 0 ? n_levels : levels[row]];
    }
}
template void code_levels(std::span<const std::int32_t>, std::span<const std::uint8_t>, std::uint8_t*);
template void code_levels(std::span<const std::int32_t>, std::span<const std::uint16_t>, std::uint16_t*);
template void code_levels(std::span<const std::int32_t>, std::span<const std::int32_t>, std::int32_t*);

}  // namespace hornbeam
