// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/benchmarks/cosine_graph_measurement_cuda.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "graph/benchmarks/library_baselines_cuda.h"
#include "graph/benchmarks/median_seconds.h"
#include "graph/benchmarks/paper_similarity_cuda.h"
#include "graph/cosine/cuda/cosine_graph_cuda.h"
#include "graph/cosine/cuda/cosine_join_cuda.h"
#include "graph/cosine/cuda/device_documents_cuda.h"
#include "graph/cosine/cuda/ordered_pairs_cuda.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/csr/csr_graph.h"
#include "graph/csr/device_graph.h"
#include "kernels/cuda_status.h"
#include "kernels/device_buffer.h"

namespace warpclust {
namespace {

absl::Status Synchronize() {
  return CudaStatus(cudaDeviceSynchronize(), "wait for the device");
}

// Wall-clock seconds of `work` and all it gave the device; nothing else runs
// there before it.
absl::StatusOr<double> Seconds(absl::FunctionRef<absl::Status()> work) {
  absl::Status status = Synchronize();
  if (!status.ok()) return status;
  const auto start = std::chrono::steady_clock::now();
  RETURN_IF_ERROR(work());
  RETURN_IF_ERROR(Synchronize());
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

// One timing of something that makes a graph of some kind. Freeing the graph is
// part of no run.
template <typename Graph>
absl::StatusOr<CosineGraphTiming> TimeGraph(
    const std::string& method, int repeat,
    absl::FunctionRef<absl::StatusOr<Graph>()> build,
    absl::FunctionRef<int64_t(const Graph&)> num_edges) {
  CosineGraphTiming timing;
  timing.method = method;
  ResetDeviceMemoryPeak();
  const absl::StatusOr<double> seconds = MedianSeconds(repeat, [&] {
    absl::StatusOr<Graph> graph = absl::UnknownError("not built");
    const absl::StatusOr<double> once = Seconds([&] {
      graph = build();
      return graph.status();
    });
    if (graph.ok()) timing.num_edges = num_edges(*graph);
    return once;
  });
  if (!seconds.ok()) return seconds.status();
  timing.seconds = *seconds;
  timing.peak_bytes = DeviceMemoryPeakBytes();
  return timing;
}

int64_t DeviceEdges(const DeviceGraph& graph) { return graph.num_entries / 2; }
int64_t HostEdges(const CsrGraph& graph) { return graph.num_edges(); }

// The two phases of CosineGraphOnDevice, medians of their own.
absl::Status TimePhases(const DeviceDocuments& documents, const Decimal& beta,
                        int repeat, std::vector<CosineGraphTiming>& timings) {
  const CosineDecision decision =
      MakeCosineDecision(beta, documents.statistics.integer_weights,
                         documents.statistics.largest_squared_norm);
  CosineGraphTiming join;
  join.method = "join";
  CosineGraphTiming symmetric;
  symmetric.method = "symmetric";
  std::vector<double> join_seconds;
  const absl::StatusOr<double> seconds = MedianSeconds(repeat, [&] {
    absl::StatusOr<DevicePairs> pairs = absl::UnknownError("not built");
    const absl::StatusOr<double> once = Seconds([&] {
      pairs = JoinByCosine(documents, decision);
      return pairs.status();
    });
    if (!once.ok()) return once;
    join_seconds.push_back(*once);
    absl::StatusOr<DeviceGraph> graph = absl::UnknownError("not built");
    return Seconds([&] {
      graph = SymmetricGraph(*std::move(pairs));
      return graph.status();
    });
  });
  if (!seconds.ok()) return seconds.status();
  std::sort(join_seconds.begin(), join_seconds.end());
  join.seconds = join_seconds[join_seconds.size() / 2];
  symmetric.seconds = *seconds;
  timings.push_back(join);
  timings.push_back(symmetric);
  return absl::OkStatus();
}

absl::Status MeasureOurs(const DocumentMatrix& documents,
                         const DeviceDocuments& on_device,
                         const CosineGraphMeasurementOptions& options,
                         std::vector<CosineGraphTiming>& timings) {
  CosineGraphOptions graph_options;
  graph_options.beta = options.beta;
  {  // Warm-up: kernels are loaded, the memory pool grows.
    const absl::StatusOr<DeviceGraph> graph =
        CosineGraphOnDevice(on_device, graph_options);
    if (!graph.ok()) return graph.status();
  }
  absl::StatusOr<CosineGraphTiming> timing = TimeGraph<DeviceGraph>(
      "ours", options.repeat,
      [&] { return CosineGraphOnDevice(on_device, graph_options); },
      DeviceEdges);
  if (!timing.ok()) return timing.status();
  timings.push_back(*timing);
  const absl::Status status =
      TimePhases(on_device, options.beta, options.repeat, timings);
  if (!status.ok()) return status;
  timing = TimeGraph<DeviceGraph>(
      "ours_upload", options.repeat,
      [&] { return CosineGraphOnDevice(documents, graph_options); },
      DeviceEdges);
  if (!timing.ok()) return timing.status();
  timing->peak_bytes = 0;  // holds the documents twice here
  timings.push_back(*timing);
  timing = TimeGraph<CsrGraph>(
      "ours_host", options.repeat,
      [&] { return CosineGraphCuda(documents, graph_options); }, HostEdges);
  if (!timing.ok()) return timing.status();
  timing->peak_bytes = 0;
  timings.push_back(*timing);
  return absl::OkStatus();
}

CosineGraphTiming Failure(const std::string& method,
                          const absl::Status& status) {
  CosineGraphTiming timing;
  timing.method = method;
  timing.available = false;
  timing.note = std::string(status.message());
  return timing;
}

CosineGraphTiming MeasurePaper(const DocumentMatrix& documents,
                               const CosineGraphMeasurementOptions& options) {
  PaperSimilarityOptions paper;
  paper.beta = static_cast<float>(options.beta.ToDouble());
  const int32_t n = documents.num_documents();
  if (n / 2 > options.paper_sources) paper.stride = n / options.paper_sources;
  ResetDeviceMemoryPeak();
  const absl::StatusOr<PaperSimilarityResult> result =
      PaperSimilarityGraph(documents, paper);
  if (!result.ok()) return Failure("paper", result.status());
  CosineGraphTiming timing;
  timing.method = "paper";
  timing.seconds = result->seconds * paper.stride;
  if (paper.stride == 1) {
    timing.num_edges = static_cast<int64_t>(result->edges.size());
    timing.note = "measured whole";
  } else {
    timing.note = absl::StrCat("extrapolated: every ", paper.stride,
                               "th document, time times ", paper.stride);
  }
  return timing;
}

CosineGraphTiming MeasureLibrary(const DeviceDocuments& on_device,
                                 CosineGraphBaseline baseline,
                                 const CosineGraphMeasurementOptions& options) {
  LibraryBaselineOptions library;
  library.beta = options.beta.ToDouble();
  library.repeat = options.repeat;
  library.half = baseline == CosineGraphBaseline::kGemmHalf;
  const bool sparse = baseline == CosineGraphBaseline::kSpGemm;
  CosineGraphTiming timing;
  timing.method = sparse ? "spgemm" : library.half ? "gemm_half" : "gemm";
  const absl::StatusOr<LibraryBaselineResult> result =
      sparse ? SpGemmBaseline(on_device, library)
             : GemmBaseline(on_device, library);
  if (!result.ok()) return Failure(timing.method, result.status());
  timing.seconds = result->seconds;
  timing.num_edges = result->num_edges;
  timing.peak_bytes = result->peak_bytes;
  timing.note = absl::StrCat(result->num_panels, sparse ? " panels" : " tiles",
                             ", counts edges only");
  return timing;
}

}  // namespace

absl::StatusOr<CosineGraphBaseline> ParseCosineGraphBaseline(
    const std::string& name) {
  if (name == "paper") return CosineGraphBaseline::kPaper;
  if (name == "spgemm") return CosineGraphBaseline::kSpGemm;
  if (name == "gemm") return CosineGraphBaseline::kGemm;
  if (name == "gemm_half") return CosineGraphBaseline::kGemmHalf;
  return absl::InvalidArgumentError(absl::StrCat(
      "a baseline is paper, spgemm, gemm or gemm_half, found \"", name, "\""));
}

double HalfJoinAdditions(const DocumentMatrix& documents) {
  std::vector<int64_t> frequencies(documents.num_terms, 0);
  for (const int32_t term : documents.terms) ++frequencies[term];
  double additions = 0;
  for (const int64_t df : frequencies) {
    additions += 0.5 * static_cast<double>(df) * static_cast<double>(df - 1);
  }
  return additions;
}

absl::StatusOr<std::vector<CosineGraphTiming>> MeasureCosineGraph(
    const DocumentMatrix& documents,
    const CosineGraphMeasurementOptions& options) {
  std::vector<CosineGraphTiming> timings;
  const absl::StatusOr<DeviceDocuments> on_device = UploadDocuments(documents);
  if (!on_device.ok()) return on_device.status();
  const absl::Status status =
      MeasureOurs(documents, *on_device, options, timings);
  if (!status.ok()) return status;
  for (const CosineGraphBaseline baseline : options.baselines) {
    timings.push_back(baseline == CosineGraphBaseline::kPaper
                          ? MeasurePaper(documents, options)
                          : MeasureLibrary(*on_device, baseline, options));
  }
  return timings;
}

}  // namespace warpclust
