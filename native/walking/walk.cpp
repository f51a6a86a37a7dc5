// The walks of walk.hpp: blocks of rows, distributed over threads.
#include "walking/walk.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "core/portable.hpp"
#include "walking/blocks.hpp"

namespace hornbeam {
namespace {

template <class T>
HORNBEAM_CLONES bool has_infinite(const T* cells, std::int64_t count) {
    int found = 0;
    for (std::int64_t i = 0; i < count; ++i) found |= std::abs(cells[i]) > std::numeric_limits<T>::max();
    return found != 0;
}

}  // namespace

// Returns a rejected row or -1.
std::int64_t Walker::walk_block(const WalkColumn* columns, std::int64_t begin, std::int64_t end, std::int32_t* nodes,
                                std::uint8_t* has_unseen) const {
    thread_local CompactTree::Scratch scratch;
    const bool is_compact = !compact_.empty();
    if (is_compact && !compact_.walk(columns, begin, end, scratch, nodes, has_unseen)) return -1;
    for (std::int64_t row = begin; row < end; ++row) {
        if (is_compact && !scratch.deferred[row - begin]) continue;
        const RowEnd found = nodes_.end_of(columns, row);
        if (found.rejected) return row;
        nodes[row] = found.is_fractional ? ~found.node : found.node;
        if (has_unseen != nullptr) has_unseen[row] = found.has_unseen ? 1 : 0;
    }
    return -1;
}

std::int64_t Walker::walk(std::span<const WalkColumn> columns, std::int64_t n_rows, int threads, Stop& stop,
                          std::int32_t* nodes, std::uint8_t* has_unseen) const {
    FirstRow rejected;
    in_blocks(n_rows, threads, stop, [&](std::int64_t from, std::int64_t to) {
        const std::int64_t row = walk_block(columns.data(), from, to, nodes, has_unseen);
        rejected.add(row);
        return row < 0;
    });
    return rejected.value();
}

bool Walker::takes_rows() const noexcept {
    return !compact_.empty() && !compact_.has_masks() && compact_.takes_missing() &&
           std::all_of(n_levels().begin(), n_levels().end(), [](std::int32_t levels) { return levels == 0; });
}

template <class T>
bool Walker::walk_rows(const T* cells, std::int64_t n_rows, std::int64_t width, int threads, Stop& stop,
                       std::int32_t* nodes) const {
    std::atomic<bool> is_finite{true};
    in_blocks(n_rows, threads, stop, [&](std::int64_t from, std::int64_t to) {
        const T* rows = cells + from * width;
        if (has_infinite(rows, (to - from) * width)) is_finite = false;
        compact_.walk_matrix(rows, to - from, width, columns().data(), nodes + from);
        return is_finite.load();
    });
    return is_finite;
}

template bool Walker::walk_rows(const float*, std::int64_t, std::int64_t, int, Stop&, std::int32_t*) const;
template bool Walker::walk_rows(const double*, std::int64_t, std::int64_t, int, Stop&, std::int32_t*) const;

}  // namespace hornbeam
