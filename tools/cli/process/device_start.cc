// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/process/device_start.h"

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/machine/stopwatch.h"

namespace warpclust {

struct DeviceStart::Run {
  Stopwatch stopwatch;
  std::mutex mutex;
  std::condition_variable answered;
  std::optional<absl::Status> answer;
};

DeviceStart::DeviceStart(std::function<absl::Status()> start)
    : start_(std::move(start)) {}

void DeviceStart::Begin() {
  if (run_ != nullptr) return;
  run_ = std::make_shared<Run>();
  std::thread([run = run_, start = start_] {
    Stopwatch stopwatch;
    absl::Status answer = start();
    stopwatch.Lap("CUDA start");
    const std::lock_guard<std::mutex> lock(run->mutex);
    run->answer = std::move(answer);
    run->answered.notify_all();
  }).detach();
}

absl::Status DeviceStart::Wait() {
  Begin();
  std::unique_lock<std::mutex> lock(run_->mutex);
  run_->answered.wait(lock, [this] { return run_->answer.has_value(); });
  return *run_->answer;
}

absl::Status DeviceStart::WaitFor(double seconds) {
  Begin();
  std::unique_lock<std::mutex> lock(run_->mutex);
  return run_->answered.wait_for(lock, std::chrono::duration<double>(seconds),
                                 [this] { return run_->answer.has_value(); })
             ? *run_->answer
             : absl::OkStatus();
}

double DeviceStart::seconds() const {
  return run_ == nullptr ? 0 : run_->stopwatch.Seconds();
}

void DeviceStart::ExitIfRunning(int code) const {
  if (run_ == nullptr) return;
  {
    const std::lock_guard<std::mutex> lock(run_->mutex);
    if (run_->answer.has_value()) return;
  }
  std::fflush(nullptr);
  std::_Exit(code);
}

}  // namespace warpclust
