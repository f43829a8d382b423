// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Streams of generated embeddings through the methods of online clustering of
// dense documents, from rows in host memory to cluster numbers there:
//
//   serial1       one after the other, each compared with every cluster
//   batched       exact batches on the CPU
//   batched_cuda  the same on the GPU
//
//   dense_online_benchmark --documents=1000000 --dimensions=384
//       --threshold=0.7 --threads=1,0 --tail=1000,20000
//
// There is a direction for every 20 documents. The first benchmark is whole:
// all documents through the fastest method that the machine has. The others
// cluster only the last documents of the stream (--tail: of serial1, of
// batched), from the state before these, and have the same clusters or end with
// an error. `whole_seconds` is what the whole stream takes: the same seconds
// per pair of a document and a cluster before it, times all these pairs. Where
// the tail is the whole stream, it is measured. `times_serial1` compares these.

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
#include "absl/types/span.h"
#include "algorithms/online/online_engine_factory.h"
#include "algorithms/online/online_methods.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "base/testing/benchmark_program.h"
#include "base/testing/timed_iterations.h"
#include "benchmark/benchmark.h"
#include "kernels/device/device.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/dense/random_embeddings.h"

ABSL_FLAG(int32_t, documents, 4000, "length of the stream");
ABSL_FLAG(int32_t, dimensions, 384, "numbers per document");
ABSL_FLAG(double, noise, 0.5, "length of the noise");
ABSL_FLAG(std::string, threshold, "0.7", "T");
ABSL_FLAG(std::vector<std::string>, threads, std::vector<std::string>({"1"}),
          "numbers of threads of batched; 0: all cores");
ABSL_FLAG(int32_t, batch, 0, "Q; 0: the method's");
ABSL_FLAG(std::vector<std::string>, tail,
          std::vector<std::string>({"1000", "20000"}),
          "documents that serial1 and batched cluster");

namespace warpclust {
namespace {

struct Method {
  std::string name;
  OnlineChoice choice;
  OnlineMethodOptions options;
  int32_t tail;
};

// The stream, and what the first benchmark finds.
struct Stream {
  RandomEmbeddingsOptions shape;
  OnlineOptions options = OnlineOptions::Embeddings();
  DenseDocuments documents;
  std::vector<int32_t> clusters;
  // Pairs of a document and a cluster before it: those of the first d
  // documents.
  std::vector<double> pairs = {0};
  double serial1_seconds = 0;
};

DenseDocuments Rows(const DenseDocuments& documents, int32_t begin) {
  DenseDocuments rows = documents;
  rows.num_rows = documents.num_rows - begin;
  rows.values =
      documents.values.subspan(int64_t{begin} * documents.num_dimensions);
  return rows;
}

using Engine = std::unique_ptr<DenseOnlineEngine>;

absl::StatusOr<std::vector<int32_t>> Cluster(const DenseDocuments& documents,
                                             DenseOnlineEngine& engine) {
  const std::vector<int64_t> clocks(documents.num_documents(),
                                    OnlineState::kNoTime);
  std::vector<int32_t> clusters(documents.num_documents());
  RETURN_IF_ERROR(engine.Cluster(documents, clocks, absl::MakeSpan(clusters)));
  return clusters;
}

// The stream without its last `tail` documents, by the fastest method.
absl::StatusOr<OnlineState> StateBefore(const Stream& stream,
                                        const Method& fastest, int32_t tail) {
  DenseDocuments first = stream.documents;
  first.num_rows -= tail;
  first.values =
      first.values.first(int64_t{first.num_rows} * first.num_dimensions);
  ASSIGN_OR_RETURN(const Engine engine,
                   MakeDenseOnlineEngine(fastest.choice, stream.options,
                                         fastest.options, OnlineState()));
  RETURN_IF_ERROR(Cluster(first, *engine).status());
  ASSIGN_OR_RETURN(OnlineState state, engine->State());
  state.num_documents = first.num_rows;
  state.num_terms = first.num_dimensions;
  return state;
}

absl::Status Measure(benchmark::State& state, Stream& stream,
                     const Method& fastest, const Method& method) {
  if (stream.documents.num_rows == 0) {
    stream.documents = MakeRandomEmbeddings(
        stream.shape, absl::GetFlag(FLAGS_documents), /*num_threads=*/0);
  }
  const int32_t n = stream.documents.num_rows;
  const bool is_first = stream.clusters.empty();
  const int32_t tail = std::min(method.tail, n);
  OnlineState before;
  if (tail < n) {
    ASSIGN_OR_RETURN(before, StateBefore(stream, fastest, tail));
  }
  const DenseDocuments last = Rows(stream.documents, n - tail);
  Engine engine;
  double seconds = 0;
  for (auto _ : state) {
    ASSIGN_OR_RETURN(engine,
                     MakeDenseOnlineEngine(method.choice, stream.options,
                                           method.options, before));
    const double start = BenchmarkClock();
    ASSIGN_OR_RETURN(std::vector<int32_t> clusters, Cluster(last, *engine));
    seconds = BenchmarkClock() - start;
    state.SetIterationTime(seconds);
    if (stream.clusters.empty()) {
      stream.clusters = std::move(clusters);
    } else if (!std::equal(clusters.begin(), clusters.end(),
                           stream.clusters.end() - tail)) {
      return absl::InternalError("expected the clusters of the first method");
    }
  }
  if (is_first) {
    int32_t most = 0;
    for (const int32_t cluster : stream.clusters) {
      stream.pairs.push_back(stream.pairs.back() + most);
      most = std::max(most, cluster + 1);
    }
  }
  const double whole_seconds =
      tail == n ? seconds
                : seconds * stream.pairs[n] /
                      std::max(1.0, stream.pairs[n] - stream.pairs[n - tail]);
  if (method.choice.method == OnlineMethod::kSerial1) {
    stream.serial1_seconds = whole_seconds;
  }
  state.SetItemsProcessed(state.iterations() * tail);
  state.counters["clusters"] = engine->num_clusters();
  state.counters["candidates"] =
      static_cast<double>(engine->counts().candidates) / tail;
  state.counters["whole_seconds"] = whole_seconds;
  if (stream.serial1_seconds > 0) {
    state.counters["times_serial1"] = stream.serial1_seconds / whole_seconds;
  }
  return absl::OkStatus();
}

void Register(const std::shared_ptr<Stream>& stream, const Method& fastest,
              const Method& method) {
  benchmark::RegisterBenchmark(
      absl::StrCat("DenseOnline/n=", absl::GetFlag(FLAGS_documents),
                   "/d=", stream->shape.dimensions,
                   "/T=", absl::GetFlag(FLAGS_threshold), "/", method.name)
          .c_str(),
      [stream, fastest, method](benchmark::State& state) {
        const absl::Status status = Measure(state, *stream, fastest, method);
        if (!status.ok()) SkipBenchmark(state, status);
      })
      ->Unit(benchmark::kMillisecond)
      ->Iterations(1)
      ->UseManualTime();
}

}  // namespace

absl::Status RegisterBenchmarks() {
  const auto stream = std::make_shared<Stream>();
  const int32_t n = absl::GetFlag(FLAGS_documents);
  stream->shape.dimensions = absl::GetFlag(FLAGS_dimensions);
  stream->shape.directions = std::max(1, n / 20);
  stream->shape.noise = absl::GetFlag(FLAGS_noise);
  ASSIGN_OR_RETURN(stream->options.threshold,
                   ParseDecimal(absl::GetFlag(FLAGS_threshold)));
  RETURN_IF_ERROR(stream->options.Validate());
  ASSIGN_OR_RETURN(const std::vector<int> threads,
                   ParseThreadCounts(absl::GetFlag(FLAGS_threads)));
  int32_t serial_tail = 0;
  int32_t batched_tail = 0;
  const std::vector<std::string> tails = absl::GetFlag(FLAGS_tail);
  if (n < 1 || tails.size() != 2 || !absl::SimpleAtoi(tails[0], &serial_tail) ||
      serial_tail < 1 || !absl::SimpleAtoi(tails[1], &batched_tail) ||
      batched_tail < 1) {
    return absl::InvalidArgumentError(
        "--documents, --tail: expected numbers of at least 1");
  }
  OnlineMethodOptions options;
  options.batch = absl::GetFlag(FLAGS_batch);
  const OnlineChoice on_cpu = {OnlineMethod::kBatched, Device::kCpu};
  const OnlineChoice on_gpu = {OnlineMethod::kBatched, Device::kCuda};
  const Method fastest = ResolveDevice(Device::kCuda).ok()
                             ? Method{"batched_cuda/whole", on_gpu, options, n}
                             : Method{"batched/whole", on_cpu, options, n};
  Register(stream, fastest, fastest);
  Register(stream, fastest,
           {"serial1",
            {OnlineMethod::kSerial1, Device::kCpu},
            options,
            serial_tail});
  for (const int count : threads) {
    options.num_threads = count;
    Register(stream, fastest,
             {absl::StrCat("batched/threads=", count), on_cpu, options,
              batched_tail});
  }
  // Again, now that it can be compared.
  Method again = fastest;
  absl::StrAppend(&again.name, "/again");
  Register(stream, fastest, again);
  return absl::OkStatus();
}

}  // namespace warpclust
