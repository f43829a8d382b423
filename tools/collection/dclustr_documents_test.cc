// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/collection/dclustr_documents.h"

#include <cstdint>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/text/analyzer.h"
#include "sparse/text/vocabulary.h"

namespace warpclust {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string WriteFile(absl::string_view name, absl::string_view content) {
  const std::string path = absl::StrCat(testing::TempDir(), "/", name);
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

StoreReader::File File(std::string path) {
  StoreReader::File file;
  file.path = std::move(path);
  return file;
}

StoreReader::Knowledge WithoutStems() {
  StoreReader::Knowledge knowledge;
  knowledge.analyzer.stemmer = "";
  return knowledge;
}

TEST(StoreReaderTest, NumbersTermsByFirstFileThenByBytes) {
  StoreReader reader(WithoutStems());
  StoreReader::Documents documents;
  absl::Status status = reader.Append(
      File(WriteFile("a.jsonl",
                     "{\"id\":\"x\",\"text\":\"pear apple pear\"}\n"
                     "{\"id\":\"y\",\"text\":\"fig\"}\n")),
      &documents);
  ASSERT_TRUE(status.ok()) << status;
  status = reader.Append(
      File(WriteFile("b.jsonl",
                     "{\"text\":\"zucchini apple cherry\",\"id\":\"z\"}\n")),
      &documents);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_THAT(documents.ids, ElementsAre("x", "y", "z"));
  const Vocabulary& terms = reader.knowledge().terms;
  std::vector<std::string> names;
  for (int32_t t = 0; t < terms.size(); ++t) names.emplace_back(terms.Term(t));
  EXPECT_THAT(names, ElementsAre("apple", "fig", "pear", "cherry", "zucchini"));
  EXPECT_TRUE(ValidateDocuments(documents.counts).ok());
  EXPECT_THAT(documents.counts.TermsOf(0), ElementsAre(0, 2));
  EXPECT_THAT(documents.counts.WeightsOf(0), ElementsAre(1, 2));
  EXPECT_THAT(documents.counts.TermsOf(1), ElementsAre(1));
  EXPECT_THAT(documents.counts.TermsOf(2), ElementsAre(0, 3, 4));
  EXPECT_EQ(documents.counts.num_terms, 5);
  EXPECT_EQ(reader.knowledge().content, StoreReader::Content::kTexts);
  EXPECT_EQ(reader.knowledge().next_number, 0);
}

TEST(StoreReaderTest, NumbersDocumentsOverFiles) {
  StoreReader reader(WithoutStems());
  StoreReader::Documents documents;
  ASSERT_TRUE(
      reader.Append(File(WriteFile("n.svm", "0 1:2 5:1\n0\n")), &documents)
          .ok());
  ASSERT_TRUE(
      reader.Append(File(WriteFile("m.svm", "0 9:1.5\n")), &documents).ok());
  ASSERT_TRUE(reader
                  .Append(File(WriteFile("k.mtx",
                                         "%%MatrixMarket matrix coordinate "
                                         "integer general\n1 3 1\n1 2 7\n")),
                          &documents)
                  .ok());
  EXPECT_THAT(documents.ids, ElementsAre("0", "1", "2", "3"));
  EXPECT_THAT(documents.counts.TermsOf(0), ElementsAre(0, 4));
  EXPECT_THAT(documents.counts.TermsOf(2), ElementsAre(8));
  EXPECT_THAT(documents.counts.TermsOf(3), ElementsAre(1));
  EXPECT_EQ(documents.counts.num_terms, 9);
  EXPECT_EQ(reader.knowledge().next_number, 4);
  EXPECT_EQ(reader.knowledge().content, StoreReader::Content::kVectors);
  // Texts are refused.
  const absl::Status status = reader.Append(
      File(WriteFile("t.jsonl", "{\"text\":\"a\"}\n")), &documents);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("expected vectors"));
  EXPECT_THAT(status.message(), HasSubstr("found texts (jsonl)"));
}

TEST(StoreReaderTest, JoinsEmbeddingsOfSeveralFiles) {
  StoreReader reader(WithoutStems());
  StoreReader::Documents documents;
  ASSERT_TRUE(reader
                  .Append(File(WriteFile("e.jsonl",
                                         "\n{\"embedding\":[1,-2]}\n"
                                         "{\"id\":\"x\",\"embedding\":[0,3]}")),
                          &documents)
                  .ok());
  // A row of float32: its length, then its values.
  ASSERT_TRUE(
      reader
          .Append(File(WriteFile("f.fvecs", std::string("\2\0\0\0\0\0\x80\x3f"
                                                        "\0\0\0\x40",
                                                        12))),
                  &documents)
          .ok());
  EXPECT_THAT(documents.ids, ElementsAre("0", "x", "1"));
  EXPECT_THAT(documents.lines, ElementsAre(2, 3, 0));
  EXPECT_THAT(documents.rows.values, ElementsAre(1, -2, 0, 3, 1, 2));
  EXPECT_EQ(documents.rows.num_documents(), 3);
  EXPECT_EQ(documents.counts.num_documents(), 0);
  EXPECT_EQ(reader.knowledge().content, StoreReader::Content::kEmbeddings);
  EXPECT_EQ(reader.knowledge().dimensions, 2);
  EXPECT_EQ(reader.knowledge().next_number, 2);
  absl::Status status = reader.Append(
      File(WriteFile("g.jsonl", "\n{\"embedding\":[1,2,3]}\n")), &documents);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("g.jsonl:2: expected 2 dimensions"));
  status = reader.Append(File(WriteFile("n.svm", "0 1:2\n")), &documents);
  EXPECT_THAT(status.message(),
              HasSubstr("expected embeddings, as in the store, found vectors"));
}

TEST(StoreReaderTest, TakesNamesFromAFile) {
  StoreReader reader(WithoutStems());
  StoreReader::Documents documents;
  StoreReader::File file = File(WriteFile("two.svm", "0 1:2\n0 2:1\n"));
  file.ids_required = true;
  absl::Status status = reader.Append(file, &documents);
  EXPECT_THAT(status.message(), HasSubstr("document 0: expected the id"));
  documents = StoreReader::Documents();
  file.ids_path = WriteFile("two.ids", "one\ntwo\n");
  status = reader.Append(file, &documents);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_THAT(documents.ids, ElementsAre("one", "two"));
  file.ids_path = WriteFile("three.ids", "one\ntwo\nthree\n");
  status = reader.Append(file, &documents);
  EXPECT_THAT(status.message(), HasSubstr("expected 2 lines"));
}

TEST(StoreReaderTest, ErrorsNameFileAndLine) {
  StoreReader reader(WithoutStems());
  StoreReader::Documents documents;
  absl::Status status = reader.Append(
      File(WriteFile("bad.jsonl", "{\"text\":\"a\"}\n{\"text\":7}\n")),
      &documents);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("bad.jsonl:2: "));
  StoreReader::File file =
      File(WriteFile("hash.jsonl", "{\"id\":\"#1\",\"text\":\"a\"}\n"));
  file.ids_for_table = true;
  status = reader.Append(file, &documents);
  EXPECT_THAT(status.message(), HasSubstr("hash.jsonl:1: "));
  status = reader.Append(File(WriteFile("wide.svm", "0 2000000000:1\n")),
                         &documents);
  EXPECT_THAT(status.message(), HasSubstr("expected indices up to 67108864"));
  status = reader.Append(File("/nowhere"), &documents);
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace warpclust
