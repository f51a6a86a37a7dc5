// Tests of the pool: every index once, exceptions, stop requests, forked children.
#include "core/pool.hpp"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/portable.hpp"
#include "tests/test.hpp"

#if HORNBEAM_POSIX
#include <sys/wait.h>
#endif

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

TEST("every index is processed once for any number of threads") {
    for (const int threads : {1, 2, 3, 8}) CHECK(squares(1000, threads) == 332833500);
    CHECK(squares(0, 4) == 0);
}

TEST("workers are numbered below the number of threads") {
    Stop stop;
    std::atomic<bool> fine{true};
    parallel_for(500, 3, stop, [&](std::int64_t, int worker) { fine = fine && worker >= 0 && worker < 3; });
    CHECK(fine);
}

TEST("an exception in a worker reaches the caller and the pool keeps working") {
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

TEST("a poll that requests a stop ends the work early") {
    constexpr std::int64_t COUNT = 1'000'000;
    Stop stop([] { return true; });
    std::atomic<std::int64_t> done{0};
    bool stopped = false;
    try {
        parallel_for(COUNT, 2, stop, [&](std::int64_t, int) {
            ++done;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        });
    } catch (const Stopped&) {
        stopped = true;
    }
    CHECK(stopped);
    CHECK(done < COUNT);
}

TEST("a loop inside a loop does all its work") {
    Stop stop;
    std::atomic<int> done{0};
    parallel_for(8, 2, stop, [&](std::int64_t, int) { parallel_for(8, 2, stop, [&](std::int64_t, int) { ++done; }); });
    CHECK(done == 64);
}

TEST("several callers share the pool") {
    std::atomic<int> right{0};
    std::vector<std::thread> callers;
    for (int i = 0; i < 8; ++i) callers.emplace_back([&] { right += squares(1000, 2) == 332833500; });
    for (auto& caller : callers) caller.join();
    CHECK(right == 8);
}

#if HORNBEAM_POSIX
TEST("a forked child makes a pool of its own") {
    CHECK(squares(1000, 2) == 332833500);
    const pid_t child = fork();
    if (child == 0) _exit(squares(1000, 2) == 332833500 ? 0 : 1);
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
#endif
