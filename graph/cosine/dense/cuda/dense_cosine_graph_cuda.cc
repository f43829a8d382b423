// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/dense/cuda/dense_cosine_graph_cuda.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/status/status_macros.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "graph/cosine/dense/cuda/begun_dense_join_cuda.h"
#include "graph/cosine/dense/cuda/dense_edges_cuda.h"
#include "graph/cosine/dense/cuda/dense_join_cuda.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/memory/early_upload.h"

namespace warpclust {
namespace {

// Pairs of a part: seconds on an H200.
constexpr int64_t kPartPairs = int64_t{1} << 42;

// Of documents on the host, fewer bytes are joined after their upload: a copy
// in parts takes longer.
constexpr size_t kLeastToBegin = size_t{1} << 27;

// Two halves of a part: of its runs, or of its tiles if it has one run.
void Split(const DensePart& part, std::vector<DensePart>* parts) {
  DensePart first = part;
  DensePart second = part;
  if (part.last_run - part.first_run > 1) {
    first.last_run = second.first_run = (part.first_run + part.last_run) / 2;
  } else {
    first.last_tile = second.first_tile =
        (part.first_tile + part.last_tile) / 2;
  }
  parts->push_back(second);
  parts->push_back(first);
}

// Which of the pairs with a row from first_row on: those with a column in
// [begin, end), and others up to the ends of the runs and tiles of these.
struct Columns {
  int32_t begin = 0;
  int32_t end = INT32_MAX;
};

absl::StatusOr<DeviceGraph> Build(const DeviceDenseDocuments& documents,
                                  int32_t first_row, const Columns& columns,
                                  const CosineGraphOptions& options,
                                  int64_t* candidates,
                                  const DenseJoinTuning& tuning) {
  ASSIGN_OR_RETURN(const DenseJoinPlan plan,
                   PlanDenseJoin(documents.digit_bytes, tuning.hopper));
  if (!plan.possible) {
    return absl::UnavailableError(
        "dense cosine graph: expected a GPU of compute capability 8.0 or "
        "more, with its 8-bit tensor cores; --device=cpu needs none");
  }
  const CosineDecision decision = MakeCosineDecision(
      options.beta, options.integer_decisions && documents.integer_weights,
      documents.largest_squared_norm);
  const int64_t n = documents.num_rows;
  const int64_t pairs = std::max<int64_t>(
      (n * (n - 1) - int64_t{first_row} * (first_row - 1)) / 2, 1);
  DeviceBuffer<uint64_t> buffer;
  RETURN_IF_ERROR(AllocateUpTo(std::min(pairs, tuning.most_candidates),
                               std::min(pairs, plan.LargestPart()), buffer));
  ASSIGN_OR_RETURN(DeviceBuffer<unsigned long long> count,
                   DeviceBuffer<unsigned long long>::Allocate(1));
  DenseEdges edges(documents.num_rows);
  // Large joins in parts, so that one with too many candidates costs little to
  // repeat in halves.
  std::vector<DensePart> parts;
  DensePart rest = WholeDenseJoin(plan, documents.padded_rows(), first_row);
  rest.first_run = columns.begin / kDenseRunColumns;
  rest.end_column = columns.end;
  int64_t runs = std::max<int64_t>(
      1, kPartPairs / (int64_t{kDenseRunColumns} * (n - first_row + 1)));
  if (tuning.expected_candidates > buffer.size()) {
    // The first runs meet up to twice as many rows as the mean.
    const int64_t fitting =
        rest.last_run * buffer.size() / (2 * tuning.expected_candidates);
    runs = std::clamp<int64_t>(fitting, 1, runs);
  }
  while (rest.first_run < rest.last_run) {
    parts.push_back(rest);
    rest.last_run = static_cast<int32_t>(
        std::max<int64_t>(rest.first_run, rest.last_run - runs));
    parts.back().first_run = rest.last_run;
  }
  while (!parts.empty()) {
    RETURN_IF_ERROR(NotStopped(options));
    const DensePart part = parts.back();
    parts.pop_back();
    RETURN_IF_ERROR(count.FillBytes(0));
    RETURN_IF_ERROR(DenseCandidates(documents, plan, decision.beta, first_row,
                                    part, buffer.size(), buffer.data(),
                                    count.data()));
    unsigned long long found = 0;
    RETURN_IF_ERROR(count.CopyToHost(absl::MakeSpan(&found, 1)));
    if (static_cast<int64_t>(found) > buffer.size()) {
      Split(part, &parts);
      continue;
    }
    if (candidates != nullptr) *candidates += static_cast<int64_t>(found);
    RETURN_IF_ERROR(edges.Add(documents, decision, buffer.data(),
                              static_cast<int64_t>(found)));
  }
  buffer = DeviceBuffer<uint64_t>();
  return edges.TakeGraph();
}

}  // namespace

absl::StatusOr<DeviceGraph> DenseCosineGraphOnDevice(
    const DeviceDenseDocuments& documents, const CosineGraphOptions& options,
    int64_t* candidates, const DenseJoinTuning& tuning) {
  return DenseCosineProbeOnDevice(documents, 0, options, candidates, tuning);
}

absl::StatusOr<DeviceGraph> DenseCosineProbeOnDevice(
    const DeviceDenseDocuments& documents, int32_t first_row,
    const CosineGraphOptions& options, int64_t* candidates,
    const DenseJoinTuning& tuning) {
  RETURN_IF_ERROR(options.Validate());
  if (first_row < 0 || first_row > documents.num_rows) {
    return absl::InvalidArgumentError(absl::StrCat("first_row: expected 0 to ",
                                                   documents.num_rows,
                                                   ", found ", first_row));
  }
  if (candidates != nullptr) *candidates = 0;
  absl::StatusOr<DeviceGraph> graph =
      Build(documents, first_row, Columns(), options, candidates, tuning);
  if (graph.ok()) return graph;
  return NameWhatDidNotFit(
      graph.status(),
      absl::StrCat("the similarity graph of ", documents.num_rows,
                   " documents on the GPU"));
}

absl::StatusOr<DeviceGraph> DenseCosineBlockOnDevice(
    const DeviceDenseDocuments& documents, int32_t begin, int32_t first_row,
    const CosineGraphOptions& options, const DenseJoinTuning& tuning) {
  RETURN_IF_ERROR(options.Validate());
  absl::StatusOr<DeviceGraph> graph =
      Build(documents, first_row, {begin, first_row}, options,
            /*candidates=*/nullptr, tuning);
  if (graph.ok()) return graph;
  return NameWhatDidNotFit(
      graph.status(),
      absl::StrCat("comparing ", documents.num_rows - first_row,
                   " documents with ", first_row, " on the GPU"));
}

absl::StatusOr<DeviceGraph> DenseCosineGraphOnDevice(
    const DenseDocuments& documents, const CosineGraphOptions& options,
    EarlyUpload<float>* upload) {
  RETURN_IF_ERROR(options.Validate());
  const bool has_begun = upload != nullptr && upload->NumWritten() > 0;
  if (!has_begun && documents.values.size() * sizeof(float) >= kLeastToBegin) {
    BegunDenseJoin begun;
    ASSIGN_OR_RETURN(const DeviceDenseDocuments on_device,
                     UploadAndBeginJoin(documents, options.beta, &begun));
    return EndJoin(on_device, options, std::move(begun));
  }
  ASSIGN_OR_RETURN(const DeviceDenseDocuments on_device,
                   UploadDenseDocuments(documents, upload));
  return DenseCosineGraphOnDevice(on_device, options);
}

absl::StatusOr<CsrGraph> DenseCosineGraphCuda(
    const DenseDocuments& documents, const CosineGraphOptions& options) {
  ASSIGN_OR_RETURN(const DeviceGraph graph,
                   DenseCosineGraphOnDevice(documents, options));
  return DownloadGraph(graph);
}

namespace {

// The graph of the edges of the block and the probes behind it.
absl::StatusOr<CsrGraph> ProbeGraph(const DenseDocuments& block,
                                    const DenseDocuments& probes,
                                    const CosineProbeOptions& options) {
  ASSIGN_OR_RETURN(DeviceDenseDocuments documents, UploadDenseDocuments(block));
  RETURN_IF_ERROR(AppendDenseDocuments(probes, &documents));
  if (documents.largest_squared_norm > options.LargestSquaredNorm()) {
    return ProbeNormTooLarge("a document");
  }
  CosineGraphOptions graph_options;
  graph_options.beta = options.beta;
  graph_options.integer_decisions = options.integer_arithmetic;
  ASSIGN_OR_RETURN(
      const DeviceGraph graph,
      DenseCosineProbeOnDevice(documents, block.num_rows, graph_options));
  return DownloadGraph(graph);
}

}  // namespace

absl::Status DenseCosineProbeCuda(const DenseDocuments& block,
                                  const DenseDocuments& probes,
                                  const CosineProbeOptions& options,
                                  std::vector<ProbeEdge>* edges) {
  const size_t edges_before = edges->size();
  int32_t first = 0;
  int32_t rows = block.num_rows;
  while (first < block.num_rows) {
    const int32_t end = std::min(block.num_rows, first + rows);
    const absl::StatusOr<CsrGraph> graph =
        ProbeGraph(block.Rows(first, end), probes, options);
    if (absl::IsResourceExhausted(graph.status()) && rows > 1) {
      rows = (rows + 1) / 2;
      continue;
    }
    if (!graph.ok()) {
      edges->resize(edges_before);
      return graph.status();
    }
    // Every edge has a probe, so the neighbors of a stored row are probes.
    for (int32_t row = 0; row < end - first; ++row) {
      const absl::Span<const int32_t> neighbors = graph->NeighborsOf(row);
      for (size_t k = 0; k < neighbors.size(); ++k) {
        edges->push_back({first + row, neighbors[k] - (end - first),
                          graph->WeightsOf(row)[k]});
      }
    }
    first = end;
  }
  return absl::OkStatus();
}

}  // namespace warpclust
