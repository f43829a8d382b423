// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DocumentStore over random additions, removals and rewrites, beside a map that
// is told the same.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "graph/pcc_store/documents/document_store.h"
#include "graph/testing/document_store_fixture.h"
#include "gtest/gtest.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {
namespace {

// The obviously right store.
using Model = std::map<int32_t, StoredDocument>;

StoredDocument RandomDocument(int32_t num_terms, bool integers,
                              std::mt19937* random) {
  StoredDocument document;
  if ((*random)() % 8 == 0) return document;
  for (int32_t t = 0; t < num_terms; ++t) {
    if ((*random)() % 10 != 0) continue;
    document.terms.push_back(t);
    const float count = static_cast<float>(1 + (*random)() % 5);
    document.weights.push_back(integers ? count : count / 3);
  }
  return document;
}

class DocumentStoreHistoryTest : public DocumentStoreTest {
 protected:
  // The same documents, decoded by the caller.
  void ExpectPieces(const std::vector<int32_t>& vertices,
                    const DocumentMatrix& all) {
    std::vector<int32_t> found;
    DocumentMatrix documents;
    absl::Status status = store_->ForEachPieces(
        /*most_documents=*/256, /*num_threads=*/1,
        [&](const StoredDocumentPieces& pieces) {
          EXPECT_GT(pieces.size(), 0);
          EXPECT_EQ(pieces.num_terms(), store_->num_terms());
          for (int64_t piece = 0; piece < pieces.size(); ++piece) {
            const int64_t before = documents.num_entries();
            const absl::StatusOr<bool> are_counts =
                pieces.Decode(piece, &found, &documents);
            if (!are_counts.ok()) return are_counts.status();
            EXPECT_LE(documents.num_documents(), 256 * (piece + 1));
            for (int64_t e = before; *are_counts && e < documents.num_entries();
                 ++e) {
              EXPECT_EQ(documents.weights[e], std::floor(documents.weights[e]));
            }
          }
          return absl::OkStatus();
        });
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_EQ(found, vertices);
    EXPECT_EQ(documents.offsets, all.offsets);
    EXPECT_EQ(documents.terms, all.terms);
    EXPECT_EQ(documents.weights, all.weights);
  }

  // Adds and compares with the model.
  void ExpectEqual(const Model& model, int32_t max_rows, int num_threads) {
    std::vector<int32_t> vertices;
    DocumentMatrix all;
    std::vector<int32_t> rows;
    absl::Status status = store_->ForEachBlock(
        max_rows, num_threads,
        [&](absl::Span<const int32_t> v, const DocumentMatrix& m) {
          EXPECT_TRUE(ValidateDocuments(m).ok());
          EXPECT_EQ(static_cast<int32_t>(v.size()), m.num_documents());
          EXPECT_EQ(m.num_terms, store_->num_terms());
          rows.push_back(m.num_documents());
          vertices.insert(vertices.end(), v.begin(), v.end());
          all.terms.insert(all.terms.end(), m.terms.begin(), m.terms.end());
          all.weights.insert(all.weights.end(), m.weights.begin(),
                             m.weights.end());
          for (int32_t d = 0; d < m.num_documents(); ++d) {
            all.offsets.push_back(all.offsets.back() + m.offsets[d + 1] -
                                  m.offsets[d]);
          }
          return absl::OkStatus();
        });
    ASSERT_TRUE(status.ok()) << status;
    for (size_t i = 0; i < rows.size(); ++i) {
      EXPECT_LE(rows[i], std::max(max_rows, kDocumentsPerBlock));
      if (i > 0) {
        EXPECT_GT(rows[i - 1] + kDocumentsPerBlock, max_rows);
      }
    }
    ExpectPieces(vertices, all);
    DocumentMatrix expected;
    std::vector<int32_t> expected_vertices;
    std::vector<std::string> ids;
    for (const auto& [vertex, document] : model) {
      AppendRow(document, &expected);
      expected_vertices.push_back(vertex);
      ids.push_back(document.id);
    }
    EXPECT_EQ(vertices, expected_vertices);
    EXPECT_EQ(all.offsets, expected.offsets);
    EXPECT_EQ(all.terms, expected.terms);
    EXPECT_EQ(all.weights, expected.weights);
    EXPECT_EQ(store_->num_documents(), static_cast<int32_t>(model.size()));
    auto found = store_->Ids(vertices);
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(*found, ids);
  }
};

TEST_F(DocumentStoreHistoryTest, RandomSequencesEqualAModel) {
  for (uint32_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    TearDown();
    Begin();
    std::mt19937 random(seed);
    Model model;
    std::vector<std::string> free_ids;
    int32_t next_vertex = 0;
    int32_t next_id = 0;
    for (int step = 0; step < 25; ++step) {
      SCOPED_TRACE(absl::StrCat("step ", step));
      const uint32_t what = random() % 6;
      if (what <= 2) {
        next_vertex += static_cast<int32_t>(random() % 2);
        const int32_t first = next_vertex;
        DocumentMatrix counts;
        counts.num_terms = 5 + static_cast<int32_t>(random() % 200);
        std::vector<std::string> ids;
        const uint32_t most = random() % 3 == 0 ? 200 : 20;
        for (uint32_t n = random() % most; n > 0; --n) {
          StoredDocument document =
              RandomDocument(counts.num_terms, random() % 50 != 0, &random);
          if (!free_ids.empty() && random() % 2 == 0) {
            document.id = free_ids.back();
            free_ids.pop_back();
          } else {
            document.id = absl::StrCat("id ", next_id++);
            if (random() % 20 == 0) document.id.append(5000, 'x');
          }
          AppendRow(document, &counts);
          ids.push_back(document.id);
          model[next_vertex++] = std::move(document);
        }
        absl::Status status = store_->Append(first, counts, ids);
        ASSERT_TRUE(status.ok()) << status;
      } else if (what <= 4) {
        std::vector<int32_t> removed;
        const uint32_t share = 1 + random() % 4;
        for (const auto& [vertex, document] : model) {
          if (random() % 4 < share) {
            removed.push_back(vertex);
            free_ids.push_back(document.id);
          }
        }
        for (int32_t vertex : removed) model.erase(vertex);
        absl::Status status = store_->Remove(removed);
        ASSERT_TRUE(status.ok()) << status;
      } else {
        absl::Status status = store_->Rewrite();
        ASSERT_TRUE(status.ok()) << status;
      }
      if (random() % 3 == 0) Reopen();
      ExpectEqual(model, 1 + static_cast<int32_t>(random() % 150),
                  random() % 2 == 0 ? 1 : 3);
      absl::Status status = store_->Verify();
      EXPECT_TRUE(status.ok()) << status;

      // Some of them by themselves.
      std::vector<int32_t> some;
      DocumentMatrix expected;
      for (const auto& [vertex, document] : model) {
        if (random() % 5 != 0) continue;
        some.push_back(vertex);
        AppendRow(document, &expected);
        auto found = store_->Find(document.id);
        ASSERT_TRUE(found.ok()) << found.status();
        EXPECT_EQ(*found, vertex);
      }
      auto vectors = store_->Vectors(some, 1 + random() % 3);
      ASSERT_TRUE(vectors.ok()) << vectors.status();
      EXPECT_EQ(vectors->offsets, expected.offsets);
      EXPECT_EQ(vectors->terms, expected.terms);
      EXPECT_EQ(vectors->weights, expected.weights);
      if (!free_ids.empty()) {
        auto found = store_->Find(free_ids.front());
        ASSERT_TRUE(found.ok());
        EXPECT_EQ(*found, absl::nullopt);
      }
    }
  }
}

TEST_F(DocumentStoreHistoryTest, EmptyStore) {
  EXPECT_EQ(store_->num_documents(), 0);
  EXPECT_TRUE(store_->Verify().ok());
  EXPECT_TRUE(store_->Rewrite().ok());
  EXPECT_TRUE(store_->Remove({}).ok());
  EXPECT_TRUE(store_->Append(0, DocumentMatrix(), {}).ok());
  Reopen();
  ExpectEqual({}, 10, 2);
  // Ids of any bytes, the empty one among them.
  ASSERT_TRUE(store_->Append(0, Rows(2), {"", std::string("\0", 1)}).ok());
  EXPECT_EQ(*store_->Find(""), 0);
  EXPECT_TRUE(store_->Verify().ok());
}

}  // namespace
}  // namespace warpclust
