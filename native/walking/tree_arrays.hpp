// The arrays of a tree and the columns of the rows as walking reads them; the constants that both share.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/question_kinds.hpp"

namespace hornbeam {

// Outcomes of a question that are not a branch.
inline constexpr std::int32_t UNDEFINED = -1, UNSEEN_LEVEL = -2;
// Ends of a row at an inner node: it stays there, or is distributed over all branches.
inline constexpr std::int32_t STAY = -1, ALL_BRANCHES = -2;
// Codes that are not a level.
inline constexpr std::int32_t MISSING_CODE = -1, UNSEEN_CODE = -2;

enum class Unseen : std::int8_t { as_missing = 0, majority = 1, stay = 2, error = 3 };

// Views of the arrays of a tree.
struct TreeArrays {
    std::span<const std::int32_t> first_child, n_branches, question, missing_branch;
    std::span<const double> weight;
    std::span<const std::int64_t> surrogate_start;
    std::span<const std::int32_t> surrogate_question;
    std::span<const std::int8_t> surrogate_flipped;
    std::span<const std::int8_t> encoding;
    std::span<const std::int32_t> column, first, missing_answer;
    std::span<const std::int64_t> whole_start, reals_start;
    std::span<const std::int32_t> whole;
    std::span<const double> reals;
    std::span<const std::int32_t> n_levels;  // per column; 0 for numeric columns
    Unseen unseen = Unseen::as_missing;
};

// An array of one's own.
template <class T>
std::vector<T> copied(std::span<const T> from) {
    return {from.begin(), from.end()};
}

// The check of an index of a tree that may come from a file.
inline void require(bool is_valid, const char* what, std::size_t where) {
    if (!is_valid) throw std::invalid_argument(std::string(what) + " at " + std::to_string(where));
}

// One column of the rows to walk: values, or codes of levels.
struct WalkColumn {
    const double* numbers = nullptr;
    const std::int32_t* codes = nullptr;

    // The same from a row on.
    WalkColumn from(std::int64_t row) const {
        return {numbers ? numbers + row : nullptr, codes ? codes + row : nullptr};
    }
};

}  // namespace hornbeam
