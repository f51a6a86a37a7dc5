// How is work spread over threads, so that Ctrl-C is heard and a forked child still works?
//
//     Stop stop(poll);                                             poll: asked every 20 ms by the calling thread
//     parallel_for(n, threads, stop, [&](std::int64_t i, int worker) { ... });
//
//     Tasks tasks(threads, stop);                                  a queue: a task may submit further tasks
//     tasks.submit([&](int worker) { ... tasks.submit(...); });
//     tasks.wait();
//
// Workers do the work; the calling thread only waits, 20 ms at a time, and polls (the binding's poll takes the
// interpreter lock and looks for signals). `worker` lies in [0, threads): room for scratch memory without locks. A long
// body calls `check_stop` (stop.hpp) now and then. Afterwards the call throws the first exception of a worker, or
// Stopped.
//
// One pool serves the process. It is made when first needed and remembers its process id: a forked child finds a
// foreign id, forgets the old pool (its threads do not exist there; it is never joined or freed) and makes a new one.
// Workers are detached and sleep on a condition variable, so leaving the process needs no goodbye. Called from inside a
// worker, parallel_for runs in that worker: no thread ever waits for another one of the pool, so nothing can lock up.
// When the system refuses threads, those that exist do the work; with none at all the calling thread does it.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <utility>

#include "core/stop.hpp"

namespace hornbeam {

// The processors this process may use, at most OMP_NUM_THREADS and HORNBEAM_NUM_THREADS, at least 1.
int default_threads();

// `threads` as asked for: 0 or less means the default; never more than 1024.
int usable_threads(int threads);

// Runs work(worker) once for each worker in [0, threads), on pool threads, and waits. The base of what follows.
void run_workers(int threads, Stop& stop, const std::function<void(int)>& work);

// Runs body(index, worker) for every index in [0, count); workers take the next index when they are free.
template <class Body>
void parallel_for(std::int64_t count, int threads, Stop& stop, Body&& body) {
    if (count <= 0) return;
    std::atomic<std::int64_t> next{0};
    std::atomic<bool> failed{false};
    const int workers = static_cast<int>(std::min<std::int64_t>(usable_threads(threads), count));
    run_workers(workers, stop, [&](int worker) {
        try {
            while (!stop.asked() && !failed.load(std::memory_order_relaxed)) {
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

// A queue of tasks that may submit further tasks; finished when none is left. `later` puts a task behind all others,
// else the newest comes first (depth first: small memory).
class Tasks {
  public:
    using Task = std::function<void(int worker)>;

    Tasks(int threads, Stop& stop) : threads_(usable_threads(threads)), stop_(stop) {}

    int threads() const noexcept { return threads_; }
    void submit(Task task, bool later = false);
    // Runs everything submitted so far and all that it submits. Throws as parallel_for; tasks not yet begun are dropped
    // then.
    void wait();

  private:
    void work(int worker);

    int threads_;
    Stop& stop_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Task> queue_;
    std::int64_t running_ = 0;
    bool failed_ = false;
};

}  // namespace hornbeam
