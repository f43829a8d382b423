// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/batched/cuda/batched_clusterer_cuda.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/online/serial/serial_clusterers.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "algorithms/online/state/unit_vectors.h"
#include "algorithms/online/testing/collision_stream.h"
#include "algorithms/online/testing/whole_stream.h"
#include "base/numbers/decimal.h"
#include "base/numbers/random.h"
#include "base/status/status_macros.h"
#include "base/testing/case_share.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/testing/gpu_like.h"
#include "kernels/testing/little_memory.h"

namespace warpclust {
namespace {

class BatchedClustererCudaTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const absl::StatusOr<Device> device = ResolveDevice(Device::kCuda);
    if (!device.ok()) GTEST_SKIP() << device.status();
  }
};

// Rows [begin, end) of a stream, with no more columns than they have.
UnitVectors NarrowSlice(const UnitVectors& all, int64_t begin, int64_t end) {
  UnitVectors slice = Slice(all, begin, end);
  slice.num_terms = 0;
  for (const int32_t term : slice.terms) {
    slice.num_terms = std::max(slice.num_terms, term + 1);
  }
  return slice;
}

// Clusters the stream on the GPU, in calls that end at each of `cuts`, and
// compares with what Serial Clusterer 2 found. At the last cut the engine is
// made again from its state.
void ExpectFound(const CollisionStream& stream, const OnlineOptions& options,
                 int32_t batch, const std::vector<int64_t>& cuts,
                 const std::vector<int32_t>& expected,
                 const OnlineState& expected_state) {
  const int64_t n = stream.documents.size();
  // Removes closed clusters often.
  absl::StatusOr<std::unique_ptr<OnlineEngine>> engine =
      internal::MakeBatchedClustererCuda(options, OnlineState(), batch, 100);
  ASSERT_TRUE(engine.ok()) << engine.status();
  std::vector<int32_t> clusters(n, -1);
  int64_t begin = 0;
  for (const int64_t end : cuts) {
    const absl::Span<const int64_t> clocks =
        absl::MakeConstSpan(stream.clocks).subspan(begin, end - begin);
    const absl::Status status = (*engine)->Cluster(
        NarrowSlice(stream.documents, begin, end), clocks,
        absl::MakeSpan(clusters).subspan(begin, end - begin));
    ASSERT_TRUE(status.ok()) << status;
    begin = end;
    if (end == cuts.back() && end != n) {
      absl::StatusOr<OnlineState> state = (*engine)->State();
      ASSERT_TRUE(state.ok()) << state.status();
      state->clock = clocks.back();
      engine = internal::MakeBatchedClustererCuda(options, *state, batch, 100);
      ASSERT_TRUE(engine.ok()) << engine.status();
    }
  }
  if (begin < n) {
    const absl::Status status =
        (*engine)->Cluster(NarrowSlice(stream.documents, begin, n),
                           absl::MakeConstSpan(stream.clocks).subspan(begin),
                           absl::MakeSpan(clusters).subspan(begin));
    ASSERT_TRUE(status.ok()) << status;
  }
  for (int64_t d = 0; d < n; ++d) {
    ASSERT_EQ(clusters[d], expected[d]) << "document " << d;
  }
  absl::StatusOr<OnlineState> state = (*engine)->State();
  ASSERT_TRUE(state.ok()) << state.status();
  // What the engine leaves to its caller.
  state->clock = expected_state.clock;
  state->num_terms = expected_state.num_terms;
  EXPECT_TRUE(*state == expected_state);
}

// With the shared memory of this GPU, and with that of all.
void ExpectSerial(const CollisionStream& stream, const OnlineOptions& options,
                  int32_t batch, const std::vector<int64_t>& cuts) {
  const auto serial = MakeSerialClusterer2(options, OnlineState());
  std::vector<int32_t> expected(stream.documents.size());
  ASSERT_TRUE(
      serial->Cluster(stream.documents, stream.clocks, absl::MakeSpan(expected))
          .ok());
  const absl::StatusOr<OnlineState> state = serial->State();
  ASSERT_TRUE(state.ok());
  for (const char* like : kGpusLike) {
    SCOPED_TRACE(like);
    const GpuLike gpu(like);
    ExpectFound(stream, options, batch, cuts, expected, *state);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

const Decimal kThresholds[] = {{0, 1},  {5, 100}, {1, 10},     {3, 10}, {5, 10},
                               {7, 10}, {9, 10},  {999, 1000}, {1, 1}};

TEST_F(BatchedClustererCudaTest, EqualsSerialOnStreamsThatCollide) {
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    if (!TakesCase()) continue;
    SCOPED_TRACE(seed);
    Random random(seed);
    OnlineOptions options = OnlineOptions::Paper();
    options.threshold = kThresholds[random.Below(9)];
    const int32_t kTerms[] = {1, 2, 5, 20, 31, 32, 33, 64, 100, 128};
    options.terms = kTerms[random.Below(10)];
    if (random.Below(3) == 0) {
      options.expire_after = 1 + static_cast<int64_t>(random.Below(300));
    }
    const int32_t kBatches[] = {1, 2, 3, 7, 64, 1000, 1024, 4096};
    const int32_t batch = kBatches[random.Below(8)];
    const int64_t size =
        1 + ShareOf(static_cast<int64_t>(random.Below(batch < 10 ? 300 : 3000)),
                    100);
    const auto num_terms = static_cast<int32_t>(1 + random.Below(400));
    const CollisionStream stream = MakeCollisionStream(
        &random, size, std::min(options.terms, num_terms), num_terms);
    std::vector<int64_t> cuts;
    for (int64_t at = 0; random.Below(3) != 0;) {
      at += 1 + static_cast<int64_t>(random.Below(size));
      if (at > size) break;
      cuts.push_back(at);
    }
    ExpectSerial(stream, options, batch, cuts);
    if (HasFatalFailure()) return;
  }
}

// One batch in which each document depends on the one before: a chain drifts
// through the terms, two of them at a time.
TEST_F(BatchedClustererCudaTest,
       EqualsSerialWhereEachDocumentDependsOnTheLast) {
  for (const int32_t width : {1, 2, 3, 5}) {
    for (const int32_t kept : {2, 5, 20}) {
      if (!TakesCase()) continue;
      CollisionStream stream;
      stream.documents.num_terms = 600;
      for (int32_t d = 0; d < ShareOf(500, 50); ++d) {
        for (int32_t t = d; t < d + width; ++t) {
          stream.documents.terms.push_back(t);
          stream.documents.weights.push_back((1 << 29) + 7 * ((t * 31) % 97));
        }
        stream.documents.offsets.push_back(
            static_cast<int64_t>(stream.documents.terms.size()));
        stream.clocks.push_back(0);
      }
      OnlineOptions options = OnlineOptions::Paper();
      options.threshold = {3, 10};
      options.terms = std::max(width, kept);
      ExpectSerial(stream, options, 500, {});
      if (HasFatalFailure()) return;
    }
  }
}

// All documents in one cluster, whose sums go far beyond its slots.
TEST_F(BatchedClustererCudaTest, EqualsSerialWithOneClusterOfManyTerms) {
  Random random(7);
  CollisionStream stream;
  stream.documents.num_terms = 30000;
  const int64_t size = ShareOf(6000, 300);
  for (int64_t d = 0; d < size; ++d) {
    stream.documents.terms.push_back(0);
    stream.documents.weights.push_back(800 << 20);
    int32_t term = 0;
    for (int k = 0; k < 12; ++k) {
      term += 1 + static_cast<int32_t>(random.Below(2400));
      stream.documents.terms.push_back(term);
      stream.documents.weights.push_back(
          static_cast<int32_t>((150 + random.Below(50)) << 20));
    }
    stream.documents.offsets.push_back(
        static_cast<int64_t>(stream.documents.terms.size()));
    stream.clocks.push_back(d);
  }
  OnlineOptions options = OnlineOptions::Paper();
  options.threshold = {1, 10};
  options.terms = 13;
  for (const int32_t batch : {1024, 1, 100, 4096}) {
    if (!TakesCase()) continue;
    ExpectSerial(stream, options, batch, {});
  }
}

// More clusters above the threshold than a document's list has room for, and
// more clusters met than a table has slots.
TEST_F(BatchedClustererCudaTest, EqualsSerialWithCrowdedTerms) {
  Random random(11);
  CollisionStream stream;
  const int32_t kCommon = 40;
  stream.documents.num_terms = kCommon + 20000;
  const int64_t size = ShareOf(12000, 400);
  for (int64_t d = 0; d < size; ++d) {
    // A rare term that keeps most apart, and common ones.
    std::vector<std::pair<int32_t, int32_t>> row;
    for (int k = 0; k < 6; ++k) {
      const int32_t term = k * 6 + static_cast<int32_t>(random.Below(6));
      row.emplace_back(term, 200 << 20);
    }
    row.emplace_back(kCommon + static_cast<int32_t>(random.Below(20000)),
                     static_cast<int32_t>((600 + random.Below(300)) << 20));
    for (const auto& [term, weight] : row) {
      stream.documents.terms.push_back(term);
      stream.documents.weights.push_back(weight);
    }
    stream.documents.offsets.push_back(
        static_cast<int64_t>(stream.documents.terms.size()));
    stream.clocks.push_back(0);
  }
  OnlineOptions options = OnlineOptions::Paper();
  options.terms = 7;
  for (const Decimal& threshold : {Decimal("0.15"), Decimal("0.25")}) {
    if (!TakesCase()) continue;
    options.threshold = threshold;
    ExpectSerial(stream, options, 1024, {});
    ExpectSerial(stream, options, 100, {size / 3, size / 2});
  }
}

// Each document founds a cluster. Five of its terms are those of nine others.
TEST_F(BatchedClustererCudaTest, EqualsSerialWhereListsOutgrowTheirPool) {
  if (!TakesCase()) return;
  constexpr int32_t kDocuments = 30000;
  constexpr int32_t kGroups = kDocuments / 10;
  OnlineOptions options = OnlineOptions::Paper();
  CollisionStream stream;
  stream.documents.num_terms = (kGroups + kDocuments) * options.terms;
  for (int32_t d = 0; d < kDocuments; ++d) {
    for (int32_t k = 0; k < options.terms; ++k) {
      const int32_t row = k < 5 ? d % kGroups : kGroups + d;
      stream.documents.terms.push_back(row * options.terms + k);
      stream.documents.weights.push_back(240000000);
    }
    stream.documents.offsets.push_back(
        static_cast<int64_t>(stream.documents.terms.size()));
    stream.clocks.push_back(0);
  }
  ExpectSerial(stream, options, 1024, {kDocuments / 3});
}

TEST_F(BatchedClustererCudaTest, NothingAndDocumentsWithoutTerms) {
  CollisionStream stream;
  ExpectSerial(stream, OnlineOptions::Paper(), 16, {});
  for (int d = 0; d < 40; ++d) {
    stream.documents.offsets.push_back(0);
    stream.clocks.push_back(OnlineState::kNoTime);
  }
  ExpectSerial(stream, OnlineOptions::Paper(), 16, {10, 20});
}

TEST_F(BatchedClustererCudaTest, MemoryThatRunsOutIsAStatus) {
  Random random(5);
  const CollisionStream stream = MakeCollisionStream(&random, 2000, 20, 300);
  absl::StatusOr<std::unique_ptr<OnlineEngine>> engine =
      MakeBatchedClustererCuda(OnlineOptions::Paper(), OnlineState(), 256);
  ASSERT_TRUE(engine.ok()) << engine.status();
  SetDeviceMemoryLimit(DeviceMemoryInUseBytes() + 1000);
  std::vector<int32_t> clusters(2000);
  const absl::Status status = (*engine)->Cluster(
      stream.documents, stream.clocks, absl::MakeSpan(clusters));
  const auto other =
      MakeBatchedClustererCuda(OnlineOptions::Paper(), OnlineState(), 256);
  SetDeviceMemoryLimit(-1);
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
  EXPECT_EQ(other.status().code(), absl::StatusCode::kResourceExhausted);
}

// Smaller batches and fewer documents at a time.
// Clusters a stream on the GPU, and what does not fit it on the CPU.
absl::StatusOr<WholeStream> ClusterWithRescue(const OnlineOptions& options,
                                              const CollisionStream& stream) {
  std::vector<int32_t> clusters(stream.clocks.size());
  ASSIGN_OR_RETURN(
      const std::unique_ptr<OnlineEngine> engine,
      internal::MakeBatchedClustererCuda(options, OnlineState(), 1024, 4000));
  const absl::Status status = engine->Cluster(stream.documents, stream.clocks,
                                              absl::MakeSpan(clusters));
  ASSIGN_OR_RETURN(OnlineState state, engine->State());
  if (status.ok()) return WholeStream(clusters, state);
  if (!absl::IsResourceExhausted(status)) return status;
  const int64_t decided = engine->num_decided();
  const auto clocks = absl::MakeConstSpan(stream.clocks);
  if (decided > 0) state.clock = clocks[decided - 1];
  const auto rest = MakeSerialClusterer2(options, state);
  RETURN_IF_ERROR(rest->Cluster(
      NarrowSlice(stream.documents, decided, stream.documents.size()),
      clocks.subspan(decided), absl::MakeSpan(clusters).subspan(decided)));
  ASSIGN_OR_RETURN(state, rest->State());
  return WholeStream(clusters, state);
}

// After an error for want of memory, the engine has the state of the documents
// that it decided.
TEST_F(BatchedClustererCudaTest, DecidedDocumentsSurviveLittleMemory) {
  Random random(7);
  const CollisionStream stream =
      MakeCollisionStream(&random, ShareOf(20000, 400), 20, 3000);
  for (const int64_t expire_after : {int64_t{0}, int64_t{5000}}) {
    if (!TakesCase()) continue;
    SCOPED_TRACE(expire_after);
    OnlineOptions options = OnlineOptions::Paper();
    options.expire_after = expire_after;
    ExpectLittleMemoryHolds(
        "on the GPU", 1, [&] { return ClusterWithRescue(options, stream); },
        [](const auto& a, const auto& b) {
          return a.first == b.first && a.second.sizes == b.second.sizes &&
                 a.second.terms == b.second.terms &&
                 a.second.sums == b.second.sums;
        });
    if (HasFatalFailure()) return;
  }
}

TEST_F(BatchedClustererCudaTest, LittleMemory) {
  Random random(6);
  const CollisionStream stream =
      MakeCollisionStream(&random, ShareOf(20000, 400), 20, 3000);
  for (const int64_t expire_after : {int64_t{0}, int64_t{5000}}) {
    if (!TakesCase()) continue;
    SCOPED_TRACE(expire_after);
    OnlineOptions options = OnlineOptions::Paper();
    options.expire_after = expire_after;
    ExpectLittleMemoryHolds(
        "on the GPU", 1,
        [&] {
          return ClusterWholeStream(internal::MakeBatchedClustererCuda(
                                        options, OnlineState(), 1024, 4000),
                                    stream);
        },
        [](const auto& a, const auto& b) { return a == b; });
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace warpclust
