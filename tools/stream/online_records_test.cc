// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/stream/online_records.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

std::string Write(const OnlineSnapshot& snapshot) {
  std::string bytes;
  WriteOnlineSnapshot(snapshot, [&](absl::string_view part) {
    bytes.append(part.data(), part.size());
  });
  return bytes;
}

// Two open clusters, a closed one, and some of everything else.
OnlineSnapshot Example() {
  OnlineSnapshot snapshot;
  snapshot.options = {{"--threshold", "0.5"}, {"--language", ""}};
  snapshot.input_documents = 3;
  snapshot.input_checksum = 0xDEADBEEF;
  snapshot.output_bytes = 1234;
  snapshot.output_path = "/somewhere/clusters.tsv";
  snapshot.vocabulary.Add("tin");
  snapshot.vocabulary.Add("caf\xC3\xA9");
  snapshot.frequencies = RunningFrequencies(3, {2, 3});
  OnlineState& clusters = snapshot.clusters;
  clusters.offsets = {0, 1, 1, 2};
  clusters.terms = {0, 1};
  clusters.sums = {int64_t{1} << 30, int64_t{1} << 30};
  clusters.sizes = {1, 1, 1};
  clusters.last_times = {OnlineState::kNoTime, 100, 200};
  clusters.num_documents = 3;
  clusters.clock = 200;
  clusters.num_terms = 2;
  return snapshot;
}

TEST(OnlineRecordsTest, ReadsBackWhatItWrites) {
  const OnlineSnapshot snapshot = Example();
  ASSERT_TRUE(ValidateOnlineState(snapshot.clusters).ok())
      << ValidateOnlineState(snapshot.clusters);
  const std::string bytes = Write(snapshot);
  const absl::StatusOr<OnlineSnapshot> read = ParseOnlineSnapshot(bytes);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->options, snapshot.options);
  EXPECT_EQ(read->input_documents, 3);
  EXPECT_EQ(read->input_checksum, 0xDEADBEEF);
  EXPECT_EQ(read->output_bytes, 1234);
  EXPECT_EQ(read->output_path, "/somewhere/clusters.tsv");
  ASSERT_EQ(read->vocabulary.size(), 2);
  EXPECT_EQ(read->vocabulary.Term(1), "caf\xC3\xA9");
  EXPECT_EQ(read->frequencies.num_documents(), 3);
  EXPECT_EQ(read->frequencies.frequencies(), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(read->clusters, snapshot.clusters);
  EXPECT_EQ(Write(*read), bytes);

  EXPECT_TRUE(ParseOnlineSnapshot(Write(OnlineSnapshot())).ok());

  OnlineSnapshot skipped = Example();
  skipped.input_skipped_lines = 4;
  const std::string longer = Write(skipped);
  ASSERT_TRUE(ParseOnlineSnapshot(longer).ok());
  EXPECT_EQ(ParseOnlineSnapshot(longer)->input_skipped_lines, 4);
  EXPECT_FALSE(ParseOnlineSnapshot(bytes + std::string(8, '\0')).ok());
}

TEST(OnlineRecordsTest, AnotherVersionIsRefused) {
  std::string newer = Write(Example());
  newer[0] = 3;
  const absl::Status status = ParseOnlineSnapshot(newer).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::StrContains(status.message(), "of version 2, found 3"))
      << status;
}

TEST(OnlineRecordsTest, EveryPrefixIsDataLoss) {
  const std::string bytes = Write(Example());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(ParseOnlineSnapshot(bytes.substr(0, size)).status().code(),
              absl::StatusCode::kDataLoss)
        << size;
  }
  EXPECT_EQ(ParseOnlineSnapshot(bytes + '\0').status().code(),
            absl::StatusCode::kDataLoss);
}

// A right length does not make fields right.
TEST(OnlineRecordsTest, FieldsAreChecked) {
  const auto code_of = [](auto change) {
    OnlineSnapshot snapshot = Example();
    change(&snapshot);
    return ParseOnlineSnapshot(Write(snapshot)).status().code();
  };
  constexpr auto kDataLoss = absl::StatusCode::kDataLoss;
  EXPECT_EQ(code_of([](OnlineSnapshot*) {}), absl::StatusCode::kOk);
  EXPECT_EQ(code_of([](OnlineSnapshot* s) { s->input_documents = 4; }),
            kDataLoss);
  EXPECT_EQ(code_of([](OnlineSnapshot* s) { s->input_documents = -1; }),
            kDataLoss);
  EXPECT_EQ(code_of([](OnlineSnapshot* s) { s->output_bytes = -2; }),
            kDataLoss);
  EXPECT_EQ(code_of([](OnlineSnapshot* s) {
              s->frequencies = RunningFrequencies(3, {4});
            }),
            kDataLoss);
  EXPECT_EQ(code_of([](OnlineSnapshot* s) {
              s->frequencies = RunningFrequencies(-1, {});
            }),
            kDataLoss);
  EXPECT_EQ(code_of([](OnlineSnapshot* s) { s->clusters.offsets = {}; }),
            kDataLoss);
  EXPECT_EQ(code_of([](OnlineSnapshot* s) { s->clusters.sums[0] = -1; }),
            kDataLoss);
  EXPECT_EQ(code_of([](OnlineSnapshot* s) { s->clusters.terms[0] = 5; }),
            kDataLoss);
  EXPECT_EQ(code_of([](OnlineSnapshot* s) { s->clusters.sizes.pop_back(); }),
            kDataLoss);
}

TEST(OnlineRecordsTest, Blocks) {
  const OnlineBlock block = {InputFormat::kLines, 7, 2, "tin\ncopper\n"};
  const std::string bytes = EncodeOnlineBlock(block);
  const absl::StatusOr<OnlineBlock> read = ParseOnlineBlock(bytes);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->format, InputFormat::kLines);
  EXPECT_EQ(read->documents_before, 7);
  EXPECT_EQ(read->documents, 2);
  EXPECT_EQ(read->lines, block.lines);
  const size_t header = bytes.size() - block.lines.size();
  for (size_t size = 0; size < header; ++size) {
    EXPECT_EQ(ParseOnlineBlock(bytes.substr(0, size)).status().code(),
              absl::StatusCode::kDataLoss)
        << size;
  }
  for (const OnlineBlock& other :
       {OnlineBlock{InputFormat::kCsv, 7, 2, "1,2\n"},
        OnlineBlock{InputFormat::kLines, -1, 2, ""},
        OnlineBlock{InputFormat::kLines, 7, 0, ""}}) {
    EXPECT_EQ(ParseOnlineBlock(EncodeOnlineBlock(other)).status().code(),
              absl::StatusCode::kDataLoss);
  }
}

}  // namespace
}  // namespace warpclust
