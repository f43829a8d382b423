// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/synthetic/generate_stream.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

std::vector<std::string> Lines(const std::string& text) {
  return absl::StrSplit(text, '\n', absl::SkipEmpty());
}

// The value after `"key":"`; enough for what the generator writes.
std::string Field(const std::string& line, const std::string& key) {
  const size_t at = line.find(absl::StrCat("\"", key, "\":"));
  EXPECT_NE(at, std::string::npos) << line;
  size_t begin = line.find('"', at + key.size() + 3) + 1;
  return line.substr(begin, line.find('"', begin) - begin);
}

TEST(GenerateStreamTest, TimeNeverDecreasesAndStoriesBurst) {
  GenerateStreamOptions options;
  options.num_documents = 3000;
  std::string sink, truth;
  GenerateStream(options, Into(&sink), Into(&truth));
  const std::vector<std::string> lines = Lines(sink);
  const std::vector<std::string> labels = Lines(truth);
  ASSERT_EQ(lines.size(), 3000u);
  ASSERT_EQ(labels.size(), 3000u);
  std::string previous;
  std::map<std::string, int> story_sizes;
  std::set<std::string> texts;
  for (size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(Field(lines[i], "id"), absl::StrCat(i));
    const std::string time = Field(lines[i], "time");
    EXPECT_EQ(time.size(), 20u);
    EXPECT_LE(previous, time);
    previous = time;
    const std::string story = Field(lines[i], "labels");
    EXPECT_EQ(labels[i], absl::StrCat(i, "\t", story));
    ++story_sizes[story];
    texts.insert(Field(lines[i], "text"));
  }
  EXPECT_TRUE(absl::StartsWith(Field(lines[0], "time"), "2026-01-01T"));
  // At most duration plus burst later.
  EXPECT_LE(previous, "2026-02-02T00:00:00Z");
  EXPECT_GT(story_sizes.size(), 130u);
  int largest = 0;
  for (const auto& [story, size] : story_sizes)
    largest = std::max(largest, size);
  EXPECT_GT(largest, 60);
  // One in eight repeats its story's headline.
  EXPECT_LT(texts.size(), 2900u);
  EXPECT_GT(texts.size(), 2600u);
}

TEST(GenerateStreamTest, BytesArePinned) {
  GenerateStreamOptions options;
  options.num_documents = 3;
  options.words_per_document = 4;
  std::string sink;
  GenerateStream(options, Into(&sink), nullptr);
  EXPECT_EQ(sink,
            R"({"id":"0","time":"2026-01-04T16:57:06Z","labels":["story0"],)"
            R"("text":"guloja sofa"})"
            "\n"
            R"({"id":"1","time":"2026-01-06T09:07:51Z","labels":["story0"],)"
            R"("text":"toduha fodaga zosuda"})"
            "\n"
            R"({"id":"2","time":"2026-01-06T15:13:06Z","labels":["story0"],)"
            R"("text":"dolaga vuba"})"
            "\n");
}

TEST(GenerateStreamTest, NoDocuments) {
  GenerateStreamOptions options;
  options.num_documents = 0;
  std::string sink;
  GenerateStream(options, Into(&sink), nullptr);
  EXPECT_EQ(sink, "");
}

}  // namespace
}  // namespace warpclust
