// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

// The prefix sums and reductions of primitives_cuda.h against plain loops.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/primitives_cuda.h"
#include "kernels/testing/primitives_cuda_fixture.h"

namespace warpclust {
namespace {

class PrimitivesReduceTest : public PrimitivesTest {
 protected:
  template <typename T>
  void CheckScans(const std::vector<T>& counts) {
    const int64_t count = static_cast<int64_t>(counts.size());
    SCOPED_TRACE(absl::StrCat("seed ", seed_, ", ", count, " counts of ",
                              sizeof(T), " bytes"));
    std::vector<int64_t> offsets = {0};
    for (T value : counts) offsets.push_back(offsets.back() + value);
    const DeviceBuffer<T> device_counts = ToDevice(counts);

    DeviceBuffer<int64_t> device_offsets = NewOnDevice<int64_t>(count + 1);
    absl::Status status = OffsetsFromCounts(
        device_counts.data(), device_offsets.data(), count, storage_, stream());
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_TRUE(ToHost(device_offsets) == offsets);

    offsets.pop_back();
    DeviceBuffer<int64_t> sums = NewOnDevice<int64_t>(count);
    status = ExclusiveSum(device_counts.data(), sums.data(), count, storage_,
                          stream());
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_TRUE(ToHost(sums) == offsets);
  }

  void CheckRuns(int64_t count, uint64_t longest) {
    SCOPED_TRACE(absl::StrCat("seed ", seed_, ", ", count, " keys, runs up to ",
                              longest));
    std::vector<uint32_t> keys;
    while (static_cast<int64_t>(keys.size()) < count) {
      const size_t length =
          std::min(static_cast<size_t>(1 + random_() % longest),
                   static_cast<size_t>(count) - keys.size());
      keys.insert(keys.end(), length, static_cast<uint32_t>(random_()));
    }
    const std::vector<uint64_t> values = Random<uint64_t>(count);
    std::vector<uint32_t> expected_keys;
    std::vector<uint64_t> expected_sums;
    for (size_t i = 0; i < keys.size(); ++i) {
      if (i == 0 || keys[i] != keys[i - 1]) {
        expected_keys.push_back(keys[i]);
        expected_sums.push_back(0);
      }
      expected_sums.back() += values[i];
    }

    const DeviceBuffer<uint32_t> device_keys = ToDevice(keys);
    const DeviceBuffer<uint64_t> device_values = ToDevice(values);
    DeviceBuffer<uint32_t> run_keys = NewOnDevice<uint32_t>(count);
    DeviceBuffer<uint64_t> run_sums = NewOnDevice<uint64_t>(count);
    DeviceBuffer<int64_t> runs = NewOnDevice<int64_t>(1);
    const absl::Status status =
        ReduceByKey(device_keys.data(), device_values.data(), run_keys.data(),
                    run_sums.data(), runs.data(), count, storage_, stream());
    ASSERT_TRUE(status.ok()) << status;
    ASSERT_EQ(ToHost(runs)[0], static_cast<int64_t>(expected_keys.size()));
    std::vector<uint32_t> got_keys = ToHost(run_keys);
    std::vector<uint64_t> got_sums = ToHost(run_sums);
    got_keys.resize(expected_keys.size());
    got_sums.resize(expected_keys.size());
    EXPECT_TRUE(got_keys == expected_keys);
    EXPECT_TRUE(got_sums == expected_sums);
  }
};

TEST_F(PrimitivesReduceTest, Scans) {
  for (int64_t count : kPrimitiveSizes) {
    CheckScans(Random<int32_t>(count, 1000));
    CheckScans(Random<int64_t>(count, uint64_t{1} << 40));
    // Sums far beyond 32 bits of counts within them.
    CheckScans(std::vector<int32_t>(static_cast<size_t>(count),
                                    std::numeric_limits<int32_t>::max()));
  }
}

TEST_F(PrimitivesReduceTest, ExclusiveSumInPlace) {
  const std::vector<int64_t> counts = Random<int64_t>(100000, 100);
  std::vector<int64_t> expected(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), expected.begin(),
                      int64_t{0});
  DeviceBuffer<int64_t> buffer = ToDevice(counts);
  const absl::Status status = ExclusiveSum(buffer.data(), buffer.data(),
                                           buffer.size(), storage_, stream());
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_TRUE(ToHost(buffer) == expected);
}

TEST_F(PrimitivesReduceTest, Runs) {
  for (int64_t count : kPrimitiveSizes) {
    for (uint64_t longest : {1, 7, 3000}) {
      CheckRuns(count, longest);
    }
  }
}

}  // namespace
}  // namespace warpclust
