// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/machine/resize_vector.h"

#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <numeric>
#include <vector>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

int64_t ResidentPages() {
  int64_t size = 0;
  int64_t resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return resident;
}

TEST(ResizeVectorTest, KeepsWhatIsThereAndClearsTheRest) {
  for (const int64_t before : {0, 3, 1'000'000, 5'000'000}) {
    for (const int64_t after : {0, 2, 300'000, 4'000'000, 9'000'001}) {
      std::vector<int32_t> values(before);
      std::iota(values.begin(), values.end(), 1);
      std::vector<int32_t> expected = values;
      expected.resize(after);
      ResizeVector(after, 2, &values);
      EXPECT_TRUE(values == expected) << before << " to " << after;
    }
  }
}

// Used memory has other values than zero.
TEST(ResizeVectorTest, ClearsUsedMemory) {
  std::vector<int32_t> values(9'000'000, 7);
  values.clear();
  ResizeVector(8'000'000, 3, &values);
  EXPECT_TRUE(values == std::vector<int32_t>(8'000'000));
}

TEST(AssignVectorTest, CopiesAll) {
  for (const int64_t size : {0, 1, 5, 524'287, 524'289, 3'000'000}) {
    std::vector<int32_t> from(size + 1);
    std::iota(from.begin(), from.end(), 1);
    for (const int threads : {1, 3}) {
      std::vector<int32_t> values(threads == 1 ? 10 : 0, 7);
      AssignVector(from.data() + 1, size, threads, &values);
      EXPECT_TRUE(values == std::vector<int32_t>(from.begin() + 1, from.end()));
    }
  }
}

TEST(ResizeVectorTest, FreesAndTakesAgain) {
  for (const int64_t size : {0, 5, 16'385, 20'000, 3'000'000}) {
    std::vector<float> values(size, 1);
    const std::vector<float> behind(1000, 2);
    FreeVector(&values);
    EXPECT_EQ(values.capacity(), 0);
    values.resize(size, 3);
    EXPECT_TRUE(values == std::vector<float>(size, 3));
    EXPECT_TRUE(behind == std::vector<float>(1000, 2));
  }
}

// The pages of memory that the allocator keeps.
TEST(ResizeVectorTest, GivesBackPages) {
  constexpr int64_t kBytes = int64_t{64} << 20;
  const std::unique_ptr<char[]> memory(new char[kBytes]);
  std::memset(memory.get(), 1, kBytes);
  const int64_t before = ResidentPages();
  internal::GiveBackPages(memory.get() + 1, kBytes - 2);
  const int64_t given_back = before - ResidentPages();
  EXPECT_GT(given_back * sysconf(_SC_PAGESIZE), kBytes / 2);
  // What lies on the same pages as other memory is left alone.
  EXPECT_EQ(memory[0], 1);
  EXPECT_EQ(memory[kBytes - 1], 1);
}

}  // namespace
}  // namespace warpclust
