// Questions that a node keeps beside its own: surrogates, used for rows whose value is missing, and competitors, the
// next best.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace hornbeam {

struct ManyQuestion;

struct KeptQuestion {
    std::int32_t column = -1;
    bool asks_missing = false;
    bool asks_each = false;  // map: a branch per level, or group of levels
    bool is_flipped = false;
    double cut = 0.0;
    std::vector<double> cuts;                  // several, where it is not one
    std::vector<std::int32_t> branch_of;       // a map: the branch of every code, -1 for none; empty for a cut
    std::shared_ptr<const ManyQuestion> many;  // a question about many columns
    double first = 0.0, second = 0.0;          // agreement and adjusted agreement; or gain and score
};

}  // namespace hornbeam
