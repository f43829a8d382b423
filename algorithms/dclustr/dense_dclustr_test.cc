// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DClustRCollection of dense rows: against OClustR from scratch by the naive
// definitions, against a collection of term vectors with the same values,
// refusals, and damage.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "algorithms/dclustr/dclustr.h"
#include "algorithms/dclustr/dclustr_in_memory.h"
#include "algorithms/dclustr/testing/dclustr_oracle.h"
#include "base/numbers/decimal.h"
#include "graph/csr/csr_graph.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"
#include "graph/pcc_store/lmdb/pcc_tables.h"
#include "graph/testing/damaged_files.h"
#include "graph/testing/dense_cosine_oracle.h"
#include "graph/testing/store_folder.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/dense/owned_dense_rows.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/weighting/weighting.h"

namespace warpclust {
namespace {

DClustRRunOptions OnCpu(int num_threads) {
  DClustRRunOptions options;
  options.device = Device::kCpu;
  options.num_threads = num_threads;
  return options;
}

// Batches of rows of `pool`, and the collection as a list.
class Model {
 public:
  Model(DenseDocuments pool, uint32_t seed)
      : pool_(std::move(pool)), random_(seed) {}

  DClustRBatch NextBatch() {
    DClustRBatch batch;
    OwnedDenseRows added;
    std::vector<std::pair<std::string, int32_t>> kept;
    std::vector<std::pair<std::string, int32_t>> come;
    for (const auto& [id, row] : documents_) {
      const uint32_t fate = random_() % 10;
      if (fate >= 2) {
        kept.emplace_back(id, row);
        continue;
      }
      batch.removed_ids.push_back(id);
      if (fate == 0) come.emplace_back(id, RandomRow());
    }
    std::shuffle(batch.removed_ids.begin(), batch.removed_ids.end(), random_);
    // The first batch decides how edges are decided.
    const uint32_t more = documents_.empty() ? 20 : random_() % 15;
    for (uint32_t i = 0; i < more; ++i) {
      come.emplace_back(absl::StrCat("document ", next_++), RandomRow());
    }
    documents_ = std::move(kept);
    for (const auto& [id, row] : come) {
      AppendRows(pool_, row, row + 1, &added);
      batch.added_ids.push_back(id);
      documents_.emplace_back(id, row);
    }
    batch.added_rows = MakeDenseDocuments(std::move(added));
    return batch;
  }

  DenseDocuments Rows() const {
    OwnedDenseRows rows;
    for (const auto& [id, row] : documents_) {
      AppendRows(pool_, row, row + 1, &rows);
    }
    return MakeDenseDocuments(std::move(rows));
  }
  std::vector<std::string> Ids() const {
    std::vector<std::string> ids;
    for (const auto& [id, row] : documents_) ids.push_back(id);
    return ids;
  }

 private:
  int32_t RandomRow() {
    return static_cast<int32_t>(random_() % pool_.num_documents());
  }

  const DenseDocuments pool_;
  std::mt19937 random_;
  int next_ = 0;
  std::vector<std::pair<std::string, int32_t>> documents_;
};

using Clusters = std::map<int32_t, std::set<int32_t>>;  // By center.

Clusters ScratchClusters(const DenseDocuments& rows, const Decimal& beta,
                         bool integers) {
  const CsrGraph graph = NaiveDenseCosineGraph(rows, beta, integers);
  NaiveGraph naive;
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    naive[v];
    for (int64_t k = 0; k < graph.Degree(v); ++k) {
      naive[v][graph.NeighborsOf(v)[k]] = graph.WeightsOf(v)[k];
    }
  }
  Clusters clusters;
  for (const NaiveStar& star : NaiveScratchStars(naive)) {
    std::set<int32_t>& members = clusters[star.center];
    members = star.linked;
    members.insert(star.center);
    for (const auto& [u, weight] : naive[star.center]) members.insert(u);
  }
  return clusters;
}

Clusters ReadClusters(const DClustRClusters& read) {
  Clusters clusters;
  for (int32_t c = 0; c < read.cover.num_clusters(); ++c) {
    const auto members = read.cover.MembersOf(c);
    clusters[read.centers[c]] = {members.begin(), members.end()};
  }
  return clusters;
}

bool AreIntegers(DenseKind kind) {
  return kind == DenseKind::kSmallIntegers || kind == DenseKind::kCounts;
}

TEST(DenseDClustRTest, IsOClustROfWhatIsThereAfterEveryBatch) {
  uint32_t seed = 0;
  int64_t edges = 0;
  for (const DenseKind kind : kDenseKinds) {
    for (const int32_t d : {2, 30, 200}) {
      SCOPED_TRACE(absl::StrCat("seed ", ++seed, ", kind ",
                                static_cast<int>(kind), ", d ", d));
      const std::string directory = NewStoreFolder();
      DClustRStoreOptions store_options;
      store_options.beta = seed % 2 == 0 ? Decimal("0.5") : Decimal("0.6");
      auto collection = DClustRCollection::Create(directory, store_options);
      ASSERT_TRUE(collection.ok()) << collection.status();
      Model model(RandomDenseDocuments(kind, 150, d, seed), seed);
      for (int i = 0; i < 8; ++i) {
        const DClustRRunOptions options = OnCpu(1 + (seed + i) % 7);
        const auto update = collection->Update(model.NextBatch(), options);
        ASSERT_TRUE(update.ok()) << update.status();
        EXPECT_EQ(update->dimensions, d);
        edges += update->new_edges + update->removed_edges;
        const auto read = collection->Read(1);
        ASSERT_TRUE(read.ok()) << read.status();
        EXPECT_EQ(read->ids, model.Ids());
        EXPECT_EQ(read->num_edges, update->edges);
        EXPECT_TRUE(ReadClusters(*read) == ScratchClusters(model.Rows(),
                                                           store_options.beta,
                                                           AreIntegers(kind)));
        const auto rows = collection->ReadRows(1);
        ASSERT_TRUE(rows.ok()) << rows.status();
        EXPECT_EQ(rows->values, model.Rows().values);
        const absl::Status verified = collection->Verify(options);
        ASSERT_TRUE(verified.ok()) << verified;
        if (i == 3) {
          ASSERT_TRUE(collection->Compact().ok());
        }
        if (i == 5) {
          collection = absl::UnavailableError("closed");
          collection = DClustRCollection::Open(directory);
          ASSERT_TRUE(collection.ok()) << collection.status();
          EXPECT_EQ(collection->Describe()->dimensions, d);
        }
      }
    }
  }
  EXPECT_GT(edges, 10000);
}

using Records = std::vector<std::pair<std::string, std::string>>;

// The records of the tables from `first` on, except `without`.
Records ReadRecords(const std::string& directory,
                    const std::set<int>& without) {
  LmdbEnvironment::Options options;
  options.read_only = true;
  auto environment = LmdbEnvironment::Open(directory, kPccTableNames, options);
  EXPECT_TRUE(environment.ok()) << environment.status();
  auto transaction = environment->Begin(/*write=*/false);
  EXPECT_TRUE(transaction.ok()) << transaction.status();
  Records records;
  for (int table = 0; table < kNumTables; ++table) {
    if (without.count(table) > 0) continue;
    const absl::Status status = transaction->ForEachRaw(
        table, "",
        [&](absl::string_view key,
            absl::string_view value) -> absl::StatusOr<bool> {
          records.emplace_back(absl::StrCat(table, " ", key), value);
          return true;
        });
    EXPECT_TRUE(status.ok()) << status;
  }
  return records;
}

TEST(DenseDClustRTest, InMemoryIsTheStoredCollection) {
  int32_t edges = 0;
  for (uint32_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    const DenseKind kind =
        seed % 2 == 0 ? DenseKind::kGaussian : DenseKind::kSmallIntegers;
    DClustRStoreOptions options;
    options.beta = "0.5";
    options.mode = seed % 4 < 2 ? DClustRMode::kExact : DClustRMode::kDClustR;
    auto memory = DClustRInMemory::Create(options);
    auto stored = DClustRCollection::Create(NewStoreFolder(), options);
    ASSERT_TRUE(memory.ok()) << memory.status();
    ASSERT_TRUE(stored.ok()) << stored.status();
    Model model(RandomDenseDocuments(kind, 150, 20, seed), seed);
    for (int i = 0; i < 8; ++i) {
      const DClustRBatch batch = model.NextBatch();
      const auto update = memory->Update(batch, OnCpu(1 + i % 3));
      const auto expected = stored->Update(batch, OnCpu(1));
      ASSERT_TRUE(update.ok()) << update.status();
      ASSERT_TRUE(expected.ok()) << expected.status();
      EXPECT_EQ(update->new_edges, expected->new_edges);
      EXPECT_EQ(update->removed_edges, expected->removed_edges);
      EXPECT_EQ(update->edges, expected->edges);
      EXPECT_EQ(update->dimensions, 20);
      const auto read = memory->Read(1);
      const auto expected_read = stored->Read(1);
      ASSERT_TRUE(read.ok() && expected_read.ok());
      EXPECT_EQ(read->ids, expected_read->ids);
      EXPECT_EQ(read->centers, expected_read->centers);
      EXPECT_TRUE(read->cover == expected_read->cover);
      EXPECT_EQ(memory->dense_documents().values, model.Rows().values);
      edges += static_cast<int32_t>(update->edges);
    }
    // Documents of another kind change nothing.
    DClustRBatch other;
    other.added_ids = {"other"};
    other.added_rows = MakeDenseDocuments({1, 2}, 1);
    EXPECT_EQ(memory->Update(other, OnCpu(1)).status(),
              stored->Update(other, OnCpu(1)).status());
    EXPECT_EQ(memory->Update(other, OnCpu(1)).status().message(),
              "add: expected 20 dimensions, as the collection has, found 2");
    other.added = SparseOfDense(other.added_rows);
    other.added_rows = {};
    EXPECT_EQ(memory->Update(other, OnCpu(1)).status(),
              stored->Update(other, OnCpu(1)).status());
    EXPECT_EQ(memory->Read(1)->ids, model.Ids());
  }
  EXPECT_GT(edges, 1000);
}

// All but the documents themselves and the counters beside their terms are the
// records of a collection of term vectors, byte for byte.
TEST(DenseDClustRTest, SameAsSparse) {
  for (const DenseKind kind : {DenseKind::kNonNegative, DenseKind::kCounts}) {
    for (const DClustRMode mode :
         {DClustRMode::kExact, DClustRMode::kDClustR}) {
      SCOPED_TRACE(absl::StrCat("kind ", static_cast<int>(kind), " mode ",
                                static_cast<int>(mode)));
      const std::string folders[] = {NewStoreFolder(), NewStoreFolder()};
      {
        DClustRStoreOptions options;
        options.beta = "0.5";
        options.mode = mode;
        auto dense = DClustRCollection::Create(folders[0], options);
        auto sparse = DClustRCollection::Create(folders[1], options);
        ASSERT_TRUE(dense.ok()) << dense.status();
        ASSERT_TRUE(sparse.ok()) << sparse.status();
        Model model(RandomDenseDocuments(kind, 200, 40, 5), 3);
        for (int i = 0; i < 10; ++i) {
          DClustRBatch batch = model.NextBatch();
          const auto update = dense->Update(batch, OnCpu(2));
          batch.added = SparseOfDense(batch.added_rows);
          batch.added_rows = {};
          const auto expected = sparse->Update(batch, OnCpu(2));
          ASSERT_TRUE(update.ok()) << update.status();
          ASSERT_TRUE(expected.ok()) << expected.status();
          EXPECT_EQ(update->new_edges, expected->new_edges);
          EXPECT_EQ(update->removed_edges, expected->removed_edges);
          EXPECT_EQ(update->loads.bytes, expected->loads.bytes);
          EXPECT_EQ(expected->dimensions, 0);
          const auto clusters = dense->Read(1);
          const auto expected_clusters = sparse->Read(1);
          EXPECT_EQ(clusters->centers, expected_clusters->centers);
          EXPECT_TRUE(clusters->cover == expected_clusters->cover);
        }
        EXPECT_GT(dense->Read()->num_edges, 0);
      }
      const Records records = ReadRecords(folders[0], {kDocuments, kTerms});
      EXPECT_GT(records.size(), 100u);
      EXPECT_TRUE(records == ReadRecords(folders[1], {kDocuments, kTerms}));
    }
  }
}

TEST(DenseDClustRTest, SameBytesWithAnyNumberOfThreads) {
  Records expected;
  for (int threads = 1; threads <= 7; ++threads) {
    const std::string folder = NewStoreFolder();
    {
      auto collection = DClustRCollection::Create(folder, {});
      ASSERT_TRUE(collection.ok()) << collection.status();
      Model model(RandomDenseDocuments(DenseKind::kGaussian, 400, 20, 8), 4);
      for (int i = 0; i < 6; ++i) {
        const auto update =
            collection->Update(model.NextBatch(), OnCpu(threads));
        ASSERT_TRUE(update.ok()) << update.status();
      }
    }
    const Records records = ReadRecords(folder, {});
    if (threads == 1) expected = records;
    EXPECT_TRUE(records == expected) << threads;
  }
}

TEST(DenseDClustRTest, WhatCannotBeTakenInChangesNothing) {
  const std::string folder = NewStoreFolder();
  auto collection = DClustRCollection::Create(folder, {});
  ASSERT_TRUE(collection.ok()) << collection.status();
  EXPECT_EQ(collection->Describe()->dimensions, 0);
  const auto batch_of = [](std::vector<float> values, int32_t rows) {
    DClustRBatch batch;
    batch.added_rows = MakeDenseDocuments(std::move(values), rows);
    for (int32_t i = 0; i < rows; ++i) {
      batch.added_ids.push_back(absl::StrCat("new ", i));
    }
    return batch;
  };
  DClustRBatch first = batch_of({1, 0.5f, 2, 1, 0, 0, -1, -0.5f}, 4);
  first.added_ids = {"a", "b", "zero", "opposite"};
  ASSERT_TRUE(collection->Update(first, OnCpu(1)).ok());
  const auto expect_refused = [&](const DClustRBatch& batch,
                                  absl::string_view part, int64_t place) {
    const auto update = collection->Update(batch, OnCpu(1));
    EXPECT_EQ(update.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_NE(update.status().message().find(part), std::string::npos)
        << update.status();
    EXPECT_EQ(PlaceInBatch(update.status()), place);
    const auto read = collection->Read(1);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->ids, first.added_ids);
    EXPECT_TRUE(ReadClusters(*read) ==
                (Clusters{{0, {0, 1}}, {2, {2}}, {3, {3}}}));
  };
  expect_refused(batch_of({1, 2, 3}, 1),
                 "add: expected 2 dimensions, as the collection has, found 3",
                 0);
  expect_refused(batch_of({1, 2, 3, std::numeric_limits<float>::infinity()}, 2),
                 "finite", -1);
  DClustRBatch batch = batch_of({1, 2, 3, 4}, 2);
  batch.added_ids.pop_back();
  expect_refused(batch, "an id for each of 2", -1);
  batch.added_ids = {"c", "b"};
  expect_refused(batch, "'b'", 1);
  batch.added_ids = {"c", "d"};
  batch.removed_ids = {"a", "e"};
  expect_refused(batch, "'e'", 1);
  batch.removed_ids.clear();
  batch.added = SparseOfDense(batch.added_rows);
  expect_refused(batch, "term vectors or dense rows, found 2 and 2", -1);
  batch.added_rows = {};
  expect_refused(batch,
                 "add: expected rows of 2 numbers, as the collection has, "
                 "found term vectors",
                 0);
  EXPECT_EQ(collection->ReadDocuments().status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(collection->Reweight({}).status().code(),
            absl::StatusCode::kFailedPrecondition);
  // Nothing at all is of every kind.
  EXPECT_TRUE(collection->Update({}, OnCpu(1)).ok());
  EXPECT_TRUE(collection->Update(batch_of({}, 0), OnCpu(1)).ok());
  // Also of a collection that has lost all its rows.
  DClustRBatch gone;
  gone.removed_ids = first.added_ids;
  ASSERT_TRUE(collection->Update(gone, OnCpu(1)).ok());
  EXPECT_EQ(collection->Update(batch, OnCpu(1)).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(collection->Update(first, OnCpu(1)).ok());
  EXPECT_TRUE(collection->Verify(OnCpu(1)).ok());

  // Dense rows in other collections.
  DClustRStoreOptions tfidf;
  tfidf.weighting = Weighting::kTfIdf;
  for (const DClustRStoreOptions& options : {DClustRStoreOptions(), tfidf}) {
    collection = DClustRCollection::Create(NewStoreFolder(), options);
    ASSERT_TRUE(collection.ok()) << collection.status();
    if (options.weighting == Weighting::kTf) {
      ASSERT_TRUE(collection->Update(batch, OnCpu(1)).ok());
    }
    const auto update = collection->Update(first, OnCpu(1));
    EXPECT_EQ(update.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(
        update.status().message(),
        options.weighting == Weighting::kTf
            ? "add: expected term vectors, as the collection has, found rows "
              "of 2 numbers"
            : "add: expected term counts, which tfidf weighs, found "
              "dense rows");
    EXPECT_EQ(collection->ReadRows().status().code(),
              absl::StatusCode::kFailedPrecondition);
  }
}

TEST(DenseDClustRTest, IntegersStayIntegers) {
  auto collection = DClustRCollection::Create(NewStoreFolder(), {});
  ASSERT_TRUE(collection.ok()) << collection.status();
  DClustRBatch batch;
  batch.added_rows = MakeDenseDocuments({1, -2, 3, 4}, 2);
  batch.added_ids = {"a", "b"};
  ASSERT_TRUE(collection->Update(batch, OnCpu(1)).ok());
  batch.added_rows = MakeDenseDocuments({1, -2, 3, 0.5}, 2);
  batch.added_ids = {"c", "d"};
  const auto update = collection->Update(batch, OnCpu(1));
  EXPECT_EQ(PlaceInBatch(update.status()), 1);
  EXPECT_EQ(update.status().message(),
            "add: expected whole numbers below 2^24 as weights, as the "
            "collection began with, found others in 'd'");
}

TEST(DenseDClustRTest, DamageIsSeen) {
  const std::string folder = NewStoreFolder();
  DClustRBatch more;
  more.added_rows = RandomDenseDocuments(DenseKind::kGaussian, 5, 40, 2);
  more.added_ids = {"v", "w", "x", "y", "z"};
  {
    auto collection = DClustRCollection::Create(folder, {});
    ASSERT_TRUE(collection.ok()) << collection.status();
    DClustRBatch batch;
    batch.added_rows = RandomDenseDocuments(DenseKind::kGaussian, 150, 40, 1);
    for (int i = 0; i < 150; ++i) batch.added_ids.push_back(absl::StrCat(i));
    ASSERT_TRUE(collection->Update(batch, OnCpu(1)).ok());
    batch = {};
    batch.removed_ids = {"3", "70", "149"};
    ASSERT_TRUE(collection->Update(batch, OnCpu(1)).ok());
  }
  const std::string path = folder + "/data.mdb";
  const std::string data = ReadFileBytes(path);
  const std::string commits = ReadFileBytes(folder + "/commits");
  // The bytes of values of the table of documents that are in one place.
  std::vector<size_t> places;
  std::set<int> others;
  for (int table = 0; table < kNumTables; ++table) {
    if (table != kDocuments) others.insert(table);
  }
  for (const auto& [key, value] : ReadRecords(folder, others)) {
    const size_t at = data.find(value);
    ASSERT_NE(at, std::string::npos);
    if (value.size() < 100) continue;
    for (size_t i = 0; i < value.size(); ++i) places.push_back(at + i);
  }
  ASSERT_GT(places.size(), 147u * 40 * 4);
  std::mt19937 random(7);
  const auto restore = [&](const std::string& bytes) {
    WriteFileBytes(path, bytes);
    WriteFileBytes(folder + "/commits", commits);
  };
  for (int trial = 0; trial < 60; ++trial) {
    std::string damaged = data;
    const size_t place = places[random() % places.size()];
    damaged[place] ^= static_cast<char>(1 + random() % 255);
    restore(damaged);
    auto collection = DClustRCollection::Open(folder);
    ASSERT_TRUE(collection.ok()) << collection.status();
    EXPECT_EQ(collection->Verify(OnCpu(1)).code(), absl::StatusCode::kDataLoss)
        << place;
    EXPECT_EQ(collection->Update(more, OnCpu(1)).status().code(),
              absl::StatusCode::kDataLoss)
        << place;
    EXPECT_EQ(collection->ReadRows().status().code(),
              absl::StatusCode::kDataLoss)
        << place;
  }
  // Cut off in the middle.
  restore(data.substr(0, data.size() / 2));
  EXPECT_EQ(DClustRCollection::Open(folder).status().code(),
            absl::StatusCode::kDataLoss);
  restore(data);
  auto collection = DClustRCollection::Open(folder);
  ASSERT_TRUE(collection.ok()) << collection.status();
  EXPECT_TRUE(collection->Verify(OnCpu(1)).ok());

  // A value that is another number, with a right checksum: edges differ.
  collection = absl::UnavailableError("closed");
  {
    auto environment = LmdbEnvironment::Open(folder, kPccTableNames, {});
    ASSERT_TRUE(environment.ok()) << environment.status();
    auto transaction = environment->Begin(/*write=*/true);
    ASSERT_TRUE(transaction.ok()) << transaction.status();
    Records blocks;
    ASSERT_TRUE(
        transaction
            ->ForEach(kDocuments, "",
                      [&](absl::string_view key,
                          absl::string_view value) -> absl::StatusOr<bool> {
                        if (key.size() == 4) {
                          blocks.emplace_back(key, value);
                        }
                        return true;
                      })
            .ok());
    for (auto& [key, value] : blocks) {
      // Signs.
      for (size_t at = 3; at < value.size() - 4 * 40; at += 16) {
        value[value.size() - at] ^= '\x80';
      }
      ASSERT_TRUE(transaction->Put(kDocuments, key, value).ok());
    }
    ASSERT_TRUE(transaction->Commit().ok());
  }
  collection = DClustRCollection::Open(folder);
  ASSERT_TRUE(collection.ok()) << collection.status();
  EXPECT_EQ(collection->Verify(OnCpu(1)).code(), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace warpclust
