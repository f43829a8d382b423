// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/documents/document_store.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "graph/pcc_store/codec/stored_lists.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"
#include "graph/pcc_store/lmdb/pcc_tables.h"
#include "graph/testing/document_store_fixture.h"
#include "gtest/gtest.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/text/vocabulary.h"

namespace warpclust {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST_F(DocumentStoreTest, RefusesRepeatedIdsAndNamesThem) {
  ASSERT_TRUE(store_->Append(0, Rows(2), {"a", "b"}).ok());
  absl::Status status = store_->Append(2, Rows(2), {"c", "a"});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("'a'"));
  EXPECT_THAT(status.message(), HasSubstr("of the collection"));
  status = store_->Append(2, Rows(3), {"c", "d", "c"});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("'c'"));
  EXPECT_THAT(status.message(), HasSubstr("added twice"));
  // The first one, whatever their hashes.
  std::vector<std::string> ids = {"new"};
  for (int i = 0; i < 50; ++i) ids.push_back(absl::StrCat("later ", i % 40));
  ids.push_back("a");
  status = store_->Append(2, Rows(52), ids);
  EXPECT_THAT(status.message(), HasSubstr("'later 0'"));
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
                ->ForEachPieces(/*most_documents=*/2048, /*num_threads=*/1,
                                [&](const StoredDocumentPieces&) {
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

TEST_F(DocumentStoreTest, ChunksOfTermsThatAreNotFullAreDataLoss) {
  // What stands in the last one would be looked for behind the end of the
  // caller's terms.
  const std::vector<absl::string_view> few(10, "few");
  const std::vector<absl::string_view> many(1024, "many");
  for (uint32_t chunk : {0u, 1u}) {
    std::string bytes;
    AppendTextList(chunk == 0 ? few : many, &bytes);
    ASSERT_TRUE(transaction_->Put(kTerms, LmdbKey(0, chunk), bytes).ok());
  }
  Vocabulary terms;
  while (terms.size() < 1034) terms.Add(absl::StrCat(terms.size()));
  EXPECT_EQ(store_->SetTerms(terms).code(), absl::StatusCode::kDataLoss);
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

  EXPECT_THAT(store_->FrozenFrequencies()->frequencies, IsEmpty());
  EXPECT_EQ(store_->FrozenFrequencies()->num_documents, 0);
  ASSERT_TRUE(store_->Append(0, Rows(2), {"a", "b"}).ok());
  // They are not a recount.
  EXPECT_EQ(store_->Verify().code(), absl::StatusCode::kDataLoss);
  ASSERT_TRUE(store_->SetFrequencies({2, 0, 2}).ok());
  EXPECT_TRUE(store_->Verify().ok()) << store_->Verify();
  ASSERT_TRUE(store_->FreezeFrequencies().ok());
  ASSERT_TRUE(store_->SetFrequencies({2, 1, 2}).ok());
  EXPECT_EQ(store_->Verify().code(), absl::StatusCode::kDataLoss);
  Reopen();
  EXPECT_THAT(store_->FrozenFrequencies()->frequencies, ElementsAre(2, 0, 2));
  EXPECT_EQ(store_->FrozenFrequencies()->num_documents, 2);

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

}  // namespace
}  // namespace warpclust
