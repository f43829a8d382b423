// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/machine/table_guard.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// Bytes that tables of this test may still take; and all that they took, as
// nobody else frees what a table forgot.
int64_t bytes_left = 0;
std::vector<std::unique_ptr<std::max_align_t[]>> taken;

template <class T>
struct ScarceAllocator {
  using value_type = T;
  ScarceAllocator() = default;
  template <class U>
  ScarceAllocator(const ScarceAllocator<U>&) {}  // NOLINT: a conversion

  T* allocate(size_t count) {
    const size_t bytes = count * sizeof(T);
    if (static_cast<int64_t>(bytes) > bytes_left) throw std::bad_alloc();
    bytes_left -= static_cast<int64_t>(bytes);
    taken.push_back(std::make_unique<std::max_align_t[]>(
        bytes / sizeof(std::max_align_t) + 1));
    return reinterpret_cast<T*>(taken.back().get());
  }
  void deallocate(T*, size_t count) {
    bytes_left += static_cast<int64_t>(count * sizeof(T));
  }
  friend bool operator==(const ScarceAllocator&, const ScarceAllocator&) {
    return true;
  }
};

using Table =
    absl::flat_hash_map<int32_t, int32_t, std::hash<int32_t>,
                        std::equal_to<int32_t>,
                        ScarceAllocator<std::pair<const int32_t, int32_t>>>;

void Add(int32_t count, Table& table) {
  GuardTable(table, [&](Table& t) {
    for (int32_t i = 0; i < count; ++i) t.emplace(i, -i);
    return 0;
  });
}

TEST(TableGuardTest, PassesOnWhatIsReturned) {
  bytes_left = 1 << 20;
  Table table;
  const auto insert = [](Table& t) { return t.emplace(3, 4); };
  EXPECT_TRUE(GuardTable(table, insert).second);
  EXPECT_FALSE(GuardTable(table, insert).second);
  EXPECT_EQ(table.at(3), 4);
}

TEST(TableGuardTest, ATableWithoutMemoryCanBeUsedAndDestroyed) {
  // From no memory at all to some growths.
  for (const int64_t bytes : {0, 100, 1000, 10000}) {
    bytes_left = bytes;
    {
      Table table;
      EXPECT_THROW(Add(1 << 16, table), std::bad_alloc);
      EXPECT_TRUE(table.empty());
      bytes_left = 1 << 20;
      Add(100, table);
      EXPECT_EQ(table.size(), 100);
      EXPECT_EQ(table.at(99), -99);
    }
    EXPECT_EQ(bytes_left, 1 << 20);
  }
}

}  // namespace
}  // namespace warpclust
