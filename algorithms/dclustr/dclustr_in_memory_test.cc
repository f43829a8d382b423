// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DClustR in memory against the paper's text (dclustr_oracle.h), and against
// the stored collection: clusters and what updates say of themselves.

#include "algorithms/dclustr/dclustr_in_memory.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "algorithms/dclustr/dclustr.h"
#include "algorithms/dclustr/testing/dclustr_oracle.h"
#include "base/numbers/decimal.h"
#include "base/numbers/random.h"
#include "graph/csr/csr_graph.h"
#include "graph/testing/store_folder.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/weighting/weighting.h"

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

// A present document, with the number that it has had since it came.
struct Present {
  std::string id;
  int32_t number;
  Document document;
};

// A random history: documents that come, go and change.
class History {
 public:
  History(uint64_t seed, bool integers) : random_(seed), integers_(integers) {}

  // The next batch, and the same change by numbers, without edges.
  DClustRBatch Next(NaiveChange* change) {
    DClustRBatch batch;
    std::vector<Present> kept;
    std::vector<std::string> added;
    for (Present& present : present_) {
      const uint64_t fate = random_.Below(10);
      if (fate >= 2) {
        kept.push_back(std::move(present));
        continue;
      }
      batch.removed_ids.push_back(present.id);
      change->removed.insert(present.number);
      if (fate == 0) added.push_back(present.id);
    }
    for (uint64_t i = random_.Below(15); i > 0; --i) {
      added.push_back(absl::StrCat("document ", next_id_++));
    }
    present_ = std::move(kept);
    for (const std::string& id : added) {
      present_.push_back({id, next_number_, RandomDocument()});
      change->added.insert(next_number_++);
      AppendDocument(present_.back().document, &batch.added);
      batch.added_ids.push_back(id);
    }
    return batch;
  }

  const std::vector<Present>& present() const { return present_; }

 private:
  Document RandomDocument() {
    Document document;
    const int topic = static_cast<int>(random_.Below(6));
    for (uint64_t i = random_.Below(6); i > 0; --i) {
      const auto term = static_cast<int32_t>(
          random_.Below(6) == 0 ? random_.Below(40)
                                : 6 * topic + random_.Below(5));
      document[term] = static_cast<float>(1 + random_.Below(3));
      if (!integers_) document[term] *= 0.37f;
    }
    return document;
  }

  Random random_;
  bool integers_;
  int next_id_ = 0;
  int32_t next_number_ = 0;
  std::vector<Present> present_;
};

// The edges of the added documents by their definition, in double.
void AddEdges(const std::vector<Present>& present, double beta,
              NaiveChange* change) {
  for (size_t j = 0; j < present.size(); ++j) {
    if (change->added.count(present[j].number) == 0) continue;
    for (size_t i = 0; i < j; ++i) {
      double dot = 0;
      double norms[2] = {0, 0};
      for (const auto& [term, weight] : present[i].document) {
        norms[0] += double{weight} * weight;
        const auto found = present[j].document.find(term);
        if (found != present[j].document.end()) {
          dot += double{weight} * found->second;
        }
      }
      for (const auto& [term, weight] : present[j].document) {
        norms[1] += double{weight} * weight;
      }
      // Integers: exact.
      if (dot == 0 || dot * dot < beta * beta * norms[0] * norms[1]) continue;
      change->edges.push_back(
          {present[i].number, present[j].number,
           static_cast<float>(dot / std::sqrt(norms[0] * norms[1]))});
    }
  }
}

std::map<std::string, std::set<std::string>> ById(const DClustRClusters& read) {
  std::map<std::string, std::set<std::string>> clusters;
  for (int32_t c = 0; c < read.cover.num_clusters(); ++c) {
    for (const int32_t v : read.cover.MembersOf(c)) {
      clusters[read.ids[read.centers[c]]].insert(read.ids[v]);
    }
  }
  return clusters;
}

std::map<std::string, std::set<std::string>> ById(
    const NaiveGraph& graph, const std::vector<NaiveStar>& stars,
    const std::vector<Present>& present) {
  std::map<int32_t, std::string> ids;
  for (const Present& document : present) ids[document.number] = document.id;
  std::map<std::string, std::set<std::string>> clusters;
  for (const NaiveStar& star : stars) {
    std::set<std::string>& members = clusters[ids[star.center]];
    members.insert(ids[star.center]);
    for (const int32_t v : star.linked) members.insert(ids[v]);
    for (const auto& [v, weight] : graph.at(star.center)) {
      members.insert(ids[v]);
    }
  }
  return clusters;
}

DClustRInMemory Create(const DClustRStoreOptions& options) {
  absl::StatusOr<DClustRInMemory> collection = DClustRInMemory::Create(options);
  EXPECT_TRUE(collection.ok()) << collection.status();
  return *std::move(collection);
}

TEST(DClustRInMemory, IsThePapersTextAfterEveryBatch) {
  int32_t unaffected = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    History history(seed, /*integers=*/true);
    DClustRStoreOptions store;
    store.beta = "0.5";
    store.mode = seed % 2 == 0 ? DClustRMode::kDClustR : DClustRMode::kExact;
    DClustRInMemory collection = Create(store);
    DClustRRunOptions run;
    run.device = Device::kCpu;
    run.num_threads = 1 + static_cast<int>(seed % 3);
    NaiveDClustR naive;
    for (int i = 0; i < 10; ++i) {
      NaiveChange change;
      const DClustRBatch batch = history.Next(&change);
      AddEdges(history.present(), 0.5, &change);
      naive.Update(change);
      const auto update = collection.Update(batch, run);
      ASSERT_TRUE(update.ok()) << update.status();
      const auto read = collection.Read(run.num_threads);
      ASSERT_TRUE(read.ok()) << read.status();
      const std::vector<NaiveStar> stars =
          store.mode == DClustRMode::kExact ? NaiveScratchStars(naive.graph())
                                            : naive.stars();
      ASSERT_TRUE(ById(*read) == ById(naive.graph(), stars, history.present()))
          << "update " << i;
      EXPECT_EQ(update->cover.affected_vertices,
                static_cast<int32_t>(naive.affected().size()));
      unaffected += update->documents - update->cover.affected_vertices;
    }
  }
  EXPECT_GT(unaffected, 100);
}

TEST(DClustRInMemory, IsTheStoredCollection) {
  for (uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    DClustRStoreOptions store;
    store.beta = seed % 2 == 0 ? Decimal("0.25") : Decimal("0.6");
    store.mode = seed % 4 < 2 ? DClustRMode::kDClustR : DClustRMode::kExact;
    store.weighting = seed % 3 == 0 ? Weighting::kTfIdf : Weighting::kTf;
    History history(seed, /*integers=*/seed % 5 != 0);
    DClustRInMemory collection = Create(store);
    auto stored = DClustRCollection::Create(NewStoreFolder(), store);
    ASSERT_TRUE(stored.ok()) << stored.status();
    DClustRRunOptions run;
    run.device = Device::kCpu;
    for (int i = 0; i < 8; ++i) {
      NaiveChange unused;
      const DClustRBatch batch = history.Next(&unused);
      const auto update = collection.Update(batch, run);
      ASSERT_TRUE(update.ok()) << update.status();
      const auto expected = stored->Update(batch, run);
      ASSERT_TRUE(expected.ok()) << expected.status();
      EXPECT_EQ(update->added, expected->added);
      EXPECT_EQ(update->removed, expected->removed);
      EXPECT_EQ(update->new_edges, expected->new_edges);
      EXPECT_EQ(update->removed_edges, expected->removed_edges);
      EXPECT_EQ(update->documents, expected->documents);
      EXPECT_EQ(update->edges, expected->edges);
      EXPECT_EQ(update->cover.affected_vertices,
                expected->cover.affected_vertices);
      EXPECT_EQ(update->cover.affected_connected,
                expected->cover.affected_connected);
      EXPECT_EQ(update->cover.changed_vertices,
                expected->cover.changed_vertices);
      // A partial component is a part of a connected one.
      EXPECT_LE(update->components, expected->components);
      EXPECT_EQ(update->loads.components, update->components);
      EXPECT_EQ(update->loads.vertices, update->documents);
      EXPECT_EQ(update->loads.row_entries, 2 * update->edges);
      const auto read = collection.Read();
      const auto expected_read = stored->Read();
      ASSERT_TRUE(read.ok() && expected_read.ok());
      EXPECT_EQ(read->ids, expected_read->ids);
      EXPECT_EQ(read->cover.offsets, expected_read->cover.offsets);
      EXPECT_EQ(read->cover.members, expected_read->cover.members);
      EXPECT_EQ(read->centers, expected_read->centers);
      EXPECT_EQ(read->linked, expected_read->linked);
      EXPECT_EQ(read->num_edges, expected_read->num_edges);
    }
  }
}

TEST(DClustRInMemory, CountsConnectedComponents) {
  DClustRInMemory collection = Create({});
  DClustRBatch batch;
  for (const int32_t term : {1, 1, 2, 3}) {
    AppendDocument({{term, 1.0f}}, &batch.added);
    batch.added_ids.push_back(absl::StrCat(batch.added_ids.size()));
  }
  EXPECT_EQ(collection.Update(batch, {})->components, 3);
  // Joins two of them.
  DClustRBatch joining;
  AppendDocument({{1, 1.0f}, {2, 1.0f}}, &joining.added);
  joining.added_ids = {"joining"};
  auto update = collection.Update(joining, {});
  EXPECT_EQ(update->components, 2);
  EXPECT_EQ(update->cover.affected_components, 1);
  EXPECT_EQ(update->cover.affected_vertices, 4);
  // Splits them again, and takes the third away.
  DClustRBatch gone;
  gone.removed_ids = {"joining", "3"};
  update = collection.Update(gone, {});
  EXPECT_EQ(update->components, 2);
  EXPECT_EQ(update->cover.affected_components, 2);
  EXPECT_EQ(update->cover.affected_vertices, 3);
}

TEST(DClustRInMemory, WhatCannotBeTakenInChangesNothing) {
  EXPECT_EQ(DClustRInMemory::Create({.beta = "0"}).status().code(),
            absl::StatusCode::kInvalidArgument);
  DClustRInMemory collection = Create({});
  DClustRBatch batch;
  AppendDocument({{1, 2.0f}}, &batch.added);
  batch.added_ids = {"a"};
  ASSERT_TRUE(collection.Update(batch, {}).ok());
  const auto expect_refused = [&](const DClustRBatch& bad, const char* part,
                                  int64_t place) {
    const absl::Status status = collection.Update(bad, {}).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_TRUE(absl::StrContains(status.message(), part)) << status;
    EXPECT_EQ(PlaceInBatch(status), place);
    EXPECT_EQ(collection.Read()->ids, std::vector<std::string>{"a"});
  };
  expect_refused(batch, "an id that is new", 0);
  DClustRBatch bad;
  bad.removed_ids = {"a", "b"};
  expect_refused(bad, "'b'", 1);
  bad.removed_ids = {"a", "a"};
  expect_refused(bad, "twice", 1);
  bad = {};
  AppendDocument({{1, 0.5f}}, &bad.added);
  expect_refused(bad, "an id for each", -1);
  bad.added_ids = {"c"};
  expect_refused(bad, "others in 'c'", 0);
  DClustRRunOptions run;
  run.num_threads = -1;
  EXPECT_EQ(collection.Update({}, run).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace warpclust
