// QuestionTable: the questions of a tree in their five encodings, and the outcome of each for a row.
#pragma once

#include <cstdint>
#include <vector>

#include "walking/tree_arrays.hpp"

namespace hornbeam {

struct EncodedQuestion {
    Encoding encoding;
    std::int32_t column, first, missing_answer;
    std::int64_t whole, n_whole, reals, n_reals;  // its part of the two pools
};

class QuestionTable {
  public:
    // Checks every index; throws std::invalid_argument if one is out of range.
    explicit QuestionTable(const TreeArrays& tree);

    // The branch of a question, UNDEFINED or UNSEEN_LEVEL. `columns` are those in use.
    std::int32_t outcome(std::int32_t question, const WalkColumn* columns, std::int64_t row) const;
    // The same for a question of one cut or map, from its column.
    std::int32_t outcome_of(const EncodedQuestion& q, const WalkColumn& column, std::int64_t row) const;

    std::size_t size() const noexcept { return questions_.size(); }
    const EncodedQuestion& operator[](std::int32_t question) const { return questions_[question]; }
    const double* reals_of(const EncodedQuestion& q) const { return reals_.data() + q.reals; }
    const std::int32_t* whole_of(const EncodedQuestion& q) const { return whole_.data() + q.whole; }
    // The number of branches that the outcomes need.
    std::int32_t max_branches(std::int32_t question) const;

    // The columns that some question uses, ascending, and the number of levels of each, 0 for numeric ones.
    const std::vector<std::int32_t>& columns() const noexcept { return used_; }
    const std::vector<std::int32_t>& n_levels() const noexcept { return used_levels_; }
    // The columns of a question as indices in columns(), each once.
    std::vector<std::int32_t> columns_of(std::int32_t question) const;

  private:
    void check(std::size_t index, std::span<const std::int32_t> n_levels);
    void find_columns();

    std::vector<EncodedQuestion> questions_;
    std::vector<std::int32_t> whole_;
    std::vector<double> reals_;
    std::vector<std::int32_t> n_literals_;  // of combined questions, nested ones included
    std::vector<std::int32_t> used_, used_levels_;
};

}  // namespace hornbeam
