// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole streams through the methods of online clustering, each beside Serial
// Clusterer 2 on the same vectors in the same run.
//
//   online_benchmark --input=vectors.svm.gz --weighting=tfidf
//       --thresholds=0.1,0.3,0.5,0.7 --methods=serial2,batched --threads=1,2
//
// Prints a line for every threshold, method, number of threads and batch: the
// fastest of --runs by the clock, from vectors in host memory to cluster
// numbers there (an engine without clusters is made before); how many times
// that is faster than serial2; what was multiplied (see OnlineCounts); and a
// hash of all cluster numbers. Exact methods have the same hash, and it is an
// error if one does not.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "algorithms/online/batched/batched_clusterer.h"
#include "algorithms/online/online_engine_factory.h"
#include "algorithms/online/online_methods.h"
#include "algorithms/online/paper/multiple_document_clusterer.h"
#include "algorithms/online/serial/serial_clusterers.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "algorithms/online/state/unit_vectors.h"
#include "algorithms/online/testing/collision_stream.h"
#include "base/numbers/decimal.h"
#include "base/numbers/random.h"
#include "kernels/device.h"
#include "sparse/io/svmlight.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/matrix/labelled_documents.h"
#include "sparse/weighting/weighting.h"

ABSL_FLAG(std::string, input, "",
          "svmlight file, gzip'ed or not; without it, a small random stream");
ABSL_FLAG(std::string, weighting, "tfidf", "of its counts: tf, tfidf");
ABSL_FLAG(int64_t, documents, 0, "only the first of them; 0: all");
ABSL_FLAG(int32_t, terms, 20, "K");
ABSL_FLAG(std::vector<std::string>, thresholds,
          std::vector<std::string>({"0.1", "0.3", "0.5", "0.7"}), "T");
ABSL_FLAG(std::vector<std::string>, methods,
          std::vector<std::string>({"batched"}), "see kMethods");
ABSL_FLAG(std::vector<std::string>, threads, std::vector<std::string>({"0"}),
          "numbers of threads, for methods that have them");
ABSL_FLAG(std::vector<std::string>, batches, std::vector<std::string>({"1024"}),
          "Q, for methods that have it");
ABSL_FLAG(std::string, epsilon, "0", "of the approximate methods");
ABSL_FLAG(int, runs, 3, "of each");

namespace warpclust {
namespace {

using EngineOr = absl::StatusOr<std::unique_ptr<OnlineEngine>>;

EngineOr MakeOnGpu(OnlineMethod method, const OnlineOptions& options,
                   int32_t batch) {
  OnlineMethodOptions method_options;
  method_options.batch = batch;
  absl::StatusOr<Decimal> epsilon = ParseDecimal(absl::GetFlag(FLAGS_epsilon));
  if (!epsilon.ok()) return epsilon.status();
  method_options.epsilon = *epsilon;
  return MakeOnlineEngine({method, Device::kCuda}, options, method_options,
                          OnlineState());
}

struct Method {
  const char* name;
  bool has_threads;
  bool has_batch;
  // Whether its clusters are those of serial2.
  bool is_exact;
  EngineOr (*make)(const OnlineOptions& options, int32_t batch, int threads);
};

// Add a method here.
constexpr Method kMethods[] = {
    {"serial2", false, false, true,
     [](const OnlineOptions& options, int32_t, int) -> EngineOr {
       return MakeSerialClusterer2(options, OnlineState());
     }},
    {"serial1", false, false, true,
     [](const OnlineOptions& options, int32_t, int) -> EngineOr {
       return MakeSerialClusterer1(options, OnlineState());
     }},
    {"batched", true, true, true,
     [](const OnlineOptions& options, int32_t batch, int threads) -> EngineOr {
       BatchedOptions batched;
       batched.batch = batch;
       batched.num_threads = threads;
       return MakeBatchedClusterer(options, OnlineState(), batched);
     }},
    {"approximate", true, true, false,
     [](const OnlineOptions& options, int32_t batch, int threads) -> EngineOr {
       MultipleDocumentOptions batching;
       batching.batch = batch;
       batching.num_threads = threads;
       absl::StatusOr<Decimal> epsilon =
           ParseDecimal(absl::GetFlag(FLAGS_epsilon));
       if (!epsilon.ok()) return epsilon.status();
       batching.epsilon = *epsilon;
       return MakeMultipleDocumentClusterer(options, OnlineState(), batching);
     }},
    {"batched_cuda", false, true, true,
     [](const OnlineOptions& options, int32_t batch, int) -> EngineOr {
       return MakeOnGpu(OnlineMethod::kBatched, options, batch);
     }},
    {"parallel1", false, false, true,
     [](const OnlineOptions& options, int32_t, int) -> EngineOr {
       return MakeOnGpu(OnlineMethod::kParallel1, options, 1);
     }},
    {"approximate_cuda", false, true, false,
     [](const OnlineOptions& options, int32_t batch, int) -> EngineOr {
       return MakeOnGpu(OnlineMethod::kApproximate, options, batch);
     }},
};

struct Run {
  double seconds = 0;
  uint64_t hash = 0;
  int32_t clusters = 0;
  OnlineCounts counts;
};

uint64_t Hash(absl::Span<const int32_t> clusters) {
  uint64_t hash = 14695981039346656037u;  // FNV-1a, of numbers, not bytes
  for (const int32_t cluster : clusters) {
    hash ^= static_cast<uint32_t>(cluster);
    hash *= 1099511628211u;
  }
  return hash;
}

absl::StatusOr<Run> RunOnce(const Method& method, const UnitVectors& vectors,
                            const OnlineOptions& options, int32_t batch,
                            int threads) {
  const std::vector<int64_t> clocks(vectors.size(), OnlineState::kNoTime);
  std::vector<int32_t> clusters(vectors.size());
  EngineOr engine = method.make(options, batch, threads);
  if (!engine.ok()) return engine.status();
  const auto start = std::chrono::steady_clock::now();
  const absl::Status status =
      (*engine)->Cluster(vectors, clocks, absl::MakeSpan(clusters));
  const std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  if (!status.ok()) return status;
  return Run{elapsed.count(), Hash(clusters), (*engine)->num_clusters(),
             (*engine)->counts()};
}

// The fastest run of a method; prints it beside `serial2`, itself if nullptr.
absl::StatusOr<Run> Measure(const Method& method, const UnitVectors& vectors,
                            const OnlineOptions& options, int32_t batch,
                            int threads, const Run* serial2) {
  Run best;
  for (int i = 0; i < absl::GetFlag(FLAGS_runs); ++i) {
    const absl::StatusOr<Run> run =
        RunOnce(method, vectors, options, batch, threads);
    if (!run.ok()) return run;
    if (i == 0 || run->seconds < best.seconds) best = *run;
  }
  const double n = std::max<double>(1, static_cast<double>(vectors.size()));
  std::printf(
      "%s\n",
      absl::StrFormat(
          "%s\t%d\t%s\t%s\t%s\t%d\t%.4f\t%.0f\t%.2f\t%.1f\t%.1f\t%d\t%016x",
          FormatDecimal(options.threshold), options.terms, method.name,
          method.has_threads ? absl::StrCat(threads) : "-",
          method.has_batch ? absl::StrCat(batch) : "-", best.clusters,
          best.seconds, n / best.seconds,
          serial2 == nullptr ? 1 : serial2->seconds / best.seconds,
          static_cast<double>(best.counts.partial_products) / n,
          static_cast<double>(best.counts.candidates) / n, best.counts.repeated,
          best.hash)
          .c_str());
  std::fflush(stdout);
  if (serial2 != nullptr && method.is_exact && best.hash != serial2->hash) {
    return absl::InternalError(
        absl::StrCat(method.name, ": not the clusters of serial2"));
  }
  return best;
}

absl::StatusOr<UnitVectors> ReadVectors() {
  const int32_t terms = absl::GetFlag(FLAGS_terms);
  if (terms < 1 || terms > OnlineOptions::kMaxTerms) {
    return absl::InvalidArgumentError(
        absl::StrCat("--terms: expected 1 to ", OnlineOptions::kMaxTerms));
  }
  int64_t most = absl::GetFlag(FLAGS_documents);
  if (absl::GetFlag(FLAGS_input).empty()) {
    Random random(1);
    return MakeCollisionStream(&random, most == 0 ? 5000 : most, terms, 1000)
        .documents;
  }
  absl::StatusOr<LabelledDocuments> read =
      ReadSvmLight(absl::GetFlag(FLAGS_input));
  if (!read.ok()) return read.status();
  const absl::StatusOr<Weighting> weighting =
      ParseWeighting(absl::GetFlag(FLAGS_weighting));
  if (!weighting.ok()) return weighting.status();
  const absl::StatusOr<DocumentMatrix> weighted =
      ApplyWeighting(std::move(read->documents), *weighting);
  if (!weighted.ok()) return weighted.status();
  absl::StatusOr<UnitVectors> vectors = MakeUnitVectors(*weighted, terms);
  if (vectors.ok() && most > 0 && most < vectors->size()) {
    vectors->offsets.resize(most + 1);
    vectors->terms.resize(vectors->offsets.back());
    vectors->weights.resize(vectors->offsets.back());
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
      return absl::InvalidArgumentError(
          absl::StrCat(flag, ": expected numbers of at least ", least));
    }
    numbers.push_back(number);
  }
  return numbers;
}

absl::Status RunAll() {
  const absl::StatusOr<UnitVectors> vectors = ReadVectors();
  if (!vectors.ok()) return vectors.status();
  const auto threads = Numbers(absl::GetFlag(FLAGS_threads), "--threads", 0);
  if (!threads.ok()) return threads.status();
  const auto batches = Numbers(absl::GetFlag(FLAGS_batches), "--batches", 1);
  if (!batches.ok()) return batches.status();
  std::printf(
      "# %d documents, %d terms\n"
      "T\tK\tmethod\tthreads\tQ\tclusters\ts\tdocuments_s\ttimes_serial2\t"
      "products\tcandidates\trepeated\thash\n",
      static_cast<int>(vectors->size()), vectors->num_terms);
  for (const std::string& text : absl::GetFlag(FLAGS_thresholds)) {
    OnlineOptions options;
    options.terms = absl::GetFlag(FLAGS_terms);
    const absl::StatusOr<Decimal> threshold = ParseDecimal(text);
    if (!threshold.ok()) return threshold.status();
    options.threshold = *threshold;
    if (absl::Status status = options.Validate(); !status.ok()) return status;
    const absl::StatusOr<Run> serial2 =
        Measure(kMethods[0], *vectors, options, 1, 1, nullptr);
    if (!serial2.ok()) return serial2.status();
    for (const std::string& name : absl::GetFlag(FLAGS_methods)) {
      const auto* const method =
          std::find_if(std::begin(kMethods), std::end(kMethods),
                       [&](const Method& m) { return m.name == name; });
      if (method == std::end(kMethods)) {
        return absl::InvalidArgumentError(absl::StrCat("no method ", name));
      }
      if (method == kMethods) continue;
      for (size_t t = 0; t < (method->has_threads ? threads->size() : 1); ++t) {
        for (size_t q = 0; q < (method->has_batch ? batches->size() : 1); ++q) {
          const absl::StatusOr<Run> run =
              Measure(*method, *vectors, options, (*batches)[q], (*threads)[t],
                      &*serial2);
          if (!run.ok()) return run.status();
        }
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) {
  absl::SetProgramUsageMessage(
      "online_benchmark [flags]\nOnline clustering, beside Serial Clusterer "
      "2.");
  absl::ParseCommandLine(argc, argv);
  const absl::Status status = warpclust::RunAll();
  if (!status.ok()) {
    std::fprintf(stderr, "%s\n", status.ToString().c_str());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
