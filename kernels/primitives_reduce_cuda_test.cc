// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

// The prefix sums, selections and reductions of primitives_cuda.h against the
// same said with loops.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "kernels/device_buffer.h"
#include "kernels/primitives_cuda.h"
#include "kernels/testing/primitives_cuda_fixture.h"

namespace warpclust {
namespace {

class PrimitivesReduceTest : public PrimitivesTest {
 protected:
  // Row offsets: many empty rows, short rows, and a few long ones.
  std::vector<int64_t> RandomOffsets(int64_t rows) {
    std::vector<int64_t> offsets = {0};
    for (int64_t row = 0; row < rows; ++row) {
      const uint64_t kind = random_() % 100;
      const uint64_t length = kind < 30   ? 0
                              : kind < 97 ? random_() % 50
                                          : random_() % 3000;
      offsets.push_back(offsets.back() + static_cast<int64_t>(length));
    }
    return offsets;
  }

  template <typename T>
  void CheckSelection(int64_t count) {
    SCOPED_TRACE(absl::StrCat("seed ", seed_, ", ", count, " elements of ",
                              sizeof(T), " bytes"));
    const std::vector<T> in = Random<T>(count, 1 << 20);
    for (uint64_t one_in : {1, 2, 50}) {
      std::vector<uint8_t> flags = Random<uint8_t>(count, one_in);
      for (uint8_t& flag : flags) flag = flag == 0 ? 0x80 : 0;
      std::vector<T> expected;
      for (size_t i = 0; i < in.size(); ++i) {
        if (flags[i] != 0) expected.push_back(in[i]);
      }
      const DeviceBuffer<T> device_in = ToDevice(in);
      const DeviceBuffer<uint8_t> device_flags = ToDevice(flags);
      DeviceBuffer<T> out = NewOnDevice<T>(count);
      DeviceBuffer<int64_t> selected = NewOnDevice<int64_t>(1);
      const absl::Status status =
          SelectFlagged(device_in.data(), device_flags.data(), out.data(),
                        selected.data(), count, storage_, stream());
      ASSERT_TRUE(status.ok()) << status;
      ASSERT_EQ(ToHost(selected)[0], static_cast<int64_t>(expected.size()));
      std::vector<T> got = ToHost(out);
      got.resize(expected.size());
      EXPECT_TRUE(got == expected);
    }
  }

  template <typename T>
  void CheckSelectNotEqual(int64_t count) {
    SCOPED_TRACE(absl::StrCat("seed ", seed_, ", ", count, " elements"));
    constexpr T kNothing = std::numeric_limits<T>::max();
    std::vector<T> in = Random<T>(count);
    for (T& value : in) {
      if (random_() % 3 == 0) value = kNothing;
    }
    std::vector<T> expected;
    std::copy_if(in.begin(), in.end(), std::back_inserter(expected),
                 [](T value) { return value != kNothing; });
    const DeviceBuffer<T> device_in = ToDevice(in);
    DeviceBuffer<T> out = NewOnDevice<T>(count);
    DeviceBuffer<int64_t> selected = NewOnDevice<int64_t>(1);
    const absl::Status status =
        SelectNotEqual(device_in.data(), kNothing, out.data(), selected.data(),
                       count, storage_, stream());
    ASSERT_TRUE(status.ok()) << status;
    ASSERT_EQ(ToHost(selected)[0], static_cast<int64_t>(expected.size()));
    std::vector<T> got = ToHost(out);
    got.resize(expected.size());
    EXPECT_TRUE(got == expected);
  }

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

  template <typename T>
  void CheckSegments(int64_t rows) {
    SCOPED_TRACE(absl::StrCat("seed ", seed_, ", ", rows, " rows"));
    const std::vector<int64_t> offsets = RandomOffsets(rows);
    const std::vector<T> values = Random<T>(offsets.back());
    std::vector<T> expected_sums;
    std::vector<T> expected_maxima;
    for (int64_t row = 0; row < rows; ++row) {
      uint64_t sum = 0;
      T maximum = std::numeric_limits<T>::lowest();
      for (int64_t i = offsets[row]; i < offsets[row + 1]; ++i) {
        sum += static_cast<uint64_t>(values[i]);
        maximum = std::max(maximum, values[i]);
      }
      expected_sums.push_back(static_cast<T>(sum));
      expected_maxima.push_back(maximum);
    }
    const DeviceBuffer<int64_t> device_offsets = ToDevice(offsets);
    const DeviceBuffer<T> device_values = ToDevice(values);
    DeviceBuffer<T> sums = NewOnDevice<T>(rows);
    DeviceBuffer<T> maxima = NewOnDevice<T>(rows);
    absl::Status status =
        SegmentedSum(device_values.data(), device_offsets.data(), sums.data(),
                     rows, storage_, stream());
    ASSERT_TRUE(status.ok()) << status;
    status = SegmentedMax(device_values.data(), device_offsets.data(),
                          maxima.data(), rows, storage_, stream());
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_TRUE(ToHost(sums) == expected_sums);
    EXPECT_TRUE(ToHost(maxima) == expected_maxima);
  }

  template <typename Key>
  void CheckRuns(int64_t count, uint64_t longest) {
    SCOPED_TRACE(absl::StrCat("seed ", seed_, ", ", count, " keys, runs up to ",
                              longest));
    std::vector<Key> keys;
    while (static_cast<int64_t>(keys.size()) < count) {
      const size_t length =
          std::min(static_cast<size_t>(1 + random_() % longest),
                   static_cast<size_t>(count) - keys.size());
      keys.insert(keys.end(), length, static_cast<Key>(random_()));
    }
    const std::vector<uint64_t> values = Random<uint64_t>(count);
    std::vector<Key> expected_keys;
    std::vector<uint64_t> expected_sums;
    std::vector<uint64_t> expected_lengths;
    for (size_t i = 0; i < keys.size(); ++i) {
      if (i == 0 || keys[i] != keys[i - 1]) {
        expected_keys.push_back(keys[i]);
        expected_sums.push_back(0);
        expected_lengths.push_back(0);
      }
      expected_sums.back() += values[i];
      ++expected_lengths.back();
    }

    const DeviceBuffer<Key> device_keys = ToDevice(keys);
    const DeviceBuffer<uint64_t> device_values = ToDevice(values);
    for (bool lengths : {false, true}) {
      DeviceBuffer<Key> run_keys = NewOnDevice<Key>(count);
      DeviceBuffer<uint64_t> run_sums = NewOnDevice<uint64_t>(count);
      DeviceBuffer<int64_t> runs = NewOnDevice<int64_t>(1);
      const absl::Status status =
          lengths
              ? RunLengths(device_keys.data(), run_keys.data(), run_sums.data(),
                           runs.data(), count, storage_, stream())
              : ReduceByKey(device_keys.data(), device_values.data(),
                            run_keys.data(), run_sums.data(), runs.data(),
                            count, storage_, stream());
      ASSERT_TRUE(status.ok()) << status;
      ASSERT_EQ(ToHost(runs)[0], static_cast<int64_t>(expected_keys.size()));
      std::vector<Key> got_keys = ToHost(run_keys);
      std::vector<uint64_t> got_sums = ToHost(run_sums);
      got_keys.resize(expected_keys.size());
      got_sums.resize(expected_keys.size());
      EXPECT_TRUE(got_keys == expected_keys);
      EXPECT_TRUE(got_sums == (lengths ? expected_lengths : expected_sums));
    }
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

TEST_F(PrimitivesReduceTest, SelectFlagged) {
  for (int64_t count : kPrimitiveSizes) {
    CheckSelection<uint32_t>(count);
    CheckSelection<uint64_t>(count);
    CheckSelection<float>(count);
  }
}

TEST_F(PrimitivesReduceTest, SelectNotEqual) {
  for (int64_t count : kPrimitiveSizes) {
    CheckSelectNotEqual<uint32_t>(count);
    CheckSelectNotEqual<uint64_t>(count);
  }
}

TEST_F(PrimitivesReduceTest, Segments) {
  for (int64_t rows : {0, 1, 31, 1000, 50000}) {
    CheckSegments<int64_t>(rows);
    CheckSegments<uint64_t>(rows);
  }
}

TEST_F(PrimitivesReduceTest, Runs) {
  for (int64_t count : kPrimitiveSizes) {
    for (uint64_t longest : {1, 7, 3000}) {
      CheckRuns<uint32_t>(count, longest);
      CheckRuns<uint64_t>(count, longest);
    }
  }
}

}  // namespace
}  // namespace warpclust
