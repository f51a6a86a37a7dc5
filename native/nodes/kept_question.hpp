// KeptQuestion: an additional question of a node: a surrogate, used for rows whose value is missing, or a competitor,
// with the next best score.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace hornbeam {

struct ManyQuestion;

struct KeptQuestion {
    std::int32_t column = -1;
    bool tests_missing = false;
    bool is_multiway = false;  // map: a branch per level, or per group of levels
    bool is_flipped = false;
    double cut = 0.0;
    std::vector<double> cuts;                  // if there are several
    std::vector<std::int32_t> branch_of;       // map: the branch of each code, -1: none; empty for a cut
    std::shared_ptr<const ManyQuestion> many;  // a question about several columns
    double first = 0.0, second = 0.0;          // agreement and adjusted agreement, or gain and score
};

}  // namespace hornbeam
