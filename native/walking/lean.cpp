// The fast loop: eight rows side by side down 16-byte nodes.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>

#include "core/clones.hpp"
#include "walking/blocks.hpp"
#include "walking/walk.hpp"

namespace hornbeam {

// Eight rows are under way at once, so that their memory accesses overlap; one that arrives makes room for the next.
// Careful: some node cannot say where a missing or unseen value goes, so rows that meet one are marked in `odd`.
template <bool Masks, bool Careful, bool Flags, class Cell>
void Walker::lean_loop(const Cell& cell, std::int64_t count, std::int32_t* nodes, std::uint8_t* met_unseen,
                       std::uint8_t* odd) const {
    constexpr std::int32_t kSide = 8;
    const LeanNode* tree = lean_.data();
    const auto n_rows = static_cast<std::int32_t>(count);
    std::int32_t rows[kSide];
    std::int32_t at[kSide] = {};
    if constexpr (Flags) std::fill_n(met_unseen, static_cast<std::size_t>(count), std::uint8_t{0});
    // One step of one row; says whether it moved.
    auto moved = [&](std::int32_t lane) {
        const std::int32_t row = rows[lane];
        const LeanNode node = tree[at[lane]];
        const bool is_mask = Masks && node.column < 0;
        const auto column = static_cast<std::uint32_t>(is_mask ? ~node.column : node.column);
        const double x = cell(column >> 1, row);
        const std::uint32_t is_nan = x != x ? 1 : 0;
        std::uint32_t right = (x > std::bit_cast<double>(node.test) ? 1u : 0u) | (column & is_nan);
        if constexpr (Careful) odd[row] |= static_cast<std::uint8_t>(is_nan);
        if constexpr (Masks) {
            const auto bit = static_cast<unsigned>(static_cast<std::int32_t>(is_mask ? x : 0.0) + 2);
            right = is_mask ? static_cast<std::uint32_t>(node.test >> bit) & 1 : right;
            if constexpr (Careful) odd[row] |= bit < 2 ? 1 : 0;
            if constexpr (Flags) met_unseen[row] |= (lean_unseen_[static_cast<std::size_t>(at[lane])] >> bit) & 1;
        }
        const std::int32_t next = node.child + static_cast<std::int32_t>(right);
        const bool is_under_way = next != at[lane];
        at[lane] = next;
        return is_under_way;
    };
    std::int32_t waiting = std::min(n_rows, kSide);
    const std::int32_t lanes = waiting;
    for (std::int32_t lane = 0; lane < lanes; ++lane) rows[lane] = lane;
    while (waiting < n_rows) {
        for (std::int32_t lane = 0; lane < kSide; ++lane) {
            if (moved(lane)) [[likely]]
                continue;
            nodes[rows[lane]] = at[lane];
            // The last rows may be handed out while other lanes of this round still want one: they take the last again.
            rows[lane] = std::min(waiting++, n_rows - 1);
            at[lane] = 0;
        }
    }
    for (std::int32_t lane = 0; lane < lanes; ++lane) {
        while (moved(lane)) {
        }
        nodes[rows[lane]] = at[lane];
    }
}

// Walks a block of a tree that suits the lean loop; odd rows go through the general one. Returns a refused row or -1.
std::int64_t Walker::walk_lean(const WalkColumn* columns, std::int64_t begin, std::int64_t end, Room& room,
                               std::int32_t* nodes, std::uint8_t* met_unseen) const {
    const std::int64_t count = end - begin;
    room.base.assign(used_.size(), nullptr);
    room.codes.resize(lean_has_masks_ ? static_cast<std::size_t>(count) * used_.size() : 0);
    room.odd.assign(static_cast<std::size_t>(count), 0);
    for (std::size_t c = 0; c < used_.size(); ++c) {
        if (!lean_asks_[c]) continue;
        if (columns[c].numbers != nullptr) {
            room.base[c] = columns[c].numbers + begin;
            // Rows jump between columns faster than the hardware guesses: fetch the block ahead.
            for (std::int64_t i = 0; i < count; i += 8) __builtin_prefetch(room.base[c] + i);
            continue;
        }
        double* to = room.codes.data() + static_cast<std::int64_t>(c) * count;
        const std::int32_t* codes = columns[c].codes + begin;
        for (std::int64_t i = 0; i < count; ++i) to[i] = codes[i];
        room.base[c] = to;
    }
    const bool flags = met_unseen != nullptr && lean_has_masks_;
    auto run = [&]<bool Masks, bool Careful, bool Flags>() {
        const double* const* base = room.base.data();
        const auto cell = [base](std::uint32_t column, std::int32_t row) { return base[column][row]; };
        lean_loop<Masks, Careful, Flags>(cell, count, nodes + begin, flags ? met_unseen + begin : nullptr,
                                         room.odd.data());
    };
    const bool careful = !lean_takes_missing_;
    if (!lean_has_masks_) {
        careful ? run.template operator()<false, true, false>() : run.template operator()<false, false, false>();
        if (met_unseen != nullptr) std::fill_n(met_unseen + begin, static_cast<std::size_t>(count), std::uint8_t{0});
    } else if (flags) {
        careful ? run.template operator()<true, true, true>() : run.template operator()<true, false, true>();
    } else {
        careful ? run.template operator()<true, true, false>() : run.template operator()<true, false, false>();
    }
    if (!careful) return -1;
    for (std::int64_t i = 0; i < count; ++i) {
        if (!room.odd[static_cast<std::size_t>(i)]) continue;
        const std::int64_t row = begin + i;
        if (walk_general(columns, row, row + 1, nodes, met_unseen) >= 0) return row;
    }
    return -1;
}

bool Walker::takes_rows() const noexcept {
    return !lean_.empty() && !lean_has_masks_ && lean_takes_missing_ &&
           std::all_of(used_levels_.begin(), used_levels_.end(), [](std::int32_t levels) { return levels == 0; });
}

namespace {

template <class T>
HORNBEAM_CLONES bool has_infinite(const T* cells, std::int64_t count) {
    int found = 0;
    for (std::int64_t i = 0; i < count; ++i) found |= std::abs(cells[i]) > std::numeric_limits<T>::max();
    return found != 0;
}

}  // namespace

template <class T>
bool Walker::walk_rows(const T* cells, std::int64_t n_rows, std::int64_t width, int threads, Stop& stop,
                       std::int32_t* nodes) const {
    std::atomic<bool> is_finite{true};
    const std::int32_t* place = used_.data();
    in_blocks(n_rows, threads, stop, [&](std::int64_t from, std::int64_t to) {
        const T* rows = cells + from * width;
        if (has_infinite(rows, (to - from) * width)) is_finite = false;
        const auto cell = [=](std::uint32_t column, std::int32_t row) {
            return static_cast<double>(rows[row * width + place[column]]);
        };
        lean_loop<false, false, false>(cell, to - from, nodes + from, nullptr, nullptr);
        return is_finite.load();
    });
    return is_finite;
}

template bool Walker::walk_rows(const float*, std::int64_t, std::int64_t, int, Stop&, std::int32_t*) const;
template bool Walker::walk_rows(const double*, std::int64_t, std::int64_t, int, Stop&, std::int32_t*) const;

}  // namespace hornbeam
