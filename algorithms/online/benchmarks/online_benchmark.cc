// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole streams through the methods of online clustering, from vectors in host
// memory to cluster numbers there; the engine without clusters is made before.
//
//   online_benchmark --data=reuters21578_tf.svm.gz --weighting=tfidf
//       --thresholds=0.1,0.5 --threads=1,2 --benchmark_filter=/batched/
//
// times_serial2 is the time of Serial Clusterer 2 on the same vectors divided
// by the method's. The time is that of the serial2 benchmark in the same run,
// which comes first, or of one run where the filter leaves that out. Other
// counters are those of OnlineCounts, per document where that makes sense. The
// label is a hash of all cluster numbers; an exact method whose hash is not
// that of serial2 ends with an error.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "algorithms/online/online_engine_factory.h"
#include "algorithms/online/online_methods.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "algorithms/online/state/unit_vectors.h"
#include "algorithms/online/testing/collision_stream.h"
#include "base/numbers/decimal.h"
#include "base/numbers/random.h"
#include "base/status/status_macros.h"
#include "base/testing/benchmark_program.h"
#include "benchmark/benchmark.h"
#include "kernels/device/device.h"
#include "sparse/io/svmlight.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/matrix/labelled_documents.h"
#include "sparse/weighting/weighting.h"

ABSL_FLAG(std::string, weighting, "tfidf", "weights of term counts: tf, tfidf");
ABSL_FLAG(int64_t, documents, 0, "use only the first of them; 0: all");
ABSL_FLAG(int32_t, terms, 20, "K");
ABSL_FLAG(std::vector<std::string>, thresholds,
          std::vector<std::string>({"0.1", "0.3", "0.5", "0.7"}), "T");
ABSL_FLAG(std::vector<std::string>, threads, std::vector<std::string>({"0"}),
          "numbers of threads, for methods that use them; 0: all cores");
ABSL_FLAG(std::vector<std::string>, batches, std::vector<std::string>({"1024"}),
          "Q, for methods with batches");
ABSL_FLAG(
    std::string, epsilon, "",
    "of the approximate methods; empty: 0.0625 for mdc1 and mdc2, else 0");
ABSL_FLAG(bool, truncated_mean, false,
          "clusters forget terms that fall out; not for batched_cuda");

namespace warpclust {
namespace {

struct Method {
  absl::string_view name;
  OnlineMethod method;
  Device device;
  bool has_threads;
  bool has_batch;
  bool is_exact;  // Its clusters are those of serial2.
};

constexpr Method kSerial2 = {
    "serial2", OnlineMethod::kSerial2, Device::kCpu, false, false, true};
// Add a method here.
constexpr Method kMethods[] = {
    kSerial2,
    {"serial1", OnlineMethod::kSerial1, Device::kCpu, false, false, true},
    {"batched", OnlineMethod::kBatched, Device::kCpu, true, true, true},
    {"approximate", OnlineMethod::kApproximate, Device::kCpu, true, true,
     false},
    {"mdc1", OnlineMethod::kMdc1, Device::kCpu, true, true, false},
    {"mdc2", OnlineMethod::kMdc2, Device::kCpu, true, true, false},
    {"parallel1", OnlineMethod::kParallel1, Device::kCuda, false, false, true},
    {"batched_cuda", OnlineMethod::kBatched, Device::kCuda, false, true, true},
    {"approximate_cuda", OnlineMethod::kApproximate, Device::kCuda, false, true,
     false},
    {"mdc1_cuda", OnlineMethod::kMdc1, Device::kCuda, false, true, false},
    {"mdc2_cuda", OnlineMethod::kMdc2, Device::kCuda, false, true, false},
};

// Comparing with every cluster takes hours on long streams.
constexpr int64_t kMostForAllClusters = 5000;

struct Run {
  double seconds = 0;
  uint64_t hash = 0;
  int32_t clusters = 0;
  OnlineCounts counts;
};

// One stream and one threshold, shared by all methods.
struct Stream {
  std::shared_ptr<const UnitVectors> vectors;
  OnlineOptions options = OnlineOptions::Paper();
  Run serial2;  // No time: not measured yet.
};

uint64_t Hash(absl::Span<const int32_t> clusters) {
  uint64_t hash = 14695981039346656037u;  // FNV-1a, of numbers, not bytes
  for (const int32_t cluster : clusters) {
    hash ^= static_cast<uint32_t>(cluster);
    hash *= 1099511628211u;
  }
  return hash;
}

absl::StatusOr<Run> RunOnce(const Stream& stream, const Method& method,
                            const OnlineMethodOptions& options) {
  const UnitVectors& vectors = *stream.vectors;
  const std::vector<int64_t> clocks(vectors.size(), OnlineState::kNoTime);
  std::vector<int32_t> clusters(vectors.size());
  ASSIGN_OR_RETURN(const std::unique_ptr<OnlineEngine> engine,
                   MakeOnlineEngine({method.method, method.device},
                                    stream.options, options, OnlineState()));
  const auto start = std::chrono::steady_clock::now();
  RETURN_IF_ERROR(engine->Cluster(vectors, clocks, absl::MakeSpan(clusters)));
  const std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  return Run{elapsed.count(), Hash(clusters), engine->num_clusters(),
             engine->counts()};
}

absl::Status Measure(benchmark::State& state, Stream& stream,
                     const Method& method, const OnlineMethodOptions& options) {
  Run run;
  double seconds = 0;
  for (auto _ : state) {
    ASSIGN_OR_RETURN(run, RunOnce(stream, method, options));
    state.SetIterationTime(run.seconds);
    seconds += run.seconds;
  }
  run.seconds = seconds / static_cast<double>(state.iterations());
  if (method.method == OnlineMethod::kSerial2) {
    stream.serial2 = run;
  } else if (stream.serial2.seconds == 0) {
    ASSIGN_OR_RETURN(stream.serial2, RunOnce(stream, kSerial2, {}));
  }
  if (method.is_exact && run.hash != stream.serial2.hash) {
    return absl::InternalError("expected the clusters of serial2");
  }
  const auto n =
      std::max<double>(1, static_cast<double>(stream.vectors->size()));
  state.SetItemsProcessed(state.iterations() * stream.vectors->size());
  state.counters["clusters"] = run.clusters;
  state.counters["products"] =
      static_cast<double>(run.counts.partial_products) / n;
  state.counters["candidates"] = static_cast<double>(run.counts.candidates) / n;
  state.counters["repeated"] = static_cast<double>(run.counts.repeated);
  state.counters["times_serial2"] = stream.serial2.seconds / run.seconds;
  state.SetLabel(absl::StrCat(absl::Hex(run.hash, absl::kZeroPad16)));
  return absl::OkStatus();
}

void Register(const std::string& name, const std::shared_ptr<Stream>& stream,
              const Method& method, const OnlineMethodOptions& options) {
  benchmark::RegisterBenchmark(
      name.c_str(),
      [stream, method, options](benchmark::State& state) {
        const absl::Status status = Measure(state, *stream, method, options);
        if (!status.ok()) state.SkipWithError(status.ToString().c_str());
      })
      ->Unit(benchmark::kMillisecond)
      ->UseManualTime();
}

absl::StatusOr<UnitVectors> ReadVectors(const std::string& path) {
  ASSIGN_OR_RETURN(LabelledDocuments read, ReadSvmLight(path));
  ASSIGN_OR_RETURN(const Weighting weighting,
                   ParseWeighting(absl::GetFlag(FLAGS_weighting)));
  ASSIGN_OR_RETURN(const DocumentMatrix weighted,
                   ApplyWeighting(std::move(read.documents), weighting));
  ASSIGN_OR_RETURN(UnitVectors vectors,
                   MakeUnitVectors(weighted, absl::GetFlag(FLAGS_terms)));
  const int64_t most = absl::GetFlag(FLAGS_documents);
  if (most > 0 && most < vectors.size()) {
    vectors.offsets.resize(most + 1);
    vectors.terms.resize(vectors.offsets.back());
    vectors.weights.resize(vectors.offsets.back());
  }
  return vectors;
}

absl::StatusOr<std::vector<int32_t>> Numbers(
    const std::vector<std::string>& texts, absl::string_view flag,
    int32_t least) {
  std::vector<int32_t> numbers;
  for (const std::string& text : texts) {
    int32_t number = 0;
    if (!absl::SimpleAtoi(text, &number) || number < least) {
      return absl::InvalidArgumentError(absl::StrCat(
          flag, ": expected numbers of at least ", least, ", found ", text));
    }
    numbers.push_back(number);
  }
  return numbers;
}

// All methods at all thresholds; GPU methods only where there is a GPU.
absl::Status RegisterStream(const std::string& name, UnitVectors read) {
  const auto vectors = std::make_shared<const UnitVectors>(std::move(read));
  ASSIGN_OR_RETURN(const std::vector<int32_t> threads,
                   Numbers(absl::GetFlag(FLAGS_threads), "--threads", 0));
  ASSIGN_OR_RETURN(const std::vector<int32_t> batches,
                   Numbers(absl::GetFlag(FLAGS_batches), "--batches", 1));
  OnlineMethodOptions chosen;
  if (!absl::GetFlag(FLAGS_epsilon).empty()) {
    ASSIGN_OR_RETURN(chosen.epsilon,
                     ParseDecimal(absl::GetFlag(FLAGS_epsilon)));
  }
  const bool has_gpu = ResolveDevice(Device::kCuda).ok();
  for (const std::string& text : absl::GetFlag(FLAGS_thresholds)) {
    const auto stream = std::make_shared<Stream>();
    stream->vectors = vectors;
    stream->options.terms = absl::GetFlag(FLAGS_terms);
    stream->options.truncated_mean = absl::GetFlag(FLAGS_truncated_mean);
    ASSIGN_OR_RETURN(stream->options.threshold, ParseDecimal(text));
    RETURN_IF_ERROR(stream->options.Validate());
    for (const Method& method : kMethods) {
      if (method.device == Device::kCuda && !has_gpu) continue;
      if ((method.method == OnlineMethod::kSerial1 ||
           method.method == OnlineMethod::kMdc1) &&
          vectors->size() > kMostForAllClusters) {
        continue;
      }
      for (size_t t = 0; t < (method.has_threads ? threads.size() : 1); ++t) {
        for (size_t q = 0; q < (method.has_batch ? batches.size() : 1); ++q) {
          std::string full =
              absl::StrCat("Online/", name, "/T=", text, "/", method.name);
          if (method.has_threads)
            absl::StrAppend(&full, "/threads=", threads[t]);
          if (method.has_batch) absl::StrAppend(&full, "/Q=", batches[q]);
          chosen.num_threads = threads[t];
          chosen.batch = batches[q];
          Register(full, stream, method, chosen);
        }
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status RegisterBenchmarks() {
  OnlineOptions options = OnlineOptions::Paper();
  options.terms = absl::GetFlag(FLAGS_terms);
  RETURN_IF_ERROR(options.Validate());
  const std::vector<std::string> files = BenchmarkData("_tf.svm.gz");
  for (const std::string& path : files) {
    ASSIGN_OR_RETURN(UnitVectors vectors, ReadVectors(path));
    const std::string name = std::filesystem::path(path).filename();
    RETURN_IF_ERROR(
        RegisterStream(name.substr(0, name.find('.')), std::move(vectors)));
  }
  if (!files.empty()) return absl::OkStatus();
  Random random(1);
  const int64_t documents = absl::GetFlag(FLAGS_documents);
  return RegisterStream(
      "random", MakeCollisionStream(&random, documents == 0 ? 5000 : documents,
                                    options.terms, 1000)
                    .documents);
}

}  // namespace warpclust
