// The compact loop of walk.hpp: eight rows in parallel down 16-byte nodes.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>

#include "core/portable.hpp"
#include "walking/blocks.hpp"
#include "walking/walk.hpp"

namespace hornbeam {

// Walks eight rows in parallel, so that their memory accesses overlap; a row that reaches its leaf is replaced by the
// next one. Careful: some node has no fixed branch for missing or unseen values, so rows with such values are marked in
// `deferred`.
template <bool Masks, bool Careful, bool Flags, class Cell>
void Walker::compact_loop(const Cell& cell, std::int64_t count, std::int32_t* nodes, std::uint8_t* has_unseen,
                          std::uint8_t* deferred) const {
    constexpr std::int32_t LANES = 8;
    const CompactNode* tree = compact_.data();
    const auto n_rows = static_cast<std::int32_t>(count);
    std::int32_t rows[LANES];
    std::int32_t at[LANES] = {};
    if constexpr (Flags) std::fill_n(has_unseen, static_cast<std::size_t>(count), std::uint8_t{0});
    // Moves one row by one step; returns whether it moved.
    auto moved = [&](std::int32_t lane) {
        const std::int32_t row = rows[lane];
        const CompactNode node = tree[at[lane]];
        const bool is_mask = Masks && node.column < 0;
        const auto column = static_cast<std::uint32_t>(is_mask ? ~node.column : node.column);
        const double x = cell(column >> 1, row);
        const std::uint32_t is_nan = x != x ? 1 : 0;
        std::uint32_t right = (x > std::bit_cast<double>(node.test) ? 1u : 0u) | (column & is_nan);
        if constexpr (Careful) deferred[row] |= static_cast<std::uint8_t>(is_nan);
        if constexpr (Masks) {
            const auto bit = static_cast<unsigned>(static_cast<std::int32_t>(is_mask ? x : 0.0) + 2);
            right = is_mask ? static_cast<std::uint32_t>(node.test >> bit) & 1 : right;
            if constexpr (Careful) deferred[row] |= bit < 2 ? 1 : 0;
            if constexpr (Flags) has_unseen[row] |= (compact_unseen_[static_cast<std::size_t>(at[lane])] >> bit) & 1;
        }
        const std::int32_t next = node.child + static_cast<std::int32_t>(right);
        const bool is_under_way = next != at[lane];
        at[lane] = next;
        return is_under_way;
    };
    std::int32_t waiting = std::min(n_rows, LANES);
    const std::int32_t lanes = waiting;
    for (std::int32_t lane = 0; lane < lanes; ++lane) rows[lane] = lane;
    while (waiting < n_rows) {
        for (std::int32_t lane = 0; lane < LANES; ++lane) {
            if (moved(lane)) [[likely]]
                continue;
            nodes[rows[lane]] = at[lane];
            // If no row is left while other lanes of this round are still busy, the lane repeats the last row.
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

// Walks a block of a tree that has compact nodes; deferred rows are walked again by the general loop. Returns a
// rejected row or -1.
std::int64_t Walker::walk_compact(const WalkColumn* columns, std::int64_t begin, std::int64_t end, Scratch& scratch,
                                  std::int32_t* nodes, std::uint8_t* has_unseen) const {
    const std::int64_t count = end - begin;
    scratch.base.assign(used_.size(), nullptr);
    scratch.codes.resize(compact_has_masks_ ? static_cast<std::size_t>(count) * used_.size() : 0);
    scratch.deferred.assign(static_cast<std::size_t>(count), 0);
    for (std::size_t c = 0; c < used_.size(); ++c) {
        if (!compact_uses_[c]) continue;
        if (columns[c].numbers != nullptr) {
            scratch.base[c] = columns[c].numbers + begin;
            // Rows switch between columns too irregularly for the hardware prefetcher, so the block is prefetched.
            for (std::int64_t i = 0; i < count; i += 8) prefetch(scratch.base[c] + i);
            continue;
        }
        double* to = scratch.codes.data() + static_cast<std::int64_t>(c) * count;
        const std::int32_t* codes = columns[c].codes + begin;
        for (std::int64_t i = 0; i < count; ++i) to[i] = codes[i];
        scratch.base[c] = to;
    }
    const bool flags = has_unseen != nullptr && compact_has_masks_;
    auto run = [&]<bool Masks, bool Careful, bool Flags>() {
        const double* const* base = scratch.base.data();
        const auto cell = [base](std::uint32_t column, std::int32_t row) { return base[column][row]; };
        compact_loop<Masks, Careful, Flags>(cell, count, nodes + begin, flags ? has_unseen + begin : nullptr,
                                            scratch.deferred.data());
    };
    const bool careful = !compact_takes_missing_;
    if (!compact_has_masks_) {
        careful ? run.template operator()<false, true, false>() : run.template operator()<false, false, false>();
        if (has_unseen != nullptr) std::fill_n(has_unseen + begin, static_cast<std::size_t>(count), std::uint8_t{0});
    } else if (flags) {
        careful ? run.template operator()<true, true, true>() : run.template operator()<true, false, true>();
    } else {
        careful ? run.template operator()<true, true, false>() : run.template operator()<true, false, false>();
    }
    if (!careful) return -1;
    for (std::int64_t i = 0; i < count; ++i) {
        if (!scratch.deferred[static_cast<std::size_t>(i)]) continue;
        const std::int64_t row = begin + i;
        if (walk_general(columns, row, row + 1, nodes, has_unseen) >= 0) return row;
    }
    return -1;
}

bool Walker::takes_rows() const noexcept {
    return !compact_.empty() && !compact_has_masks_ && compact_takes_missing_ &&
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
    const std::int32_t* index = used_.data();
    in_blocks(n_rows, threads, stop, [&](std::int64_t from, std::int64_t to) {
        const T* rows = cells + from * width;
        if (has_infinite(rows, (to - from) * width)) is_finite = false;
        const auto cell = [=](std::uint32_t column, std::int32_t row) {
            return static_cast<double>(rows[row * width + index[column]]);
        };
        compact_loop<false, false, false>(cell, to - from, nodes + from, nullptr, nullptr);
        return is_finite.load();
    });
    return is_finite;
}

template bool Walker::walk_rows(const float*, std::int64_t, std::int64_t, int, Stop&, std::int32_t*) const;
template bool Walker::walk_rows(const double*, std::int64_t, std::int64_t, int, Stop&, std::int32_t*) const;

}  // namespace hornbeam
