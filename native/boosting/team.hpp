// How do threads share work that comes in many short pieces?  A team stays awake for the whole job: one member leads,
// the others wait in a short loop for the next piece, so that handing one over takes about a microsecond.
//
//     Team::run(threads, stop, [&](Team& team) { ... team.each(n, [&](std::int64_t i, int member) { ... }); ... });
//
// The first member to arrive leads. A member that the system keeps away holds nobody up: whoever is there takes the
// next index. Outside `each` the others give their time away.
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
    using Body = std::function<void(std::int64_t index, int member)>;

    // Throws what `lead` or a piece of work threw, or Stopped.
    static void run(int threads, Stop& stop, const std::function<void(Team&)>& lead);

    int size() const { return threads_; }
    Stop& stop() { return stop_; }

    // For the leader: runs body(index, member) for every index below count, members below `size()`.
    void each(std::int64_t count, const Body& body);

  private:
    Team(int threads, Stop& stop) : threads_(threads), stop_(stop) {}
    void serve(int member);
    void work(int member);

    int threads_;
    Stop& stop_;
    std::atomic<bool> has_leader_{false}, is_open_{false}, is_over_{false};
    std::atomic<int> inside_{0};
    std::atomic<std::int64_t> next_{0};
    std::int64_t count_ = 0;
    const Body* body_ = nullptr;
    std::mutex mutex_;
    std::exception_ptr failure_;
};

}  // namespace hornbeam
