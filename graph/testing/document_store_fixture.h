// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests of DocumentStore: a store in its own directory with a write
// transaction, and documents.

#ifndef WARPCLUST_GRAPH_TESTING_DOCUMENT_STORE_FIXTURE_H_
#define WARPCLUST_GRAPH_TESTING_DOCUMENT_STORE_FIXTURE_H_

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "graph/pcc_store/documents/document_store.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"
#include "graph/pcc_store/lmdb/pcc_tables.h"
#include "gtest/gtest.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

struct StoredDocument {
  std::string id;
  std::vector<int32_t> terms;
  std::vector<float> weights;
};

inline void AppendRow(const StoredDocument& document, DocumentMatrix* m) {
  m->terms.insert(m->terms.end(), document.terms.begin(), document.terms.end());
  m->weights.insert(m->weights.end(), document.weights.begin(),
                    document.weights.end());
  m->offsets.push_back(m->num_entries());
}

// `rows` documents of two terms.
inline DocumentMatrix Rows(int32_t rows) {
  DocumentMatrix m;
  m.num_terms = 3;
  for (int32_t r = 0; r < rows; ++r) AppendRow({"", {0, 2}, {1, 2}}, &m);
  return m;
}

// `rows` dense documents of three values.
inline DenseDocuments RowsOfNumbers(int32_t rows) {
  std::vector<float> values;
  for (int32_t r = 0; r < rows; ++r) {
    values.insert(values.end(), {0.5f + static_cast<float>(r), -1.25f, 0});
  }
  return MakeDenseDocuments(std::move(values), rows);
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

  std::string directory_;
  absl::optional<LmdbEnvironment> environment_;
  absl::optional<LmdbTransaction> transaction_;
  absl::optional<DocumentStore> store_;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_TESTING_DOCUMENT_STORE_FIXTURE_H_
