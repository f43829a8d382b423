// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The CUDA cosine graph and its baselines, on each collection and setting:
//   ours         from documents on the device to the graph there
//   join, symmetric
//                the two phases of ours
//   ours_upload  from documents on the host to the graph on the device
//   ours_host    from documents on the host to the graph on the host
//   paper        paper_similarity_cuda.h
//   spgemm, gemm, gemm_half
//                library_baselines_cuda.h
//
//   cosine_graph_cuda_benchmark --data=DOCS --out=RESULTS
//   cosine_graph_cuda_benchmark --zipf=1000000 --settings=tfidf:0.25
//       --baselines=
//
// The baselines run first, at the first setting of a collection only, since
// their time hardly depends on weights and beta. times_baseline is the time of
// the fastest library divided by ours. floor_ms: the time to read the postings
// from L2 at the rate of a copy, four bytes per addition of a half join.

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "base/testing/benchmark_program.h"
#include "base/testing/timed_iterations.h"
#include "benchmark/benchmark.h"
#include "graph/benchmarks/cosine_cases.h"
#include "graph/benchmarks/library_baselines_cuda.h"
#include "graph/benchmarks/paper_similarity_cuda.h"
#include "graph/benchmarks/zipf_documents.h"
#include "graph/cosine/cuda/cosine_graph_cuda.h"
#include "graph/cosine/cuda/cosine_join_cuda.h"
#include "graph/cosine/cuda/device_documents_cuda.h"
#include "graph/cosine/cuda/ordered_pairs_cuda.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/csr/csr_graph.h"
#include "graph/csr/device_graph.h"
#include "kernels/device/cuda_status.h"
#include "kernels/device/device.h"
#include "kernels/memory/device_buffer.h"
#include "sparse/matrix/document_matrix.h"

ABSL_FLAG(std::vector<std::string>, baselines,
          std::vector<std::string>({"paper", "spgemm", "gemm"}),
          "paper, spgemm, gemm, gemm_half");
ABSL_FLAG(int, paper_sources, 15000,
          "documents that the paper's method is run from, evenly spread, if a "
          "collection has more than twice as many; its time is extrapolated");
ABSL_FLAG(
    int, zipf, 3000,
    "documents of the collection that is generated without --data: 76 "
    "Zipf terms each, vocabulary 20,000; above 10,000 documents 1,000,000");

namespace warpclust {
namespace {

// Waits for all that `result` gave the device to do.
template <typename T>
absl::StatusOr<T> Finished(absl::StatusOr<T> result) {
  if (!result.ok()) return result;
  RETURN_IF_ERROR(CudaStatus(cudaDeviceSynchronize(), "wait for the device"));
  return result;
}

// Frees device memory, so that the next iteration does not wait for that.
template <typename T>
absl::Status Free(T value) {
  value = T();
  return CudaStatus(cudaDeviceSynchronize(), "wait for the device");
}

// Multiply-adds of a half join over term lists: Σ over terms of the pairs of
// documents that share it.
double HalfJoinAdditions(const DocumentMatrix& documents) {
  std::vector<int64_t> frequencies(documents.num_terms, 0);
  for (const int32_t term : documents.terms) ++frequencies[term];
  double additions = 0;
  for (const int64_t df : frequencies) {
    additions += 0.5 * static_cast<double>(df) * static_cast<double>(df - 1);
  }
  return additions;
}

// The documents on the device; those of the last call are kept.
absl::StatusOr<const DeviceDocuments*> OnDevice(
    const std::shared_ptr<const DocumentMatrix>& documents) {
  static auto& held =
      *new std::pair<std::shared_ptr<const DocumentMatrix>, DeviceDocuments>();
  if (held.first != documents) {
    held.first = nullptr;
    held.second = DeviceDocuments();
    ASSIGN_OR_RETURN(held.second, UploadDocuments(*documents));
    // Loads the kernels and lets the memory pool grow.
    RETURN_IF_ERROR(
        Finished(CosineGraphOnDevice(held.second, CosineGraphOptions()))
            .status());
    held.first = documents;
  }
  return &held.second;
}

struct Case : CosineCase {
  // Seconds of the fastest library on the collection; 0: none ran.
  std::shared_ptr<double> library_seconds;
  // Bytes per second of a copy on the device.
  double copy_rate = 0;
};

void Report(benchmark::State& state, const Case& input, double seconds) {
  if (*input.library_seconds > 0 && seconds > 0) {
    state.counters["times_baseline"] = *input.library_seconds / seconds;
  }
}

void Ours(benchmark::State& state, const Case& input) {
  const absl::StatusOr<const DeviceDocuments*> documents =
      OnDevice(input.documents);
  if (!documents.ok()) return SkipBenchmark(state, documents.status());
  CosineGraphOptions options;
  options.beta = input.setting.beta;
  ResetDeviceMemoryPeak();
  const double seconds = TimeIterations(
      state,
      [&] { return Finished(CosineGraphOnDevice(**documents, options)); },
      [&](DeviceGraph graph) {
        state.counters["edges"] = static_cast<double>(graph.num_entries / 2);
        return Free(std::move(graph));
      });
  Report(state, input, seconds);
  const double additions = HalfJoinAdditions(*input.documents);
  state.counters["documents"] = input.documents->num_documents();
  state.counters["entries"] =
      static_cast<double>(input.documents->num_entries());
  state.counters["additions_per_second"] = additions / seconds;
  state.counters["floor_ms"] = 1e3 * 4 * additions / input.copy_rate;
  state.counters["peak_device_bytes"] =
      static_cast<double>(DeviceMemoryPeakBytes());
}

// The phases of CosineGraphOnDevice.
absl::StatusOr<DevicePairs> Join(const DeviceDocuments& documents,
                                 const Decimal& beta) {
  return Finished(JoinByCosine(
      documents,
      MakeCosineDecision(beta, documents.statistics.integer_weights,
                         documents.statistics.largest_squared_norm)));
}

void JoinPhase(benchmark::State& state, const Case& input) {
  const absl::StatusOr<const DeviceDocuments*> documents =
      OnDevice(input.documents);
  if (!documents.ok()) return SkipBenchmark(state, documents.status());
  TimeIterations(
      state, [&] { return Join(**documents, input.setting.beta); },
      [](DevicePairs pairs) { return Free(std::move(pairs)); });
}

void SymmetricPhase(benchmark::State& state, const Case& input) {
  const absl::StatusOr<const DeviceDocuments*> documents =
      OnDevice(input.documents);
  if (!documents.ok()) return SkipBenchmark(state, documents.status());
  for (auto _ : state) {
    absl::StatusOr<DevicePairs> pairs = Join(**documents, input.setting.beta);
    if (!pairs.ok()) return SkipBenchmark(state, pairs.status());
    const double start = BenchmarkClock();
    absl::StatusOr<DeviceGraph> graph =
        Finished(SymmetricGraph(*std::move(pairs)));
    state.SetIterationTime(BenchmarkClock() - start);
    if (!graph.ok()) return SkipBenchmark(state, graph.status());
  }
}

void OursFromHost(benchmark::State& state, const Case& input) {
  CosineGraphOptions options;
  options.beta = input.setting.beta;
  const double seconds = TimeIterations(
      state,
      [&] { return Finished(CosineGraphOnDevice(*input.documents, options)); },
      [&](DeviceGraph graph) { return Free(std::move(graph)); });
  Report(state, input, seconds);
}

void OursToHost(benchmark::State& state, const Case& input) {
  CosineGraphOptions options;
  options.beta = input.setting.beta;
  const double seconds = TimeIterations(
      state, [&] { return CosineGraphCuda(*input.documents, options); },
      [&](const CsrGraph& graph) {
        state.counters["edges"] = static_cast<double>(graph.num_edges());
        return absl::OkStatus();
      });
  Report(state, input, seconds);
}

// A baseline that cannot run is no failure.
void SkipBaseline(benchmark::State& state, const absl::Status& status) {
  state.SkipWithError(absl::StrCat("skipped: ", status.message()).c_str());
}

void Paper(benchmark::State& state, const Case& input) {
  PaperSimilarityOptions options;
  options.beta = static_cast<float>(input.setting.beta.ToDouble());
  const int32_t n = input.documents->num_documents();
  const int sources = std::max(1, absl::GetFlag(FLAGS_paper_sources));
  if (n / 2 > sources) options.stride = n / sources;
  for (auto _ : state) {
    const absl::StatusOr<PaperSimilarityResult> result =
        PaperSimilarityGraph(*input.documents, options);
    if (!result.ok()) return SkipBaseline(state, result.status());
    state.SetIterationTime(result->seconds * options.stride);
    if (options.stride == 1) {
      state.counters["edges"] = static_cast<double>(result->edges.size());
    } else {
      state.counters["extrapolated"] = options.stride;
    }
  }
}

void Library(benchmark::State& state, const Case& input,
             const std::string& method) {
  const absl::StatusOr<const DeviceDocuments*> documents =
      OnDevice(input.documents);
  if (!documents.ok()) return SkipBenchmark(state, documents.status());
  LibraryBaselineOptions options;
  options.beta = input.setting.beta.ToDouble();
  options.half = method == "gemm_half";
  double sum = 0;
  for (auto _ : state) {
    const absl::StatusOr<LibraryBaselineResult> result =
        method == "spgemm" ? SpGemmBaseline(**documents, options)
                           : GemmBaseline(**documents, options);
    if (!result.ok()) return SkipBaseline(state, result.status());
    state.SetIterationTime(result->seconds);
    sum += result->seconds;
    state.counters["edges"] = static_cast<double>(result->num_edges);
    state.counters["panels"] = static_cast<double>(result->num_panels);
    state.counters["peak_device_bytes"] =
        static_cast<double>(result->peak_bytes);
  }
  const double seconds = sum / static_cast<double>(state.iterations());
  double& best = *input.library_seconds;
  best = best > 0 ? std::min(best, seconds) : seconds;
}

absl::Status RegisterBaseline(const std::string& method, const Case& input) {
  const std::string name =
      absl::StrCat("CosineGraph/", input.name, "/", method);
  if (method == "paper") {
    benchmark::RegisterBenchmark(name.c_str(), Paper, input)
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime();
  } else if (method == "spgemm" || method == "gemm" || method == "gemm_half") {
    benchmark::RegisterBenchmark(name.c_str(), Library, input, method)
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime();
  } else {
    return absl::InvalidArgumentError(absl::StrCat(
        "--baselines: expected paper, spgemm, gemm or gemm_half, found ",
        method));
  }
  return absl::OkStatus();
}

void RegisterOurs(const Case& input) {
  using Function = void (*)(benchmark::State&, const Case&);
  const std::pair<const char*, Function> methods[] = {
      {"ours", Ours},
      {"join", JoinPhase},
      {"symmetric", SymmetricPhase},
      {"ours_upload", OursFromHost},
      {"ours_host", OursToHost}};
  for (const auto& [method, function] : methods) {
    benchmark::RegisterBenchmark(
        absl::StrCat("CosineGraph/", input.name, "/", method).c_str(), function,
        input)
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime();
  }
}

DocumentMatrix Generated() {
  ZipfDocumentsOptions shape;
  shape.num_documents = absl::GetFlag(FLAGS_zipf);
  shape.num_terms = shape.num_documents > 10000 ? 1000000 : 20000;
  return ZipfDocuments(shape);
}

// Bytes per second of a copy on the device. Results say what the device does.
absl::StatusOr<double> DescribeDevice() {
  ASSIGN_OR_RETURN(const double copy_rate, MeasureCopyRate());
  benchmark::AddCustomContext("device_copy_tb_per_second",
                              absl::StrCat(copy_rate * 1e-12));
  const absl::StatusOr<double> gemm_rate = MeasureGemmRate();
  benchmark::AddCustomContext("bf16_product_tflops",
                              gemm_rate.ok()
                                  ? absl::StrCat(*gemm_rate * 1e-12)
                                  : std::string(gemm_rate.status().message()));
  return copy_rate;
}

}  // namespace

absl::Status RegisterBenchmarks() {
  RETURN_IF_ERROR(ResolveDevice(Device::kCuda).status());
  Case input;
  ASSIGN_OR_RETURN(input.copy_rate, DescribeDevice());
  ASSIGN_OR_RETURN(const std::vector<CosineSetting> settings, CosineSettings());
  ASSIGN_OR_RETURN(const std::vector<DocumentCollection> collections,
                   DocumentCollections({}, Generated));
  ASSIGN_OR_RETURN(const std::vector<CosineCase> cases,
                   CosineCases(collections, settings));
  for (const CosineCase& next : cases) {
    const bool first = next.collection != input.collection;
    static_cast<CosineCase&>(input) = next;
    if (first) {
      input.library_seconds = std::make_shared<double>(0);
      for (const std::string& method : absl::GetFlag(FLAGS_baselines)) {
        RETURN_IF_ERROR(RegisterBaseline(method, input));
      }
    }
    RegisterOurs(input);
  }
  return absl::OkStatus();
}

}  // namespace warpclust
