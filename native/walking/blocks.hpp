// How are many rows divided among threads?  In blocks that are walked together, many blocks a task.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/pool.hpp"
#include "walking/walk.hpp"

namespace hornbeam {

// Calls body(from, to) for every block of rows; a body that returns false ends its task.
template <class Body>
void in_blocks(std::int64_t n_rows, int threads, Stop& stop, const Body& body) {
    constexpr std::int64_t kRowsATask = kBlock * 16;
    constexpr std::int64_t kFewRows = 2048;  // below this, waking threads costs more than walking
    const auto task = [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t from = begin; from < end && !stop.asked(); from += kBlock)
            if (!body(from, std::min(from + kBlock, end))) return;
    };
    if (n_rows <= kFewRows) {
        task(0, n_rows);
    } else {
        parallel_for((n_rows + kRowsATask - 1) / kRowsATask, threads, stop, [&](std::int64_t index, int) {
            task(index * kRowsATask, std::min(n_rows, (index + 1) * kRowsATask));
        });
    }
}

}  // namespace hornbeam
