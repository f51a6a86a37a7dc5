// Stop: a request to stop, and the checks by which running work notices it.
//
//     Stop stop(poll);                  poll() returns whether the user requested a stop
//     StopScope scope(stop, true);      check_stop of this thread checks `stop`, and polls it
//     check_stop(n);                    in loops, after about n steps; throws Stopped
//
// The binding opens a scope for the duration of a call, and the workers of the pool open one while they work on it, so
// a kernel needs no parameter: it calls `check_stop` in every loop that can be long.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <utility>

namespace hornbeam {

// Thrown when a stop was requested; the binding converts it to the pending Python exception.
struct Stopped : std::exception {
    const char* what() const noexcept override { return "stopped"; }
};

// A request to stop, shared by all workers of a job.
class Stop {
  public:
    explicit Stop(std::function<bool()> poll = {}) : poll_(std::move(poll)) {}
    Stop(const Stop&) = delete;
    Stop& operator=(const Stop&) = delete;

    bool is_requested() const noexcept { return is_requested_.load(std::memory_order_relaxed); }
    void request() noexcept { is_requested_.store(true, std::memory_order_relaxed); }

    // Checks whether the user requested a stop. Only the calling thread may poll.
    void poll() {
        if (poll_ && poll_()) request();
    }

  private:
    std::atomic<bool> is_requested_{false};
    std::function<bool()> poll_;
};

// While it exists, `check_stop` of this thread checks a Stop.
class StopScope {
  public:
    StopScope(Stop& stop, bool polls) : stop_(stop), polls_(polls), before_(std::exchange(current(), this)) {}
    ~StopScope() { current() = before_; }
    StopScope(const StopScope&) = delete;
    StopScope& operator=(const StopScope&) = delete;

    static StopScope*& current() {
        static thread_local StopScope* scope = nullptr;
        return scope;
    }
    void count(std::int64_t steps) {
        if ((steps_ += steps) < CHECK_STEPS) return;
        steps_ = 0;
        check();
    }
    void check() {
        if (polls_) poll();
        if (stop_.is_requested()) throw Stopped();
    }

  private:
    static constexpr std::int64_t CHECK_STEPS = 1 << 16;  // about a tenth of a millisecond

    void poll() {
        const auto now = std::chrono::steady_clock::now();
        if (now < next_) return;
        stop_.poll();
        next_ = now + std::chrono::milliseconds(20);
    }

    Stop& stop_;
    bool polls_;
    StopScope* before_;
    std::int64_t steps_ = 0;
    std::chrono::steady_clock::time_point next_ = {};
};

// Throws Stopped if a stop was requested; `steps` is the approximate number of steps since the last call.
inline void check_stop(std::int64_t steps) {
    if (StopScope* scope = StopScope::current()) scope->count(steps);
}
inline void check_stop() {
    if (StopScope* scope = StopScope::current()) scope->check();
}

}  // namespace hornbeam
