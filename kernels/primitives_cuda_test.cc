// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

// Every wrapper against the same thing said with the standard library.

#include "kernels/primitives_cuda.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "kernels/device.h"
#include "kernels/device_buffer.h"
#include "kernels/stream.h"

namespace warpclust {
namespace {

constexpr int64_t kSizes[] = {0, 1, 2, 31, 1000, 4097, 1000000};

TEST(PrimitivesHostTest, SignificantBits) {
  EXPECT_EQ(SignificantBits(0), 0);
  EXPECT_EQ(SignificantBits(1), 1);
  EXPECT_EQ(SignificantBits(2), 2);
  EXPECT_EQ(SignificantBits(255), 8);
  EXPECT_EQ(SignificantBits(256), 9);
  EXPECT_EQ(SignificantBits(std::numeric_limits<uint64_t>::max()), 64);
}

class PrimitivesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const absl::StatusOr<Device> gpu = ResolveDevice(Device::kCuda);
    if (!gpu.ok()) GTEST_SKIP() << gpu.status();
    absl::StatusOr<Stream> stream = Stream::Create();
    ASSERT_TRUE(stream.ok()) << stream.status();
    stream_.push_back(*std::move(stream));
    seed_ = std::random_device{}();
    random_.seed(seed_);
  }

  cudaStream_t stream() const { return stream_[0].get(); }

  template <typename T>
  static DeviceBuffer<T> ToDevice(const std::vector<T>& values) {
    absl::StatusOr<DeviceBuffer<T>> buffer = DeviceBuffer<T>::FromHost(values);
    EXPECT_TRUE(buffer.ok()) << buffer.status();
    return buffer.ok() ? *std::move(buffer) : DeviceBuffer<T>();
  }

  // Filled with 0xcc, so that what was not written shows.
  template <typename T>
  static DeviceBuffer<T> NewOnDevice(int64_t count) {
    absl::StatusOr<DeviceBuffer<T>> buffer = DeviceBuffer<T>::Allocate(count);
    EXPECT_TRUE(buffer.ok()) << buffer.status();
    if (!buffer.ok()) return DeviceBuffer<T>();
    EXPECT_TRUE(buffer->FillBytes(0xcc).ok());
    return *std::move(buffer);
  }

  template <typename T>
  static std::vector<T> ToHost(const DeviceBuffer<T>& buffer) {
    absl::StatusOr<std::vector<T>> values = buffer.ToHost();
    EXPECT_TRUE(values.ok()) << values.status();
    return values.ok() ? *std::move(values) : std::vector<T>();
  }

  // `count` values below `bound`, or of all bits if that is 0.
  template <typename T>
  std::vector<T> Random(int64_t count, uint64_t bound = 0) {
    std::vector<T> values(static_cast<size_t>(count));
    for (T& value : values) {
      const uint64_t bits = random_();
      value = static_cast<T>(bound == 0 ? bits : bits % bound);
    }
    return values;
  }

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

  template <typename Key, typename Value>
  void CheckSortPairs(const std::vector<Value>& values, uint64_t bound,
                      int begin_bit, int end_bit) {
    const int64_t count = static_cast<int64_t>(values.size());
    SCOPED_TRACE(absl::StrCat("seed ", seed_, ", ", count, " pairs, bits [",
                              begin_bit, ", ", end_bit, ")"));
    const std::vector<Key> keys = Random<Key>(count, bound);
    const int bits = end_bit - begin_bit;
    const Key mask = bits == 8 * static_cast<int>(sizeof(Key))
                         ? static_cast<Key>(-1)
                         : (Key{1} << bits) - 1;
    std::vector<size_t> order(values.size());
    std::iota(order.begin(), order.end(), size_t{0});
    if (bits != 0) {  // A shift by all bits is undefined.
      std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        return ((keys[a] >> begin_bit) & mask) <
               ((keys[b] >> begin_bit) & mask);
      });
    }
    std::vector<Key> expected_keys;
    std::vector<Value> expected_values;
    for (size_t i : order) {
      expected_keys.push_back(keys[i]);
      expected_values.push_back(values[i]);
    }

    const DeviceBuffer<Key> keys_in = ToDevice(keys);
    const DeviceBuffer<Value> values_in = ToDevice(values);
    DeviceBuffer<Key> keys_out = NewOnDevice<Key>(count);
    DeviceBuffer<Value> values_out = NewOnDevice<Value>(count);
    const absl::Status status = SortPairs(
        keys_in.data(), keys_out.data(), values_in.data(), values_out.data(),
        count, begin_bit, end_bit, storage_, stream());
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_TRUE(ToHost(keys_out) == expected_keys);
    EXPECT_TRUE(ToHost(values_out) == expected_values);
    EXPECT_TRUE(ToHost(keys_in) == keys);
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

  std::vector<Stream> stream_;  // One, made in SetUp.
  TemporaryStorage storage_;    // Reused by all calls of a test.
  uint64_t seed_ = 0;
  std::mt19937_64 random_;
};

TEST_F(PrimitivesTest, SortPairs) {
  for (int64_t count : kSizes) {
    // Few different keys show whether the sort is stable.
    for (uint64_t bound : {uint64_t{0}, uint64_t{17}}) {
      for (const auto& [begin, end] :
           std::vector<std::pair<int, int>>{{0, 64}, {0, 5}, {8, 40}, {7, 7}}) {
        CheckSortPairs<uint64_t>(Random<uint32_t>(count), bound, begin, end);
        CheckSortPairs<uint64_t>(Random<float>(count), bound, begin, end);
      }
      for (const auto& [begin, end] : std::vector<std::pair<int, int>>{
               {0, 32}, {0, 5}, {8, 30}, {32, 32}}) {
        CheckSortPairs<uint32_t>(Random<uint32_t>(count), bound, begin, end);
      }
    }
  }
}

TEST_F(PrimitivesTest, SortKeys) {
  for (int64_t count : kSizes) {
    SCOPED_TRACE(absl::StrCat("seed ", seed_, ", ", count, " keys"));
    for (int end_bit : {64, 33, 0}) {
      const std::vector<uint64_t> keys = Random<uint64_t>(count);
      std::vector<uint64_t> expected = keys;
      const uint64_t mask =
          end_bit == 64 ? ~uint64_t{0} : (uint64_t{1} << end_bit) - 1;
      std::stable_sort(
          expected.begin(), expected.end(),
          [mask](uint64_t a, uint64_t b) { return (a & mask) < (b & mask); });
      const DeviceBuffer<uint64_t> in = ToDevice(keys);
      DeviceBuffer<uint64_t> out = NewOnDevice<uint64_t>(count);
      const absl::Status status = SortKeys(in.data(), out.data(), count, 0,
                                           end_bit, storage_, stream());
      ASSERT_TRUE(status.ok()) << status;
      EXPECT_TRUE(ToHost(out) == expected);
    }
  }
}

TEST_F(PrimitivesTest, Scans) {
  for (int64_t count : kSizes) {
    CheckScans(Random<int32_t>(count, 1000));
    CheckScans(Random<int64_t>(count, uint64_t{1} << 40));
    // Sums far beyond 32 bits of counts within them.
    CheckScans(std::vector<int32_t>(static_cast<size_t>(count),
                                    std::numeric_limits<int32_t>::max()));
  }
}

TEST_F(PrimitivesTest, ExclusiveSumInPlace) {
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

TEST_F(PrimitivesTest, SelectFlagged) {
  for (int64_t count : kSizes) {
    CheckSelection<uint32_t>(count);
    CheckSelection<uint64_t>(count);
    CheckSelection<float>(count);
  }
}

TEST_F(PrimitivesTest, SelectFlaggedIndices) {
  for (int64_t count : kSizes) {
    SCOPED_TRACE(absl::StrCat("seed ", seed_, ", ", count, " flags"));
    const std::vector<uint8_t> flags = Random<uint8_t>(count, 2);
    std::vector<int32_t> expected;
    for (int64_t i = 0; i < count; ++i) {
      if (flags[i] != 0) expected.push_back(static_cast<int32_t>(i));
    }
    const DeviceBuffer<uint8_t> device_flags = ToDevice(flags);
    DeviceBuffer<int32_t> indices = NewOnDevice<int32_t>(count);
    DeviceBuffer<int64_t> selected = NewOnDevice<int64_t>(1);
    const absl::Status status =
        SelectFlaggedIndices(device_flags.data(), indices.data(),
                             selected.data(), count, storage_, stream());
    ASSERT_TRUE(status.ok()) << status;
    ASSERT_EQ(ToHost(selected)[0], static_cast<int64_t>(expected.size()));
    std::vector<int32_t> got = ToHost(indices);
    got.resize(expected.size());
    EXPECT_TRUE(got == expected);
  }
}

TEST_F(PrimitivesTest, SelectNotEqual) {
  for (int64_t count : kSizes) {
    CheckSelectNotEqual<uint32_t>(count);
    CheckSelectNotEqual<uint64_t>(count);
  }
}

TEST_F(PrimitivesTest, Segments) {
  for (int64_t rows : {0, 1, 31, 1000, 50000}) {
    CheckSegments<int64_t>(rows);
    CheckSegments<uint64_t>(rows);
  }
}

TEST_F(PrimitivesTest, Runs) {
  for (int64_t count : kSizes) {
    for (uint64_t longest : {1, 7, 3000}) {
      CheckRuns<uint32_t>(count, longest);
      CheckRuns<uint64_t>(count, longest);
    }
  }
}

TEST_F(PrimitivesTest, BadArgumentsAreRefused) {
  DeviceBuffer<uint64_t> keys = NewOnDevice<uint64_t>(1);
  DeviceBuffer<int64_t> count = NewOnDevice<int64_t>(1);
  const auto code = [&](int64_t n, int begin, int end) {
    return SortKeys(keys.data(), keys.data(), n, begin, end, storage_, stream())
        .code();
  };
  EXPECT_EQ(code(-1, 0, 64), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(1, -1, 64), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(1, 0, 65), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(1, 9, 8), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(
      ExclusiveSum(count.data(), count.data(), -5, storage_, stream()).code(),
      absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(SelectFlaggedIndices(nullptr, nullptr, count.data(),
                                 (int64_t{1} << 31) + 1, storage_, stream())
                .code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(PrimitivesTest, StorageThatDoesNotFitIsAStatus) {
  const DeviceBuffer<uint64_t> in = ToDevice(Random<uint64_t>(1000000));
  DeviceBuffer<uint64_t> out = NewOnDevice<uint64_t>(1000000);
  SetDeviceMemoryLimit(DeviceMemoryInUseBytes() + 1000);
  const absl::Status status =
      SortKeys(in.data(), out.data(), 1000000, 0, 64, storage_, stream());
  SetDeviceMemoryLimit(-1);
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
  EXPECT_TRUE(
      SortKeys(in.data(), out.data(), 1000000, 0, 64, storage_, stream()).ok());
  EXPECT_GT(storage_.bytes(), 0);
}

TEST_F(PrimitivesTest, StorageGrowsOnly) {
  TemporaryStorage storage;
  ASSERT_TRUE(storage.Reserve(0).ok());
  EXPECT_NE(storage.data(), nullptr);
  ASSERT_TRUE(storage.Reserve(5000).ok());
  EXPECT_EQ(storage.bytes(), 5000);
  const void* data = storage.data();
  ASSERT_TRUE(storage.Reserve(10).ok());
  EXPECT_EQ(storage.data(), data);
  EXPECT_EQ(storage.bytes(), 5000);
}

}  // namespace
}  // namespace warpclust
