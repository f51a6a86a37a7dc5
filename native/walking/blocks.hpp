// in_blocks: distributes rows over threads in blocks that are walked together, several blocks per task.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/pool.hpp"

namespace hornbeam {

inline constexpr std::int64_t BLOCK_ROWS = 512;  // rows that are walked together

// Calls body(from, to) for each block of rows; a body that returns false ends its task.
template <class Body>
void in_blocks(std::int64_t n_rows, int threads, Stop& stop, const Body& body) {
    constexpr std::int64_t ROWS_PER_TASK = BLOCK_ROWS * 16;
    constexpr std::int64_t MAX_SERIAL_ROWS = 2048;  // up to here, waking threads costs more than walking
    const auto task = [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t from = begin; from < end && !stop.is_requested(); from += BLOCK_ROWS)
            if (!body(from, std::min(from + BLOCK_ROWS, end))) return;
    };
    if (n_rows <= MAX_SERIAL_ROWS) {
        task(0, n_rows);
    } else {
        parallel_for((n_rows + ROWS_PER_TASK - 1) / ROWS_PER_TASK, threads, stop, [&](std::int64_t index, int) {
            task(index * ROWS_PER_TASK, std::min(n_rows, (index + 1) * ROWS_PER_TASK));
        });
    }
}

}  // namespace hornbeam
