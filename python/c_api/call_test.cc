// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "python/c_api/call.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

int32_t Continue(double, void* calls) {
  if (calls != nullptr) ++*static_cast<int*>(calls);
  return 0;
}

int32_t Stop(double, void*) { return 1; }

TEST(CallTest, ExceptionsBecomeStatuses) {
  for (const warpclust_progress progress : {warpclust_progress(), &Continue}) {
    const warpclust_run run = {nullptr, 0, progress, nullptr, 0};
    const auto thrown = [&run](auto exception) {
      return Call(&run,
                  [&](const CallOptions&) -> absl::Status { throw exception; });
    };
    EXPECT_EQ(thrown(std::bad_alloc()), WARPCLUST_RESOURCE_EXHAUSTED);
    EXPECT_STREQ(warpclust_last_error(), "not enough memory");
    EXPECT_EQ(thrown(std::length_error("")), WARPCLUST_RESOURCE_EXHAUSTED);
    EXPECT_EQ(thrown(std::runtime_error("why")), WARPCLUST_INTERNAL);
    EXPECT_STREQ(warpclust_last_error(), "why");
    EXPECT_EQ(thrown(7), WARPCLUST_INTERNAL);
  }
}

TEST(CallTest, ErrorsBelongToTheThreadOfTheCaller) {
  EXPECT_EQ(Call([] { return absl::DataLossError("here"); }),
            WARPCLUST_DATA_LOSS);
  std::thread([] {
    EXPECT_STREQ(warpclust_last_error(), "");
    EXPECT_EQ(Call([] { return absl::NotFoundError("there"); }),
              WARPCLUST_NOT_FOUND);
  }).join();
  EXPECT_STREQ(warpclust_last_error(), "here");
  // What succeeds leaves the message.
  EXPECT_EQ(Call([] { return absl::OkStatus(); }), WARPCLUST_OK);
  EXPECT_STREQ(warpclust_last_error(), "here");
}

TEST(CallTest, ProgressIsSeenByTheCallingThread) {
  struct Seen {
    std::vector<std::thread::id> threads;
    std::vector<double> shares;
  };
  Seen seen;
  const warpclust_run run = {
      "cpu", 3,
      [](double share, void* data) -> int32_t {
        static_cast<Seen*>(data)->threads.push_back(std::this_thread::get_id());
        static_cast<Seen*>(data)->shares.push_back(share);
        return 0;
      },
      &seen, 0};
  EXPECT_EQ(Call(&run,
                 [](const CallOptions& call) {
                   EXPECT_EQ(call.device, Device::kCpu);
                   EXPECT_EQ(call.num_threads, 3);
                   const CountedWork work(call.work, 4);
                   work.Add(1);
                   std::this_thread::sleep_for(std::chrono::milliseconds(300));
                   return absl::OkStatus();
                 }),
            WARPCLUST_OK);
  ASSERT_GE(seen.threads.size(), 1u);
  for (const std::thread::id& id : seen.threads) {
    EXPECT_EQ(id, std::this_thread::get_id());
  }
  EXPECT_EQ(seen.shares.back(), 0.25);
}

TEST(CallTest, ProgressStopsWork) {
  const warpclust_run run = {nullptr, 0, Stop, nullptr, 0};
  EXPECT_EQ(Call(&run,
                 [](const CallOptions& call) {
                   while (!call.work->stop_requested()) {
                     std::this_thread::yield();
                   }
                   return absl::CancelledError("stopped");
                 }),
            WARPCLUST_CANCELLED);
  // By a hook, once.
  std::atomic<int> stops{0};
  CallHooks hooks;
  hooks.stop = [&stops] { ++stops; };
  EXPECT_EQ(Call(
                &run,
                [&](const CallOptions&) {
                  while (stops == 0) std::this_thread::yield();
                  std::this_thread::sleep_for(std::chrono::milliseconds(150));
                  return absl::OkStatus();
                },
                hooks),
            WARPCLUST_OK);
  EXPECT_EQ(stops, 1);
}

TEST(CallTest, ProgressMayCall) {
  const warpclust_run run = {
      nullptr, 0,
      [](double, void*) -> int32_t {
        const warpclust_run inner = {nullptr, 0, Continue, nullptr, 0};
        return Call(&inner, [](const CallOptions&) {
                 return absl::NotFoundError("inner");
               }) == WARPCLUST_NOT_FOUND;
      },
      nullptr, 0};
  EXPECT_EQ(Call(&run,
                 [](const CallOptions& call) {
                   while (!call.work->stop_requested()) {
                     std::this_thread::yield();
                   }
                   return absl::OkStatus();
                 }),
            WARPCLUST_OK);
}

TEST(CallTest, ChildrenOfForkCallToo) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "ThreadSanitizer has no threads after fork()";
#endif
#endif
  const warpclust_run run = {nullptr, 0, Continue, nullptr, 0};
  const auto job = [](const CallOptions&) { return absl::OkStatus(); };
  EXPECT_EQ(Call(&run, job), WARPCLUST_OK);
  const pid_t child = fork();
  if (child == 0) _exit(Call(&run, job) == WARPCLUST_OK ? 0 : 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(Call(&run, job), WARPCLUST_OK);
}

TEST(CallTest, BadDevice) {
  const warpclust_run run = {"abacus", 0, nullptr, nullptr, 0};
  EXPECT_EQ(Call(&run, [](const CallOptions&) { return absl::OkStatus(); }),
            WARPCLUST_INVALID_ARGUMENT);
}

TEST(CallTest, NumbersOfGpus) {
  const auto status = [](const char* device, int num_gpus, bool several) {
    const warpclust_run run = {device, 0, nullptr, nullptr, num_gpus};
    return Call(&run,
                [&](const CallOptions& call) {
                  EXPECT_EQ(call.num_gpus, num_gpus == 0 ? 1 : num_gpus);
                  return absl::OkStatus();
                },
                {.several_gpus = several});
  };
  EXPECT_EQ(status(nullptr, 0, false), WARPCLUST_OK);
  EXPECT_EQ(status("cpu", 1, false), WARPCLUST_OK);
  EXPECT_EQ(status(nullptr, 2, true), WARPCLUST_OK);
  EXPECT_EQ(status("cuda", 2, true), WARPCLUST_OK);
  EXPECT_EQ(status(nullptr, 2, false), WARPCLUST_INVALID_ARGUMENT);
  EXPECT_EQ(status("cpu", 2, true), WARPCLUST_INVALID_ARGUMENT);
  EXPECT_EQ(status(nullptr, -1, true), WARPCLUST_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace warpclust
