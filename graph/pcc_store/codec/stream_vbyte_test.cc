// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/codec/stream_vbyte.h"

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/machine/cpu_features.h"
#include "graph/pcc_store/codec/stored_lists.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

constexpr int32_t kMaxId = std::numeric_limits<int32_t>::max();

TEST(StreamVByteTest, SizesAsPromised) {
  const std::vector<uint32_t> numbers = {0, 255, 256, 65536, 0};
  std::string bytes;
  AppendStreamVByte(numbers, &bytes);
  EXPECT_EQ(bytes, std::string("\xe4\x00\xff\x00\x01\x00\x00\x01\x00", 9));
}

TEST(StreamVByteTest, ReadsWhatWasWrittenAndNothingElse) {
  for (uint32_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::vector<uint32_t> numbers(random() % 200);
    for (uint32_t& number : numbers) {
      const int bits = static_cast<int>(random() % 33);
      number = bits == 0 ? 0 : random() >> (32 - bits);
    }
    std::string code = "other bytes before it";
    const size_t before = code.size();
    std::string baseline_code = code;
    SetSimdLevelLimitForTesting(SimdLevel::kAvx512);
    AppendStreamVByte(numbers, &code);
    SetSimdLevelLimitForTesting(SimdLevel::kBaseline);
    AppendStreamVByte(numbers, &baseline_code);
    ASSERT_EQ(code, baseline_code);
    code.erase(0, before);
    SetSimdLevelLimitForTesting(seed % 2 == 0 ? SimdLevel::kBaseline
                                              : SimdLevel::kAvx512);
    // Other bytes behind it, or none: the end is read another way.
    for (size_t behind : {size_t{0}, size_t{1}, size_t{100}}) {
      const std::string bytes = code + std::string(behind, '\xab');
      absl::string_view view = bytes;
      std::vector<uint32_t> read(numbers.size());
      ASSERT_TRUE(ReadStreamVByte(&view, absl::MakeSpan(read)));
      EXPECT_EQ(read, numbers);
      EXPECT_EQ(view.size(), behind);
    }
    for (size_t length = 0; length < code.size(); ++length) {
      // On the heap, so that a sanitizer sees a byte too far.
      const std::vector<char> cut(code.begin(), code.begin() + length);
      absl::string_view view(cut.data(), cut.size());
      std::vector<uint32_t> read(numbers.size());
      EXPECT_FALSE(ReadStreamVByte(&view, absl::MakeSpan(read)));
      EXPECT_EQ(view.size(), length);
    }
  }
}

// The ids, or {-1} if they are refused; the same with all vector instructions.
std::vector<int32_t> Decoded(absl::string_view bytes, int32_t limit,
                             size_t size) {
  const std::vector<char> exact(bytes.begin(), bytes.end());
  std::vector<std::vector<int32_t>> results;
  for (const SimdLevel level : {SimdLevel::kBaseline, SimdLevel::kAvx512}) {
    SetSimdLevelLimitForTesting(level);
    absl::string_view view(exact.data(), exact.size());
    std::vector<int32_t> ids(size);
    const bool right = ReadAscending(&view, limit, absl::MakeSpan(ids));
    results.push_back(right ? ids : std::vector<int32_t>{-1});
    EXPECT_TRUE(right || view.size() == exact.size());
  }
  EXPECT_EQ(results[0], results[1]);
  return results[0];
}

std::string Encoded(const std::vector<int32_t>& ids) {
  std::string bytes;
  AppendAscending(ids, &bytes);
  return bytes;
}

TEST(AscendingTest, Examples) {
  EXPECT_EQ(Encoded({}), "");
  EXPECT_EQ(Encoded({0, 1, 2}), std::string(1, '\0'));
  EXPECT_EQ(Encoded({127, 384}), std::string("\x09\x7f\x00\x01", 4));
  EXPECT_EQ(Decoded(Encoded({kMaxId - 1}), kMaxId, 1),
            std::vector<int32_t>({kMaxId - 1}));
  EXPECT_EQ(Decoded(Encoded({kMaxId}), kMaxId, 1), std::vector<int32_t>({-1}));
}

TEST(AscendingTest, RoundTripsRandomRows) {
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
    EXPECT_EQ(Decoded(bytes, limit, ids.size()), ids);
    if (ids.empty()) continue;
    EXPECT_EQ(Decoded(bytes, limit - 1, ids.size()),
              std::vector<int32_t>({-1}));
  }
}

TEST(AscendingTest, AnyGapsAddUpOrAreRefused) {
  for (uint32_t seed = 1; seed <= 4000; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    std::mt19937 random(seed);
    // Sums that would wrap around to small ids again, too.
    std::vector<uint32_t> gaps(1 + random() % 40);
    for (uint32_t& gap : gaps) gap = random() >> (random() % 32);
    const int32_t limit = static_cast<int32_t>(
        random() % (random() % 2 == 0 ? 4000 : uint32_t{kMaxId}));
    std::vector<int32_t> ids;
    int64_t id = -1;
    for (const uint32_t gap : gaps) {
      id += 1 + int64_t{gap};
      if (id >= limit) {
        ids = {-1};
        break;
      }
      ids.push_back(static_cast<int32_t>(id));
    }
    std::string bytes;
    AppendStreamVByte(gaps, &bytes);
    EXPECT_EQ(Decoded(bytes, limit, gaps.size()), ids);
  }
}

TEST(StoredListsTest, ReadWhatWasWritten) {
  const std::string text(70000, 'x');
  const std::vector<absl::string_view> texts = {"", "a", text, "tab\tand\n"};
  const std::vector<int64_t> counts = {0, 1, int64_t{1} << 32,
                                       std::numeric_limits<int64_t>::max()};
  const std::vector<int32_t> ids = {3, 4, 90000};
  const std::vector<uint32_t> numbers = {7, 0, 0xffffffff};
  std::string bytes;
  AppendTextList(texts, &bytes);
  AppendCountList(counts, &bytes);
  AppendIdList(ids, &bytes);
  AppendNumberList(numbers, &bytes);

  std::vector<absl::string_view> texts_read = {"other"};
  std::vector<int64_t> counts_read = {5};
  std::vector<int32_t> ids_read = {6};
  std::vector<uint32_t> numbers_read = {7};
  const auto read_all = [&](absl::string_view view) {
    return ReadTextList(&view, &texts_read) &&
           ReadCountList(&view, &counts_read) &&
           ReadIdList(&view, 90001, &ids_read) &&
           ReadNumberList(&view, &numbers_read) && view.empty();
  };
  EXPECT_TRUE(read_all(bytes));
  EXPECT_EQ(texts_read, texts);
  EXPECT_EQ(counts_read, counts);
  EXPECT_EQ(ids_read, ids);
  EXPECT_EQ(numbers_read, numbers);
  for (size_t cut = 1; cut < 60; ++cut) {
    EXPECT_FALSE(
        read_all(absl::string_view(bytes).substr(0, bytes.size() - cut)));
  }
  EXPECT_FALSE(read_all(absl::string_view(bytes).substr(0, 10)));
}

TEST(StoredListsTest, AppendsIdsBehindOthers) {
  std::string bytes;
  AppendIdList({2, 5}, &bytes);
  std::vector<int32_t> ids = {1, 2, 3, 4, 5};
  absl::string_view view = bytes;
  EXPECT_EQ(ReadIdListAt(&view, 6, 1, &ids), 2);
  EXPECT_EQ(ids, std::vector<int32_t>({1, 2, 5, 4, 5}));
  view = bytes;
  EXPECT_EQ(ReadIdListAt(&view, 6, 5, &ids), 2);
  EXPECT_EQ(ids, std::vector<int32_t>({1, 2, 5, 4, 5, 2, 5}));
}

TEST(StoredListsTest, LengthsThatNothingFollowsTakeNoMemory) {
  std::string bytes;
  const uint32_t most = 0xffffffff;
  AppendStreamVByte({&most, 1}, &bytes);
  absl::string_view view = bytes;
  std::vector<absl::string_view> texts;
  std::vector<int64_t> counts;
  std::vector<int32_t> ids;
  EXPECT_FALSE(ReadTextList(&view, &texts));
  EXPECT_FALSE(ReadCountList(&view, &counts));
  EXPECT_FALSE(ReadIdList(&view, kMaxId, &ids));
  EXPECT_EQ(view.size(), bytes.size());
}

TEST(StoredListsTest, CountsAreBelow2To63) {
  std::string bytes;
  AppendNumberList({0, 0x80000000}, &bytes);
  absl::string_view view = bytes;
  std::vector<int64_t> counts;
  EXPECT_FALSE(ReadCountList(&view, &counts));
}

}  // namespace
}  // namespace warpclust
