// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/synthetic/generate_embeddings.h"

#include <string>

#include "absl/status/statusor.h"
#include "base/io/byte_reader.h"
#include "base/io/lines/line_reader.h"
#include "gtest/gtest.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/dense/io/dense_json_lines.h"
#include "sparse/dense/io/dense_npy.h"

namespace warpclust {
namespace {

std::string Generate(const GenerateEmbeddingsOptions& options, int threads,
                     std::string* truth = nullptr) {
  std::string text;
  GenerateEmbeddings(options, Into(&text),
                     truth == nullptr ? TextSink() : Into(truth), threads);
  return text;
}

TEST(GenerateEmbeddingsTest, NpyAndJsonLinesHoldTheSame) {
  GenerateEmbeddingsOptions options;
  options.num_documents = 2500;
  options.dimensions = 7;
  options.near_duplicates = "0.2";
  std::string truth;
  const std::string json = Generate(options, 1, &truth);
  EXPECT_EQ(json, Generate(options, 3));
  options.npy = true;
  const std::string npy = Generate(options, 1);
  EXPECT_EQ(npy, Generate(options, 3));
  ByteReader bytes = ByteReader::FromString(npy, "npy");
  const absl::StatusOr<DenseDocuments> from_npy = ReadDenseNpy(bytes);
  ASSERT_TRUE(from_npy.ok()) << from_npy.status();
  LineReader lines = LineReader::FromString(json);
  const absl::StatusOr<DenseJsonDocuments> from_json =
      ReadDenseJsonLines(lines);
  ASSERT_TRUE(from_json.ok()) << from_json.status();
  EXPECT_EQ(from_npy->num_documents(), 2500);
  EXPECT_EQ(from_npy->num_dimensions, 7);
  EXPECT_EQ(from_npy->values, from_json->documents.values);
  EXPECT_EQ(from_json->ids[2499], "2499");
  EXPECT_EQ(truth.substr(0, 11), "0\tdirection");
  options.seed = 2;
  EXPECT_NE(npy, Generate(options, 1));
}

TEST(GenerateEmbeddingsTest, NoDocuments) {
  GenerateEmbeddingsOptions options;
  options.num_documents = 0;
  EXPECT_EQ(Generate(options, 2), "");
  options.npy = true;
  ByteReader bytes = ByteReader::FromString(Generate(options, 2), "npy");
  const absl::StatusOr<DenseDocuments> read = ReadDenseNpy(bytes);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->num_documents(), 0);
}

}  // namespace
}  // namespace warpclust
