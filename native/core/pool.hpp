// parallel_for: distributes work over the threads of one pool.
//
//     Stop stop(poll);                                             poll: called every 20 ms by the calling thread
//     parallel_for(n, threads, stop, [&](std::int64_t i, int worker) { ... });
//
// The workers do the work. The calling thread only waits, 20 ms at a time, and polls (the poll function of the binding
// acquires the interpreter lock and checks for signals). `worker` is in [0, threads), so it can index scratch memory
// without locks. A long body calls `check_stop` (stop.hpp) regularly. The call rethrows the first exception of a
// worker, or throws Stopped.
//
// The process has one pool. It is created on first use and stores its process id: a forked child finds another id,
// drops the old pool (its threads do not exist in the child; it is never joined or freed) and creates a new one.
// Workers are detached and sleep on a condition variable, so the process can exit without joining them. Inside a
// worker, parallel_for runs in that worker: no thread of the pool ever waits for another one, so the pool cannot
// deadlock. If the system refuses to create threads, the existing ones do the work; if there are none, the calling
// thread does it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>

#include "core/stop.hpp"

namespace hornbeam {

// The number of processors available to this process, limited by OMP_NUM_THREADS and HORNBEAM_NUM_THREADS; at least 1.
int default_threads();

// The number of threads for a requested number: 0 or less means the default; at most 1024.
int usable_threads(int threads);

// Runs work(worker) once for each worker in [0, threads), on pool threads, and waits.
void run_workers(int threads, Stop& stop, const std::function<void(int)>& work);

// Runs body(index, worker) for every index in [0, count); a worker takes the next index when it has finished one.
template <class Body>
void parallel_for(std::int64_t count, int threads, Stop& stop, Body&& body) {
    if (count <= 0) return;
    std::atomic<std::int64_t> next{0};
    std::atomic<bool> failed{false};
    const int workers = static_cast<int>(std::min<std::int64_t>(usable_threads(threads), count));
    run_workers(workers, stop, [&](int worker) {
        try {
            while (!stop.is_requested() && !failed.load(std::memory_order_relaxed)) {
                const std::int64_t index = next.fetch_add(1, std::memory_order_relaxed);
                if (index >= count) return;
                body(index, worker);
            }
        } catch (...) {
            failed.store(true, std::memory_order_relaxed);
            throw;
        }
    });
}

// The indices below `count` in ranges of `size`; if there are at most `serial`, they are one range, without threads.
struct Ranges {
    std::int64_t count, size, serial = 0;
};

// Runs body(begin, end, worker) for every range.
template <class Body>
void in_ranges(const Ranges& of, int threads, Stop& stop, const Body& body) {
    if (of.count <= of.serial) return body(std::int64_t{0}, of.count, 0);
    parallel_for((of.count + of.size - 1) / of.size, threads, stop, [&](std::int64_t index, int worker) {
        body(index * of.size, std::min(of.count, (index + 1) * of.size), worker);
    });
}

}  // namespace hornbeam
