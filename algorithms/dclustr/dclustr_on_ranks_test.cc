// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Collections that several ranks update: the bytes of the store, and what an
// update says of itself, are those of one process.

#include <cstdint>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "algorithms/dclustr/dclustr.h"
#include "algorithms/dclustr/edges/comparison_on_ranks.h"
#include "base/communicator/communicator.h"
#include "base/communicator/thread_ranks.h"
#include "base/status/status_macros.h"
#include "graph/testing/store_folder.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/dense/owned_dense_rows.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/weighting/weighting.h"

namespace warpclust {
namespace {

enum class Kind { kCounts, kReals, kRows };

// Batches of a collection of a few hundred documents: duplicates, documents
// without terms, removals, modifications, batches without additions.
class Changes {
 public:
  Changes(uint32_t seed, Kind kind) : random_(seed), kind_(kind) {}

  DClustRBatch Next() {
    DClustRBatch batch;
    std::vector<std::string> kept;
    for (const std::string& id : present_) {
      const uint32_t fate = random_() % 12;
      if (fate > 1) {
        kept.push_back(id);
        continue;
      }
      batch.removed_ids.push_back(id);
      if (fate == 0) batch.added_ids.push_back(id);
    }
    const uint32_t most = random_() % 4 == 0 ? 1 : 90;
    for (uint32_t i = random_() % most; i > 0; --i) {
      batch.added_ids.push_back(absl::StrCat("document ", next_++));
    }
    present_ = std::move(kept);
    OwnedDenseRows rows;
    rows.num_dimensions = 6;
    for (const std::string& id : batch.added_ids) {
      present_.push_back(id);
      if (kind_ == Kind::kRows) {
        for (int k = 0; k < rows.num_dimensions; ++k) {
          rows.values.push_back(static_cast<float>(random_() % 4));
        }
      } else {
        AddDocument(&batch.added);
      }
    }
    if (!rows.values.empty()) {
      batch.added_rows = MakeDenseDocuments(std::move(rows));
    }
    return batch;
  }

 private:
  void AddDocument(DocumentMatrix* matrix) {
    const int32_t topic = static_cast<int32_t>(random_() % 5);
    for (int32_t k = 0; k < 6; ++k) {
      if (random_() % 2 == 0) continue;
      matrix->terms.push_back(6 * topic + k);
      float weight = static_cast<float>(1 + random_() % 2);
      if (kind_ == Kind::kReals) weight *= 0.37f;
      matrix->weights.push_back(weight);
    }
    matrix->num_terms = 30;
    matrix->offsets.push_back(matrix->num_entries());
  }

  std::mt19937 random_;
  const Kind kind_;
  int next_ = 0;
  std::vector<std::string> present_;
};

std::string BytesOf(const std::string& directory) {
  std::ifstream file(directory + "/data.mdb", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string Numbers(const DClustRUpdate& update) {
  return absl::StrCat(update.added, " ", update.removed, " ", update.new_edges,
                      " ", update.removed_edges, " ", update.documents, " ",
                      update.edges, " ", update.vector_bytes, " ",
                      update.idf_drift);
}

struct Outcome {
  std::vector<std::string> updates;
  std::string bytes;
};

absl::Status Run(const std::vector<DClustRBatch>& batches,
                 const DClustRStoreOptions& options,
                 const DClustRRunOptions& run, Outcome* outcome) {
  const std::string directory = NewStoreFolder();
  {
    ASSIGN_OR_RETURN(DClustRCollection collection,
                     DClustRCollection::Create(directory, options));
    for (const DClustRBatch& batch : batches) {
      ASSIGN_OR_RETURN(const DClustRUpdate update,
                       collection.Update(batch, run));
      outcome->updates.push_back(Numbers(update));
    }
    if (options.weighting == Weighting::kTfIdf) {
      RETURN_IF_ERROR(collection.Reweight(run).status());
    }
    RETURN_IF_ERROR(collection.Verify(run));
  }
  outcome->bytes = BytesOf(directory);
  return absl::OkStatus();
}

DClustRRunOptions OnCpu(int num_threads) {
  DClustRRunOptions options;
  options.device = Device::kCpu;
  options.num_threads = num_threads;
  return options;
}

absl::Status RunOnRanks(int num_ranks, const std::vector<DClustRBatch>& batches,
                        const DClustRStoreOptions& options, int num_threads,
                        Outcome* outcome) {
  return RunOnThreads(num_ranks, [&](Communicator& ranks) -> absl::Status {
    if (ranks.rank() > 0) return FollowComparisons(ranks, num_threads);
    DClustRRunOptions run = OnCpu(num_threads);
    run.ranks = &ranks;
    RETURN_IF_ERROR(Run(batches, options, run, outcome));
    return EndComparisons(ranks);
  });
}

void ExpectSameOnRanks(const std::vector<DClustRBatch>& batches,
                       const DClustRStoreOptions& options, int most_ranks,
                       int num_threads) {
  Outcome expected;
  absl::Status status = Run(batches, options, OnCpu(1), &expected);
  ASSERT_TRUE(status.ok()) << status;
  for (int p = 1; p <= most_ranks; ++p) {
    SCOPED_TRACE(absl::StrCat(p, " ranks"));
    Outcome found;
    status = RunOnRanks(p, batches, options, num_threads, &found);
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_EQ(found.updates, expected.updates);
    EXPECT_TRUE(found.bytes == expected.bytes);
  }
}

TEST(DClustROnRanks, StoreHasTheBytesOfOneProcess) {
  for (uint32_t seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    const Kind kind = static_cast<Kind>(seed % 3);
    DClustRStoreOptions options;
    options.beta = seed % 2 == 0 ? Decimal("0.4") : Decimal("0.7");
    if (seed == 3) options.weighting = Weighting::kTfIdf;
    if (seed == 4) options.mode = DClustRMode::kDClustR;
    Changes changes(seed, kind);
    std::vector<DClustRBatch> batches;
    for (int i = 0; i < 8; ++i) batches.push_back(changes.Next());
    ExpectSameOnRanks(batches, options, 7, 1 + static_cast<int>(seed % 2));
  }
}

// Blocks that are dealt more than once: two ranks get 8 MiB each at a time.
TEST(DClustROnRanks, StoresOfManyBlocks) {
  std::mt19937 random(7);
  std::vector<DClustRBatch> batches(2);
  for (int b = 0; b < 2; ++b) {
    OwnedDenseRows rows;
    rows.num_dimensions = 4096;
    for (int i = 0; i < (b == 0 ? 1100 : 20); ++i) {
      batches[b].added_ids.push_back(absl::StrCat(b, "-", i));
      const uint32_t topic = random() % 8;
      for (uint32_t k = 0; k < 4096; ++k) {
        rows.values.push_back(k % 8 == topic ? 1.0f + (random() % 5 == 0)
                                             : 0.0f);
      }
    }
    batches[b].added_rows = MakeDenseDocuments(std::move(rows));
  }
  batches[1].removed_ids = {"0-3", "0-1000"};
  ExpectSameOnRanks(batches, {}, 2, 1);
}

// The others wait for the next batch.
TEST(DClustROnRanks, GoesOnAfterABadBatch) {
  Changes changes(3, Kind::kCounts);
  const DClustRBatch good = changes.Next();
  DClustRBatch bad;
  bad.removed_ids = {"nobody"};
  const absl::Status status =
      RunOnThreads(3, [&](Communicator& ranks) -> absl::Status {
        if (ranks.rank() > 0) return FollowComparisons(ranks, 1);
        DClustRRunOptions run = OnCpu(1);
        run.ranks = &ranks;
        ASSIGN_OR_RETURN(DClustRCollection collection,
                         DClustRCollection::Create(NewStoreFolder(), {}));
        EXPECT_EQ(collection.Update(bad, run).status().code(),
                  absl::StatusCode::kInvalidArgument);
        RETURN_IF_ERROR(collection.Update(good, run).status());
        return EndComparisons(ranks);
      });
  EXPECT_TRUE(status.ok()) << status;
}

}  // namespace
}  // namespace warpclust
