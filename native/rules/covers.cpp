// Sums of row weights covered by rules (covers.hpp).
#include "rules/covers.hpp"

#include <bit>

#include "core/portable.hpp"

namespace hornbeam {
namespace {

// Adds the bits of a word to a sum: their number, or the weights of their rows.
inline double sum_of(std::uint64_t bits, std::size_t word, std::span<const double> weights, double sum) {
    if (weights.empty()) return sum + std::popcount(bits);
    for (; bits != 0; bits &= bits - 1) sum += weights[word * 64 + static_cast<std::size_t>(std::countr_zero(bits))];
    return sum;
}

}  // namespace

HORNBEAM_CLONES void leave_one_out(const FailingRows& data, std::span<const std::int32_t> kept, std::span<double> rows,
                                   std::span<double> errors) {
    for (std::size_t i = 0; i <= kept.size(); ++i) rows[i] = errors[i] = 0.0;
    for (std::size_t word = 0; word < data.n_words; ++word) {
        std::uint64_t once = 0, twice = 0;
        for (const std::int32_t condition : kept) {
            const std::uint64_t fails = data.failing[condition * data.n_words + word];
            twice |= once & fails;
            once |= fails;
        }
        const std::uint64_t none = ~once & data.inside[word], wrong = data.wrong[word];
        if (none != 0) {
            rows[0] = sum_of(none, word, data.weights, rows[0]);
            errors[0] = sum_of(none & wrong, word, data.weights, errors[0]);
        }
        const std::uint64_t one = once & ~twice & data.inside[word];
        if (one == 0) continue;
        for (std::size_t i = 0; i < kept.size(); ++i) {
            const std::uint64_t alone = one & data.failing[kept[i] * data.n_words + word];
            if (alone == 0) continue;
            rows[1 + i] = sum_of(alone, word, data.weights, rows[1 + i]);
            errors[1 + i] = sum_of(alone & wrong, word, data.weights, errors[1 + i]);
        }
    }
    for (std::size_t i = 1; i <= kept.size(); ++i) rows[i] += rows[0], errors[i] += errors[0];
}

void covered_sums(const CoveredRows& rows, std::span<const std::int64_t> chosen, std::size_t n_rules,
                  std::span<double> sums) {
    const auto& [starts, rules, weights, side] = rows;
    for (double& sum : sums) sum = 0.0;
    for (const std::int64_t row : chosen) {
        double* of_side = sums.data() + (side[row] != 0 ? n_rules : 0);
        for (std::int64_t at = starts[row]; at < starts[row + 1]; ++at) of_side[rules[at]] += weights[row];
    }
}

}  // namespace hornbeam
