// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DocumentStore of dense rows: random histories beside a map that is told the
// same, the other kind of documents, and damage.

#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "graph/pcc_store/documents/document_store.h"
#include "graph/pcc_store/lmdb/pcc_tables.h"
#include "graph/testing/document_store_fixture.h"
#include "gtest/gtest.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/dense/owned_dense_rows.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {
namespace {

using ::testing::HasSubstr;

using Model = std::map<int32_t, std::vector<float>>;

class DenseDocumentStoreTest : public DocumentStoreTest {
 protected:
  void ExpectEqual(const Model& model, int num_threads) {
    std::vector<int32_t> vertices;
    std::vector<float> values;
    for (const auto& [vertex, row] : model) {
      vertices.push_back(vertex);
      values.insert(values.end(), row.begin(), row.end());
    }
    EXPECT_EQ(store_->num_documents(), static_cast<int32_t>(model.size()));
    std::vector<int32_t> found_vertices;
    std::vector<float> found;
    absl::Status status = store_->ForEachDenseBlock(
        100, num_threads,
        [&](absl::Span<const int32_t> block, const DenseDocuments& rows) {
          EXPECT_EQ(static_cast<int32_t>(block.size()), rows.num_documents());
          EXPECT_EQ(rows.num_dimensions, store_->num_terms());
          found_vertices.insert(found_vertices.end(), block.begin(),
                                block.end());
          found.insert(found.end(), rows.values.begin(), rows.values.end());
          return absl::OkStatus();
        });
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_EQ(found_vertices, vertices);
    EXPECT_EQ(found, values);
    absl::StatusOr<OwnedDenseRows> all =
        store_->AllDenseVectors(num_threads, &found_vertices);
    ASSERT_TRUE(all.ok()) << all.status();
    EXPECT_EQ(found_vertices, vertices);
    EXPECT_EQ(all->values, values);
    status = store_->Verify();
    EXPECT_TRUE(status.ok()) << status;
  }
};

TEST_F(DenseDocumentStoreTest, RandomSequencesEqualAModel) {
  for (uint32_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    TearDown();
    Begin();
    std::mt19937 random(seed);
    const int32_t dimensions =
        seed % 4 == 0 ? 700 : 1 + static_cast<int32_t>(random() % 40);
    Model model;
    int32_t next_vertex = 0;
    for (int step = 0; step < 25; ++step) {
      SCOPED_TRACE(absl::StrCat("step ", step));
      const uint32_t what = random() % 6;
      if (what <= 2) {
        next_vertex += static_cast<int32_t>(random() % 2);
        const int32_t first = next_vertex;
        OwnedDenseRows rows = {dimensions, {}};
        std::vector<std::string> ids;
        for (uint32_t n = random() % (random() % 3 == 0 ? 200 : 20); n > 0;
             --n) {
          std::vector<float>& row = model[next_vertex];
          for (int32_t k = 0; k < dimensions; ++k) {
            row.push_back(random() % 5 == 0
                              ? -0.0f
                              : static_cast<float>(random() % 9) * 0.3f - 1);
          }
          rows.values.insert(rows.values.end(), row.begin(), row.end());
          ids.push_back(absl::StrCat("id ", next_vertex++));
        }
        const absl::Status status = store_->Append(first, rows, ids);
        ASSERT_TRUE(status.ok()) << status;
      } else if (what <= 4) {
        std::vector<int32_t> removed;
        const uint32_t share = 1 + random() % 4;
        for (const auto& [vertex, row] : model) {
          if (random() % 4 < share) removed.push_back(vertex);
        }
        for (int32_t vertex : removed) model.erase(vertex);
        const absl::Status status = store_->Remove(removed);
        ASSERT_TRUE(status.ok()) << status;
      } else {
        const absl::Status status = store_->Rewrite();
        ASSERT_TRUE(status.ok()) << status;
      }
      if (random() % 3 == 0) Reopen();
      EXPECT_EQ(store_->is_dense(), next_vertex > 0 && store_->num_terms() > 0);
      ExpectEqual(model, random() % 2 == 0 ? 1 : 3);

      // Some of them by themselves.
      std::vector<int32_t> some;
      std::vector<float> expected;
      for (const auto& [vertex, row] : model) {
        if (random() % 5 != 0) continue;
        some.push_back(vertex);
        expected.insert(expected.end(), row.begin(), row.end());
      }
      const absl::StatusOr<OwnedDenseRows> rows =
          store_->DenseVectors(some, 1 + static_cast<int>(random() % 3));
      ASSERT_TRUE(rows.ok()) << rows.status();
      EXPECT_EQ(rows->values, expected);
    }
  }
}

TEST_F(DenseDocumentStoreTest, SeveralBlocksPerPiece) {
  const int32_t dimensions = 20000;
  std::vector<float> values(500 * dimensions);
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(i % 977);
  }
  std::vector<std::string> ids;
  Model model;
  for (int32_t v = 0; v < 500; ++v) {
    ids.push_back(absl::StrCat(v));
    model[v].assign(values.begin() + v * dimensions,
                    values.begin() + (v + 1) * dimensions);
  }
  ASSERT_TRUE(
      store_->Append(0, MakeDenseDocuments(std::move(values), 500), ids).ok());
  std::vector<int32_t> removed;
  for (int32_t v = 0; v < 500; v += 3) {
    removed.push_back(v);
    model.erase(v);
  }
  ASSERT_TRUE(store_->Remove(removed).ok());
  int calls = 0;
  ASSERT_TRUE(store_
                  ->ForEachDenseBlock(int64_t{1} << 22, 2,
                                      [&](absl::Span<const int32_t> vertices,
                                          const DenseDocuments&) {
                                        ++calls;
                                        EXPECT_LE(vertices.size(), 209u);
                                        return absl::OkStatus();
                                      })
                  .ok());
  EXPECT_EQ(calls, 2);
  ExpectEqual(model, 2);
  // A removed row is not read, whatever else its block has.
  const int64_t before = store_->bytes_read();
  ASSERT_TRUE(store_->DenseVectors({1, 2, 499}).ok());
  EXPECT_LT(store_->bytes_read() - before, 3 * 64 * 4 * dimensions);
}

TEST_F(DenseDocumentStoreTest, OneKindAndOneNumberOfDimensions) {
  const auto refused = [](const absl::Status& status, const char* part) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr(part));
  };
  EXPECT_FALSE(store_->is_dense());
  EXPECT_TRUE(store_->kind().Accepts(Rows(1)).ok());
  EXPECT_TRUE(store_->kind().Accepts(RowsOfNumbers(1)).ok());
  // Nothing is of no kind.
  ASSERT_TRUE(store_->Append(0, DenseDocuments(), {}).ok());
  ASSERT_TRUE(store_->Append(0, DocumentMatrix(), {}).ok());
  EXPECT_FALSE(store_->is_dense());
  refused(store_->kind().Accepts(DenseDocuments{2, 0, {}, nullptr}),
          "at least one number");
  refused(
      store_->Append(
          0, MakeDenseDocuments({std::numeric_limits<float>::infinity()}, 1),
          {"a"}),
      "finite");
  refused(store_->Append(0, RowsOfNumbers(2), {"a"}), "expected 2 ids");
  EXPECT_FALSE(store_->is_dense());
  ASSERT_TRUE(store_->Append(0, RowsOfNumbers(2), {"a", "b"}).ok());
  EXPECT_TRUE(store_->is_dense());
  EXPECT_EQ(store_->num_terms(), 3);
  refused(
      store_->Append(2, Rows(1), {"c"}),
      "expected rows of 3 numbers, as the collection has, found term vectors");
  refused(store_->Append(2, MakeDenseDocuments({1, 2}, 1), {"c"}),
          "expected 3 dimensions, as the collection has, found 2");
  EXPECT_EQ(store_->Vectors({0}).status().code(), absl::StatusCode::kDataLoss);
  // Also when all of them are gone.
  ASSERT_TRUE(store_->Remove({0, 1}).ok());
  Reopen();
  EXPECT_TRUE(store_->is_dense());
  refused(store_->kind().Accepts(Rows(1)), "found term vectors");
  ASSERT_TRUE(store_->Append(2, DocumentMatrix(), {}).ok());
  ExpectEqual({}, 1);

  TearDown();
  Begin();
  ASSERT_TRUE(store_->Append(0, Rows(2), {"a", "b"}).ok());
  refused(
      store_->Append(2, RowsOfNumbers(1), {"c"}),
      "expected term vectors, as the collection has, found rows of 3 numbers");
  EXPECT_EQ(store_->DenseVectors({0}).status().code(),
            absl::StatusCode::kDataLoss);
}

// Every record replaced by something else: an error, or what was there.
TEST_F(DenseDocumentStoreTest, OtherBytesAreDataLoss) {
  std::vector<std::string> ids;
  for (int i = 0; i < 150; ++i) ids.push_back(absl::StrCat("id ", i));
  ASSERT_TRUE(store_->Append(0, RowsOfNumbers(150), ids).ok());
  ASSERT_TRUE(store_->Remove({3, 70, 71}).ok());
  ASSERT_TRUE(store_->Flush().ok());
  ASSERT_TRUE(store_->Verify().ok()) << store_->Verify();
  const auto expect_data_loss = [&](int table) {
    absl::StatusOr<DocumentStore> store = DocumentStore::Open(&*transaction_);
    absl::Status status = store.ok() ? store->Verify() : store.status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << table << status;
    if (!store.ok() || table != kDocuments) return;
    status = store->ForEachDenseBlock(
        1000, 2, [](absl::Span<const int32_t>, const DenseDocuments&) {
          return absl::OkStatus();
        });
    if (status.ok()) return;
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
  };
  for (int table : {kDocuments, kTerms}) {
    std::vector<std::pair<std::string, std::string>> all;
    ASSERT_TRUE(
        transaction_
            ->ForEach(table, "",
                      [&](absl::string_view key,
                          absl::string_view value) -> absl::StatusOr<bool> {
                        all.emplace_back(key, value);
                        return true;
                      })
            .ok());
    EXPECT_EQ(all.size(), table == kDocuments ? 5u : 1u);
    for (const auto& [key, value] : all) {
      // A NaN in place of the last value, if it is a block.
      const std::string nan =
          value.substr(0, value.size() - 2) + std::string("\xc0\x7f");
      for (const std::string& other :
           {std::string(), std::string("\x01"), value + "x", value + "abcd",
            value.substr(0, value.size() / 2),
            value.substr(0, value.size() - 4), nan}) {
        if (other == value) continue;
        ASSERT_TRUE(transaction_->Put(table, key, other).ok());
        expect_data_loss(table);
      }
      ASSERT_TRUE(transaction_->Delete(table, key).ok());
      expect_data_loss(table);
      ASSERT_TRUE(transaction_->Put(table, key, value).ok());
      EXPECT_TRUE(DocumentStore::Open(&*transaction_)->Verify().ok());
    }
  }
}

}  // namespace
}  // namespace warpclust
