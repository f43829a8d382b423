// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "algorithms/online/batched/cuda/batch_group.cuh"
#include "algorithms/online/batched/cuda/batch_search.cuh"
#include "algorithms/online/batched/cuda/device_similarity.h"
#include "algorithms/online/clusters/cuda/device_clusters.cuh"
#include "algorithms/online/state/online_state.h"
#include "algorithms/online/state/unit_vectors.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/device/device_limits.h"
#include "kernels/launch.cuh"

namespace warpclust {
namespace {

static_assert(sizeof(SimilarPair) == 2 * sizeof(int64_t));

// Clusters compared by one launch.
constexpr int32_t kAtOnce = 4096;
// Pairs that the first copy to the host has; seldom are there more.
constexpr int64_t kFirstPairs = 256;
constexpr int64_t kLeastPairs = int64_t{1} << 16;
constexpr int64_t kHeader = 2;  // words before the pairs
constexpr int kThreads = 256;

// The vector of one cluster, as an argument of a kernel.
struct OneVector {
  KeptTerm kept[OnlineOptions::kMaxTerms];
};

// The vectors that are compared, as BatchView has them.
struct Vectors {
  int32_t* counts;
  int64_t* offsets;
  int32_t* terms;
  int32_t* weights;
  int64_t* clocks;
};

__global__ void CountTerms(DeviceClustersView clusters, const int32_t* numbers,
                           int32_t count, int64_t clock, int64_t expire_after,
                           Vectors vectors) {
  for (int64_t i = ThreadIndex(); i < count; i += NumThreads()) {
    const int32_t cluster = numbers[i];
    const bool expired =
        IsExpired(clusters.last_times[cluster], clock, expire_after);
    vectors.counts[i] = expired ? 0 : clusters.counts[cluster];
    vectors.clocks[i] = clock;
  }
}

__global__ void CopyTerms(DeviceClustersView clusters, const int32_t* numbers,
                          int32_t count, Vectors vectors) {
  for (int64_t e = ThreadIndex(); e < int64_t{count} * clusters.stride;
       e += NumThreads()) {
    const int64_t i = e / clusters.stride;
    const int64_t s = e % clusters.stride;
    if (s >= vectors.counts[i]) continue;
    const KeptTerm kept =
        clusters.kept[int64_t{numbers[i]} * clusters.stride + s];
    vectors.terms[vectors.offsets[i] + s] = kept.term;
    vectors.weights[vectors.offsets[i] + s] = kept.weight;
  }
}

__global__ void LoadOne(const OneVector vector, int32_t size, int32_t number,
                        int64_t clock, int32_t* numbers, Vectors vectors) {
  const auto k = static_cast<int32_t>(threadIdx.x);
  if (k < size) {
    vectors.terms[k] = vector.kept[k].term;
    vectors.weights[k] = vector.kept[k].weight;
  }
  if (k != 0) return;
  numbers[0] = number;
  vectors.offsets[0] = 0;
  vectors.offsets[1] = size;
  vectors.clocks[0] = clock;
}

__global__ void Begin(BatchControl* control, DeviceCount* num_pairs) {
  control->num_heavy = 0;
  *num_pairs = 0;
}

template <typename Shape>
using PairsByGroup = BatchSearch<kGroupThreads, Shape::kGroupBits, true>;
template <typename Shape>
using PairsByBlock = BatchSearch<Shape::kThreads, Shape::kBlockBits, true>;

// Each vector by a group of threads; notes those that are heavy.
template <typename Shape>
__global__ void __launch_bounds__(Shape::kThreads, 1)
    FindPairs(const DeviceClustersView clusters, const BatchView batch,
              int32_t count, int32_t num_clusters) {
  extern __shared__ __align__(16) unsigned char shared[];
  using Search = PairsByGroup<Shape>;
  const auto blocks = static_cast<int32_t>(gridDim.x);
  const int32_t group = static_cast<int32_t>(threadIdx.x) / kGroupThreads;
  Search search(clusters, batch,
                reinterpret_cast<typename Search::Workspace*>(shared) + group,
                group + 1);
  for (int32_t i = group * blocks + static_cast<int32_t>(blockIdx.x); i < count;
       i += blocks * Shape::kGroups) {
    search.Find(0, i, num_clusters);
  }
}

// The heavy ones, in slices, by whole blocks.
template <typename Shape>
__global__ void __launch_bounds__(Shape::kThreads, 1)
    FindHeavyPairs(const DeviceClustersView clusters, const BatchView batch,
                   int32_t num_clusters) {
  extern __shared__ __align__(16) unsigned char shared[];
  using Search = PairsByBlock<Shape>;
  const auto blocks = static_cast<int32_t>(gridDim.x);
  const int32_t heavy = batch.control->num_heavy;
  if (heavy == 0) return;
  const int32_t slices = max(1, min(kMaxSlices, 2 * blocks / heavy));
  Search search(clusters, batch,
                reinterpret_cast<typename Search::Workspace*>(shared), 0);
  for (auto item = static_cast<int32_t>(blockIdx.x); item < heavy * slices;
       item += blocks) {
    search.FindSlice(0, item / slices, num_clusters, item % slices, slices);
  }
}

template <typename Shape>
constexpr int64_t kGroupsBytes =
    Shape::kGroups* int64_t{sizeof(typename PairsByGroup<Shape>::Workspace)};
template <typename Shape>
constexpr int64_t kBlockBytes = sizeof(typename PairsByBlock<Shape>::Workspace);

template <typename Shape>
absl::StatusOr<bool> Fits() {
  ASSIGN_OR_RETURN(const int64_t groups, MostSharedBytes(&FindPairs<Shape>));
  ASSIGN_OR_RETURN(const int64_t block,
                   MostSharedBytes(&FindHeavyPairs<Shape>));
  return kGroupsBytes<Shape> <= groups && kBlockBytes<Shape> <= block;
}

template <typename Shape>
absl::Status Allow() {
  RETURN_IF_ERROR(AllowSharedBytes(&FindPairs<Shape>, kGroupsBytes<Shape>,
                                   "merging clusters"));
  return AllowSharedBytes(&FindHeavyPairs<Shape>, kBlockBytes<Shape>,
                          "merging clusters");
}

template <typename Shape>
absl::Status Launch(const DeviceClustersView& clusters, const BatchView& batch,
                    int32_t count, int32_t num_clusters, int blocks) {
  const auto by_group = &FindPairs<Shape>;
  const int64_t group_bytes = kGroupsBytes<Shape>;
  by_group<<<BlocksFor(count, 1, blocks), Shape::kThreads, group_bytes>>>(
      clusters, batch, count, num_clusters);
  const auto by_block = &FindHeavyPairs<Shape>;
  const int64_t block_bytes = kBlockBytes<Shape>;
  by_block<<<blocks, Shape::kThreads, block_bytes>>>(clusters, batch,
                                                     num_clusters);
  return CudaLaunchStatus("comparing clusters");
}

}  // namespace

absl::StatusOr<DeviceSimilarity> DeviceSimilarity::Create(
    const OnlineOptions& options) {
  DeviceSimilarity made;
  int device = 0;
  RETURN_IF_ERROR(CudaStatus(cudaGetDevice(&device), "preparing to merge"));
  RETURN_IF_ERROR(
      CudaStatus(cudaDeviceGetAttribute(&made.blocks_,
                                        cudaDevAttrMultiProcessorCount, device),
                 "preparing to merge"));
  ASSIGN_OR_RETURN(made.large_, Fits<LargeBatchShape>());
  RETURN_IF_ERROR(made.large_ ? Allow<LargeBatchShape>()
                              : Allow<SmallBatchShape>());
  RETURN_IF_ERROR(AllocateInto(kAtOnce, made.numbers_));
  RETURN_IF_ERROR(AllocateInto(kAtOnce, made.counts_));
  RETURN_IF_ERROR(AllocateInto(kAtOnce + 1, made.offsets_));
  RETURN_IF_ERROR(AllocateInto(int64_t{kAtOnce} * options.terms, made.terms_));
  RETURN_IF_ERROR(
      AllocateInto(int64_t{kAtOnce} * options.terms, made.weights_));
  RETURN_IF_ERROR(AllocateInto(kAtOnce, made.clocks_));
  RETURN_IF_ERROR(AllocateInto(kAtOnce, made.heavy_));
  RETURN_IF_ERROR(AllocateInto(1, made.control_));
  RETURN_IF_ERROR(made.control_.FillBytes(0));
  RETURN_IF_ERROR(AllocateInto(kHeader + 2 * kLeastPairs, made.found_));

  BatchView& view = made.view_;
  view.above = SimilarityAbove(options.merge_threshold);
  const double threshold = options.merge_threshold.ToDouble();
  view.above_squared = threshold * threshold;
  view.expire_after = options.expire_after;
  view.offsets = made.offsets_.data();
  view.terms = made.terms_.data();
  view.weights = made.weights_.data();
  view.clocks = made.clocks_.data();
  view.numbers = made.numbers_.data();
  view.heavy = made.heavy_.data();
  view.control = made.control_.data();
  return made;
}

absl::Status DeviceSimilarity::OfClusters(absl::Span<const int32_t> numbers,
                                          int64_t clock,
                                          DeviceClusters* clusters,
                                          std::vector<SimilarPair>* pairs) {
  const DeviceClustersView view = clusters->view();
  const Vectors vectors = {counts_.data(), offsets_.data(), terms_.data(),
                           weights_.data(), clocks_.data()};
  for (size_t begin = 0; begin < numbers.size(); begin += kAtOnce) {
    const absl::Span<const int32_t> some = numbers.subspan(begin, kAtOnce);
    const auto count = static_cast<int32_t>(some.size());
    RETURN_IF_ERROR(numbers_.CopyFromHost(some));
    CountTerms<<<BlocksFor(count, kThreads), kThreads>>>(
        view, numbers_.data(), count, clock, view_.expire_after, vectors);
    RETURN_IF_ERROR(OffsetsFromCounts(counts_.data(), offsets_.data(), count,
                                      storage_, cudaStream_t{}));
    CopyTerms<<<BlocksFor(int64_t{count} * view.stride, kThreads), kThreads>>>(
        view, numbers_.data(), count, vectors);
    RETURN_IF_ERROR(CudaLaunchStatus("loading clusters"));
    RETURN_IF_ERROR(Find(count, clusters, pairs));
  }
  return absl::OkStatus();
}

absl::Status DeviceSimilarity::OfVector(int32_t number,
                                        absl::Span<const int32_t> terms,
                                        absl::Span<const int32_t> weights,
                                        int64_t clock, DeviceClusters* clusters,
                                        std::vector<SimilarPair>* pairs) {
  OneVector vector;
  for (size_t k = 0; k < terms.size(); ++k) {
    vector.kept[k] = {terms[k], weights[k]};
  }
  LoadOne<<<1, OnlineOptions::kMaxTerms>>>(
      vector, static_cast<int32_t>(terms.size()), number, clock,
      numbers_.data(),
      {counts_.data(), offsets_.data(), terms_.data(), weights_.data(),
       clocks_.data()});
  RETURN_IF_ERROR(CudaLaunchStatus("loading a cluster"));
  return Find(1, clusters, pairs);
}

absl::Status DeviceSimilarity::Find(int32_t count, DeviceClusters* clusters,
                                    std::vector<SimilarPair>* pairs) {
  if (clusters->entries_used > clusters->max_entries()) {
    RETURN_IF_ERROR(clusters->RebuildLists());
  }
  std::vector<int64_t> words(kHeader + 2 * kFirstPairs);
  while (true) {
    BatchView view = view_;
    view.num_pairs = reinterpret_cast<DeviceCount*>(found_.data());
    view.pairs = reinterpret_cast<SimilarPair*>(found_.data() + kHeader);
    view.max_pairs = (found_.size() - kHeader) / 2;
    Begin<<<1, 1>>>(control_.data(), view.num_pairs);
    RETURN_IF_ERROR(
        large_ ? Launch<LargeBatchShape>(clusters->view(), view, count,
                                         clusters->num_clusters, blocks_)
               : Launch<SmallBatchShape>(clusters->view(), view, count,
                                         clusters->num_clusters, blocks_));
    RETURN_IF_ERROR(found_.CopyToHost(absl::MakeSpan(words)));
    if (words[0] <= view.max_pairs) break;
    RETURN_IF_ERROR(MakeRoom(kHeader + 2 * words[0], found_));
  }
  const int64_t found = words[0];
  const auto before = static_cast<int64_t>(words.size());
  if (found > kFirstPairs) {
    words.resize(kHeader + 2 * found);
    RETURN_IF_ERROR(
        found_.CopyToHost(absl::MakeSpan(words).subspan(before), before));
  }
  const size_t size = pairs->size();
  pairs->resize(size + found);
  if (found > 0) {
    std::memcpy(pairs->data() + size, words.data() + kHeader,
                found * sizeof(SimilarPair));
  }
  return absl::OkStatus();
}

}  // namespace warpclust
