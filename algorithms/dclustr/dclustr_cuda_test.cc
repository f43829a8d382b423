// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The same collection grown on the CPU and on the GPU: the same clusters after
// every batch, and each verifies on the other device.

#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "algorithms/dclustr/dclustr.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/testing/little_memory.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/dense/random_embeddings.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/weighting/weighting.h"

namespace warpclust {
namespace {

// Some documents of 30 to 60 words about one of ten subjects.
DClustRBatch RandomBatch(int32_t count, int* next, std::mt19937* random) {
  DClustRBatch batch;
  batch.added.num_terms = 3000;
  for (int32_t d = 0; d < count; ++d) {
    const uint32_t subject = (*random)() % 10;
    std::set<int32_t> terms;
    for (uint32_t i = (*random)() % 60; i > 0; --i) {
      terms.insert(static_cast<int32_t>(
          i % 3 == 0 ? (*random)() % 3000 : 60 * subject + (*random)() % 60));
    }
    for (const int32_t term : terms) {
      batch.added.terms.push_back(term);
      batch.added.weights.push_back(static_cast<float>(1 + (*random)() % 4));
    }
    batch.added.offsets.push_back(
        static_cast<int64_t>(batch.added.terms.size()));
    batch.added_ids.push_back(absl::StrCat((*next)++));
  }
  return batch;
}

// One collection on the CPU, and one on the GPU.
class OnBoth {
 public:
  OnBoth(const std::string& name, const DClustRStoreOptions& options)
      : on_cpu_(DClustRCollection::Create(absl::StrCat(name, "cpu"), options)),
        on_gpu_(DClustRCollection::Create(absl::StrCat(name, "gpu"), options)) {
    cpu_.device = Device::kCpu;
    gpu_.device = Device::kCuda;
    gpu_.relevance_device = Device::kCuda;
  }

  void Update(const DClustRBatch& batch) {
    ASSERT_TRUE(on_cpu_.ok()) << on_cpu_.status();
    ASSERT_TRUE(on_gpu_.ok()) << on_gpu_.status();
    const auto cpu = on_cpu_->Update(batch, cpu_);
    const auto gpu = on_gpu_->Update(batch, gpu_);
    ASSERT_TRUE(cpu.ok()) << cpu.status();
    ASSERT_TRUE(gpu.ok()) << gpu.status();
    EXPECT_EQ(cpu->edges, gpu->edges);
    EXPECT_EQ(cpu->new_edges, gpu->new_edges);
    EXPECT_EQ(cpu->removed_edges, gpu->removed_edges);
    EXPECT_GT(gpu->edges, 0);
    EXPECT_EQ(cpu->cover.relevance_device, Device::kCpu);
    EXPECT_EQ(gpu->cover.relevance_device,
              gpu->cover.changed_vertices > 0 ? Device::kCuda : Device::kCpu);
    const auto cpu_clusters = on_cpu_->Read();
    const auto gpu_clusters = on_gpu_->Read();
    ASSERT_TRUE(cpu_clusters.ok()) << cpu_clusters.status();
    ASSERT_TRUE(gpu_clusters.ok()) << gpu_clusters.status();
    EXPECT_EQ(cpu_clusters->ids, gpu_clusters->ids);
    EXPECT_EQ(cpu_clusters->centers, gpu_clusters->centers);
    EXPECT_TRUE(cpu_clusters->cover == gpu_clusters->cover);
  }

  // Each on the other device.
  void Verify() {
    EXPECT_TRUE(on_cpu_->Verify(gpu_).ok()) << on_cpu_->Verify(gpu_);
    EXPECT_TRUE(on_gpu_->Verify(cpu_).ok()) << on_gpu_->Verify(cpu_);
  }

 private:
  absl::StatusOr<DClustRCollection> on_cpu_;
  absl::StatusOr<DClustRCollection> on_gpu_;
  DClustRRunOptions cpu_;
  DClustRRunOptions gpu_;
};

TEST(DClustRCuda, GrowsAsOnTheCpu) {
  if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU";
  for (const Weighting weighting : {Weighting::kTf, Weighting::kTfIdf}) {
    for (const DClustRMode mode :
         {DClustRMode::kExact, DClustRMode::kDClustR}) {
      SCOPED_TRACE(absl::StrCat(WeightingName(weighting), " mode ",
                                static_cast<int>(mode)));
      DClustRStoreOptions options;
      options.weighting = weighting;
      options.mode = mode;
      OnBoth both(
          absl::StrCat(::testing::TempDir(), "/", WeightingName(weighting),
                       static_cast<int>(mode)),
          options);
      std::mt19937 random(1);
      int next = 0;
      for (const int32_t count : {1500, 300, 1, 500}) {
        DClustRBatch batch = RandomBatch(count, &next, &random);
        if (next > 2000) batch.removed_ids = {"3", "1501", "700"};
        ASSERT_NO_FATAL_FAILURE(both.Update(batch));
      }
      both.Verify();
    }
  }
}

// Dense rows: the graph of the added ones and their edges with stored ones on
// the GPU.
TEST(DClustRCuda, DenseRowsGrowAsOnTheCpu) {
  if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU";
  const DenseDocuments all = MakeRandomEmbeddings(
      {.dimensions = 40, .directions = 60, .near_duplicates = "0.1"}, 2300,
      /*num_threads=*/0);
  OnBoth both(absl::StrCat(::testing::TempDir(), "/dense"), {});
  int32_t next = 0;
  for (const int32_t count : {1500, 300, 1, 0, 499}) {
    DClustRBatch batch;
    batch.added_rows = all.Rows(next, next + count);
    for (int32_t i = 0; i < count; ++i) {
      batch.added_ids.push_back(absl::StrCat(next++));
    }
    if (count == 0) batch.removed_ids = {"3", "1501", "700"};
    if (next == 2300) batch.removed_ids = {"4", "1502", "1702"};
    ASSERT_NO_FATAL_FAILURE(both.Update(batch));
  }
  both.Verify();
}

// Relevances on the GPU alone: small updates with removals, each verified.
TEST(DClustRCuda, RelevancesOfManyUpdates) {
  if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU";
  for (uint32_t seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    auto collection = DClustRCollection::Create(
        absl::StrCat(::testing::TempDir(), "/many", seed), {});
    ASSERT_TRUE(collection.ok()) << collection.status();
    DClustRRunOptions options;
    options.device = Device::kCpu;
    options.relevance_device = Device::kCuda;
    options.num_threads = 1 + static_cast<int>(seed % 3);
    std::mt19937 random(seed);
    std::vector<std::string> present;
    int next = 0;
    for (int i = 0; i < 12; ++i) {
      DClustRBatch batch =
          RandomBatch(static_cast<int32_t>(random() % 60), &next, &random);
      std::vector<std::string> kept;
      for (std::string& id : present) {
        (random() % 6 == 0 ? batch.removed_ids : kept).push_back(std::move(id));
      }
      present = std::move(kept);
      present.insert(present.end(), batch.added_ids.begin(),
                     batch.added_ids.end());
      const auto update = collection->Update(batch, options);
      ASSERT_TRUE(update.ok()) << update.status();
      ASSERT_TRUE(collection->Verify(options).ok())
          << collection->Verify(options);
    }
  }
}

// What does not fit is compared in smaller blocks, or the collection stays as
// it was.
TEST(DClustRCuda, LittleMemory) {
  if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU";
  std::mt19937 random(2);
  int next = 0;
  const DClustRBatch first = RandomBatch(2000, &next, &random);
  DClustRBatch second = RandomBatch(300, &next, &random);
  second.removed_ids = {"3", "700"};
  int run = 0;
  ExpectLittleMemoryHolds(
      "on the GPU", 2,
      [&]() -> absl::StatusOr<DClustRClusters> {
        auto collection = DClustRCollection::Create(
            absl::StrCat(::testing::TempDir(), "/little", run++),
            DClustRStoreOptions());
        if (!collection.ok()) return collection.status();
        DClustRRunOptions options;
        options.device = Device::kCuda;
        options.relevance_device = Device::kCuda;
        for (const DClustRBatch& batch : {first, second}) {
          const auto documents = [&] {
            const auto clusters = collection->Read();
            return clusters.ok() ? static_cast<int64_t>(clusters->ids.size())
                                 : int64_t{-1};
          };
          const int64_t before = documents();
          const auto update = collection->Update(batch, options);
          if (!update.ok()) {
            EXPECT_EQ(documents(), before);
            return update.status();
          }
        }
        return collection->Read();
      },
      [](const DClustRClusters& a, const DClustRClusters& b) {
        return a.ids == b.ids && a.centers == b.centers && a.cover == b.cover;
      });
}

}  // namespace
}  // namespace warpclust
