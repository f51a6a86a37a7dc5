// The fast loop: eight rows side by side down 16-byte nodes, no branch but the loop's end.
#include <algorithm>
#include <bit>
#include <cmath>

#include "walking/walk.hpp"

namespace hornbeam {

template <bool Masks, bool Missing, bool Flags>
void Walker::lean_loop(const double* const* base, std::int64_t count, std::int32_t* nodes,
                       std::uint8_t* met_unseen) const {
    constexpr int kSide = 8;
    const LeanNode* tree = lean_.data();
    for (std::int64_t from = 0; from < count; from += kSide) {
        // The last group looks at earlier rows again rather than beyond the end.
        std::int64_t rows[kSide];
        std::int32_t at[kSide] = {};
        std::uint64_t met[kSide] = {};
        for (int i = 0; i < kSide; ++i) rows[i] = from + i < count ? from + i : count - 1;
        std::int32_t moved = 1;
        while (moved != 0) {
            moved = 0;
            for (int i = 0; i < kSide; ++i) {
                const LeanNode node = tree[at[i]];
                const bool is_mask = Masks && node.column < 0;
                const double x = base[is_mask ? ~node.column : node.column][rows[i]];
                std::int32_t right = x > std::bit_cast<double>(node.test) ? 1 : 0;
                if constexpr (Missing) right |= lean_missing_[static_cast<std::size_t>(at[i])] & (x != x ? 1 : 0);
                if constexpr (Masks) {
                    const auto bit = static_cast<unsigned>(static_cast<std::int32_t>(is_mask ? x : 0.0) + 2);
                    right = is_mask ? static_cast<std::int32_t>((node.test >> bit) & 1) : right;
                    if constexpr (Flags) met[i] |= (lean_unseen_[static_cast<std::size_t>(at[i])] >> bit) & 1;
                }
                const std::int32_t next = node.child + right;
                moved |= next ^ at[i];
                at[i] = next;
            }
        }
        for (int i = 0; i < kSide; ++i) nodes[rows[i]] = at[i];
        if constexpr (Flags) {
            for (int i = 0; i < kSide; ++i) met_unseen[rows[i]] = static_cast<std::uint8_t>(met[i]);
        }
    }
}

// Walks a block if it can be done without decisions of the general loop; says whether it did.
bool Walker::walk_lean(const WalkColumn* columns, std::int64_t begin, std::int64_t end, std::vector<double>& room,
                       std::int32_t* nodes, std::uint8_t* met_unseen) const {
    if (lean_.empty()) return false;
    const std::int64_t count = end - begin;
    std::vector<const double*> base(used_.size() + 1, nullptr);
    room.resize(static_cast<std::size_t>(count) * (lean_has_masks_ ? used_.size() : 0) + 1);
    bool is_missing = false;
    for (std::size_t c = 0; c < used_.size(); ++c) {
        bool any = false;
        if (columns[c].numbers != nullptr) {
            base[c] = columns[c].numbers + begin;
            for (std::int64_t i = 0; i < count; ++i) any |= base[c][i] != base[c][i];
        } else {
            double* to = room.data() + static_cast<std::int64_t>(c) * count;
            const std::int32_t* codes = columns[c].codes + begin;
            for (std::int64_t i = 0; i < count; ++i) {
                to[i] = codes[i];
                any |= codes[i] < 0;
            }
            base[c] = to;
        }
        is_missing |= any;
    }
    if (used_.empty()) base[0] = room.data();
    if (is_missing && !lean_takes_missing_) return false;
    nodes += begin;
    if (met_unseen != nullptr) met_unseen += begin;
    const bool flags = met_unseen != nullptr;
    if (!lean_has_masks_) {
        if (flags) std::fill(met_unseen, met_unseen + count, std::uint8_t{0});
        is_missing ? lean_loop<false, true, false>(base.data(), count, nodes, met_unseen)
                   : lean_loop<false, false, false>(base.data(), count, nodes, met_unseen);
    } else if (flags) {
        lean_loop<true, true, true>(base.data(), count, nodes, met_unseen);
    } else {
        lean_loop<true, true, false>(base.data(), count, nodes, met_unseen);
    }
    return true;
}

}  // namespace hornbeam
