// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

// The sorts of primitives_cuda.h against std::stable_sort, and the temporary
// storage that all of it shares.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/primitives_cuda.h"
#include "kernels/testing/primitives_cuda_fixture.h"

namespace warpclust {
namespace {

TEST(PrimitivesHostTest, SignificantBits) {
  EXPECT_EQ(SignificantBits(0), 0);
  EXPECT_EQ(SignificantBits(1), 1);
  EXPECT_EQ(SignificantBits(2), 2);
  EXPECT_EQ(SignificantBits(255), 8);
  EXPECT_EQ(SignificantBits(256), 9);
  EXPECT_EQ(SignificantBits(std::numeric_limits<uint64_t>::max()), 64);
}

class PrimitivesSortTest : public PrimitivesTest {
 protected:
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
};

TEST_F(PrimitivesSortTest, SortPairs) {
  for (int64_t count : kPrimitiveSizes) {
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

TEST_F(PrimitivesSortTest, SortKeys) {
  for (int64_t count : kPrimitiveSizes) {
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

TEST_F(PrimitivesSortTest, BadArgumentsAreRefused) {
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
}

TEST_F(PrimitivesSortTest, StorageThatDoesNotFitIsAStatus) {
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

TEST_F(PrimitivesSortTest, StorageGrowsOnly) {
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

TEST_F(PrimitivesSortTest, NumbersAscend) {
  for (const int64_t count : {0, 1, 255, 256, 257, 100000}) {
    DeviceBuffer<uint32_t> numbers;
    ASSERT_TRUE(AllocateInto(count, numbers).ok());
    ASSERT_TRUE(WriteNumbers(numbers.data(), count, nullptr).ok());
    std::vector<uint32_t> expected(count);
    std::iota(expected.begin(), expected.end(), 0);
    const absl::StatusOr<std::vector<uint32_t>> found = numbers.ToHost();
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(*found, expected);
  }
  EXPECT_EQ(WriteNumbers(nullptr, -1, nullptr).code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace warpclust
