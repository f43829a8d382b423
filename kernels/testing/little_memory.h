// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ExpectLittleMemoryHolds: tests that GPU memory that runs out leads to smaller
// tiles or a message, never to a crash.
//
//   ExpectLittleMemoryHolds(
//       "the similarity graph", 4,
//       [&] { return CosineGraphCuda(documents, options); },
//       [](const CsrGraph& a, const CsrGraph& b) { return Same(a, b); });

#ifndef WARPCLUST_KERNELS_TESTING_LITTLE_MEMORY_H_
#define WARPCLUST_KERNELS_TESTING_LITTLE_MEMORY_H_

#include <algorithm>
#include <cstdint>
#include <iostream>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "base/testing/case_share.h"
#include "gtest/gtest.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {

// Runs `job`, which returns an absl::StatusOr, with all of the memory; then
// with limits from the peak of that run down to nothing, so that each
// allocation in turn is the first to fail; then with all of the memory again.
// Each run must return the first run's result, by `same`, or ResourceExhausted
// with `what` in its message, and must free what it allocated. With a limit of
// 1/`part` of the peak or more it must return the result.
template <typename Job, typename Same>
void ExpectLittleMemoryHolds(absl::string_view what, int64_t part,
                             const Job& job, const Same& same) {
  const int64_t fine_runs = 150 / CaseShare();
  const int64_t before = DeviceMemoryInUseBytes();
  ResetDeviceMemoryPeak();
  const auto expected = job();
  ASSERT_TRUE(expected.ok()) << expected.status();
  const int64_t peak = DeviceMemoryPeakBytes() - before;
  ASSERT_GT(peak, 0);
  ASSERT_EQ(DeviceMemoryInUseBytes(), before);

  const int64_t bar = peak / part;
  int64_t least = peak + 1;
  int64_t limit = peak;
  for (int runs = 0; limit >= 0; ++runs) {
    SCOPED_TRACE(testing::Message() << "limit " << limit << " of " << peak);
    ResetDeviceMemoryPeak();
    SetDeviceMemoryLimit(before + limit);
    const auto result = job();
    SetDeviceMemoryLimit(-1);
    const int64_t reached = DeviceMemoryPeakBytes() - before;
    ASSERT_EQ(DeviceMemoryInUseBytes(), before);
    int64_t next = limit / 2;
    if (result.ok()) {
      ASSERT_TRUE(same(*expected, *result));
      least = limit;
      // A job that adapts to the memory allocates differently at every limit.
      next = std::min(reached - 1, limit - limit / 8 - 1);
    } else {
      ASSERT_EQ(result.status().code(), absl::StatusCode::kResourceExhausted)
          << result.status();
      ASSERT_TRUE(absl::StrContains(result.status().message(), what))
          << result.status() << "\ndoes not say: " << what;
      ASSERT_LT(limit, bar) << result.status();
      if (runs < fine_runs) next = std::min(reached, limit) - 1;
    }
    if (limit == 0) break;
    next = std::max<int64_t>(next, 0);
    limit = limit > bar && next < bar ? bar : next;
  }
  const auto again = job();
  ASSERT_TRUE(again.ok()) << again.status();
  ASSERT_TRUE(same(*expected, *again));
  ASSERT_EQ(DeviceMemoryInUseBytes(), before);
  std::cout << what << ": " << peak << " bytes, done with " << least << "\n";
}

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_TESTING_LITTLE_MEMORY_H_
