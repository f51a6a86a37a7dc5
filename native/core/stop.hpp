// A request to stop, and how work of any length notices it.
//
//     Stop stop(poll);                  poll: whether the user wants to stop
//     Listening here(stop, true);       this thread works for `stop`, and polls it
//     check_stop(n);                    in loops: after about n steps; throws Stopped
//
// The binding listens for as long as a call takes, and the pool's workers listen while they work for it, so a kernel
// needs no parameter: it calls `check_stop` wherever its loops can be long.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <utility>

namespace hornbeam {

// Thrown when a stop was asked for; the binding turns it into the pending Python exception.
struct Stopped : std::exception {
    const char* what() const noexcept override { return "stopped"; }
};

// A request to stop, seen by all workers of a job.
class Stop {
  public:
    explicit Stop(std::function<bool()> poll = {}) : poll_(std::move(poll)) {}
    Stop(const Stop&) = delete;
    Stop& operator=(const Stop&) = delete;

    bool asked() const noexcept { return asked_.load(std::memory_order_relaxed); }
    void ask() noexcept { asked_.store(true, std::memory_order_relaxed); }

    // For the calling thread alone: looks whether the user wants to stop.
    void poll() {
        if (poll_ && poll_()) ask();
    }

  private:
    std::atomic<bool> asked_{false};
    std::function<bool()> poll_;
};

// While it lives, `check_stop` of this thread looks at a stop.
class Listening {
  public:
    Listening(Stop& stop, bool polls) : stop_(stop), polls_(polls), before_(std::exchange(current(), this)) {}
    ~Listening() { current() = before_; }
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;

    static Listening*& current() {
        static thread_local Listening* listening = nullptr;
        return listening;
    }
    void count(std::int64_t steps) {
        if ((steps_ += steps) < EVERY) return;
        steps_ = 0;
        check();
    }
    void check() {
        if (polls_) poll();
        if (stop_.asked()) throw Stopped();
    }

  private:
    static constexpr std::int64_t EVERY = 1 << 16;  // steps: about a tenth of a millisecond

    void poll() {
        const auto now = std::chrono::steady_clock::now();
        if (now < next_) return;
        stop_.poll();
        next_ = now + std::chrono::milliseconds(20);
    }

    Stop& stop_;
    bool polls_;
    Listening* before_;
    std::int64_t steps_ = 0;
    std::chrono::steady_clock::time_point next_ = {};
};

// Throws Stopped if this thread's work shall stop; `steps` is about how many steps were made since the last call.
inline void check_stop(std::int64_t steps) {
    if (Listening* here = Listening::current()) here->count(steps);
}
inline void check_stop() {
    if (Listening* here = Listening::current()) here->check();
}

}  // namespace hornbeam
