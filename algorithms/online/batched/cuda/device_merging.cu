// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "algorithms/online/batched/cuda/device_merging.h"
#include "algorithms/online/batched/cuda/merge_clusters.cuh"
#include "algorithms/online/batched/cuda/pair_search.cuh"
#include "algorithms/online/state/unit_vectors.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/device/device_limits.h"
#include "kernels/launch.cuh"

namespace warpclust {
namespace {

// Clusters compared by one launch.
constexpr int32_t kAtOnce = 4096;
// Pairs that the first copy to the host has; seldom are there more.
constexpr int64_t kFirstPairs = 256;
constexpr int64_t kLeastPairs = int64_t{1} << 16;
// SimilarClusters has about 48 bytes for each; the CPU needs no pairs.
constexpr int64_t kMostPairs = int64_t{1} << 26;
constexpr int64_t kLeastSums = int64_t{1} << 14;
constexpr int64_t kControlPairs = sizeof(MergeControl) / sizeof(SimilarPair);
constexpr int kThreads = 256;

template <typename Shape>
constexpr int64_t kGroupBytes =
    Shape::kGroups* int64_t{sizeof(typename PairsByGroup<Shape>::Workspace)};
template <typename Shape>
constexpr int64_t kBlockBytes = sizeof(typename PairsByBlock<Shape>::Workspace);

}  // namespace

template <typename Shape>
absl::StatusOr<bool> DeviceMerging::UseShape() {
  search_ = {&FindPairs<Shape>, &FindHeavyPairs<Shape>, Shape::kThreads,
             kGroupBytes<Shape>, kBlockBytes<Shape>};
  ASSIGN_OR_RETURN(const int64_t find, MostSharedBytes(search_.find));
  ASSIGN_OR_RETURN(const int64_t heavy, MostSharedBytes(search_.find_heavy));
  if (search_.find_bytes > find || search_.heavy_bytes > heavy) return false;
  RETURN_IF_ERROR(
      AllowSharedBytes(search_.find, search_.find_bytes, "merging clusters"));
  RETURN_IF_ERROR(AllowSharedBytes(search_.find_heavy, search_.heavy_bytes,
                                   "merging clusters"));
  return true;
}

absl::StatusOr<DeviceMerging> DeviceMerging::Create(
    const OnlineOptions& options) {
  DeviceMerging made;
  made.options_ = options;
  ASSIGN_OR_RETURN(made.blocks_, NumMultiprocessors());
  ASSIGN_OR_RETURN(bool fits, made.UseShape<LargeBatchShape>());
  if (!fits) {
    ASSIGN_OR_RETURN(fits, made.UseShape<SmallBatchShape>());
  }
  if (!fits) {
    return absl::UnavailableError(absl::StrCat(
        "merging clusters: expected a GPU whose blocks have ",
        std::max(made.search_.find_bytes, made.search_.heavy_bytes),
        " bytes of shared memory"));
  }
  const int64_t entries = int64_t{kAtOnce} * options.terms;
  RETURN_IF_ERROR(AllocateInto(kControlPairs + kLeastPairs, made.found_));
  RETURN_IF_ERROR(AllocateInto(kAtOnce, made.numbers_));
  RETURN_IF_ERROR(AllocateInto(kAtOnce, made.counts_));
  RETURN_IF_ERROR(AllocateInto(kAtOnce + 1, made.offsets_));
  RETURN_IF_ERROR(AllocateInto(entries, made.terms_));
  RETURN_IF_ERROR(AllocateInto(entries, made.weights_));
  RETURN_IF_ERROR(AllocateInto(kAtOnce, made.clocks_));
  RETURN_IF_ERROR(AllocateInto(kAtOnce, made.heavy_));
  RETURN_IF_ERROR(AllocateInto(1, made.search_control_));
  RETURN_IF_ERROR(AllocateInto(kLeastSums, made.gathered_terms_));
  RETURN_IF_ERROR(AllocateInto(kLeastSums, made.gathered_sums_));
  RETURN_IF_ERROR(AllocateInto(options.terms, made.version_kept_));
  RETURN_IF_ERROR(AllocateInto(options.terms, made.version_sums_));
  RETURN_IF_ERROR(AllocateInto(1, made.version_count_));
  RETURN_IF_ERROR(made.search_control_.FillBytes(0));
  return made;
}

BatchView DeviceMerging::batch_view() {
  BatchView view;
  view.offsets = offsets_.data();
  view.terms = terms_.data();
  view.weights = weights_.data();
  view.clocks = clocks_.data();
  view.above = SimilarityAbove(options_.merge_threshold);
  const double threshold = options_.merge_threshold.ToDouble();
  view.above_squared = threshold * threshold;
  view.expire_after = options_.expire_after;
  view.control = search_control_.data();
  view.heavy = heavy_.data();
  view.batch = 1;
  view.version_kept = version_kept_.data();
  view.version_sums = version_sums_.data();
  view.version_counts = version_count_.data();
  view.numbers = numbers_.data();
  view.num_pairs = &merge_view().control->num_pairs;
  view.pairs = found_.data() + kControlPairs;
  view.max_pairs = found_.size() - kControlPairs;
  return view;
}

MergeView DeviceMerging::merge_view() {
  MergeView view;
  view.control = reinterpret_cast<MergeControl*>(found_.data());
  view.terms = gathered_terms_.data();
  view.sums = gathered_sums_.data();
  view.max_sums = std::min(gathered_terms_.size(), gathered_sums_.size());
  view.max_tail = clusters_->max_tail();
  view.lists = clusters_->lists(&view.control->lists);
  return view;
}

absl::Status DeviceMerging::WriteControl() {
  control_ = MergeControl();
  control_.tail_used = static_cast<DeviceCount>(clusters_->tail_used);
  control_.lists.used = static_cast<DeviceCount>(clusters_->entries_used);
  SimilarPair words[kControlPairs];
  std::memcpy(words, &control_, sizeof(control_));
  return found_.CopyFromHost(words);
}

absl::Status DeviceMerging::ReadControl() {
  RETURN_IF_ERROR(CudaLaunchStatus("merging clusters"));
  first_pairs_.resize(kControlPairs + kFirstPairs);
  RETURN_IF_ERROR(found_.CopyToHost(absl::MakeSpan(first_pairs_)));
  std::memcpy(&control_, first_pairs_.data(), sizeof(control_));
  clusters_->tail_used = static_cast<int64_t>(control_.tail_used);
  clusters_->entries_used = static_cast<int64_t>(control_.lists.used);
  return absl::OkStatus();
}

absl::StatusOr<bool> DeviceMerging::MustSearchAgain() {
  const auto pairs = static_cast<int64_t>(control_.num_pairs);
  const bool broken = clusters_->entries_used > clusters_->max_entries();
  if (!broken && pairs <= batch_view().max_pairs) return false;
  if (broken) RETURN_IF_ERROR(clusters_->RebuildLists());
  RETURN_IF_ERROR(MakeRoom(kControlPairs + pairs, found_));
  RETURN_IF_ERROR(WriteControl());
  return true;
}

absl::Status DeviceMerging::AppendPairs(std::vector<SimilarPair>* pairs) {
  const auto count = static_cast<int64_t>(control_.num_pairs);
  const size_t before = pairs->size();
  pairs->resize(before + count);
  const absl::Span<SimilarPair> to = absl::MakeSpan(*pairs).subspan(before);
  const int64_t few = std::min(count, kFirstPairs);
  std::copy_n(first_pairs_.begin() + kControlPairs, few, to.begin());
  if (few == count) return absl::OkStatus();
  return found_.CopyToHost(to.subspan(few), kControlPairs + few);
}

LoadedVectors DeviceMerging::loaded() {
  return {numbers_.data(), counts_.data(),  offsets_.data(),
          terms_.data(),   weights_.data(), clocks_.data()};
}

absl::Status DeviceMerging::SearchMany(int32_t count) {
  const DeviceClustersView clusters = clusters_->view();
  const BatchView batch = batch_view();
  const MergeView merge = merge_view();
  CountVectors<<<BlocksFor(count, kThreads), kThreads>>>(
      clusters, loaded(), count, clock_, batch, merge);
  RETURN_IF_ERROR(OffsetsFromCounts(counts_.data(), offsets_.data(), count,
                                    storage_, cudaStream_t{}));
  CopyVectors<<<BlocksFor(int64_t{count} * options_.terms, kThreads),
                kThreads>>>(clusters, loaded(), count);
  search_.find<<<BlocksFor(count, 1, blocks_), search_.threads,
                 search_.find_bytes>>>(clusters, batch, count,
                                       clusters_->num_clusters);
  search_.find_heavy<<<blocks_, search_.threads, search_.heavy_bytes>>>(
      clusters, batch, merge, clusters_->num_clusters);
  return ReadControl();
}

absl::Status DeviceMerging::SearchOne(int32_t cluster) {
  const DeviceClustersView clusters = clusters_->view();
  const BatchView batch = batch_view();
  const MergeView merge = merge_view();
  LoadVector<<<1, OnlineOptions::kMaxTerms>>>(clusters, loaded(), cluster,
                                              clock_, batch, merge);
  // A block per slice.
  search_.find_heavy<<<std::min(blocks_, kMaxSlices), search_.threads,
                       search_.heavy_bytes>>>(clusters, batch, merge,
                                              clusters_->num_clusters);
  return ReadControl();
}

absl::Status DeviceMerging::Begin(absl::Span<const int32_t> changed,
                                  int64_t clock, DeviceClusters* clusters,
                                  std::vector<SimilarPair>* pairs) {
  clock_ = clock;
  clusters_ = clusters;
  // An earlier call may have failed to make it larger.
  RETURN_IF_ERROR(MakeRoom(kControlPairs + kLeastPairs, found_));
  RETURN_IF_ERROR(clusters->ReserveListChanges(3 * int64_t{options_.terms}));
  if (clusters->entries_used > clusters->max_entries()) {
    RETURN_IF_ERROR(clusters->RebuildLists());
  }
  RETURN_IF_ERROR(WriteControl());
  for (size_t begin = 0; begin < changed.size(); begin += kAtOnce) {
    const absl::Span<const int32_t> some = changed.subspan(begin, kAtOnce);
    RETURN_IF_ERROR(numbers_.CopyFromHost(some));
    for (bool again = true; again;) {
      RETURN_IF_ERROR(SearchMany(static_cast<int32_t>(some.size())));
      ASSIGN_OR_RETURN(again, MustSearchAgain());
    }
    if (static_cast<int64_t>(pairs->size() + control_.num_pairs) > kMostPairs) {
      return absl::ResourceExhaustedError(
          absl::StrCat("merging: expected at most ", kMostPairs,
                       " pairs of similar clusters"));
    }
    RETURN_IF_ERROR(AppendPairs(pairs));
  }
  return absl::OkStatus();
}

absl::Status DeviceMerging::Merge(int32_t from, int32_t into,
                                  std::vector<SimilarPair>* pairs) {
  const auto merge_rows = options_.terms <= 32 ? &MergeRows<1> : &MergeRows<4>;
  while (true) {
    const DeviceClustersView clusters = clusters_->view();
    const MergeView merge = merge_view();
    GatherSums<<<BlocksFor(2 * clusters_->max_tail(), 4 * kThreads,
                           int64_t{8} * blocks_),
                 kThreads>>>(clusters, merge, from, into);
    merge_rows<<<1, kMergeThreads>>>(clusters, batch_view(), merge, from, into);
    RETURN_IF_ERROR(SearchOne(into));
    if (control_.needs_room == 0) break;
    const auto sums = static_cast<int64_t>(control_.last_sums);
    RETURN_IF_ERROR(MakeRoom(sums, gathered_terms_));
    RETURN_IF_ERROR(MakeRoom(sums, gathered_sums_));
    RETURN_IF_ERROR(clusters_->ReserveTail(sums + options_.terms));
    RETURN_IF_ERROR(WriteControl());
  }
  while (true) {
    ASSIGN_OR_RETURN(const bool again, MustSearchAgain());
    if (!again) break;
    RETURN_IF_ERROR(SearchOne(into));
  }
  return AppendPairs(pairs);
}

}  // namespace warpclust
