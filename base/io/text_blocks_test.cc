// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/io/text_blocks.h"

#include <atomic>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(TextBlocksTest, InOrderWithAnyThreads) {
  for (const int64_t num_blocks : {0, 1, 2, 3, 1000}) {
    std::string expected;
    for (int64_t b = 0; b < num_blocks; ++b) {
      if (b % 7 != 3) absl::StrAppend(&expected, "block ", b, "\n");
    }
    for (const int threads : {0, 1, 2, 5}) {
      SCOPED_TRACE(testing::Message()
                   << num_blocks << " blocks, " << threads << " threads");
      std::string written;
      std::atomic<int> users[64] = {};
      std::atomic<bool> shared{false};
      const absl::Status status = WriteTextBlocks(
          num_blocks, threads,
          [&](int64_t block, int slot, std::string* text) {
            if (users[slot].fetch_add(1) != 0) shared = true;
            EXPECT_TRUE(text->empty());
            if (block % 7 != 3) absl::StrAppend(text, "block ", block, "\n");
            users[slot].fetch_sub(1);
            return absl::OkStatus();
          },
          [&](absl::string_view text) {
            written.append(text.data(), text.size());
          });
      EXPECT_TRUE(status.ok()) << status;
      EXPECT_EQ(written, expected);
      EXPECT_FALSE(shared.load());
    }
  }
}

TEST(TextBlocksTest, FirstErrorInOrder) {
  for (const int threads : {1, 2, 5}) {
    for (int run = 0; run < 20; ++run) {
      std::string written;
      const absl::Status status = WriteTextBlocks(
          100, threads,
          [&](int64_t block, int /*slot*/, std::string* text) {
            absl::StrAppend(text, block, " ");
            return block == 4 || block >= 6
                       ? absl::InvalidArgumentError(absl::StrCat(block))
                       : absl::OkStatus();
          },
          [&](absl::string_view text) {
            written.append(text.data(), text.size());
          });
      EXPECT_EQ(status.message(), "4");
      EXPECT_EQ(written, "0 1 2 3 ");
    }
  }
}

TEST(RowBlocksTest, CutsByEntriesAndRows) {
  using Bounds = std::vector<int64_t>;
  EXPECT_EQ(RowBlocks({0}, 3), Bounds({0}));
  EXPECT_EQ(RowBlocks({0, 0}, 3), Bounds({0, 1}));
  EXPECT_EQ(RowBlocks({0, 1, 2, 3, 9, 9, 9, 9, 10}, 3),
            Bounds({0, 3, 4, 7, 8}));
  EXPECT_EQ(RowBlocks({0, 5, 5, 6}, 100), Bounds({0, 3}));
}

}  // namespace
}  // namespace warpclust
