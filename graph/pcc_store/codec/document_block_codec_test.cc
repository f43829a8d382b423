// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/codec/document_block_codec.h"

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {
namespace {

DocumentMatrix RandomDocuments(int32_t rows, bool integers,
                               std::mt19937* random) {
  DocumentMatrix m;
  m.num_terms = INT32_MAX;
  for (int32_t r = 0; r < rows; ++r) {
    int64_t term = -1;
    const uint32_t length = (*random)() % 3 == 0 ? 0 : (*random)() % 60;
    for (uint32_t e = 0; e < length; ++e) {
      term += 1 + ((*random)() >> ((*random)() % 28 + 4));
      if (term >= m.num_terms) break;
      m.terms.push_back(static_cast<int32_t>(term));
      const uint32_t count = 1 + ((*random)() >> ((*random)() % 24 + 8));
      m.weights.push_back(integers ? static_cast<float>(count % 0xffffff + 1)
                                   : static_cast<float>(count) / 3);
    }
    m.offsets.push_back(m.num_entries());
  }
  return m;
}

TEST(DocumentBlockCodecTest, DecodesWhatWasEncoded) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const int32_t rows = static_cast<int32_t>(random() % 65);
    const int32_t skipped = static_cast<int32_t>(random() % 3);
    const DocumentMatrix m =
        RandomDocuments(skipped + rows + 2, seed % 2 == 0, &random);
    std::vector<int32_t> vertices;
    int32_t vertex = static_cast<int32_t>(random() % 100000);
    for (int32_t r = 0; r < rows; ++r) {
      vertices.push_back(vertex);
      vertex += 1 + static_cast<int32_t>(random() % 300);
    }
    const std::string bytes = EncodeDocumentBlock(vertices, m, skipped);
    absl::StatusOr<DocumentBlockReader> reader =
        DocumentBlockReader::Open(bytes);
    ASSERT_TRUE(reader.ok()) << reader.status();
    EXPECT_EQ(reader->vertices(), vertices);
    const int64_t begin = m.offsets[skipped];
    ASSERT_EQ(reader->num_entries(), m.offsets[skipped + rows] - begin);
    for (int32_t r = 0; r <= rows; ++r) {
      EXPECT_EQ(reader->offsets()[r], m.offsets[skipped + r] - begin);
    }
    std::vector<int32_t> terms(reader->num_entries());
    std::vector<float> weights(terms.size());
    ASSERT_TRUE(reader
                    ->Decode(m.num_terms, absl::MakeSpan(terms),
                             absl::MakeSpan(weights))
                    .ok());
    for (size_t e = 0; e < terms.size(); ++e) {
      ASSERT_EQ(terms[e], m.terms[begin + e]);
      ASSERT_EQ(weights[e], m.weights[begin + e]);
    }
    // Anything shorter is seen as such.
    for (size_t length = 0; length < bytes.size(); length += 1 + length / 16) {
      const std::vector<char> cut(bytes.begin(), bytes.begin() + length);
      reader = DocumentBlockReader::Open({cut.data(), cut.size()});
      absl::Status status = reader.status();
      if (status.ok() && reader->num_entries() <= m.num_entries()) {
        std::vector<int32_t> t(reader->num_entries());
        std::vector<float> w(t.size());
        status =
            reader->Decode(m.num_terms, absl::MakeSpan(t), absl::MakeSpan(w));
      }
      EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << length;
    }
  }
}

TEST(DocumentBlockCodecTest, AnyBytesAreABlockOrAnError) {
  std::mt19937 random(7);
  const DocumentMatrix m = RandomDocuments(20, true, &random);
  std::vector<int32_t> vertices;
  for (int32_t r = 0; r < 20; ++r) vertices.push_back(r);
  const std::string good = EncodeDocumentBlock(vertices, m, 0);
  for (int trial = 0; trial < 3000; ++trial) {
    SCOPED_TRACE(trial);
    std::string bytes = good;
    for (int change = 0; change < 3; ++change) {
      bytes[random() % (trial % 2 == 0 ? 60 : bytes.size())] =
          static_cast<char>(random());
    }
    absl::StatusOr<DocumentBlockReader> reader =
        DocumentBlockReader::Open(bytes);
    if (!reader.ok()) continue;
    DocumentMatrix read;
    read.num_terms = m.num_terms;
    read.offsets.assign(reader->offsets().begin(), reader->offsets().end());
    read.terms.resize(reader->num_entries());
    read.weights.resize(reader->num_entries());
    if (!reader
             ->Decode(m.num_terms, absl::MakeSpan(read.terms),
                      absl::MakeSpan(read.weights))
             .ok()) {
      continue;
    }
    EXPECT_TRUE(ValidateDocuments(read).ok());
  }
}

TEST(DocumentBlockCodecTest, RefusesTermsBeyondTheStore) {
  DocumentMatrix m;
  m.num_terms = 10;
  m.terms = {3, 9};
  m.weights = {1, 2.5f};
  m.offsets = {0, 2};
  const std::vector<int32_t> vertices = {5};
  const std::string bytes = EncodeDocumentBlock(vertices, m, 0);
  absl::StatusOr<DocumentBlockReader> reader = DocumentBlockReader::Open(bytes);
  ASSERT_TRUE(reader.ok());
  int32_t terms[2];
  float weights[2];
  EXPECT_TRUE(
      reader->Decode(10, absl::MakeSpan(terms), absl::MakeSpan(weights)).ok());
  EXPECT_EQ(weights[1], 2.5f);
  EXPECT_EQ(
      reader->Decode(9, absl::MakeSpan(terms), absl::MakeSpan(weights)).code(),
      absl::StatusCode::kDataLoss);
}

TEST(DocumentBlockCodecTest, RefusesTermsThatDoNotAscend) {
  // The differences of the two terms that stand the wrong way round are not
  // below 2^31, or add up to more.
  for (int32_t size : {2, 3, 5, 8, 17}) {
    for (int32_t wrong = 1; wrong < size; ++wrong) {
      for (int32_t back : {0, 1, 2000000000}) {
        DocumentMatrix m;
        m.num_terms = 2147483647;
        for (int32_t e = 0; e < size; ++e) {
          m.terms.push_back(2000000000 + e - (e >= wrong ? wrong + back : 0));
          m.weights.push_back(1);
        }
        m.offsets = {0, size};
        const std::vector<int32_t> vertices = {5};
        const std::string bytes = EncodeDocumentBlock(vertices, m, 0);
        absl::StatusOr<DocumentBlockReader> reader =
            DocumentBlockReader::Open(bytes);
        ASSERT_TRUE(reader.ok());
        EXPECT_TRUE(reader->are_counts());
        std::vector<int32_t> terms(size);
        std::vector<float> weights(size);
        EXPECT_EQ(reader
                      ->Decode(m.num_terms, absl::MakeSpan(terms),
                               absl::MakeSpan(weights))
                      .code(),
                  absl::StatusCode::kDataLoss);
      }
    }
  }
}

TEST(DocumentBlockCodecTest, CountsTakeTwoBytesAnEntry) {
  // What a collection of texts looks like: 80 of 100,000 terms, mostly once.
  std::mt19937 random(1);
  DocumentMatrix m;
  m.num_terms = 100000;
  std::vector<int32_t> vertices;
  for (int32_t r = 0; r < 64; ++r) {
    vertices.push_back(r);
    double term = 0;
    for (int e = 0; e < 80; ++e) {
      term += 1 + std::exp(static_cast<double>(random() % 700) / 100);
      m.terms.push_back(static_cast<int32_t>(term));
      m.weights.push_back(random() % 4 == 0 ? 2.0f : 1.0f);
    }
    m.offsets.push_back(m.num_entries());
  }
  EXPECT_LT(EncodeDocumentBlock(vertices, m, 0).size(),
            2.25 * static_cast<double>(m.num_entries()));
}

TEST(DocumentBlockCodecTest, RowsOfFloats) {
  for (uint32_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const int32_t rows = 1 + static_cast<int32_t>(random() % 64);
    const int32_t dimensions = 1 + static_cast<int32_t>(random() % 50);
    std::vector<float> values(int64_t{rows} * dimensions);
    for (float& value : values) {
      value = static_cast<float>(static_cast<int32_t>(random())) * 0x1p-20f;
    }
    const DenseDocuments all = MakeDenseDocuments(values, rows);
    const int32_t skipped = static_cast<int32_t>(random() % rows);
    std::vector<int32_t> vertices;
    for (int32_t r = skipped; r < rows; ++r) vertices.push_back(3 * r);
    std::string bytes = EncodeDocumentBlock(vertices, all, skipped);
    absl::StatusOr<DocumentBlockReader> reader =
        DocumentBlockReader::Open(bytes);
    ASSERT_TRUE(reader.ok()) << reader.status();
    EXPECT_TRUE(reader->is_dense());
    EXPECT_FALSE(reader->are_counts());
    EXPECT_EQ(reader->vertices(), vertices);
    EXPECT_EQ(reader->num_entries(), (rows - skipped) * dimensions);
    std::vector<float> row(dimensions);
    for (int32_t r = skipped; r < rows; ++r) {
      ASSERT_TRUE(reader->DecodeRow(r - skipped, absl::MakeSpan(row)).ok());
      EXPECT_EQ(absl::MakeConstSpan(row), all.Row(r));
    }
    // Of another kind or length.
    std::vector<int32_t> terms(reader->num_entries());
    std::vector<float> weights(terms.size());
    EXPECT_EQ(
        reader
            ->Decode(INT32_MAX, absl::MakeSpan(terms), absl::MakeSpan(weights))
            .code(),
        absl::StatusCode::kDataLoss);
    row.resize(dimensions + 1);
    EXPECT_EQ(reader->DecodeRow(0, absl::MakeSpan(row)).code(),
              absl::StatusCode::kDataLoss);
    row.resize(dimensions);
    for (size_t length = 0; length < bytes.size(); length += 1 + length / 16) {
      const std::vector<char> cut(bytes.begin(), bytes.begin() + length);
      EXPECT_EQ(
          DocumentBlockReader::Open({cut.data(), cut.size()}).status().code(),
          absl::StatusCode::kDataLoss)
          << length;
    }
    // An infinity.
    bytes[bytes.size() - 1] = '\x7f';
    bytes[bytes.size() - 2] = '\x80';
    reader = DocumentBlockReader::Open(bytes);
    ASSERT_TRUE(reader.ok()) << reader.status();
    EXPECT_EQ(reader->DecodeRow(rows - skipped - 1, absl::MakeSpan(row)).code(),
              absl::StatusCode::kDataLoss);
  }
  const DocumentMatrix sparse;
  const absl::StatusOr<DocumentBlockReader> none =
      DocumentBlockReader::Open(EncodeDocumentBlock({}, sparse, 0));
  ASSERT_TRUE(none.ok());
  EXPECT_FALSE(none->is_dense());
}

TEST(DocumentBlockCodecTest, AnyBytesAreDenseRowsOrAnError) {
  std::mt19937 random(8);
  std::vector<int32_t> vertices;
  for (int32_t r = 0; r < 20; ++r) vertices.push_back(r);
  const std::string good = EncodeDocumentBlock(
      vertices, MakeDenseDocuments(std::vector<float>(60, 0.5f), 20), 0);
  for (int trial = 0; trial < 3000; ++trial) {
    SCOPED_TRACE(trial);
    std::string bytes = good;
    for (int change = 0; change < 3; ++change) {
      bytes[random() % (trial % 2 == 0 ? 20 : bytes.size())] =
          static_cast<char>(random());
    }
    const absl::StatusOr<DocumentBlockReader> reader =
        DocumentBlockReader::Open(bytes);
    if (!reader.ok() || !reader->is_dense()) continue;
    for (int32_t d = 0; d < reader->num_documents(); ++d) {
      std::vector<float> row(reader->offsets()[d + 1] - reader->offsets()[d]);
      if (!reader->DecodeRow(d, absl::MakeSpan(row)).ok()) continue;
      EXPECT_TRUE(
          ValidateDenseDocuments(MakeDenseDocuments(std::move(row), 1)).ok());
    }
  }
}

}  // namespace
}  // namespace warpclust
