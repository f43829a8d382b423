// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/codec/id_row_codec.h"

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/machine/cpu_features.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

constexpr int32_t kMaxId = std::numeric_limits<int32_t>::max();

std::string Encoded(const std::vector<int32_t>& ids) {
  std::string bytes;
  AppendIdRow(ids, &bytes);
  return bytes;
}

std::vector<int32_t> DecodedAtOneLevel(absl::string_view bytes, int32_t limit) {
  // A copy on the heap without slack: sanitizers see what is read beyond it.
  const std::vector<char> exact(bytes.begin(), bytes.end());
  std::vector<int32_t> ids(bytes.size());
  const int64_t count = DecodeIdRow(
      absl::string_view(exact.data(), exact.size()), limit, ids.data());
  if (count < 0) return {-1};
  ids.resize(count);
  return ids;
}

// The row, or {-1} if it is refused; the same with all vector instructions.
std::vector<int32_t> Decoded(absl::string_view bytes, int32_t limit) {
  SetSimdLevelLimitForTesting(SimdLevel::kBaseline);
  const std::vector<int32_t> ids = DecodedAtOneLevel(bytes, limit);
  SetSimdLevelLimitForTesting(SimdLevel::kAvx512);
  EXPECT_EQ(DecodedAtOneLevel(bytes, limit), ids);
  return ids;
}

// One id after the other, as the header defines it.
std::vector<int32_t> NaiveDecoded(absl::string_view bytes, int32_t limit) {
  std::vector<int32_t> ids;
  int64_t before = -1;
  while (!bytes.empty()) {
    uint64_t distance = 0;
    if (!ReadVarint(&bytes, &distance)) return {-1};
    if (distance >= uint64_t{1} << 35) return {-1};
    before += 1 + static_cast<int64_t>(distance);
    if (before >= limit) return {-1};
    ids.push_back(static_cast<int32_t>(before));
  }
  return ids;
}

TEST(VarintTest, RoundTripsAndRefuses) {
  for (const uint64_t value :
       {uint64_t{0}, uint64_t{127}, uint64_t{128}, uint64_t{16383},
        uint64_t{16384}, uint64_t{1} << 35, uint64_t{1} << 63,
        std::numeric_limits<uint64_t>::max()}) {
    std::string bytes;
    AppendVarint(value, &bytes);
    for (size_t cut = 0; cut < bytes.size(); ++cut) {
      absl::string_view rest = absl::string_view(bytes).substr(0, cut);
      uint64_t read = 77;
      EXPECT_FALSE(ReadVarint(&rest, &read));
      EXPECT_EQ(read, 77u);
      EXPECT_EQ(rest.size(), cut);
    }
    bytes += "x";
    absl::string_view rest = bytes;
    uint64_t read = 0;
    EXPECT_TRUE(ReadVarint(&rest, &read));
    EXPECT_EQ(read, value);
    EXPECT_EQ(rest, "x");
  }
  std::string large(9, '\xff');
  large += '\x02';
  absl::string_view rest = large;
  uint64_t read = 0;
  EXPECT_FALSE(ReadVarint(&rest, &read));
}

TEST(IdRowCodecTest, Examples) {
  EXPECT_EQ(Encoded({}), "");
  EXPECT_EQ(Encoded({0, 1, 2}), std::string(3, '\0'));
  EXPECT_EQ(Encoded({127, 256}), std::string("\x7f\x80\x01", 3));
  EXPECT_EQ(Decoded(Encoded({kMaxId - 1}), kMaxId),
            std::vector<int32_t>({kMaxId - 1}));
  EXPECT_EQ(Decoded(Encoded({kMaxId}), kMaxId), std::vector<int32_t>({-1}));
}

TEST(IdRowCodecTest, RoundTripsRandomRows) {
  for (uint32_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    std::mt19937 random(seed);
    const int32_t largest_step = int32_t{1} << (random() % 22);
    std::vector<int32_t> ids;
    int64_t id = -1;
    for (int i = static_cast<int>(random() % 700); i > 0; --i) {
      id += 1 + random() % (random() % 50 == 0 ? 300000 : largest_step);
      ids.push_back(static_cast<int32_t>(id));
    }
    const std::string bytes = Encoded(ids);
    const int32_t limit = ids.empty() ? 0 : ids.back() + 1;
    EXPECT_EQ(Decoded(bytes, limit), ids);
    if (ids.empty()) continue;
    EXPECT_EQ(Decoded(bytes, limit - 1), std::vector<int32_t>({-1}));
  }
}

// Ids that would come round to small ones again in 32 bits.
TEST(IdRowCodecTest, LongRowsBeyondTheLimitAreRefused) {
  std::string bytes;
  for (int i = 0; i < 600000; ++i) bytes += "\xff\x7f";
  EXPECT_EQ(Decoded(bytes, kMaxId), std::vector<int32_t>({-1}));
  const std::string fitting = bytes.substr(0, 260000);
  EXPECT_EQ(Decoded(fitting, kMaxId).size(), 130000u);
  EXPECT_EQ(Decoded(fitting, kMaxId), NaiveDecoded(fitting, kMaxId));
}

TEST(IdRowCodecTest, AnyBytesDecodeAsDefinedOrAreRefused) {
  for (uint32_t seed = 1; seed <= 6000; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    std::mt19937 random(seed);
    std::string bytes(random() % 90, '\0');
    // How many bytes in 100 are continued: long codes, short ones, or none.
    const uint32_t continued = std::vector<uint32_t>{0, 3, 30, 50}[seed % 4];
    for (char& byte : bytes) {
      byte = static_cast<char>((random() & 0x7f) |
                               (random() % 100 < continued ? 0x80 : 0));
    }
    const int32_t limit = static_cast<int32_t>(
        random() % (random() % 2 == 0 ? 4000 : uint32_t{kMaxId}));
    EXPECT_EQ(Decoded(bytes, limit), NaiveDecoded(bytes, limit));
  }
}

}  // namespace
}  // namespace warpclust
