// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/clusters/cuda/device_engine.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

// Copies `values` into `buffer`, which gets room for them; for 1 at least, so
// that kernels have a pointer.
template <typename T>
absl::Status Upload(absl::Span<const T> values, DeviceBuffer<T>& buffer) {
  RETURN_IF_ERROR(MakeRoom(
      std::max<int64_t>(1, static_cast<int64_t>(values.size())), buffer));
  return buffer.CopyFromHost(values);
}

}  // namespace

absl::Status LoadedDocuments::Load(const UnitVectors& documents,
                                   absl::Span<const int64_t> all_clocks,
                                   int64_t begin, int64_t end) {
  const int64_t first = documents.offsets[begin];
  const int64_t entries = documents.offsets[end] - first;
  host_offsets.assign(documents.offsets.begin() + begin,
                      documents.offsets.begin() + end + 1);
  for (int64_t& offset : host_offsets) offset -= first;
  RETURN_IF_ERROR(Upload<int64_t>(host_offsets, offsets));
  RETURN_IF_ERROR(Upload(
      absl::MakeConstSpan(documents.terms).subspan(first, entries), terms));
  RETURN_IF_ERROR(Upload(
      absl::MakeConstSpan(documents.weights).subspan(first, entries), weights));
  return Upload(all_clocks.subspan(begin, end - begin), clocks);
}

std::string ClustersOnGpu(int32_t num_clusters) {
  return absl::StrCat("a stream with ", num_clusters, " clusters on the GPU");
}

absl::Status DeviceEngine::Cluster(const UnitVectors& documents,
                                   absl::Span<const int64_t> clocks,
                                   absl::Span<int32_t> clusters) {
  const absl::Status status = ClusterPieces(documents, clocks, clusters);
  return status.ok() ? status
                     : NameWhatDidNotFit(status, ClustersOnGpu(num_clusters()));
}

absl::Status DeviceEngine::ClusterPieces(const UnitVectors& documents,
                                         absl::Span<const int64_t> clocks,
                                         absl::Span<int32_t> clusters) {
  int64_t most = most_;
  for (int64_t begin = 0; begin < documents.size();) {
    const int64_t end = std::min(documents.size(), begin + most);
    const int64_t count = end - begin;
    absl::Status status = clusters_.ReserveTerms(documents.num_terms);
    if (status.ok()) status = Load(documents, clocks, begin, end);
    if (absl::IsResourceExhausted(status) && count > step_) {
      // Fewer at a time, in whole steps, give the same result.
      Unload();
      most = (count + step_ - 1) / step_ / 2 * step_;
      continue;
    }
    RETURN_IF_ERROR(status);
    RETURN_IF_ERROR(ClusterLoaded(clocks.subspan(begin, count),
                                  clusters.subspan(begin, count)));
    begin = end;
  }
  return absl::OkStatus();
}

OnlineCounts DeviceEngine::WithLists(OnlineCounts counts) const {
  clusters_.CountEntries(&counts.list_entries, &counts.lists).IgnoreError();
  return counts;
}

}  // namespace warpclust
