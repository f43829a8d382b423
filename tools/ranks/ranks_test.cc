// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/communicator/thread_ranks.h"
#include "base/io/line_reader.h"
#include "base/io/text_writer.h"
#include "gtest/gtest.h"
#include "sparse/matrix/document_matrix.h"
#include "tools/cli/temporary_directory.h"
#include "tools/ranks/line_shares.h"
#include "tools/ranks/read_texts_on_ranks.h"

namespace warpclust {
namespace {

void WriteFile(const std::string& path, absl::string_view content) {
  absl::StatusOr<TextWriter> writer = TextWriter::Open(path);
  ASSERT_TRUE(writer.ok()) << writer.status();
  writer->Write(content);
  ASSERT_TRUE(writer->Close().ok());
}

class RanksTest : public testing::Test {
 protected:
  std::string Path(absl::string_view name) const {
    return absl::StrCat(directory_->path(), "/", name);
  }

 private:
  absl::StatusOr<TemporaryDirectory> directory_ =
      TemporaryDirectory::Create("ranks_test");
};

TEST_F(RanksTest, LinesAreDealtInOrder) {
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::string> files;
    std::vector<std::string> lines;
    for (uint32_t f = 0; f < 1 + random() % 5; ++f) {
      files.push_back(Path(absl::StrCat(round, "-", f, f % 2 ? ".gz" : "")));
      std::string content;
      const uint32_t count = random() % 40;
      for (uint32_t i = 0; i < count; ++i) {
        lines.push_back(std::string(random() % 30, 'a' + i % 26));
        absl::StrAppend(
            &content, lines.back(),
            i + 1 == count && f % 3 == 0 && !lines.back().empty() ? "" : "\n");
      }
      WriteFile(files.back(), content);
    }
    for (int p = 1; p <= 7; ++p) {
      std::vector<std::vector<std::string>> found(p);
      const absl::Status status = RunOnThreads(p, [&](Communicator& ranks) {
        return ForEachOwnBlock(
            ranks, files, /*block_bytes=*/1 + round, [&](LineBlock block) {
              LineReader reader = LineReader::FromBlock(std::move(block));
              absl::string_view line;
              while (reader.Next(&line)) {
                found[ranks.rank()].emplace_back(line);
              }
              return reader.status();
            });
      });
      ASSERT_TRUE(status.ok()) << status;
      std::vector<std::string> all;
      for (const std::vector<std::string>& part : found) {
        EXPECT_NEAR(part.size(), lines.size() / p, 1);
        all.insert(all.end(), part.begin(), part.end());
      }
      EXPECT_EQ(all, lines) << p << " ranks";
    }
  }
}

TEST_F(RanksTest, Patterns) {
  WriteFile(Path("b.txt"), "x\n");
  WriteFile(Path("a.txt"), "x\n");
  WriteFile(Path("c[1].txt"), "x\n");
  EXPECT_EQ(*FilesOf(Path("?.txt")),
            (std::vector<std::string>{Path("a.txt"), Path("b.txt")}));
  EXPECT_FALSE(IsFilePattern(Path("c[1].txt")));
  EXPECT_FALSE(IsFilePattern(Path("a.txt")));
  EXPECT_EQ(FilesOf(Path("no*")).status().code(), absl::StatusCode::kNotFound);
}

// Documents of all ranks against those of one process.
TEST_F(RanksTest, DocumentsAreThoseOfOneProcess) {
  std::mt19937 random(2);
  const std::vector<std::string> files = {Path("1.jsonl"), Path("2.jsonl.gz"),
                                          Path("3.jsonl")};
  std::string all;
  int num_lines = 0;
  for (const std::string& file : files) {
    std::string content;
    for (uint32_t i = 0; i < 30 + random() % 30; ++i, ++num_lines) {
      // Some have no id, some no words, some lines are blank.
      std::string text;
      for (uint32_t w = random() % 8; w > 0; --w) {
        absl::StrAppend(&text, std::string(3, 'a' + random() % 26), " word ");
      }
      absl::StrAppend(&content, "{\"text\": \"", text, "\"");
      if (num_lines % 3 == 0) {
        absl::StrAppend(&content, ", \"id\": \"n", num_lines, "\"");
      }
      content += num_lines % 7 == 0 ? "}\n\n" : "}\n";
    }
    WriteFile(file, content);
    all += content;
  }
  WriteFile(Path("all.jsonl"), all);
  for (const absl::string_view weighting : {"tf", "tfidf"}) {
    DocumentOptions options;
    options.weighting = std::string(weighting);
    options.max_terms = weighting == "tf" ? 0 : 4;
    Input input;
    input.path = Path("all.jsonl");
    const absl::StatusOr<InputDocuments> expected =
        ReadDocuments(input, options);
    ASSERT_TRUE(expected.ok()) << expected.status();
    for (int p = 1; p <= 7; ++p) {
      std::vector<RankDocuments> parts(p);
      const absl::Status status = RunOnThreads(p, [&](Communicator& ranks) {
        auto part =
            ReadTextsOnRanks(ranks, files, InputFormat::kJsonLines, options, 1);
        if (part.ok()) parts[ranks.rank()] = *std::move(part);
        return part.status();
      });
      ASSERT_TRUE(status.ok()) << status;
      std::vector<std::string> ids;
      std::vector<int32_t> terms;
      std::vector<float> weights;
      std::vector<int64_t> offsets = {0};
      for (const RankDocuments& part : parts) {
        const DocumentMatrix& rows = part.documents;
        EXPECT_EQ(rows.num_terms, expected->documents.num_terms);
        ids.insert(ids.end(), part.ids.begin(), part.ids.end());
        terms.insert(terms.end(), rows.terms.begin(), rows.terms.end());
        weights.insert(weights.end(), rows.weights.begin(), rows.weights.end());
        for (int32_t d = 0; d < rows.num_documents(); ++d) {
          offsets.push_back(offsets.back() + rows.offsets[d + 1] -
                            rows.offsets[d]);
        }
      }
      EXPECT_EQ(ids, expected->ids);
      EXPECT_EQ(offsets, expected->documents.offsets);
      EXPECT_EQ(terms, expected->documents.terms);
      EXPECT_EQ(weights, expected->documents.weights);
    }
  }
}

TEST_F(RanksTest, Errors) {
  const auto read = [&](absl::string_view content) {
    const std::vector<std::string> files = {Path("f.jsonl"), Path("g.jsonl")};
    WriteFile(files[0], "{\"text\": \"one\"}\n{\"text\": \"two\"}\n");
    WriteFile(files[1], content);
    return RunOnThreads(3, [&](Communicator& ranks) {
      const absl::Status status =
          ReadTextsOnRanks(ranks, files, InputFormat::kJsonLines, {}, 1)
              .status();
      // All ranks have the error of one.
      EXPECT_EQ(status.ok(), false);
      EXPECT_TRUE(Communicator::IsAgreed(status));
      return status;
    });
  };
  EXPECT_TRUE(absl::StrContains(
      read("{\"text\": \"three\"}\n{\"text\": 4}\n").message(),
      "g.jsonl:2: expected a string as text"));
  EXPECT_TRUE(
      absl::StrContains(read("{\"text\": \"x\", \"id\": \"1\"}\n").message(),
                        "expected different ids, found two documents '1'"));
  EXPECT_TRUE(absl::StrContains(read("[{\"text\": \"x\"}]\n").message(),
                                "g.jsonl:1: expected an object per line"));
}

}  // namespace
}  // namespace warpclust
