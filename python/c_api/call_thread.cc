// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "python/c_api/call_thread.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace warpclust {
namespace {

constexpr std::chrono::milliseconds kWatchEvery(50);

class CallThread {
 public:
  CallThread() : process_(getpid()) {
    // A thread inherits the mask of the one that starts it.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::thread([this] { Loop(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  ~CallThread() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ends_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  // Threads do not survive fork().
  bool IsOfThisProcess() const { return process_ == getpid(); }
  bool busy() const { return job_ != nullptr; }

  void Run(absl::FunctionRef<void()> job, absl::FunctionRef<void()> watch) {
    std::unique_lock<std::mutex> lock(mutex_);
    job_ = &job;
    done_ = false;
    changed_.notify_all();
    while (!changed_.wait_for(lock, kWatchEvery, [this] { return done_; })) {
      lock.unlock();
      watch();
      lock.lock();
    }
    job_ = nullptr;
  }

 private:
  void Loop() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
      changed_.wait(lock,
                    [this] { return ends_ || (job_ != nullptr && !done_); });
      if (ends_) return;
      lock.unlock();
      (*job_)();
      lock.lock();
      done_ = true;
      changed_.notify_all();
    }
  }

  const pid_t process_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // Set and read by the caller; the thread reads it while it is set.
  absl::FunctionRef<void()>* job_ = nullptr;
  bool done_ = false;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace

void RunInCallThread(absl::FunctionRef<void()> job,
                     absl::FunctionRef<void()> watch) {
  struct Holder {
    ~Holder() { Forget(); }
    void Forget() {
      // In a child of fork() there is no thread to join: the memory is lost.
      if (thread != nullptr && !thread->IsOfThisProcess()) thread.release();
      thread.reset();
    }
    std::unique_ptr<CallThread> thread;
  };
  thread_local Holder holder;
  if (holder.thread != nullptr && !holder.thread->IsOfThisProcess()) {
    holder.Forget();
  }
  if (holder.thread == nullptr) holder.thread = std::make_unique<CallThread>();
  if (holder.thread->busy()) {
    job();
  } else {
    holder.thread->Run(job, watch);
  }
}

}  // namespace warpclust
