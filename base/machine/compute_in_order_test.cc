// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/machine/compute_in_order.h"

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(ComputeInOrderTest, TakesItemsInOrder) {
  for (const int num_items : {0, 1, 3, 50}) {
    for (const int num_workers : {1, 2, 7}) {
      SCOPED_TRACE(testing::Message()
                   << num_items << " items, " << num_workers << " workers");
      std::vector<int> results(num_items, -1);
      std::vector<std::atomic<int>> busy(num_workers);
      std::atomic<int> begun{0};
      std::atomic<int> taken{0};
      const std::thread::id caller = std::this_thread::get_id();
      const absl::Status status = ComputeInOrder(
          num_items, num_workers,
          [&](int worker, int item) {
            EXPECT_EQ(busy[worker]++, 0);
            // Items next to each other differ in time.
            std::this_thread::sleep_for(
                std::chrono::microseconds(item % 3 == 0 ? 300 : 10));
            EXPECT_LE(++begun, taken + 2 * num_workers);
            results[item] = item * item;
            --busy[worker];
            return absl::OkStatus();
          },
          [&](int item) {
            EXPECT_EQ(std::this_thread::get_id(), caller);
            EXPECT_EQ(item, taken);
            EXPECT_EQ(results[item], item * item);
            ++taken;
            return absl::OkStatus();
          });
      EXPECT_TRUE(status.ok()) << status;
      EXPECT_EQ(taken, num_items);
    }
  }
}

TEST(ComputeInOrderTest, WorkersWorkAtTheSameTime) {
  std::atomic<int> waiting{0};
  const absl::Status status = ComputeInOrder(
      /*num_items=*/3, /*num_workers=*/3,
      [&](int, int) {
        // Ends only if all three are here.
        ++waiting;
        while (waiting < 3) std::this_thread::yield();
        return absl::OkStatus();
      },
      [](int) { return absl::OkStatus(); });
  EXPECT_TRUE(status.ok()) << status;
}

TEST(ComputeInOrderTest, EndsWithTheFirstError) {
  for (const int num_workers : {1, 2, 7}) {
    for (const bool in_take : {false, true}) {
      SCOPED_TRACE(testing::Message() << num_workers << " workers");
      std::vector<int> taken;
      const auto fail = [](int item) {
        return item < 5 ? absl::OkStatus()
                        : absl::CancelledError(item == 5 ? "first" : "later");
      };
      const absl::Status status = ComputeInOrder(
          /*num_items=*/1000, num_workers,
          [&](int, int item) {
            return in_take ? absl::OkStatus() : fail(item);
          },
          [&](int item) {
            taken.push_back(item);
            return in_take ? fail(item) : absl::OkStatus();
          });
      EXPECT_EQ(status, absl::CancelledError("first"));
      EXPECT_EQ(taken.size(), in_take ? 6 : 5);
    }
  }
}

}  // namespace
}  // namespace warpclust
