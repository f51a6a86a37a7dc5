#include "boosting/team.hpp"

#include <thread>

#include "core/portable.hpp"

namespace hornbeam {
namespace {

// One step of a thread that waits; it yields after some.
void wait_once(int spins) {
    constexpr int SPIN_LIMIT = 2000;
    if (spins < SPIN_LIMIT)
        pause_thread();
    else
        std::this_thread::yield();
}

}  // namespace

void Team::run(int threads, Stop& stop, const std::function<void(Team&)>& lead) {
    Team team(usable_threads(threads), stop);
    std::atomic<int> workers{1};
    run_workers(team.threads_, stop, [&](int) {
        if (team.has_leader_.exchange(true)) return team.wait_for_loops(workers++);
        try {
            lead(team);
        } catch (...) {
            team.is_over_ = true;
            throw;
        }
        team.is_over_ = true;
    });
}

void Team::run_loop(int worker) {
    try {
        for (std::int64_t i; (i = next_.fetch_add(1, std::memory_order_relaxed)) < count_;) (*body_)(i, worker);
    } catch (...) {
        std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        next_ = count_;
    }
}

void Team::wait_for_loops(int worker) {
    for (int spins = 0; !is_over_; ++spins) {
        if (is_open_.load(std::memory_order_relaxed)) {
            // Incremented before `is_open_` is read again: the leader closes the task first and then waits for these
            // workers.
            ++n_running_;
            if (is_open_) {
                run_loop(worker);
                spins = 0;
            }
            --n_running_;
        }
        wait_once(spins);
    }
}

void Team::each(std::int64_t count, const Body& body) {
    if (stop_.is_requested()) throw Stopped();
    if (threads_ == 1 || count < 2) {
        for (std::int64_t i = 0; i < count; ++i) body(i, 0);
        return;
    }
    body_ = &body;
    count_ = count;
    next_ = 0;
    is_open_ = true;
    run_loop(0);
    is_open_ = false;
    for (int spins = 0; n_running_ > 0; ++spins) wait_once(spins);
    if (failure_) std::rethrow_exception(failure_);
}

}  // namespace hornbeam
