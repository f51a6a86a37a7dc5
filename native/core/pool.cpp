// See pool.hpp.
#include "core/pool.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <system_error>
#include <thread>
#ifdef __linux__
#include <sched.h>
#endif

namespace hornbeam {
namespace {

constexpr int kMostThreads = 1024;
constexpr auto kPollEvery = std::chrono::milliseconds(20);

thread_local bool is_worker = false;

// One call of run_workers: how many of its workers have yet to finish, and the first exception.
struct Job {
    const std::function<void(int)>& work;
    Stop& stop;
    std::mutex mutex;
    std::condition_variable finished;
    int left;
    std::exception_ptr failure;

    Job(const std::function<void(int)>& work, Stop& stop, int workers) : work(work), stop(stop), left(workers) {}

    void run(int worker) noexcept {
        std::exception_ptr caught;
        try {
            const Listening here(stop, false);
            work(worker);
        } catch (...) {
            caught = std::current_exception();
        }
        // The lock is held while notifying: the waiting thread owns this job and frees it as soon as it wakes.
        std::lock_guard lock(mutex);
        if (caught && !failure) failure = std::move(caught);
        if (--left == 0) finished.notify_all();
    }
};

class Pool {
  public:
    static Pool& current() {
        static std::atomic<Pool*> here{nullptr};
        Pool* pool = here.load(std::memory_order_acquire);
        if (pool != nullptr && pool->process_ == getpid()) return *pool;
        // No lock here: one could have been held by another thread at the moment of a fork.
        auto fresh = std::make_unique<Pool>();
        if (here.compare_exchange_strong(pool, fresh.get(), std::memory_order_acq_rel)) return *fresh.release();
        return *pool;
    }

    // Queues one ticket for each worker of a job; false when there is no thread to take them.
    bool queue(Job& job, int workers) {
        std::lock_guard lock(mutex_);
        while (size_ < workers) {
            try {
                std::thread([this] { serve(); }).detach();
            } catch (const std::system_error&) {
                break;
            }
            ++size_;
        }
        if (size_ == 0) return false;
        for (int worker = 0; worker < workers; ++worker) tickets_.emplace_back(&job, worker);
        wake_.notify_all();
        return true;
    }

  private:
    void serve() {
        is_worker = true;
        for (;;) {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [this] { return !tickets_.empty(); });
            const auto [job, worker] = tickets_.front();
            tickets_.pop_front();
            lock.unlock();
            job->run(worker);
        }
    }

    const pid_t process_ = getpid();
    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<std::pair<Job*, int>> tickets_;
    int size_ = 0;
};

int limit_from(const char* variable) {
    const char* text = std::getenv(variable);
    if (text == nullptr) return kMostThreads;
    const long number = std::strtol(text, nullptr, 10);
    return number >= 1 && number <= kMostThreads ? static_cast<int>(number) : kMostThreads;
}

int processors() {
#ifdef __linux__
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
#endif
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void run_here(int threads, Stop& stop, const std::function<void(int)>& work) {
    for (int worker = 0; worker < threads && !stop.asked(); ++worker) work(worker);
}

}  // namespace

int default_threads() {
    return std::min({processors(), limit_from("OMP_NUM_THREADS"), limit_from("HORNBEAM_NUM_THREADS")});
}

int usable_threads(int threads) { return threads <= 0 ? default_threads() : std::min(threads, kMostThreads); }

void run_workers(int threads, Stop& stop, const std::function<void(int)>& work) {
    if (is_worker) {
        run_here(threads, stop, work);
        if (stop.asked()) throw Stopped();
        return;
    }
    Job job(work, stop, threads);
    if (Pool::current().queue(job, threads)) {
        std::unique_lock lock(job.mutex);
        while (!job.finished.wait_for(lock, kPollEvery, [&] { return job.left == 0; })) {
            lock.unlock();
            stop.poll();
            lock.lock();
        }
    } else {
        for (int worker = 0; worker < threads; ++worker) job.run(worker);
    }
    if (job.failure) std::rethrow_exception(job.failure);
    if (stop.asked()) throw Stopped();
}

void Tasks::submit(Task task, bool later) {
    {
        std::lock_guard lock(mutex_);
        if (later) {
            queue_.push_front(std::move(task));
        } else {
            queue_.push_back(std::move(task));
        }
    }
    changed_.notify_one();
}

void Tasks::wait() {
    failed_ = false;
    try {
        run_workers(threads_, stop_, [this](int worker) { work(worker); });
    } catch (...) {
        queue_.clear();
        throw;
    }
}

void Tasks::work(int worker) {
    std::unique_lock lock(mutex_);
    for (;;) {
        // Woken by a submitted task and by the last task's end; a stop is noticed when the running tasks end.
        changed_.wait(lock, [this] { return !queue_.empty() || running_ == 0 || failed_ || stop_.asked(); });
        if (queue_.empty() || failed_ || stop_.asked()) break;
        Task task = std::move(queue_.back());
        queue_.pop_back();
        ++running_;
        lock.unlock();
        try {
            task(worker);
        } catch (...) {
            lock.lock();
            --running_;
            failed_ = true;
            changed_.notify_all();
            throw;
        }
        task = nullptr;
        lock.lock();
        --running_;
        if (running_ == 0 && queue_.empty()) changed_.notify_all();
    }
    changed_.notify_all();
}

}  // namespace hornbeam
