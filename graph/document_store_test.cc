// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/document_store.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "graph/lmdb_environment.h"
#include "graph/pcc_tables.h"
#include "gtest/gtest.h"
#include "sparse/document_matrix.h"
#include "sparse/vocabulary.h"

namespace warpclust {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The obviously right store.
struct Document {
  std::string id;
  std::vector<int32_t> terms;
  std::vector<float> weights;
};
using Model = std::map<int32_t, Document>;

void AppendRow(const Document& document, DocumentMatrix* m) {
  m->terms.insert(m->terms.end(), document.terms.begin(), document.terms.end());
  m->weights.insert(m->weights.end(), document.weights.begin(),
                    document.weights.end());
  m->offsets.push_back(m->num_entries());
}

Document RandomDocument(int32_t num_terms, bool integers,
                        std::mt19937* random) {
  Document document;
  if ((*random)() % 8 == 0) return document;
  for (int32_t t = 0; t < num_terms; ++t) {
    if ((*random)() % 10 != 0) continue;
    document.terms.push_back(t);
    const float count = static_cast<float>(1 + (*random)() % 5);
    document.weights.push_back(integers ? count : count / 3);
  }
  return document;
}

class DocumentStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = absl::StrCat(
        testing::TempDir(), "/documents_",
        testing::UnitTest::GetInstance()->current_test_info()->name(), "_",
        getpid());
    std::filesystem::remove_all(directory_);
    Begin();
  }
  void TearDown() override {
    transaction_.reset();
    environment_.reset();
    std::filesystem::remove_all(directory_);
  }

  void Begin() {
    if (!environment_.has_value()) {
      LmdbEnvironment::Options options;
      options.sync = false;
      auto opened = LmdbEnvironment::Open(directory_, kPccTableNames, options);
      ASSERT_TRUE(opened.ok()) << opened.status();
      environment_ = *std::move(opened);
    }
    auto begun = environment_->Begin(/*write=*/true);
    ASSERT_TRUE(begun.ok()) << begun.status();
    transaction_ = *std::move(begun);
    auto store = DocumentStore::Open(&*transaction_);
    ASSERT_TRUE(store.ok()) << store.status();
    store_ = *std::move(store);
  }
  void Commit() {
    ASSERT_TRUE(store_->Flush().ok());
    ASSERT_TRUE(transaction_->Commit().ok());
  }
  void Reopen() {
    Commit();
    transaction_.reset();
    environment_.reset();
    Begin();
  }

  // The same documents, decoded by the caller.
  void ExpectPieces(const std::vector<int32_t>& vertices,
                    const DocumentMatrix& all) {
    std::vector<int32_t> found;
    DocumentMatrix documents;
    absl::Status status =
        store_->ForEachPieces([&](const StoredDocumentPieces& pieces) {
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
  void ExpectEqual(const Model& model, int32_t block, int num_threads) {
    std::vector<int32_t> vertices;
    DocumentMatrix all;
    std::vector<int32_t> rows;
    absl::Status status = store_->ForEachBlock(
        block, num_threads,
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
    for (size_t i = 0; i + 1 < rows.size(); ++i) EXPECT_EQ(rows[i], block);
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

  std::string directory_;
  absl::optional<LmdbEnvironment> environment_;
  absl::optional<LmdbTransaction> transaction_;
  absl::optional<DocumentStore> store_;
};

TEST_F(DocumentStoreTest, RandomSequencesEqualAModel) {
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
          Document document =
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

DocumentMatrix Rows(int32_t rows) {
  DocumentMatrix m;
  m.num_terms = 3;
  for (int32_t r = 0; r < rows; ++r) AppendRow({"", {0, 2}, {1, 2}}, &m);
  return m;
}

TEST_F(DocumentStoreTest, RefusesRepeatedIdsAndNamesThem) {
  ASSERT_TRUE(store_->Append(0, Rows(2), {"a", "b"}).ok());
  absl::Status status = store_->Append(2, Rows(2), {"c", "a"});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("\"a\""));
  EXPECT_THAT(status.message(), HasSubstr("of the collection"));
  status = store_->Append(2, Rows(3), {"c", "d", "c"});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("\"c\""));
  EXPECT_THAT(status.message(), HasSubstr("added twice"));
  // The first one, whatever their hashes.
  std::vector<std::string> ids = {"new"};
  for (int i = 0; i < 50; ++i) ids.push_back(absl::StrCat("later ", i % 40));
  ids.push_back("a");
  status = store_->Append(2, Rows(52), ids);
  EXPECT_THAT(status.message(), HasSubstr("\"later 0\""));
  // Nothing happened.
  EXPECT_EQ(store_->num_documents(), 2);
  EXPECT_TRUE(store_->Verify().ok());
  EXPECT_TRUE(store_->Append(2, Rows(2), {"c", "d"}).ok());
  EXPECT_TRUE(store_->Verify().ok());
}

TEST_F(DocumentStoreTest, RefusesWhatDoesNotFit) {
  ASSERT_TRUE(store_->Append(5, Rows(2), {"a", "b"}).ok());
  EXPECT_FALSE(store_->Append(7, Rows(2), {"c"}).ok());
  EXPECT_FALSE(store_->Append(6, Rows(1), {"c"}).ok());
  EXPECT_FALSE(store_->Append(INT32_MAX, Rows(1), {"c"}).ok());
  DocumentMatrix wrong = Rows(1);
  wrong.weights[0] = -1;
  EXPECT_FALSE(store_->Append(7, wrong, {"c"}).ok());
  EXPECT_EQ(store_->Remove({6, 5}).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(store_->Remove({5, 7}).code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(store_->Vectors({4}).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(store_->Vectors({8}).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(store_->Ids({5, 7}).status().code(), absl::StatusCode::kNotFound);
  EXPECT_FALSE(
      store_
          ->ForEachBlock(0, 1,
                         [](absl::Span<const int32_t>, const DocumentMatrix&) {
                           return absl::OkStatus();
                         })
          .ok());
  EXPECT_TRUE(store_->Verify().ok());
  EXPECT_EQ(store_->num_documents(), 2);
}

TEST_F(DocumentStoreTest, AnErrorOfTheVisitorEndsTheWalk) {
  ASSERT_TRUE(store_->Append(0, Rows(2), {"a", "b"}).ok());
  int calls = 0;
  EXPECT_EQ(
      store_
          ->ForEachBlock(1, 1,
                         [&](absl::Span<const int32_t>, const DocumentMatrix&) {
                           ++calls;
                           return absl::UnavailableError("no");
                         })
          .code(),
      absl::StatusCode::kUnavailable);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(store_
                ->ForEachPieces([&](const StoredDocumentPieces&) {
                  ++calls;
                  return absl::UnavailableError("no");
                })
                .code(),
            absl::StatusCode::kUnavailable);
  EXPECT_EQ(calls, 2);
}

TEST_F(DocumentStoreTest, SmallAdditionsMakeFullBlocks) {
  for (int32_t v = 0; v < 200; ++v) {
    ASSERT_TRUE(store_->Append(v, Rows(1), {absl::StrCat(v)}).ok());
  }
  ASSERT_TRUE(store_->Flush().ok());
  int blocks = 0;
  ASSERT_TRUE(transaction_
                  ->ForEach(kDocuments, "",
                            [&](absl::string_view,
                                absl::string_view) -> absl::StatusOr<bool> {
                              ++blocks;
                              return true;
                            })
                  .ok());
  EXPECT_EQ(blocks, 4);
  EXPECT_EQ(store_->bytes_read(), 0);
  ASSERT_TRUE(store_->Vectors({3}).ok());
  EXPECT_GT(store_->bytes_read(), 60);
}

TEST_F(DocumentStoreTest, KeepsTermsFrequenciesAndProperties) {
  Vocabulary terms;
  std::vector<int32_t> frequencies;
  for (int32_t size : {3, 5, 1024, 3000, 3000}) {
    while (terms.size() < size) {
      terms.Add(absl::StrCat("term ", terms.size()));
      frequencies.push_back(terms.size() % 7);
    }
    ASSERT_TRUE(store_->SetTerms(terms).ok());
    ASSERT_TRUE(store_->SetFrequencies(frequencies).ok());
    Reopen();
    auto read = store_->Terms();
    ASSERT_TRUE(read.ok());
    ASSERT_EQ(read->size(), size);
    for (int32_t t = 0; t < size; ++t) EXPECT_EQ(read->Term(t), terms.Term(t));
    EXPECT_EQ(*store_->Frequencies(), frequencies);
  }
  EXPECT_EQ(store_->SetTerms(Vocabulary()).code(),
            absl::StatusCode::kInvalidArgument);
  Vocabulary others;
  while (others.size() < 3000) others.Add(absl::StrCat(others.size()));
  EXPECT_EQ(store_->SetTerms(others).code(),
            absl::StatusCode::kInvalidArgument);

  int32_t documents_then = -1;
  EXPECT_THAT(*store_->FrozenFrequencies(&documents_then), IsEmpty());
  EXPECT_EQ(documents_then, 0);
  ASSERT_TRUE(store_->Append(0, Rows(2), {"a", "b"}).ok());
  // They are not a recount.
  EXPECT_EQ(store_->Verify().code(), absl::StatusCode::kDataLoss);
  ASSERT_TRUE(store_->SetFrequencies({2, 0, 2}).ok());
  EXPECT_TRUE(store_->Verify().ok()) << store_->Verify();
  ASSERT_TRUE(store_->FreezeFrequencies().ok());
  ASSERT_TRUE(store_->SetFrequencies({2, 1, 2}).ok());
  EXPECT_EQ(store_->Verify().code(), absl::StatusCode::kDataLoss);
  Reopen();
  EXPECT_THAT(*store_->FrozenFrequencies(&documents_then),
              ElementsAre(2, 0, 2));
  EXPECT_EQ(documents_then, 2);

  EXPECT_EQ(*store_->Property("language"), "");
  const std::string any("any\0thing", 9);
  ASSERT_TRUE(store_->SetProperty("language", any).ok());
  ASSERT_TRUE(store_->SetProperty("long", std::string(100000, 'x')).ok());
  Reopen();
  EXPECT_EQ(*store_->Property("language"), any);
  EXPECT_EQ(store_->Property("long")->size(), 100000u);
  EXPECT_FALSE(store_->SetProperty("", "x").ok());
  EXPECT_FALSE(store_->SetProperty(std::string(100, 'x'), "x").ok());
}

// Every record replaced by something else: an error, or what was there.
TEST_F(DocumentStoreTest, OtherBytesAreDataLoss) {
  std::vector<std::string> ids;
  for (int i = 0; i < 150; ++i) ids.push_back(absl::StrCat("id ", i));
  ASSERT_TRUE(store_->Append(0, Rows(150), ids).ok());
  ASSERT_TRUE(store_->Remove({3, 70, 71}).ok());
  ASSERT_TRUE(store_->SetFrequencies({147, 0, 147}).ok());
  ASSERT_TRUE(store_->Flush().ok());
  ASSERT_TRUE(store_->Verify().ok()) << store_->Verify();
  int records = 0;
  for (int table : {kDocuments, kNames, kIds, kTerms}) {
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
    for (const auto& [key, value] : all) {
      if (++records % 10 != 0 && table != kDocuments && table != kTerms) {
        continue;
      }
      for (const std::string& other :
           {std::string(), std::string("\x01"), value + "x",
            value.substr(0, value.size() / 2)}) {
        if (other == value) continue;
        ASSERT_TRUE(transaction_->Put(table, key, other).ok());
        auto store = DocumentStore::Open(&*transaction_);
        const absl::Status status =
            store.ok() ? store->Verify() : store.status();
        EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss)
            << table << " " << status;
      }
      ASSERT_TRUE(transaction_->Delete(table, key).ok());
      auto store = DocumentStore::Open(&*transaction_);
      // Without frequencies nobody can say whether there were any.
      const bool is_frequencies = table == kTerms && key.size() == 8;
      if (!is_frequencies) {
        EXPECT_EQ(store->Verify().code(), absl::StatusCode::kDataLoss) << table;
      }
      ASSERT_TRUE(transaction_->Put(table, key, value).ok());
      EXPECT_TRUE(DocumentStore::Open(&*transaction_)->Verify().ok());
    }
  }
}

TEST_F(DocumentStoreTest, EmptyStore) {
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
