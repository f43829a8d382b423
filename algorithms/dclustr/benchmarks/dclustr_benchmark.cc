// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Updates of a stored collection, next to DClustR in memory, the paper's own
// baseline, and to clustering from scratch: the time, and what each update
// touches and reads (the paper's Figures 18 and 19).
//
//   dclustr_benchmark --data=aclimdb100k_tf.svm.gz --base=50000
//       --batch=1000 --batches=3 --settings=tf:0.25,tfidf:0.35 --threads=1,2
//   dclustr_benchmark --data=reuters21578_tf.svm.gz,newsgroups20_tf.svm.gz
//       --joined --base=21578
//
// The first --base documents of a collection are stored; an iteration is an
// update that adds the next --batch documents. The baselines:
//   in_memory      the same updates of DClustR in memory, in the same mode
//   scratch        after each update, in memory: from vectors to a cover
//   store_scratch  after the last update: into a new store, which is what an
//                  update also leaves behind
// times_in_memory, times_scratch and times_store are these times divided by
// that of the update; least_ and most_ are over the updates. The clusters must
// be those of DClustR in memory, and in exact mode those from scratch. Counters
// of what was touched and read are those of the last update. Figure 19 is
// affected_connected beside in_memory_components, and affected_vertices beside
// in_memory_documents; in_memory_bytes are those of the graph in memory.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "algorithms/dclustr/dclustr.h"
#include "algorithms/dclustr/dclustr_in_memory.h"
#include "base/machine/peak_memory.h"
#include "base/numbers/random.h"
#include "base/status/status_macros.h"
#include "base/testing/benchmark_program.h"
#include "base/testing/timed_iterations.h"
#include "benchmark/benchmark.h"
#include "graph/benchmarks/cosine_cases.h"
#include "graph/cosine/cosine_graph.h"
#include "graph/csr/csr_graph.h"
#include "graph/stars/covering.h"
#include "graph/stars/relevance_cpu.h"
#include "graph/stars/useful_clusters.h"
#include "kernels/device/device.h"
#include "sparse/matrix/append_rows.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/weighting/weighting.h"

ABSL_FLAG(
    bool, joined, false,
    "the files of --data are one collection, of the same terms: the first "
    "--base documents of the first file, then the documents of the next");
ABSL_FLAG(int32_t, base, 0,
          "documents of the collection to begin with; 0: all but those of the "
          "updates, at most 50,000");
ABSL_FLAG(int32_t, create_batch, 0, "documents per batch of these; 0: all");
ABSL_FLAG(int32_t, batch, 1000, "documents per update");
ABSL_FLAG(int32_t, batches, 1, "updates");
ABSL_FLAG(std::string, mode, "exact", "exact or dclustr");
ABSL_FLAG(std::string, device, "auto", "cpu, cuda or auto");
ABSL_FLAG(std::string, relevance_device, "auto",
          "where relevances are counted: cpu, cuda or auto");
ABSL_FLAG(std::vector<std::string>, threads, {"0"}, "thread counts; 0: all");
ABSL_FLAG(bool, scratch, true, "cluster from scratch, too");
ABSL_FLAG(bool, in_memory, true, "update DClustR in memory, too");

namespace warpclust {
namespace {

// Documents of 20 to 60 words, half of them of one of 200 subjects.
DocumentMatrix Generate() {
  DocumentMatrix documents;
  documents.num_terms = 20000;
  Random random(1);
  std::vector<int32_t> words;
  for (int32_t d = 0; d < 3000; ++d) {
    const uint64_t subject = random.Next() % 200;
    words.clear();
    for (uint64_t i = 20 + random.Next() % 41; i > 0; --i) {
      words.push_back(static_cast<int32_t>(
          i % 2 == 0 ? subject * 50 + random.Next() % 50
                     : 10000 + random.Next() % (1 + random.Next() % 10000)));
    }
    std::sort(words.begin(), words.end());
    for (size_t i = 0; i < words.size(); ++i) {
      if (i > 0 && words[i] == words[i - 1]) {
        documents.weights.back() += 1;
      } else {
        documents.terms.push_back(words[i]);
        documents.weights.push_back(1);
      }
    }
    documents.offsets.push_back(static_cast<int64_t>(documents.terms.size()));
  }
  return documents;
}

// The collections of --data; with --joined, one.
absl::StatusOr<std::vector<DocumentCollection>> Collections() {
  ASSIGN_OR_RETURN(std::vector<DocumentCollection> read,
                   DocumentCollections({}, Generate));
  if (!absl::GetFlag(FLAGS_joined)) return read;
  const int32_t base = absl::GetFlag(FLAGS_base);
  DocumentCollection joined;
  auto counts = std::make_shared<DocumentMatrix>();
  for (const DocumentCollection& next : read) {
    const int32_t n = next.counts->num_documents();
    const bool first = joined.name.empty();
    AppendRows(*next.counts, 0, first && base > 0 ? std::min(base, n) : n,
               counts.get());
    absl::StrAppend(&joined.name, first ? "" : "+", next.name);
  }
  joined.counts = std::move(counts);
  return std::vector<DocumentCollection>{joined};
}

struct Case {
  // Of term counts.
  std::shared_ptr<const DocumentMatrix> counts;
  DClustRStoreOptions store;
  DClustRRunOptions run;
  int32_t base = 0;
  int32_t batch = 0;
};

struct Scratch {
  double seconds = 0;
  std::vector<int32_t> centers;  // ascending
};

// OClustR in memory, from documents to useful clusters. tfidf with the weights
// of the first `frozen` documents, as the collection has them.
absl::StatusOr<Scratch> FromScratch(const Case& input, int32_t num_documents,
                                    int32_t frozen) {
  DocumentMatrix documents = RowsOf(*input.counts, 0, num_documents);
  if (input.store.weighting == Weighting::kTfIdf) {
    const DocumentMatrix first = RowsOf(documents, 0, frozen);
    std::vector<double> factors = InverseDocumentFrequencies(first);
    const std::vector<int32_t> frequencies = DocumentFrequencies(first);
    factors.resize(documents.num_terms, std::log(double{1} * frozen));
    for (size_t t = 0; t < frequencies.size(); ++t) {
      if (frequencies[t] == 0) factors[t] = std::log(double{1} * frozen);
    }
    ASSIGN_OR_RETURN(documents, ScaleTerms(std::move(documents), factors));
  }
  const double start = BenchmarkClock();
  CosineGraphOptions options;
  options.beta = input.store.beta;
  options.num_threads = input.run.num_threads;
  options.integer_decisions = input.store.weighting == Weighting::kTf;
  ASSIGN_OR_RETURN(const CsrGraph graph,
                   CosineGraph(documents, options, input.run.device));
  ASSIGN_OR_RETURN(const RelevanceTable table,
                   RelevancesCpu(graph, input.run.num_threads));
  const auto rows = [&](int32_t v) { return graph.NeighborsOf(v); };
  UsefulClusters useful = SelectUsefulClusters(
      table, InitialCentersFromRows(table, rows), rows, input.run.num_threads);
  Scratch scratch;
  scratch.seconds = BenchmarkClock() - start;
  scratch.centers = std::move(useful.centers);
  std::sort(scratch.centers.begin(), scratch.centers.end());
  return scratch;
}

DClustRBatch BatchOf(const DocumentMatrix& all, int32_t begin, int32_t end) {
  DClustRBatch batch;
  batch.added = RowsOf(all, begin, end);
  for (int32_t d = begin; d < end; ++d) {
    batch.added_ids.push_back(absl::StrCat(d));
  }
  return batch;
}

// A store with the first `end` documents, taken in by batches.
absl::StatusOr<DClustRCollection> MakeStore(const Case& input, int32_t end,
                                            int32_t step,
                                            const std::string& folder) {
  ASSIGN_OR_RETURN(DClustRCollection collection,
                   DClustRCollection::Create(folder, input.store));
  for (int32_t begin = 0; begin < end; begin += step) {
    const DClustRBatch batch =
        BatchOf(*input.counts, begin, std::min(begin + step, end));
    RETURN_IF_ERROR(collection.Update(batch, input.run).status());
  }
  return collection;
}

// Folders for stores; they go with the object.
class StoreFolders {
 public:
  StoreFolders() {
    std::error_code error;
    path_ = std::filesystem::temp_directory_path(error) /
            absl::StrCat("dclustr_benchmark.", BenchmarkClock());
    std::filesystem::create_directory(path_, error);
  }
  ~StoreFolders() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }

  std::string operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

void ReportUpdate(const DClustRUpdate& update, benchmark::State& state) {
  const CoverUpdate::Seconds& seconds = update.cover.seconds;
  const std::pair<const char*, double> counters[] = {
      {"join_ms", 1e3 * update.join_seconds},
      {"graph_ms", 1e3 * seconds.graph},
      {"relevance_ms", 1e3 * seconds.relevance},
      {"covering_ms", 1e3 * seconds.covering},
      {"useful_ms", 1e3 * seconds.useful},
      {"commit_ms", 1e3 * update.commit_seconds},
      {"documents", update.documents},
      {"edges", static_cast<double>(update.edges)},
      {"new_edges", static_cast<double>(update.new_edges)},
      {"components", update.components},
      {"relevance_entries",
       static_cast<double>(update.cover.relevance_entries)},
      {"relevance_on_gpu",
       update.cover.relevance_device == Device::kCuda ? 1.0 : 0.0},
      {"affected_components", update.cover.affected_components},
      {"affected_connected", update.cover.affected_connected},
      {"affected_vertices", update.cover.affected_vertices},
      {"changed_vertices", update.cover.changed_vertices},
      {"read_components", static_cast<double>(update.loads.components)},
      {"read_vertices", static_cast<double>(update.loads.vertices)},
      {"read_entries", static_cast<double>(update.loads.row_entries)},
      {"read_bytes", static_cast<double>(update.loads.bytes)},
      {"vector_bytes", static_cast<double>(update.vector_bytes)},
      {"peak_bytes", static_cast<double>(PeakResidentBytes())}};
  for (const auto& [name, value] : counters) state.counters[name] = value;
}

// DClustR in memory with the first `end` documents, taken in by batches.
absl::StatusOr<DClustRInMemory> MakeInMemory(const Case& input, int32_t end,
                                             int32_t step) {
  ASSIGN_OR_RETURN(DClustRInMemory collection,
                   DClustRInMemory::Create(input.store));
  for (int32_t begin = 0; begin < end; begin += step) {
    const DClustRBatch batch =
        BatchOf(*input.counts, begin, std::min(begin + step, end));
    RETURN_IF_ERROR(collection.Update(batch, input.run).status());
  }
  return collection;
}

void ReportInMemory(const DClustRUpdate& update, const DClustRUpdate& stored,
                    double seconds, double ratio, benchmark::State& state) {
  const auto bytes = static_cast<double>(update.loads.bytes);
  state.counters["in_memory_ms"] = 1e3 * seconds;
  state.counters["times_in_memory"] = ratio;
  state.counters["in_memory_components"] =
      static_cast<double>(update.loads.components);
  state.counters["in_memory_documents"] =
      static_cast<double>(update.loads.vertices);
  state.counters["in_memory_bytes"] = bytes;
  state.counters["read_share"] =
      static_cast<double>(stored.loads.bytes) / bytes;
}

absl::Status Update(benchmark::State& state, const Case& input) {
  const bool scratch = absl::GetFlag(FLAGS_scratch);
  const int32_t step = absl::GetFlag(FLAGS_create_batch) > 0
                           ? absl::GetFlag(FLAGS_create_batch)
                           : input.base;
  const StoreFolders folders;
  double start = BenchmarkClock();
  ASSIGN_OR_RETURN(DClustRCollection collection,
                   MakeStore(input, input.base, step, folders / "store"));
  state.counters["create_ms"] = 1e3 * (BenchmarkClock() - start);
  ASSIGN_OR_RETURN(const int64_t bytes, collection.FileBytes());
  state.counters["store_bytes"] = static_cast<double>(bytes);

  absl::optional<DClustRInMemory> in_memory;
  if (absl::GetFlag(FLAGS_in_memory)) {
    ASSIGN_OR_RETURN(in_memory, MakeInMemory(input, input.base, step));
  }

  int32_t taken = input.base;
  double seconds = 0;
  std::vector<double> all_seconds;
  std::vector<double> ratios;
  Scratch last;
  for (auto _ : state) {
    const DClustRBatch batch =
        BatchOf(*input.counts, taken, taken + input.batch);
    taken += input.batch;
    start = BenchmarkClock();
    ASSIGN_OR_RETURN(const DClustRUpdate update,
                     collection.Update(batch, input.run));
    seconds = BenchmarkClock() - start;
    state.SetIterationTime(seconds);
    all_seconds.push_back(seconds);
    ReportUpdate(update, state);
    if (in_memory.has_value()) {
      start = BenchmarkClock();
      ASSIGN_OR_RETURN(const DClustRUpdate baseline,
                       in_memory->Update(batch, input.run));
      const double baseline_seconds = BenchmarkClock() - start;
      ReportInMemory(baseline, update, baseline_seconds,
                     baseline_seconds / seconds, state);
    }
    if (scratch) {
      ASSIGN_OR_RETURN(last,
                       FromScratch(input, taken, std::min(step, input.base)));
      ratios.push_back(last.seconds / seconds);
    }
  }
  const auto [least, most] =
      std::minmax_element(all_seconds.begin(), all_seconds.end());
  state.counters["least_ms"] = 1e3 * *least;
  state.counters["most_ms"] = 1e3 * *most;
  if (in_memory.has_value()) {
    ASSIGN_OR_RETURN(const DClustRClusters expected, in_memory->Read());
    ASSIGN_OR_RETURN(const DClustRClusters found, collection.Read());
    if (!(found.cover == expected.cover)) {
      return absl::InternalError(
          "the clusters differ from those of DClustR in memory");
    }
  }
  if (!scratch) return absl::OkStatus();
  const auto [least_ratio, most_ratio] =
      std::minmax_element(ratios.begin(), ratios.end());
  state.counters["scratch_ms"] = 1e3 * last.seconds;
  state.counters["clusters"] = static_cast<double>(last.centers.size());
  state.counters["times_scratch"] = ratios.back();
  state.counters["least_times_scratch"] = *least_ratio;
  state.counters["most_times_scratch"] = *most_ratio;
  start = BenchmarkClock();
  RETURN_IF_ERROR(MakeStore(input, taken, taken, folders / "scratch").status());
  const double store_seconds = BenchmarkClock() - start;
  state.counters["store_scratch_ms"] = 1e3 * store_seconds;
  state.counters["times_store"] = store_seconds / seconds;
  if (input.store.mode != DClustRMode::kExact) return absl::OkStatus();
  ASSIGN_OR_RETURN(DClustRClusters clusters, collection.Read());
  std::sort(clusters.centers.begin(), clusters.centers.end());
  return clusters.centers == last.centers
             ? absl::OkStatus()
             : absl::InternalError("the clusters differ from those of scratch");
}

void RunUpdate(benchmark::State& state, const Case& input) {
  const absl::Status status = Update(state, input);
  if (!status.ok()) SkipBenchmark(state, status);
}

}  // namespace

absl::Status RegisterBenchmarks() {
  Case input;
  ASSIGN_OR_RETURN(input.store.mode,
                   ParseDClustRMode(absl::GetFlag(FLAGS_mode)));
  ASSIGN_OR_RETURN(input.run.device, ParseDevice(absl::GetFlag(FLAGS_device)));
  ASSIGN_OR_RETURN(input.run.device, ResolveDevice(input.run.device));
  ASSIGN_OR_RETURN(input.run.relevance_device,
                   ParseDevice(absl::GetFlag(FLAGS_relevance_device)));
  input.batch = absl::GetFlag(FLAGS_batch);
  if (input.batch < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("--batch: expected at least 1, found ", input.batch));
  }
  ASSIGN_OR_RETURN(const std::vector<int> thread_counts,
                   ParseThreadCounts(absl::GetFlag(FLAGS_threads)));
  ASSIGN_OR_RETURN(const std::vector<CosineSetting> settings, CosineSettings());
  ASSIGN_OR_RETURN(const std::vector<DocumentCollection> collections,
                   Collections());
  for (const DocumentCollection& collection : collections) {
    input.counts = collection.counts;
    const int32_t n = input.counts->num_documents();
    const int64_t wanted =
        int64_t{input.batch} * std::max(absl::GetFlag(FLAGS_batches), 1);
    input.base =
        absl::GetFlag(FLAGS_base) > 0
            ? std::min(absl::GetFlag(FLAGS_base), n)
            : static_cast<int32_t>(std::clamp<int64_t>(n - wanted, 1, 50000));
    const int64_t updates =
        std::min<int64_t>(wanted, n - input.base) / input.batch;
    if (updates < 1) {
      return absl::InvalidArgumentError(absl::StrCat(
          "expected a batch of ", input.batch, " documents after the first ",
          input.base, " of ", collection.name, ", found ", n, " documents"));
    }
    for (const CosineSetting& setting : settings) {
      input.store.weighting = setting.weighting;
      input.store.beta = setting.beta;
      for (const int threads : thread_counts) {
        input.run.num_threads = threads;
        benchmark::RegisterBenchmark(
            absl::StrCat(
                "DClustRUpdate/", CosineCaseName(collection.name, setting),
                "/threads=", threads, "/", DeviceName(input.run.device))
                .c_str(),
            RunUpdate, input)
            ->Unit(benchmark::kMillisecond)
            ->UseManualTime()
            ->Iterations(updates);
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust
