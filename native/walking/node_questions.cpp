// The questions of single nodes of a Walker, and the columns that these use.
#include <algorithm>

#include "walking/walk.hpp"

namespace hornbeam {

std::vector<std::int32_t> Walker::questions_at(std::int32_t node) const {
    const auto at = static_cast<std::size_t>(node);
    std::vector<std::int32_t> found{question_[at]};
    for (std::int64_t s = surrogate_start_[at]; s < surrogate_start_[at + 1]; ++s) {
        found.push_back(surrogate_question_[static_cast<std::size_t>(s)]);
    }
    return found;
}

std::vector<std::int32_t> Walker::columns_of(std::int32_t question) const {
    std::vector<std::int32_t> found;
    std::vector<std::int32_t> open{question};
    while (!open.empty()) {
        const Question& q = questions_[static_cast<std::size_t>(open.back())];
        open.pop_back();
        const std::int32_t* whole = whole_.data() + q.whole;
        switch (q.encoding) {
            case Encoding::cuts:
            case Encoding::map:
                found.push_back(q.column);
                break;
            case Encoding::plane:
            case Encoding::ball:
                found.insert(found.end(), whole, whole + q.n_whole);
                break;
            case Encoding::combined:
                for (std::int64_t i = 1; i + 1 < q.n_whole; i += 2) open.push_back(whole[i]);
                break;
        }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

Walker::SingleCut Walker::single_cut(std::int32_t node) const {
    const auto at = static_cast<std::size_t>(node);
    if (first_child_[at] < 0) return {};
    const Question& q = questions_[static_cast<std::size_t>(question_[at])];
    if (q.encoding != Encoding::cuts || q.n_reals != 1 || q.first != 0) return {};
    if (used_levels_[static_cast<std::size_t>(q.column)] != 0) return {};
    SingleCut found{q.column, q.missing_answer, reals_[static_cast<std::size_t>(q.reals)]};
    if (found.missing == UNDEFINED && surrogate_start_[at] == surrogate_start_[at + 1]) {
        found.missing = std::max(missing_branch_[at], UNDEFINED);  // STAY and ALL_BRANCHES are left to `step`
    }
    return found;
}

}  // namespace hornbeam
