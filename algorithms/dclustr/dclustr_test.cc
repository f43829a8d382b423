// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/dclustr.h"

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
#include "absl/strings/str_cat.h"
#include "algorithms/dclustr/testing/dclustr_oracle.h"
#include "base/machine/work_share.h"
#include "graph/cosine/cosine_graph.h"
#include "graph/csr/csr_graph.h"
#include "graph/testing/store_folder.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

using Document = std::map<int32_t, float>;

void AppendDocument(const Document& document, DocumentMatrix* matrix) {
  for (const auto& [term, weight] : document) {
    matrix->terms.push_back(term);
    matrix->weights.push_back(weight);
    matrix->num_terms = std::max(matrix->num_terms, term + 1);
  }
  matrix->offsets.push_back(static_cast<int64_t>(matrix->terms.size()));
}

// What the last update said of the collection is what it is, and no more.
void ExpectDescribed(const DClustRCollection& collection,
                     const DClustRUpdate& last) {
  const auto present = collection.Describe();
  ASSERT_TRUE(present.ok()) << present.status();
  EXPECT_EQ(present->documents, last.documents);
  EXPECT_EQ(present->edges, last.edges);
  EXPECT_EQ(present->components, last.components);
  EXPECT_EQ(present->idf_drift, last.idf_drift);
  EXPECT_EQ(present->added, 0);
  EXPECT_EQ(present->removed, 0);
  EXPECT_EQ(present->new_edges, 0);
  EXPECT_EQ(present->removed_edges, 0);
  EXPECT_EQ(present->loads.bytes, 0);
}

// The collection as a list, and the batches that change it.
class Model {
 public:
  Model(uint32_t seed, bool integers) : random_(seed), integers_(integers) {}

  Document RandomDocument() {
    Document document;
    // Few terms, so that documents meet; now and then an empty one.
    const int topic = static_cast<int>(random_() % 4);
    const int size = static_cast<int>(random_() % 7);
    for (int i = 0; i < size; ++i) {
      const int32_t term =
          random_() % 3 == 0 ? static_cast<int32_t>(random_() % 30)
                             : 8 * topic + static_cast<int32_t>(random_() % 6);
      document[term] = static_cast<float>(1 + random_() % 3);
      if (!integers_) document[term] *= 0.37f;
    }
    return document;
  }

  DClustRBatch NextBatch() {
    DClustRBatch batch;
    std::vector<std::pair<std::string, Document>> kept;
    std::vector<std::pair<std::string, Document>> added;
    for (auto& [id, document] : documents_) {
      const uint32_t fate = random_() % 10;
      if (fate < 2) {
        batch.removed_ids.push_back(id);
        if (fate == 0) added.emplace_back(id, RandomDocument());
      } else {
        kept.emplace_back(id, document);
      }
    }
    std::shuffle(batch.removed_ids.begin(), batch.removed_ids.end(), random_);
    for (uint32_t i = random_() % 15; i > 0; --i) {
      added.emplace_back(absl::StrCat("document ", next_++), RandomDocument());
    }
    documents_ = std::move(kept);
    for (auto& [id, document] : added) {
      AppendDocument(document, &batch.added);
      batch.added_ids.push_back(id);
      documents_.emplace_back(id, document);
    }
    return batch;
  }

  DocumentMatrix Matrix() const {
    DocumentMatrix matrix;
    for (const auto& [id, document] : documents_) {
      AppendDocument(document, &matrix);
    }
    return matrix;
  }
  std::vector<std::string> Ids() const {
    std::vector<std::string> ids;
    for (const auto& [id, document] : documents_) ids.push_back(id);
    return ids;
  }

 private:
  std::mt19937 random_;
  bool integers_;
  int next_ = 0;
  std::vector<std::pair<std::string, Document>> documents_;
};

// Clusters of a matrix by the oracle, as sets of members by center.
std::map<int32_t, std::set<int32_t>> ScratchClusters(
    const DocumentMatrix& documents, const Decimal& beta, bool integers) {
  CosineGraphOptions options;
  options.beta = beta;
  options.integer_decisions = integers;
  const CsrGraph graph = *CosineGraph(documents, options, Device::kCpu);
  NaiveGraph naive;
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    naive[v];
    for (int64_t k = 0; k < graph.Degree(v); ++k) {
      naive[v][graph.NeighborsOf(v)[k]] = graph.WeightsOf(v)[k];
    }
  }
  std::map<int32_t, std::set<int32_t>> clusters;
  const std::vector<NaiveStar> stars = NaiveScratchStars(naive);
  for (const NaiveStar& star : stars) {
    std::set<int32_t>& members = clusters[star.center];
    members = star.linked;
    members.insert(star.center);
    for (const auto& [u, weight] : naive[star.center]) members.insert(u);
  }
  return clusters;
}

std::map<int32_t, std::set<int32_t>> Clusters(const DClustRClusters& read) {
  std::map<int32_t, std::set<int32_t>> clusters;
  for (int32_t c = 0; c < read.cover.num_clusters(); ++c) {
    const auto members = read.cover.MembersOf(c);
    clusters[read.centers[c]] = {members.begin(), members.end()};
  }
  return clusters;
}

void ExpectScratch(const DClustRCollection& collection, const Model& model,
                   bool integers) {
  const auto read = collection.Read(1);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->ids, model.Ids());
  EXPECT_TRUE(Clusters(*read) == ScratchClusters(model.Matrix(),
                                                 collection.options().beta,
                                                 integers));
}

TEST(DClustRCollection, TheCallerSeesTheShareThatIsCompared) {
  Model model(1, /*integers=*/true);
  auto collection = DClustRCollection::Create(NewStoreFolder(), {});
  ASSERT_TRUE(collection.ok()) << collection.status();
  WorkShare work;
  DClustRRunOptions options;
  options.work = &work;
  options.device = Device::kCpu;
  for (const int threads : {1, 2}) {
    options.num_threads = threads;
    int32_t stored = 0;
    for (int batch = 0; batch < 5; ++batch) {
      const auto update = collection->Update(model.NextBatch(), options);
      ASSERT_TRUE(update.ok()) << update.status();
      if (stored > 0) {
        EXPECT_EQ(work.total(), stored);
        EXPECT_EQ(work.done(), stored);
      }
      EXPECT_EQ(work.Share(), -1);
      stored = update->documents;
    }
    EXPECT_GT(stored, 0);
  }
  // The caller may also stop it, and nothing has changed.
  work.RequestStop();
  const auto before = collection->Read();
  ASSERT_TRUE(before.ok()) << before.status();
  EXPECT_EQ(collection->Update(model.NextBatch(), options).status().code(),
            absl::StatusCode::kCancelled);
  const auto after = collection->Read();
  ASSERT_TRUE(after.ok()) << after.status();
  EXPECT_EQ(after->ids, before->ids);
  EXPECT_TRUE(after->cover == before->cover);
}

TEST(DClustRCollection, IsOClustROfWhatIsThereAfterEveryBatch) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    const bool integers = seed % 3 != 0;
    Model model(seed, integers);
    const std::string directory = NewStoreFolder();
    DClustRStoreOptions store_options;
    store_options.beta = seed % 2 == 0 ? Decimal("0.25") : Decimal("0.5");
    auto collection = DClustRCollection::Create(directory, store_options);
    ASSERT_TRUE(collection.ok()) << collection.status();
    DClustRRunOptions options;
    options.device = Device::kCpu;
    options.num_threads = 1 + static_cast<int>(seed % 3);
    for (int i = 0; i < 8; ++i) {
      const auto update = collection->Update(model.NextBatch(), options);
      ASSERT_TRUE(update.ok()) << update.status();
      EXPECT_EQ(update->documents, static_cast<int32_t>(model.Ids().size()));
      EXPECT_EQ(collection->Read(1)->num_edges, update->edges);
      ExpectScratch(*collection, model, integers);
      const auto documents = collection->ReadDocuments(1);
      ASSERT_TRUE(documents.ok()) << documents.status();
      EXPECT_EQ(documents->offsets, model.Matrix().offsets);
      EXPECT_EQ(documents->terms, model.Matrix().terms);
      EXPECT_EQ(documents->weights, model.Matrix().weights);
      ASSERT_TRUE(collection->Verify(options).ok())
          << collection->Verify(options);
      if (i == 3) {
        ASSERT_TRUE(collection->Compact().ok());
        ExpectScratch(*collection, model, integers);
      }
      if (i == 5) {
        collection = absl::UnavailableError("closed");
        collection = DClustRCollection::Open(directory);
        ASSERT_TRUE(collection.ok()) << collection.status();
        EXPECT_EQ(collection->options().beta.numerator,
                  store_options.beta.numerator == 25 ? 25 : 5);
      }
    }
  }
}

TEST(DClustRCollection, TfIdfIsFrozenUntilReweight) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    Model model(seed, /*integers=*/true);
    DClustRStoreOptions store_options;
    store_options.weighting = Weighting::kTfIdf;
    auto collection =
        DClustRCollection::Create(NewStoreFolder(), store_options);
    ASSERT_TRUE(collection.ok()) << collection.status();
    DClustRRunOptions options;
    options.device = Device::kCpu;
    DClustRBatch first = model.NextBatch();
    while (first.added.num_documents() < 5) {
      ASSERT_TRUE(collection->Update(first, options).ok());
      first = model.NextBatch();
    }
    // May be the second batch; its frequencies are frozen only if the first was
    // empty, so begin anew to know.
    ASSERT_TRUE(collection->Update(first, options).ok());
    for (int i = 0; i < 3; ++i) {
      const auto update = collection->Update(model.NextBatch(), options);
      ASSERT_TRUE(update.ok()) << update.status();
      EXPECT_GE(update->idf_drift, 0);
      ExpectDescribed(*collection, *update);
      ASSERT_TRUE(collection->Verify(options).ok())
          << collection->Verify(options);
    }
    const auto update = collection->Reweight(options);
    ASSERT_TRUE(update.ok()) << update.status();
    EXPECT_EQ(update->idf_drift, 0);
    ExpectDescribed(*collection, *update);
    ASSERT_TRUE(collection->Verify(options).ok())
        << collection->Verify(options);
    const auto read = collection->Read(1);
    EXPECT_EQ(read->ids, model.Ids());
    EXPECT_EQ(collection->ReadDocuments(1)->weights,
              ApplyWeighting(model.Matrix(), Weighting::kTfIdf)->weights);
    EXPECT_TRUE(
        Clusters(*read) ==
        ScratchClusters(*ApplyWeighting(model.Matrix(), Weighting::kTfIdf),
                        store_options.beta, /*integers=*/false));
  }
}

TEST(DClustRCollection, NothingOneTwoAndDocumentsWithoutTerms) {
  auto collection = DClustRCollection::Create(NewStoreFolder(), {});
  ASSERT_TRUE(collection.ok()) << collection.status();
  ExpectDescribed(*collection, DClustRUpdate());
  DClustRRunOptions options;
  options.device = Device::kCpu;
  const auto expect_clusters_after =
      [&](const DClustRBatch& batch,
          const std::map<int32_t, std::set<int32_t>>& clusters) {
        const auto update = collection->Update(batch, options);
        ASSERT_TRUE(update.ok()) << update.status();
        ExpectDescribed(*collection, *update);
        const auto read = collection->Read(1);
        ASSERT_TRUE(read.ok()) << read.status();
        EXPECT_TRUE(Clusters(*read) == clusters);
      };
  expect_clusters_after({}, {});
  DClustRBatch hollow;
  AppendDocument({}, &hollow.added);
  hollow.added_ids = {"hollow"};
  expect_clusters_after(hollow, {{0, {0}}});
  DClustRBatch two;
  AppendDocument({{7, 2.0f}}, &two.added);
  AppendDocument({{7, 3.0f}}, &two.added);
  two.added_ids = {"a", "b"};
  const auto update = collection->Update(two, options);
  ASSERT_TRUE(update.ok()) << update.status();
  EXPECT_EQ(collection->Read(1)->cover.num_clusters(), 2);
  EXPECT_EQ(collection->Read(1)->cover.num_memberships(), 3);
  DClustRBatch gone;
  gone.removed_ids = {"hollow", "a", "b"};
  expect_clusters_after(gone, {});
  expect_clusters_after({}, {});
}

TEST(DClustRCollection, WhatCannotBeTakenInChangesNothing) {
  auto collection = DClustRCollection::Create(NewStoreFolder(), {});
  ASSERT_TRUE(collection.ok()) << collection.status();
  DClustRRunOptions options;
  options.device = Device::kCpu;
  Model model(1, /*integers=*/true);
  while (model.Ids().size() < 5) {
    ASSERT_TRUE(collection->Update(model.NextBatch(), options).ok());
  }
  const auto expect_refused = [&](const DClustRBatch& batch,
                                  absl::string_view part, int64_t place) {
    const auto update = collection->Update(batch, options);
    EXPECT_EQ(PlaceInBatch(update.status()), place);
    EXPECT_EQ(update.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_NE(update.status().message().find(part), std::string::npos)
        << update.status();
    ExpectScratch(*collection, model, /*integers=*/true);
  };
  DClustRBatch batch;
  batch.removed_ids = {model.Ids()[0], "nobody"};
  expect_refused(batch, "'nobody'", 1);
  batch.removed_ids = {model.Ids()[1], model.Ids()[0], model.Ids()[1]};
  expect_refused(batch, "twice", 2);
  batch.removed_ids.clear();
  AppendDocument({{1, 2.0f}}, &batch.added);
  batch.added_ids = {model.Ids()[0]};
  expect_refused(batch, model.Ids()[0], 0);
  batch.added_ids = {};
  expect_refused(batch, "an id for each", -1);
  batch.added_ids = {"new"};
  batch.added.weights[0] = 0.5f;
  expect_refused(batch, "others in 'new'", 0);
  batch.added.weights[0] = -1;
  EXPECT_FALSE(collection->Update(batch, options).ok());
}

TEST(DClustRCollection, OptionsAreChecked) {
  // Also what a user may write for 0.25, which the store could not keep.
  for (const Decimal beta :
       {Decimal("0"), Decimal("0.003"), Decimal("2"), Decimal{1, 300},
        Decimal{1, 0}, Decimal{-1, -10},
        Decimal{std::numeric_limits<int64_t>::max() / 200, 1000000000}}) {
    DClustRStoreOptions options;
    options.beta = beta;
    EXPECT_EQ(
        DClustRCollection::Create(NewStoreFolder(), options).status().code(),
        absl::StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(DClustRCollection::Open(NewStoreFolder()).status().code(),
            absl::StatusCode::kNotFound);
  const std::string directory = NewStoreFolder();
  auto collection = DClustRCollection::Create(directory, {});
  ASSERT_TRUE(collection.ok()) << collection.status();
  EXPECT_EQ(DClustRCollection::Open(directory).status().code(),
            absl::StatusCode::kUnavailable);
  EXPECT_EQ(collection->Reweight({}).status().code(),
            absl::StatusCode::kFailedPrecondition);
  collection = absl::UnavailableError("closed");
  EXPECT_EQ(DClustRCollection::Create(directory, {}).status().code(),
            absl::StatusCode::kAlreadyExists);
}

TEST(DClustRCollection, NamesOfPropertiesThatCannotBeStored) {
  const std::string directory = NewStoreFolder();
  auto collection = DClustRCollection::Create(directory, {});
  ASSERT_TRUE(collection.ok()) << collection.status();
  for (const std::string& name :
       {std::string(), std::string(65, 'x'), std::string("dclustr.beta")}) {
    collection->SetProperty(name, "1");
    collection->SetProperty("good", name);
    EXPECT_EQ(collection->Update({}, {}).status().code(),
              absl::StatusCode::kInvalidArgument)
        << name;
    // It does not stand in the way for ever.
    const auto update = collection->Update({}, {});
    EXPECT_TRUE(update.ok()) << update.status();
    EXPECT_EQ(*collection->Property("good"), name);
  }
  EXPECT_TRUE(collection->Verify({}).ok());
}

TEST(DClustRCollection, RefusesANegativeNumberOfThreads) {
  auto collection = DClustRCollection::Create(NewStoreFolder(), {});
  ASSERT_TRUE(collection.ok()) << collection.status();
  DClustRRunOptions options;
  options.num_threads = -1;
  EXPECT_EQ(collection->Update({}, options).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(collection->Verify(options).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(collection->Read(-1).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace warpclust
