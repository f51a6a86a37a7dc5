// The pool does every piece of work once, carries exceptions, hears a stop, and works in a forked child.
#include "core/pool.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/test.hpp"

using namespace hornbeam;

namespace {

std::int64_t squares(std::int64_t count, int threads) {
    Stop stop;
    std::vector<std::int64_t> out(static_cast<std::size_t>(count));
    parallel_for(count, threads, stop, [&](std::int64_t i, int) { out[static_cast<std::size_t>(i)] += i * i; });
    std::int64_t sum = 0;
    for (const auto value : out) sum += value;
    return sum;
}

}  // namespace

TEST("every index is worked on once, whatever the number of threads") {
    for (const int threads : {1, 2, 3, 8}) CHECK(squares(1000, threads) == 332833500);
    CHECK(squares(0, 4) == 0);
}

TEST("workers are numbered below the number of threads") {
    Stop stop;
    std::atomic<bool> fine{true};
    parallel_for(500, 3, stop, [&](std::int64_t, int worker) { fine = fine && worker >= 0 && worker < 3; });
    CHECK(fine);
}

TEST("an exception in a worker reaches the caller and the pool goes on working") {
    Stop stop;
    bool caught = false;
    try {
        parallel_for(100, 2, stop, [](std::int64_t i, int) {
            if (i == 17) throw std::runtime_error("seventeen");
        });
    } catch (const std::runtime_error& error) {
        caught = std::string(error.what()) == "seventeen";
    }
    CHECK(caught);
    CHECK(squares(10, 2) == 285);
}

TEST("a poll that asks to stop ends the work soon") {
    using clock = std::chrono::steady_clock;
    Stop stop([] { return true; });
    const auto begin = clock::now();
    bool stopped = false;
    try {
        parallel_for(1'000'000, 2, stop,
                     [](std::int64_t, int) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); });
    } catch (const Stopped&) {
        stopped = true;
    }
    CHECK(stopped);
    CHECK(clock::now() - begin < std::chrono::seconds(5));
}

TEST("a loop inside a loop does all its work") {
    Stop stop;
    std::atomic<int> done{0};
    parallel_for(8, 2, stop, [&](std::int64_t, int) { parallel_for(8, 2, stop, [&](std::int64_t, int) { ++done; }); });
    CHECK(done == 64);
}

TEST("tasks submit tasks, and waiting ends when none is left") {
    for (const int threads : {1, 2, 5}) {
        Stop stop;
        Tasks tasks(threads, stop);
        std::atomic<int> leaves{0};
        std::function<void(int)> halve = [&](int depth) {
            if (depth == 0) {
                ++leaves;
                return;
            }
            for (int side = 0; side < 2; ++side) tasks.submit([&halve, depth](int) { halve(depth - 1); }, side == 1);
        };
        tasks.submit([&](int) { halve(10); });
        tasks.wait();
        CHECK(leaves == 1024);
    }
}

TEST("a task that throws ends the others and reaches the caller") {
    Stop stop;
    Tasks tasks(2, stop);
    for (int i = 0; i < 100; ++i) {
        tasks.submit([i](int) {
            if (i == 50) throw std::runtime_error("fifty");
        });
    }
    bool caught = false;
    try {
        tasks.wait();
    } catch (const std::runtime_error&) {
        caught = true;
    }
    CHECK(caught);
}

TEST("several callers share the pool") {
    std::atomic<int> right{0};
    std::vector<std::thread> callers;
    for (int i = 0; i < 8; ++i) callers.emplace_back([&] { right += squares(1000, 2) == 332833500; });
    for (auto& caller : callers) caller.join();
    CHECK(right == 8);
}

TEST("a forked child makes a pool of its own") {
    CHECK(squares(1000, 2) == 332833500);
    const pid_t child = fork();
    if (child == 0) _exit(squares(1000, 2) == 332833500 ? 0 : 1);
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
