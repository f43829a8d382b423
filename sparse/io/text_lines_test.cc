// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/io/text_lines.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

using Strings = std::vector<std::string>;

TEST(TextLinesTest, OneDocumentALine) {
  LineReader lines =
      LineReader::FromString("first one\r\n\n caf\xC3\xA9 \xFF\nlast", "t");
  const absl::StatusOr<TextDocuments> read = ReadTextLines(lines);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->texts,
            Strings({"first one", "", " caf\xC3\xA9 \xEF\xBF\xBD", "last"}));
  EXPECT_EQ(read->ids, Strings({"0", "1", "2", "3"}));
  EXPECT_EQ(read->labels.size(), 4);
  EXPECT_TRUE(read->labels[0].empty());
}

TEST(TextLinesTest, EmptyAndMissingFiles) {
  LineReader lines = LineReader::FromString("", "t");
  EXPECT_TRUE(ReadTextLines(lines)->texts.empty());
  EXPECT_EQ(ReadTextLines("/no/such/file").status().code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace warpclust
