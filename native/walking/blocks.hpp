// What walks of many rows share: blocks of rows on threads, the first row that they report.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>

#include "core/pool.hpp"

namespace hornbeam {

inline constexpr std::int64_t BLOCK_ROWS = 512;  // rows that are walked together

// Calls body(from, to) for each block of rows; a body that returns false ends its task.
template <class Body>
void in_blocks(std::int64_t n_rows, int threads, Stop& stop, const Body& body) {
    constexpr std::int64_t ROWS_PER_TASK = BLOCK_ROWS * 16;
    constexpr std::int64_t MAX_SERIAL_ROWS = 2048;  // up to here, waking threads costs more than walking
    in_ranges({n_rows, ROWS_PER_TASK, MAX_SERIAL_ROWS}, threads, stop, [&](std::int64_t begin, std::int64_t end, int) {
        for (std::int64_t from = begin; from < end && !stop.is_requested(); from += BLOCK_ROWS)
            if (!body(from, std::min(from + BLOCK_ROWS, end))) return;
    });
}

// The lowest of the rows that threads add.
class FirstRow {
  public:
    void add(std::int64_t row) {  // -1: none
        std::int64_t seen = row_.load();
        while (row >= 0 && row < seen && !row_.compare_exchange_weak(seen, row)) {
        }
    }
    std::int64_t value() const { return row_ == NONE ? -1 : row_.load(); }

  private:
    static constexpr std::int64_t NONE = std::numeric_limits<std::int64_t>::max();
    std::atomic<std::int64_t> row_{NONE};
};

}  // namespace hornbeam
