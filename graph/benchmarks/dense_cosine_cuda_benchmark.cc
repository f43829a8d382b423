// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The dense cosine graph on the GPU, of generated embeddings:
//   ours         from rows and digits on the device to the graph there
//   sm_80        the same without the instructions of compute capability 9.0
//   probe        the edges of the last --probes rows with all rows before them
//   ours_upload  from rows on the host to the graph on the device
//   gemm         bf16 product of tiles of the upper triangle, then a count of
//                the cells that reach β (library_baselines_cuda.h); not exact
//
//   dense_cosine_cuda_benchmark --documents=100000,1000000
//       --dimensions=384,768 --noise=0.5,0.65 --beta=0.7 --gemm_most=100000
//
// `undecided` is the share of pairs that the filter leaves to decide,
// `teraops` the rate of the filter's multiplications and additions if the whole
// time were theirs.

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
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "base/testing/benchmark_program.h"
#include "base/testing/timed_iterations.h"
#include "benchmark/benchmark.h"
#include "graph/benchmarks/library_baselines_cuda.h"
#include "graph/cosine/cuda/device_documents_cuda.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/dense/cuda/dense_cosine_graph_cuda.h"
#include "graph/cosine/dense/cuda/device_dense_documents_cuda.h"
#include "graph/csr/device_graph.h"
#include "kernels/device/cuda_status.h"
#include "kernels/device/device.h"
#include "kernels/memory/device_buffer.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/dense/random_embeddings.h"
#include "sparse/matrix/document_matrix.h"

ABSL_FLAG(std::vector<std::string>, documents,
          std::vector<std::string>({"2000"}),
          "numbers of documents, about 20 of each direction");
ABSL_FLAG(std::vector<std::string>, dimensions,
          std::vector<std::string>({"384"}), "numbers of dimensions");
ABSL_FLAG(std::vector<std::string>, noise, std::vector<std::string>({"0.5"}),
          "lengths of the noise; 0.65 puts the cosines of a direction at 0.7");
ABSL_FLAG(std::string, beta, "0.7", "threshold");
ABSL_FLAG(int, probes, 1000, "rows that are new for `probe`");
ABSL_FLAG(int, gemm_most, 100000,
          "the baseline runs on at most this many documents");

namespace warpclust {
namespace {

struct Case {
  int32_t num_documents = 0;
  RandomEmbeddingsOptions shape;
  CosineGraphOptions options;
  std::string name;
};

// The rows of the last case that was asked for, on the host and the device.
struct Held {
  std::string name;
  DenseDocuments host;
  DeviceDenseDocuments device;
};

absl::StatusOr<const Held*> Hold(const Case& input) {
  static auto& held = *new Held();
  if (held.name != input.name) {
    held = Held();
    held.host = MakeRandomEmbeddings(input.shape, input.num_documents,
                                     /*num_threads=*/0);
    ASSIGN_OR_RETURN(held.device, UploadDenseDocuments(held.host));
    // Loads the kernels and lets the memory pool grow.
    RETURN_IF_ERROR(
        DenseCosineGraphOnDevice(held.device, input.options).status());
    held.name = input.name;
  }
  return &held;
}

template <typename T>
absl::StatusOr<T> Finished(absl::StatusOr<T> result) {
  if (!result.ok()) return result;
  RETURN_IF_ERROR(CudaStatus(cudaDeviceSynchronize(), "wait for the device"));
  return result;
}

void Join(benchmark::State& state, const Case& input,
          const DenseJoinTuning& tuning) {
  const absl::StatusOr<const Held*> held = Hold(input);
  if (!held.ok()) return SkipBenchmark(state, held.status());
  int64_t candidates = 0;
  ResetDeviceMemoryPeak();
  const double seconds = TimeIterations(
      state,
      [&] {
        return Finished(DenseCosineGraphOnDevice((*held)->device, input.options,
                                                 &candidates, tuning));
      },
      [&](DeviceGraph graph) {
        state.counters["edges"] = static_cast<double>(graph.num_entries / 2);
        return absl::OkStatus();
      });
  const double n = input.num_documents;
  const double pairs = n * (n - 1) / 2;
  state.counters["undecided"] = static_cast<double>(candidates) / pairs;
  state.counters["teraops"] = 2e-12 * pairs * input.shape.dimensions / seconds;
  state.counters["peak_device_bytes"] =
      static_cast<double>(DeviceMemoryPeakBytes());
}

void Ours(benchmark::State& state, const Case& input) {
  Join(state, input, DenseJoinTuning());
}

void WithoutHopper(benchmark::State& state, const Case& input) {
  DenseJoinTuning tuning;
  tuning.hopper = false;
  Join(state, input, tuning);
}

// The last rows against all before them.
void Probe(benchmark::State& state, const Case& input) {
  const absl::StatusOr<const Held*> held = Hold(input);
  if (!held.ok()) return SkipBenchmark(state, held.status());
  const int32_t first_row =
      std::max(0, input.num_documents - absl::GetFlag(FLAGS_probes));
  TimeIterations(
      state,
      [&] {
        return Finished(DenseCosineProbeOnDevice((*held)->device, first_row,
                                                 input.options));
      },
      [&](const DeviceGraph& graph) {
        state.counters["edges"] = static_cast<double>(graph.num_entries / 2);
        return absl::OkStatus();
      });
}

void OursFromHost(benchmark::State& state, const Case& input) {
  const absl::StatusOr<const Held*> held = Hold(input);
  if (!held.ok()) return SkipBenchmark(state, held.status());
  TimeIterations(
      state,
      [&] {
        return Finished(DenseCosineGraphOnDevice((*held)->host, input.options));
      },
      [](const DeviceGraph&) { return absl::OkStatus(); });
}

// The same rows with every value as an entry, which is how the baseline reads.
DocumentMatrix AsEntries(const DenseDocuments& rows) {
  DocumentMatrix documents;
  documents.num_terms = rows.num_dimensions;
  documents.weights.assign(rows.values.begin(), rows.values.end());
  documents.terms.reserve(rows.values.size());
  for (int32_t i = 0; i < rows.num_rows; ++i) {
    for (int32_t k = 0; k < rows.num_dimensions; ++k) {
      documents.terms.push_back(k);
    }
    documents.offsets.push_back(documents.num_entries());
  }
  return documents;
}

void Gemm(benchmark::State& state, const Case& input) {
  const absl::StatusOr<const Held*> held = Hold(input);
  if (!held.ok()) return SkipBenchmark(state, held.status());
  const absl::StatusOr<DeviceDocuments> documents =
      UploadDocuments(AsEntries((*held)->host));
  if (!documents.ok()) return SkipBenchmark(state, documents.status());
  LibraryBaselineOptions options;
  options.beta = input.options.beta.ToDouble();
  options.half = true;
  for (auto _ : state) {
    const absl::StatusOr<LibraryBaselineResult> result =
        GemmBaseline(*documents, options);
    // A baseline that cannot run is no failure.
    if (!result.ok()) {
      return state.SkipWithError(
          absl::StrCat("skipped: ", result.status().message()).c_str());
    }
    state.SetIterationTime(result->seconds);
    state.counters["edges"] = static_cast<double>(result->num_edges);
  }
}

absl::StatusOr<std::vector<double>> Numbers(
    const std::vector<std::string>& texts) {
  std::vector<double> numbers;
  for (const std::string& text : texts) {
    double number = 0;
    if (!absl::SimpleAtod(text, &number) || !(number >= 0)) {
      return absl::InvalidArgumentError(
          absl::StrCat("expected numbers of at least 0, found ", text));
    }
    numbers.push_back(number);
  }
  return numbers;
}

void Register(const Case& input) {
  using Function = void (*)(benchmark::State&, const Case&);
  std::vector<std::pair<std::string, Function>> methods = {
      {"ours", Ours},
      {"sm_80", WithoutHopper},
      {"probe", Probe},
      {"ours_upload", OursFromHost}};
  if (input.num_documents <= absl::GetFlag(FLAGS_gemm_most)) {
    methods.push_back({"gemm", Gemm});
  }
  for (const auto& [method, function] : methods) {
    benchmark::RegisterBenchmark(
        absl::StrCat("DenseCosineGraph/", input.name, "/", method).c_str(),
        function, input)
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime();
  }
}

}  // namespace

absl::Status RegisterBenchmarks() {
  RETURN_IF_ERROR(ResolveDevice(Device::kCuda).status());
  Case input;
  ASSIGN_OR_RETURN(input.options.beta, ParseDecimal(absl::GetFlag(FLAGS_beta)));
  ASSIGN_OR_RETURN(const std::vector<double> documents,
                   Numbers(absl::GetFlag(FLAGS_documents)));
  ASSIGN_OR_RETURN(const std::vector<double> dimensions,
                   Numbers(absl::GetFlag(FLAGS_dimensions)));
  ASSIGN_OR_RETURN(const std::vector<double> noises,
                   Numbers(absl::GetFlag(FLAGS_noise)));
  for (const double n : documents) {
    for (const double d : dimensions) {
      for (const double noise : noises) {
        input.num_documents = static_cast<int32_t>(n);
        input.shape.directions = std::max<int64_t>(1, input.num_documents / 20);
        input.shape.dimensions = static_cast<int32_t>(d);
        input.shape.noise = noise;
        input.name = absl::StrCat(n, "x", d, "/noise:", noise);
        Register(input);
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust
