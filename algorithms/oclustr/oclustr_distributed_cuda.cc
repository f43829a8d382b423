// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OClustRDistributed for rows on GPUs. Each rank has the table of all vertices,
// which is cheaper than finding out which ones its rows name, and small beside
// the edges.

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/oclustr/oclustr_rank_stages.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "graph/csr/device_graph.h"
#include "graph/stars/cuda/covering_cuda.h"
#include "graph/stars/cuda/device_star_rows.h"
#include "graph/stars/cuda/relevance_cuda.h"
#include "kernels/device/rank_device.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust::internal {
namespace {

// Of the whole graph: the table takes 16 bytes per vertex of each host, and the
// stages 64 of each GPU, however many ranks there are.
constexpr int32_t kMostVertices = 1 << 24;
constexpr int64_t kBytesPerVertex = 64;
// For sorting and rows that travel.
constexpr int64_t kOtherBytes = int64_t{64} << 20;

absl::StatusOr<bool> Fits(Communicator& ranks, const GraphShare& share) {
  const int32_t n = share.num_vertices();
  ASSIGN_OR_RETURN(const int64_t free, DeviceMemoryFreeBytes());
  return ranks.OnAll(n <= kMostVertices &&
                     free >= n * kBytesPerVertex + kOtherBytes);
}

}  // namespace

absl::StatusOr<OClustRResult> OClustROnGpus(Communicator& ranks,
                                            const GraphShare& share,
                                            int num_threads, bool* fits) {
  Stopwatch stopwatch;
  RETURN_IF_ERROR(TakeDeviceOfRank(ranks));
  ASSIGN_OR_RETURN(*fits, Fits(ranks, share));
  if (!*fits) return OClustRResult();
  const DeviceGraph& rows = *share.on_gpu;
  const int32_t first = share.begins[ranks.rank()];
  RankStages stages;
  ASSIGN_OR_RETURN(stages.table, RelevancesCuda(ranks, share.begins, rows));
  stages.seconds.relevance = stopwatch.Lap("relevance");
  ASSIGN_OR_RETURN(stages.centers,
                   InitialCentersCuda(rows, stages.table, first));
  stages.seconds.covering = stopwatch.Lap("covering");

  const std::vector<int32_t> own_degrees(
      stages.table.degrees.begin() + first,
      stages.table.degrees.begin() + first + rows.num_vertices);
  DeviceStarRows reader(rows, own_degrees);
  const auto own_rows = [&](absl::Span<const int32_t> vertices)
      -> absl::StatusOr<std::vector<int32_t>> {
    std::vector<int32_t> local(vertices.begin(), vertices.end());
    for (int32_t& v : local) v -= first;
    reader.Fetch(local);
    std::vector<int32_t> entries;
    for (const int32_t v : local) {
      const absl::Span<const int32_t> row = reader.RowOf(v);
      entries.insert(entries.end(), row.begin(), row.end());
    }
    RETURN_IF_ERROR(reader.status());
    return entries;
  };
  return SelectOnRanks(ranks, share.begins, std::move(stages), own_rows,
                       num_threads);
}

absl::Status MoveToHost(GraphShare* share) {
  ASSIGN_OR_RETURN(share->rows, DownloadGraph(*share->on_gpu));
  share->on_gpu = nullptr;
  return absl::OkStatus();
}

}  // namespace warpclust::internal
