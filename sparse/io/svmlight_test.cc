// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/io/svmlight.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/testing/comma_locale.h"
#include "gtest/gtest.h"
#include "sparse/io/number_fields.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {
namespace {

absl::StatusOr<LabelledDocuments> Read(const std::string& content) {
  LineReader lines = LineReader::FromString(content, "f");
  return ReadSvmLight(lines);
}

using Labels = std::vector<std::vector<std::string>>;

TEST(SvmLightTest, ReadsAllForms) {
  const absl::StatusOr<LabelledDocuments> read = Read(
      "# a comment line\n"
      "+1 1:2 3:0.5 7:1e2 # the rest 9:9\r\n"
      "\n"
      "0\n"
      "  b,c \t qid:4   2:+3   5:0  \n"
      "-1 10:0\n"
      "x 1:1#9:9");
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_TRUE(ValidateDocuments(read->documents).ok());
  EXPECT_EQ(read->documents.offsets, (std::vector<int64_t>{0, 3, 3, 4, 4, 5}));
  EXPECT_EQ(read->documents.terms, (std::vector<int32_t>{0, 2, 6, 1, 0}));
  EXPECT_EQ(read->documents.weights, (std::vector<float>{2, 0.5, 100, 3, 1}));
  EXPECT_EQ(read->documents.num_terms, 10);
  EXPECT_EQ(read->ids, (std::vector<std::string>{"0", "1", "2", "3", "4"}));
  EXPECT_EQ(read->labels, (Labels{{"+1"}, {"0"}, {"b", "c"}, {"-1"}, {"x"}}));
}

TEST(SvmLightTest, EmptyFileIsNoDocuments) {
  for (const char* content : {"", "\n\n", "# nothing\n"}) {
    const absl::StatusOr<LabelledDocuments> read = Read(content);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->documents.num_documents(), 0);
    EXPECT_EQ(read->documents.num_terms, 0);
    EXPECT_TRUE(read->ids.empty());
  }
}

TEST(SvmLightTest, LargestIndex) {
  const absl::StatusOr<LabelledDocuments> read = Read("1 2147483647:1\n");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->documents.terms[0], 2147483646);
  EXPECT_EQ(read->documents.num_terms, 2147483647);
}

TEST(SvmLightTest, ErrorsNameFileLineAndField) {
  const struct {
    const char *line, *message;
  } cases[] = {
      {"1 -3:1", "an index of 1 or more, found '-3'"},
      {"1 0:1", "an index of 1 or more, found '0'"},
      {"1 2147483648:1", "an index of at most 2147483647, found '2147483648'"},
      {"1 99999999999999999999:1",
       "an index of at most 2147483647, found '99999999999999999999'"},
      {"1 a:1", "an index, found 'a'"},
      {"1 1.5:1", "an index, found '1.5'"},
      {"1 :1", "an index, found nothing"},
      {"1 5:1 5:2", "an index above 5, the one before it, found '5'"},
      {"1 5:0 5:2", "an index above 5, the one before it, found '5'"},
      {"1 5:1 4:2", "an index above 5, the one before it, found '4'"},
      {"1 5", "index:value, found '5'"},
      {"1 5 :1", "index:value, found '5'"},
      {"1:2 3:4", "a label, found '1:2'"},
      {"1 2:", "a number for index 2, found nothing"},
      {"1 2:x", "a number for index 2, found 'x'"},
      {"1 2:1x", "a number for index 2, found '1x'"},
      {"1 2:1:3", "a number for index 2, found '1:3'"},
      {"1 2:0x10", "a number for index 2, found '0x10'"},
      {"1 2:+-1", "a number for index 2, found '+-1'"},
      {"1 2:nan", "a finite weight for index 2, found 'nan'"},
      {"1 2:NaN", "a finite weight for index 2, found 'NaN'"},
      {"1 2:inf", "a finite weight for index 2, found 'inf'"},
      {"1 2:-inf", "a finite weight for index 2, found '-inf'"},
      {"1 2:5e-324",
       "a weight of 0 or of at least 1e-45 for index 2, found '5e-324'"},
      {"1 2:1e39", "a finite weight for index 2, found '1e39'"},
      {"1 2:-1", "a weight that is not negative for index 2, found '-1'"},
  };
  for (const auto& c : cases) {
    const absl::Status status =
        Read(absl::StrCat("1 1:1\n\n", c.line, "\n1 1:1\n")).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.line;
    EXPECT_EQ(status.message(), absl::StrCat("f:3: expected ", c.message));
  }
}

TEST(SvmLightTest, ExtremeValues) {
  const absl::StatusOr<LabelledDocuments> read =
      Read("1 1:-0 2:0e-60 3:1e-45 4:3.4028235e38 5:16777217\n");
  ASSERT_TRUE(read.ok()) << read.status();
  // Zero is dropped.
  EXPECT_EQ(read->documents.terms, (std::vector<int32_t>{2, 3, 4}));
  EXPECT_EQ(
      read->documents.weights,
      (std::vector<float>{std::numeric_limits<float>::denorm_min(),
                          std::numeric_limits<float>::max(), 16777216.0f}));
}

TEST(SvmLightTest, AppendRowLeavesTheMatrixAloneOnError) {
  LineReader lines = LineReader::FromString("", "stream");
  DocumentMatrix documents;
  std::vector<std::string> labels;
  ASSERT_TRUE(*AppendSvmLightRow(lines, "a,b 3:1", &documents, &labels));
  EXPECT_EQ(labels, (std::vector<std::string>{"a", "b"}));
  EXPECT_FALSE(AppendSvmLightRow(lines, "1 4:1 9:x", &documents, &labels).ok());
  EXPECT_FALSE(*AppendSvmLightRow(lines, " # ", &documents, &labels));
  EXPECT_EQ(documents.num_documents(), 1);
  EXPECT_EQ(documents.num_terms, 3);
  EXPECT_TRUE(ValidateDocuments(documents).ok());
}

TEST(SvmLightTest, RandomFloatsRoundTrip) {
  constexpr unsigned kSeed = 5;
  std::mt19937 random(kSeed);
  DocumentMatrix documents;
  Labels labels;
  for (int d = 0; d < 300; ++d) {
    int32_t term = -1;
    const int size = random() % 20;
    for (int i = 0; i < size; ++i) {
      term += 1 + random() % 50;
      float weight;
      if (random() % 2 == 0) {
        weight = static_cast<float>(1 + random() % 30000000);
      } else {
        // Any positive finite float, denormals among them.
        const uint32_t bits = 1 + random() % 0x7F7FFFFF;
        std::memcpy(&weight, &bits, sizeof(weight));
      }
      documents.terms.push_back(term);
      documents.weights.push_back(weight);
      documents.num_terms = std::max(documents.num_terms, term + 1);
    }
    documents.offsets.push_back(documents.num_entries());
    labels.push_back({absl::StrCat("c", random() % 3)});
    if (random() % 2 == 0) labels.back().push_back("-7.5");
  }
  for (const char* name : {"t.svm", "t.svm.gz"}) {
    const std::string path = absl::StrCat(testing::TempDir(), "/", name);
    const absl::Status written = WriteSvmLight(documents, labels, path);
    ASSERT_TRUE(written.ok()) << written;
    const absl::StatusOr<LabelledDocuments> read = ReadSvmLight(path);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->documents.offsets, documents.offsets);
    EXPECT_EQ(read->documents.terms, documents.terms);
    EXPECT_EQ(read->documents.weights, documents.weights) << "seed " << kSeed;
    EXPECT_EQ(read->documents.num_terms, documents.num_terms);
    EXPECT_EQ(read->labels, labels);
  }
}

TEST(SvmLightTest, WriterKnowsNoLocale) {
  const std::string path = absl::StrCat(testing::TempDir(), "/locale.svm");
  const CommaLocale comma;
  if (!comma.found()) GTEST_SKIP() << "no locale with a decimal comma here";
  ASSERT_TRUE(WriteSvmLight({{0, 2}, {0, 4}, {0.25, 1e-7}, 5}, {}, path).ok());
  EXPECT_EQ(*ReadWholeFile(path), "0 1:0.25 5:1.00000001e-07\n");
}

TEST(SvmLightTest, WriterChecksLabels) {
  const std::string path = absl::StrCat(testing::TempDir(), "/labels.svm");
  const DocumentMatrix two{{0, 1, 1}, {4}, {3}, 5};
  ASSERT_TRUE(WriteSvmLight(two, {}, path).ok());
  EXPECT_EQ(*ReadWholeFile(path), "0 5:3\n0\n");
  EXPECT_FALSE(WriteSvmLight(two, {{"a"}}, path).ok());
  for (const char* bad : {"", "a b", "a:b", "a,b", "#a", "a\n"}) {
    EXPECT_EQ(WriteSvmLight(two, {{"a"}, {bad}}, path).code(),
              absl::StatusCode::kInvalidArgument)
        << bad;
  }
  // The reader drops a byte order mark at the start of the file, not elsewhere.
  const std::string marked = "\xEF\xBB\xBFx";
  EXPECT_EQ(WriteSvmLight(two, {{marked}, {"a"}}, path).code(),
            absl::StatusCode::kInvalidArgument);
  // A refused job leaves the file.
  EXPECT_EQ(*ReadWholeFile(path), "0 5:3\n0\n");
  ASSERT_TRUE(WriteSvmLight(two, {{"a"}, {marked}}, path).ok());
  EXPECT_EQ(ReadSvmLight(path)->labels, (Labels{{"a"}, {marked}}));
}

TEST(SvmLightTest, WriterRefusesWhatIsNoMatrix) {
  const std::string path = absl::StrCat(testing::TempDir(), "/matrix.svm");
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  for (const DocumentMatrix& bad :
       {DocumentMatrix{{0, 1}, {0}, {kNan}, 1},
        DocumentMatrix{{0, 1}, {0}, {-1}, 1},
        DocumentMatrix{{0, 2}, {1, 0}, {1, 1}, 2},
        DocumentMatrix{{0, 7}, {0}, {1}, 1}, DocumentMatrix{{0, 1}, {0}, {}, 1},
        DocumentMatrix{{}, {}, {}, 0}}) {
    EXPECT_EQ(WriteSvmLight(bad, {}, path), ValidateDocuments(bad));
  }
  EXPECT_EQ(WriteSvmLight({{0, 7}, {0}, {1}, 1}, {}, path).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(NumberFieldsTest, Digits) {
  int64_t value = -1;
  EXPECT_TRUE(ParseDigits("0", &value));
  EXPECT_EQ(value, 0);
  EXPECT_TRUE(ParseDigits("9223372036854775806", &value));
  EXPECT_EQ(value, 9223372036854775806);
  for (const char* large : {"9223372036854775807", "9223372036854775808",
                            "18446744073709551616", "99999999999999999999"}) {
    EXPECT_TRUE(ParseDigits(large, &value));
    EXPECT_EQ(value, INT64_MAX) << large;
  }
  for (const char* bad : {"", "-", "-1", "+1", " 1", "1 ", "1.0", "x"}) {
    EXPECT_FALSE(ParseDigits(bad, &value)) << bad;
  }
}

}  // namespace
}  // namespace warpclust
