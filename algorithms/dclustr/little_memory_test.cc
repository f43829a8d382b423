// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory that runs out anywhere in a call of DClustRCollection is a Status, and
// leaves the collection as it was.

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "algorithms/dclustr/cover/cover_update.h"
#include "algorithms/dclustr/dclustr.h"
#include "base/testing/failing_allocations.h"
#include "gtest/gtest.h"
#include "kernels/device.h"
#include "sparse/weighting/weighting.h"

namespace warpclust {
namespace {

// `count` documents of few terms, so that most have neighbors.
DClustRBatch Batch(int32_t first, int32_t count) {
  DClustRBatch batch;
  batch.added.num_terms = 40;
  for (int32_t d = first; d < first + count; ++d) {
    for (int32_t term = 0; term < 40; ++term) {
      if ((d * 7 + term * term) % 13 > 2) continue;
      batch.added.terms.push_back(term);
      batch.added.weights.push_back(static_cast<float>(1 + (d + term) % 3));
    }
    batch.added.offsets.push_back(
        static_cast<int64_t>(batch.added.terms.size()));
    batch.added_ids.push_back(absl::StrCat("document ", d));
  }
  return batch;
}

DClustRRunOptions OnOneThread() {
  DClustRRunOptions options;
  options.device = Device::kCpu;
  options.num_threads = 1;
  return options;
}

void ExpectStatuses(DClustRMode mode, Weighting weighting) {
  DClustRStoreOptions options;
  options.mode = mode;
  options.weighting = weighting;
  const std::string directory =
      absl::StrCat(::testing::TempDir(), "/little_memory_",
                   DClustRModeName(mode), "_", WeightingName(weighting));
  absl::StatusOr<DClustRCollection> collection =
      DClustRCollection::Create(directory, options);
  ASSERT_TRUE(collection.ok()) << collection.status();
  const DClustRRunOptions run = OnOneThread();
  ASSERT_TRUE(collection->Update(Batch(0, 60), run).ok());

  DClustRBatch second = Batch(60, 20);
  second.removed_ids = {"document 3", "document 17", "document 40"};
  ExpectStatusWhereverMemoryEnds(
      50, [&] { return collection->Update(second, run).status(); });
  absl::StatusOr<DClustRClusters> clusters = absl::UnknownError("not read");
  ExpectStatusWhereverMemoryEnds(10, [&] {
    clusters = collection->Read(1);
    return clusters.status();
  });
  EXPECT_EQ(clusters->ids.size(), 77);
  ExpectStatusWhereverMemoryEnds(50, [&] { return collection->Verify(run); });
  if (weighting == Weighting::kTfIdf) {
    ExpectStatusWhereverMemoryEnds(
        50, [&] { return collection->Reweight(run).status(); });
  }
  EXPECT_TRUE(collection->Verify(run).ok());
}

TEST(LittleMemoryTest, IsAStatus) {
  for (const DClustRMode mode : {DClustRMode::kExact, DClustRMode::kDClustR}) {
    for (const Weighting weighting : {Weighting::kTf, Weighting::kTfIdf}) {
      SCOPED_TRACE(
          absl::StrCat(DClustRModeName(mode), " ", WeightingName(weighting)));
      ExpectStatuses(mode, weighting);
    }
  }
}

}  // namespace
}  // namespace warpclust
