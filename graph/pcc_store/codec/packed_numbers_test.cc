// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/codec/packed_numbers.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/machine/cpu_features.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(PackedNumbersTest, SizesAsPromised) {
  const std::vector<uint32_t> numbers = {0, 255, 256, 65536, 0};
  std::string bytes;
  AppendPackedNumbers(numbers, &bytes);
  EXPECT_EQ(bytes, std::string("\xe4\x00\xff\x00\x01\x00\x00\x01\x00", 9));
}

TEST(PackedNumbersTest, ReadsWhatWasWrittenAndNothingElse) {
  for (uint32_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    SetSimdLevelLimitForTesting(seed % 2 == 0 ? SimdLevel::kBaseline
                                              : SimdLevel::kAvx512);
    std::mt19937 random(seed);
    std::vector<uint32_t> numbers(random() % 70);
    for (uint32_t& number : numbers) {
      const int bits = static_cast<int>(random() % 33);
      number = bits == 0 ? 0 : random() >> (32 - bits);
    }
    std::string packed;
    AppendPackedNumbers(numbers, &packed);
    // Behind it other bytes or none: the end is read another way.
    for (size_t behind : {size_t{0}, size_t{1}, size_t{100}}) {
      const std::string bytes = packed + std::string(behind, '\xab');
      absl::string_view view = bytes;
      std::vector<uint32_t> read(numbers.size());
      ASSERT_TRUE(ReadPackedNumbers(&view, absl::MakeSpan(read)));
      EXPECT_EQ(read, numbers);
      EXPECT_EQ(view.size(), behind);
    }
    for (size_t length = 0; length < packed.size(); ++length) {
      // On the heap, so that a sanitizer sees a byte too far.
      const std::vector<char> cut(packed.begin(), packed.begin() + length);
      absl::string_view view(cut.data(), cut.size());
      std::vector<uint32_t> read(numbers.size());
      EXPECT_FALSE(ReadPackedNumbers(&view, absl::MakeSpan(read)));
      EXPECT_EQ(view.size(), length);
    }
  }
}

TEST(PackedTextsTest, ReadsWhatWasWritten) {
  const std::string text(70000, 'x');
  const std::vector<absl::string_view> texts = {"", "a", text, "tab\tand\n"};
  std::string bytes;
  AppendPackedTexts(texts, &bytes);
  absl::string_view view = bytes;
  std::vector<absl::string_view> read;
  ASSERT_TRUE(ReadPackedTexts(&view, &read));
  EXPECT_EQ(read, texts);
  EXPECT_TRUE(view.empty());
  for (size_t length : {size_t{0}, size_t{3}, size_t{10}, bytes.size() - 1}) {
    view = absl::string_view(bytes).substr(0, length);
    read.clear();
    EXPECT_FALSE(ReadPackedTexts(&view, &read)) << length;
  }
  // A count that nothing follows takes no memory.
  std::string count;
  const uint32_t most = 0xffffffff;
  AppendPackedNumbers({&most, 1}, &count);
  view = count;
  EXPECT_FALSE(ReadPackedTexts(&view, &read));
}

}  // namespace
}  // namespace warpclust
