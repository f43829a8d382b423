// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OClustRDistributed for rows on GPUs. Each GPU has the relevances of all
// vertices, which is cheaper than finding out which ones its rows name, and
// small beside the edges.

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/oclustr/oclustr_rank_stages.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "graph/csr/device_graph.h"
#include "graph/stars/cuda/covering_cuda.h"
#include "graph/stars/cuda/device_relevances.h"
#include "graph/stars/cuda/device_star_rows.h"
#include "kernels/device/rank_device.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/nccl/device_exchange.h"
#include "kernels/nccl/device_way.h"

namespace warpclust::internal {
namespace {

// Of the whole graph. Each GPU has 64 bytes for each, however many ranks there
// are.
constexpr int32_t kMostVertices = 1 << 24;

// What stages 1 and 2 give, and the degrees of own vertices.
struct GpuStages {
  RankStages stages;
  std::vector<int32_t> own_degrees;
};

// ResourceExhausted, on all ranks, if a GPU lacks memory.
absl::StatusOr<GpuStages> StagesOnGpus(Communicator& ranks,
                                       const GraphShare& share) {
  Stopwatch stopwatch;
  const DeviceGraph& rows = *share.on_gpu;
  const int32_t first = share.begins[ranks.rank()];
  // On several hosts NCCL takes longer to start than this takes.
  DeviceExchangeOptions peers;
  peers.way = DeviceWay::kPeers;
  ASSIGN_OR_RETURN(const std::unique_ptr<DeviceExchange> exchange,
                   DeviceExchange::Create(ranks, peers));
  GpuStages result;
  RankStages& stages = result.stages;
  ASSIGN_OR_RETURN(const DeviceRelevances relevances,
                   RelevancesOnDevice(ranks, share.begins, rows, *exchange));
  result.own_degrees.resize(rows.num_vertices);
  RETURN_IF_ERROR(
      relevances.degrees.CopyToHost(absl::MakeSpan(result.own_degrees), first));
  if (ranks.rank() == 0) {
    ASSIGN_OR_RETURN(stages.table, DownloadRelevances(relevances));
  }
  stages.seconds.relevance = stopwatch.Lap("relevance");
  absl::StatusOr<std::vector<int32_t>> centers =
      InitialCentersCuda(rows, relevances, first);
  RETURN_IF_ERROR(ranks.Agree(centers.status()));
  stages.centers = *std::move(centers);
  stages.seconds.covering = stopwatch.Lap("covering");
  return result;
}

}  // namespace

absl::StatusOr<std::optional<OClustRResult>> OClustROnGpus(
    Communicator& ranks, const GraphShare& share, int num_threads) {
  if (share.num_vertices() > kMostVertices) return std::nullopt;
  RETURN_IF_ERROR(TakeDeviceOfRank(ranks));
  absl::StatusOr<GpuStages> found = StagesOnGpus(ranks, share);
  // Errors of memory are those of all ranks.
  if (absl::IsResourceExhausted(found.status())) return std::nullopt;
  RETURN_IF_ERROR(found.status());
  const DeviceGraph& rows = *share.on_gpu;
  const int32_t first = share.begins[ranks.rank()];
  DeviceStarRows reader(rows, found->own_degrees);
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
  return SelectOnRanks(ranks, share.begins, std::move(found->stages), own_rows,
                       num_threads);
}

absl::Status MoveToHost(GraphShare* share) {
  ASSIGN_OR_RETURN(share->rows, DownloadGraph(*share->on_gpu));
  share->on_gpu = nullptr;
  return absl::OkStatus();
}

}  // namespace warpclust::internal
