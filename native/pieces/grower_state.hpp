// GrowerState: the tree so far and its open nodes as bytes, from which the growth continues later.
//
// The sums that open nodes keep are left out: what would be subtracted from them is added up from rows instead, with
// the same result.
#pragma once

#include <string>
#include <string_view>

#include "pieces/piece_grower.hpp"

namespace hornbeam {

class GrowerState {
  public:
    // Whether no answer is awaited, so that the state is complete.
    static bool is_complete(const PieceGrower& grower);
    static std::string saved(PieceGrower& grower);
    // Continues a growth in a grower of the same data and settings; damaged bytes are an error.
    static void restore(PieceGrower& grower, std::string_view bytes);
};

}  // namespace hornbeam
