#include "boosting/team.hpp"

#include <thread>

#include "core/portable.hpp"

namespace hornbeam {
namespace {

constexpr int PATIENCE = 2000;  // looks before the processor is offered to others

}  // namespace

void Team::run(int threads, Stop& stop, const std::function<void(Team&)>& lead) {
    Team team(usable_threads(threads), stop);
    std::atomic<int> members{1};
    run_workers(team.threads_, stop, [&](int) {
        if (team.has_leader_.exchange(true)) return team.serve(members++);
        try {
            lead(team);
        } catch (...) {
            team.is_over_ = true;
            throw;
        }
        team.is_over_ = true;
    });
}

void Team::work(int member) {
    try {
        for (std::int64_t i; (i = next_.fetch_add(1, std::memory_order_relaxed)) < count_;) (*body_)(i, member);
    } catch (...) {
        std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        next_ = count_;
    }
}

void Team::serve(int member) {
    for (int looks = 0; !is_over_; ++looks) {
        if (is_open_.load(std::memory_order_relaxed)) {
            // Announced before looking again: the leader, who closes and then waits for those inside, cannot be missed.
            ++inside_;
            if (is_open_) {
                work(member);
                looks = 0;
            }
            --inside_;
        }
        if (looks < PATIENCE)
            pause_thread();
        else
            std::this_thread::yield();
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
    work(0);
    is_open_ = false;
    for (int looks = 0; inside_ > 0; ++looks) {
        if (looks < PATIENCE)
            pause_thread();
        else
            std::this_thread::yield();
    }
    if (failure_) std::rethrow_exception(failure_);
}

}  // namespace hornbeam
