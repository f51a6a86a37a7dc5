// The thread pool of pool.hpp.
#include "core/pool.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "core/portable.hpp"

namespace hornbeam {
namespace {

constexpr int MAX_THREADS = 1024;
constexpr auto POLL_INTERVAL = std::chrono::milliseconds(20);

thread_local bool is_worker = false;

// One call of run_workers: the number of workers that have not finished, and the first exception.
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
            const StopScope scope(stop, false);
            work(worker);
        } catch (...) {
            caught = std::current_exception();
        }
        // Notify under the lock: the waiting thread owns this job and destroys it as soon as it wakes.
        std::lock_guard lock(mutex);
        if (caught && !failure) failure = std::move(caught);
        if (--left == 0) finished.notify_all();
    }
};

class Pool {
  public:
    static Pool& current() {
        static std::atomic<Pool*> current{nullptr};
        Pool* pool = current.load(std::memory_order_acquire);
        if (pool != nullptr && pool->process_ == process_number()) return *pool;
        // No lock: another thread could have held it at the moment of a fork.
        auto created = std::make_unique<Pool>();
        if (current.compare_exchange_strong(pool, created.get(), std::memory_order_acq_rel)) return *created.release();
        return *pool;
    }

    // Queues one ticket per worker of a job; false if there is no thread to take them.
    bool queue(Job& job, int workers) {
        std::lock_guard lock(mutex_);
        while (size_ < workers) {
            try {
                std::thread([this] { run_tickets(); }).detach();
            } catch (const std::system_error&) {
                break;
            }
            ++size_;
        }
        if (size_ == 0) return false;
        int queued = 0;
        try {
            for (; queued < workers; ++queued) tickets_.emplace_back(&job, queued);
        } catch (...) {
            // No thread may find a ticket of a job that does not start.
            for (; queued > 0; --queued) tickets_.pop_back();
            throw;
        }
        wake_.notify_all();
        return true;
    }

  private:
    void run_tickets() {
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

    const long process_ = process_number();
    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<std::pair<Job*, int>> tickets_;
    int size_ = 0;
};

int limit_from(const char* variable) {
    const char* text = std::getenv(variable);
    if (text == nullptr) return MAX_THREADS;
    const long number = std::strtol(text, nullptr, 10);
    return number >= 1 && number <= MAX_THREADS ? static_cast<int>(number) : MAX_THREADS;
}

}  // namespace

int default_threads() {
    return std::min({available_processors(), limit_from("OMP_NUM_THREADS"), limit_from("HORNBEAM_NUM_THREADS")});
}

int usable_threads(int threads) { return threads <= 0 ? default_threads() : std::min(threads, MAX_THREADS); }

void run_workers(int threads, Stop& stop, const std::function<void(int)>& work) {
    if (is_worker) {
        for (int worker = 0; worker < threads && !stop.is_requested(); ++worker) work(worker);
        if (stop.is_requested()) throw Stopped();
        return;
    }
    Job job(work, stop, threads);
    if (Pool::current().queue(job, threads)) {
        std::unique_lock lock(job.mutex);
        while (!job.finished.wait_for(lock, POLL_INTERVAL, [&] { return job.left == 0; })) {
            lock.unlock();
            stop.poll();
            lock.lock();
        }
    } else {
        for (int worker = 0; worker < threads; ++worker) job.run(worker);
    }
    if (job.failure) std::rethrow_exception(job.failure);
    if (stop.is_requested()) throw Stopped();
}

}  // namespace hornbeam
