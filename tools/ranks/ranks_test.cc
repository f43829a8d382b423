// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
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
#include "base/io/lines/line_reader.h"
#include "base/io/text_writer.h"
#include "gtest/gtest.h"
#include "sparse/matrix/append_rows.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/weighting/weighting.h"
#include "tools/cli/process/temporary_directory.h"
#include "tools/ranks/choose_on_ranks.h"
#include "tools/ranks/line_shares.h"
#include "tools/ranks/read_texts_on_ranks.h"
#include "tools/ranks/read_vectors_on_ranks.h"

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

TEST_F(RanksTest, BadLinesAreLeftOut) {
  std::string content;
  for (int i = 0; i < 60; ++i) {
    absl::StrAppend(
        &content, i % 4 == 1 ? "{\"text\": 7}\n" : "{\"text\": \"one two\"}\n");
  }
  Input input;
  input.path = Path("bad.jsonl");
  WriteFile(input.path, content);
  DocumentOptions options;
  options.json.skip_bad_lines = true;
  const absl::StatusOr<InputDocuments> expected = ReadDocuments(input, options);
  ASSERT_TRUE(expected.ok()) << expected.status();
  for (int p = 1; p <= 7; ++p) {
    const absl::Status status = RunOnThreads(p, [&](Communicator& ranks) {
      const auto read = ReadTextsOnRanks(ranks, {input.path},
                                         InputFormat::kJsonLines, options, 1);
      if (read.ok()) {
        EXPECT_EQ(read->skipped.count, 15);
        EXPECT_EQ(read->skipped.lines, expected->skipped.lines);
        EXPECT_EQ(read->skipped.first_error, expected->skipped.first_error);
      }
      return read.status();
    });
    ASSERT_TRUE(status.ok()) << status;
  }
}

// svmlight in files, and MatrixMarket with entries in any order.
TEST_F(RanksTest, VectorsAreThoseOfOneProcess) {
  std::mt19937 random(5);
  std::string lines, market;
  int num_entries = 0;
  for (int d = 0; d < 90; ++d) {
    absl::StrAppend(&lines, d % 9 == 0 ? "# none\n" : "", d % 3);
    int term = 0;
    for (uint32_t k = random() % 6; k > 0; --k, ++num_entries) {
      term += 1 + static_cast<int>(random() % 9);
      const uint32_t weight = random() % 4;
      absl::StrAppend(&lines, " ", term, ":", weight);
      const std::string entry =
          absl::StrCat(d + 1, " ", term, " ", weight, "\n");
      market = random() % 2 == 0 ? entry + market : market + entry;
    }
    lines += "\n";
  }
  market =
      absl::StrCat("%%MatrixMarket matrix coordinate real general\n% a\n90 60 ",
                   num_entries, "\n", market);
  const size_t cut = lines.find('\n', lines.size() / 3) + 1;
  WriteFile(Path("1.svm.gz"), lines.substr(0, cut));
  WriteFile(Path("2.svm"), lines.substr(cut));
  WriteFile(Path("all.svm"), lines);
  WriteFile(Path("all.mtx"), market);
  for (const InputFormat format :
       {InputFormat::kSvmlight, InputFormat::kMatrixMarket}) {
    for (const absl::string_view weighting : {"tf", "tfidf"}) {
      Input input;
      input.format = format;
      input.path =
          Path(format == InputFormat::kSvmlight ? "all.svm" : "all.mtx");
      DocumentOptions options;
      options.weighting = std::string(weighting);
      options.max_terms = weighting == "tf" ? 3 : 0;
      const absl::StatusOr<InputDocuments> expected =
          ReadDocuments(input, options);
      ASSERT_TRUE(expected.ok()) << expected.status();
      std::vector<std::string> files = {input.path};
      if (format == InputFormat::kSvmlight) {
        files = {Path("1.svm.gz"), Path("2.svm")};
      }
      // More ranks than rows have some without any.
      for (const int p : {1, 2, 3, 4, 5, 6, 7, 100}) {
        std::vector<DocumentMatrix> parts(p);
        const absl::Status status =
            RunOnThreads(p, [&](Communicator& ranks) -> absl::Status {
              absl::StatusOr<DocumentMatrix> own =
                  ReadVectorsOnRanks(ranks, files, format, 1);
              if (own.ok()) {
                own = WeightVectorsOnRanks(ranks, *std::move(own), options,
                                           input.path, 1);
              }
              if (own.ok()) parts[ranks.rank()] = *std::move(own);
              return own.status();
            });
        ASSERT_TRUE(status.ok()) << status;
        DocumentMatrix all;
        for (const DocumentMatrix& part : parts) {
          AppendRows(part, 0, part.num_documents(), &all);
        }
        EXPECT_EQ(all.offsets, expected->documents.offsets);
        EXPECT_EQ(all.terms, expected->documents.terms);
        EXPECT_EQ(all.weights, expected->documents.weights);
        EXPECT_EQ(all.num_terms, expected->documents.num_terms);
      }
    }
  }
}

// The error of the first bad line, whichever rank has it.
TEST_F(RanksTest, ErrorsInVectors) {
  const auto expect = [&](absl::string_view name, absl::string_view content,
                          absl::string_view end) {
    WriteFile(Path(name), content);
    Input input;
    input.path = Path(name);
    input.format = absl::EndsWith(name, "mtx") ? InputFormat::kMatrixMarket
                                               : InputFormat::kSvmlight;
    const std::string message(
        ReadDocuments(input, DocumentOptions()).status().message());
    EXPECT_TRUE(absl::StrContains(message, end)) << message;
    for (int p = 2; p <= 7; ++p) {
      const absl::Status status = RunOnThreads(p, [&](Communicator& ranks) {
        return ReadVectorsOnRanks(ranks, {input.path}, input.format, 1)
            .status();
      });
      EXPECT_TRUE(absl::EndsWith(status.message(), message)) << status;
    }
  };
  expect("a.svm", "1 1:2\n1 2:1\n1 2:x\n1 3:1\n1 1\n", "a.svm:3: ");
  const absl::string_view head =
      "%%MatrixMarket matrix coordinate real general\n";
  expect("head.mtx", "%%MatrixMarket matrix array\n", "head.mtx:1: ");
  expect("a.mtx", absl::StrCat(head, "3 3 4\n1 1 1\n2 2 x\n3 3 1\n4 4 4\n"),
         "a.mtx:4: ");
  expect("few.mtx", absl::StrCat(head, "3 3 4\n1 1 1\n2 2 1\n\n"),
         "few.mtx:5: expected 4 entries, found 2");
  expect("many.mtx", absl::StrCat(head, "3 3 2\n1 1 1\n2 2 1\n3 3 3\n3 1 x\n"),
         "many.mtx:5: expected the end of the file");
  expect("twice.mtx", absl::StrCat(head, "3 3 4\n3 3 1\n2 2 1\n3 3 3\n2 2 2\n"),
         "twice.mtx:6: expected one entry 2 2, found it on line 4 too");
}

// What rank 0 chooses by are the documents that one process would compare.
TEST(ChooseOnRanks, ComparesTheDocumentsOfOneProcess) {
  for (const int32_t n : {0, 5, 2048, 5000}) {
    DocumentMatrix all;
    all.num_terms = n;
    DocumentMatrix expected;
    expected.num_terms = n;
    for (int32_t d = 0; d < n; ++d) {
      all.terms.push_back(d);
      all.weights.push_back(1 + d % 3);
      all.offsets.push_back(d + 1);
    }
    const int64_t size = std::min(n, 2048);
    for (int64_t i = 0; i < size; ++i) {
      const int32_t d = static_cast<int32_t>(i * n / size);
      AppendRows(all, d, d + 1, &expected);
    }
    for (int p = 1; p <= 7; ++p) {
      const absl::Status status =
          RunOnThreads(p, [&](Communicator& ranks) -> absl::Status {
            // The first rank has a quarter, the last has none.
            const auto begin_of = [&](int r) {
              return r == 0 ? 0 : r + 1 >= p ? n : n / 4 * (r + 3) / (p + 2);
            };
            const int32_t begin = begin_of(ranks.rank());
            const int32_t end = p == 1 ? n : begin_of(ranks.rank() + 1);
            const absl::StatusOr<std::vector<int64_t>> begins =
                ranks.Begins(end - begin);
            if (!begins.ok()) return begins.status();
            DocumentMatrix own;
            own.num_terms = n;
            for (const int32_t d : ComparedDocuments(*begins, ranks.rank())) {
              AppendRows(all, begin + d, begin + d + 1, &own);
            }
            const absl::StatusOr<Weighting> chosen =
                ChooseOnRanks(ranks, own, [&](const DocumentMatrix& compared) {
                  EXPECT_EQ(ranks.rank(), 0);
                  EXPECT_EQ(compared.terms, expected.terms);
                  EXPECT_EQ(compared.weights, expected.weights);
                  EXPECT_EQ(compared.offsets, expected.offsets);
                  EXPECT_EQ(compared.num_terms, n);
                  return Weighting::kTfIdf;
                });
            if (chosen.ok()) {
              EXPECT_EQ(*chosen, Weighting::kTfIdf);
            }
            return chosen.status();
          });
      ASSERT_TRUE(status.ok()) << status;
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
