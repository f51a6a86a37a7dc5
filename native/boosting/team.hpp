// Team: worker threads that execute many short parallel loops. The threads stay alive for the whole job: one worker is
// the leader, the others spin until the next loop, so that starting a loop takes about a microsecond.
//
//     Team::run(threads, stop, [&](Team& team) { ... team.each(n, [&](std::int64_t i, int worker) { ... }); ... });
//
// The first worker that starts is the leader. Each worker takes the next index when it is ready, so a worker that the
// system suspends delays no other one. Between loops the other workers yield.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>

#include "core/pool.hpp"

namespace hornbeam {

class Team {
  public:
    using Body = std::function<void(std::int64_t index, int worker)>;

    // Throws the exception of `lead` or of a loop body, or Stopped.
    static void run(int threads, Stop& stop, const std::function<void(Team&)>& lead);

    int size() const { return threads_; }
    Stop& stop() { return stop_; }

    // Called by the leader: runs body(index, worker) for every index below count, with worker below `size()`.
    void each(std::int64_t count, const Body& body);

  private:
    Team(int threads, Stop& stop) : threads_(threads), stop_(stop) {}
    void wait_for_loops(int worker);
    void run_loop(int worker);

    int threads_;
    Stop& stop_;
    std::atomic<bool> has_leader_{false}, is_open_{false}, is_over_{false};
    std::atomic<int> n_running_{0};
    std::atomic<std::int64_t> next_{0};
    std::int64_t count_ = 0;
    const Body* body_ = nullptr;
    std::mutex mutex_;
    std::exception_ptr failure_;
};

}  // namespace hornbeam
