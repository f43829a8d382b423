// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Updates of a stored collection against clustering from scratch, in the same
// run: time, and what each update touches and reads (the paper's Figures 18 and
// 19), as lines of a table.
//
//   dclustr_benchmark --data=base.svm.gz[,more.svm.gz] --base=20000
//       --batch=1000 --batches=3 --betas=0.25,0.35 --weightings=tf,tfidf
//
// "from scratch" twice: in memory, from vectors in memory to a cover in memory;
// and, after the last update, into a new store, which is what an update also
// leaves behind.
//
// The first --base documents make the collection, the next ones come in batches
// (from the second file, if there is one: its terms are other terms unless
// --same_terms). "bytes" of in-memory DClustR and of whole components count 28
// bytes a vertex (offset, degree, sum, relevance, component) and 8 a neighbor.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "algorithms/dclustr/dclustr.h"
#include "base/machine/peak_memory.h"
#include "base/numbers/decimal.h"
#include "base/numbers/random.h"
#include "graph/cosine/cosine_graph.h"
#include "graph/csr/csr_graph.h"
#include "graph/stars/covering.h"
#include "graph/stars/relevance_cpu.h"
#include "graph/stars/useful_clusters.h"
#include "kernels/device.h"
#include "sparse/io/svmlight.h"
#include "sparse/matrix/append_rows.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/weighting/weighting.h"

ABSL_FLAG(std::string, data, "", "svmlight files; none: generated documents");
ABSL_FLAG(bool, same_terms, false, "terms of the second file are the first's");
ABSL_FLAG(int32_t, generated, 3000, "documents to generate without --data");
ABSL_FLAG(int32_t, base, 2000, "documents of the collection to begin with");
ABSL_FLAG(int32_t, create_batch, 0, "documents a batch of these; 0: all");
ABSL_FLAG(int32_t, batch, 1000, "documents an update");
ABSL_FLAG(int32_t, batches, 1, "updates");
ABSL_FLAG(std::vector<std::string>, betas, {"0.25"}, "thresholds");
ABSL_FLAG(std::vector<std::string>, weightings, {"tf"}, "tf, tfidf");
ABSL_FLAG(std::string, mode, "exact", "exact or dclustr");
ABSL_FLAG(std::string, device, "cpu", "cpu, cuda or auto");
ABSL_FLAG(int32_t, threads, 1, "0: all");
ABSL_FLAG(bool, scratch, true,
          "also cluster from scratch after each update, in memory, and after "
          "the last one into a store");
ABSL_FLAG(std::string, store, "", "folder for stores; none: a temporary one");

namespace warpclust {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

DocumentMatrix Slice(const DocumentMatrix& all, int32_t begin, int32_t end) {
  DocumentMatrix part;
  AppendRows(all, begin, end, &part);
  return part;
}

// Documents of 20 to 60 words, half of them of one of 200 subjects.
DocumentMatrix Generate(int32_t num_documents) {
  DocumentMatrix documents;
  documents.num_terms = 20000;
  Random random(1);
  std::vector<int32_t> words;
  for (int32_t d = 0; d < num_documents; ++d) {
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

absl::StatusOr<DocumentMatrix> ReadAll() {
  const std::string data = absl::GetFlag(FLAGS_data);
  if (data.empty()) return Generate(absl::GetFlag(FLAGS_generated));
  DocumentMatrix all;
  int32_t taken = absl::GetFlag(FLAGS_base);
  for (const absl::string_view path : absl::StrSplit(data, ',')) {
    absl::StatusOr<LabelledDocuments> read = ReadSvmLight(path);
    if (!read.ok()) return read.status();
    if (all.num_documents() > 0) {
      // The base is the first file's.
      all = Slice(all, 0, std::min(taken, all.num_documents()));
    }
    const bool same = absl::GetFlag(FLAGS_same_terms);
    if (!same) {
      for (int32_t& term : read->documents.terms) term += all.num_terms;
      read->documents.num_terms += all.num_terms;
    }
    AppendRows(read->documents, 0, read->documents.num_documents(), &all);
  }
  return all;
}

std::vector<std::string> Names(int32_t begin, int32_t end) {
  std::vector<std::string> names;
  for (int32_t d = begin; d < end; ++d) names.push_back(absl::StrCat(d));
  return names;
}

struct Scratch {
  double seconds = 0;
  int32_t clusters = 0;
};

// OClustR in memory, from documents to useful clusters. tfidf with the weights
// of the first `frozen` documents, as the collection has them.
absl::StatusOr<Scratch> FromScratch(const DocumentMatrix& counts,
                                    int32_t frozen, Weighting weighting,
                                    const Decimal& beta, Device device,
                                    int num_threads) {
  DocumentMatrix documents = counts;
  if (weighting == Weighting::kTfIdf) {
    const DocumentMatrix first = Slice(counts, 0, frozen);
    std::vector<double> factors = InverseDocumentFrequencies(first);
    const std::vector<int32_t> frequencies = DocumentFrequencies(first);
    for (size_t t = 0; t < factors.size(); ++t) {
      if (frequencies[t] == 0) factors[t] = std::log(double{1} * frozen);
    }
    absl::StatusOr<DocumentMatrix> scaled =
        ScaleTerms(std::move(documents), factors);
    if (!scaled.ok()) return scaled.status();
    documents = *std::move(scaled);
  }
  const Clock::time_point start = Clock::now();
  CosineGraphOptions options;
  options.beta = beta;
  options.num_threads = num_threads;
  options.integer_decisions = weighting == Weighting::kTf;
  const absl::StatusOr<CsrGraph> graph =
      CosineGraph(documents, options, device);
  if (!graph.ok()) return graph.status();
  const absl::StatusOr<RelevanceTable> table =
      RelevancesCpu(*graph, num_threads);
  if (!table.ok()) return table.status();
  const auto rows = [&](int32_t v) { return graph->NeighborsOf(v); };
  const UsefulClusters useful = SelectUsefulClusters(
      *table, InitialCentersFromRows(*table, rows), rows, num_threads);
  Scratch scratch;
  scratch.seconds = SecondsSince(start);
  scratch.clusters = static_cast<int32_t>(useful.centers.size());
  return scratch;
}

// Bytes of a graph in memory, as the banner counts them.
double MemoryBytes(double vertices, double neighbors) {
  return 28 * vertices + 8 * neighbors;
}

DClustRBatch BatchOf(const DocumentMatrix& all, int32_t begin, int32_t end) {
  DClustRBatch batch;
  batch.added = Slice(all, begin, end);
  batch.added_ids = Names(begin, end);
  return batch;
}

// Seconds to make a store of all of `counts`, in one batch.
absl::StatusOr<double> StoreFromScratch(
    const DocumentMatrix& counts, const std::string& directory,
    const DClustRStoreOptions& store_options,
    const DClustRRunOptions& options) {
  const DClustRBatch batch = BatchOf(counts, 0, counts.num_documents());
  const Clock::time_point start = Clock::now();
  absl::StatusOr<DClustRCollection> collection =
      DClustRCollection::Create(directory, store_options);
  if (!collection.ok()) return collection.status();
  const auto update = collection->Update(batch, options);
  if (!update.ok()) return update.status();
  return SecondsSince(start);
}

absl::Status Run(const DocumentMatrix& all, Weighting weighting,
                 const Decimal& beta, const std::string& directory) {
  DClustRStoreOptions store_options;
  store_options.beta = beta;
  store_options.weighting = weighting;
  store_options.mode = absl::GetFlag(FLAGS_mode) == "dclustr"
                           ? DClustRMode::kDClustR
                           : DClustRMode::kExact;
  const absl::StatusOr<Device> device =
      ParseDevice(absl::GetFlag(FLAGS_device));
  if (!device.ok()) return device.status();
  DClustRRunOptions options;
  options.device = *device;
  options.num_threads = absl::GetFlag(FLAGS_threads);
  absl::StatusOr<DClustRCollection> collection =
      DClustRCollection::Create(directory, store_options);
  if (!collection.ok()) return collection.status();

  int32_t taken = 0;
  const int32_t base = std::min(absl::GetFlag(FLAGS_base), all.num_documents());
  const int32_t create_batch = absl::GetFlag(FLAGS_create_batch) > 0
                                   ? absl::GetFlag(FLAGS_create_batch)
                                   : base;
  const Clock::time_point start = Clock::now();
  while (taken < base) {
    const int32_t end = taken + std::min(create_batch, base - taken);
    const auto update = collection->Update(BatchOf(all, taken, end), options);
    taken = end;
    if (!update.ok()) return update.status();
  }
  const absl::StatusOr<int64_t> bytes = collection->FileBytes();
  if (!bytes.ok()) return bytes.status();
  std::printf("create %s beta %s: %d documents, %.3f s, %.1f MB on disk\n",
              std::string(WeightingName(weighting)).c_str(),
              FormatDecimal(beta).c_str(), taken, SecondsSince(start),
              *bytes / 1e6);

  double seconds = 0;
  for (int b = 0; b < absl::GetFlag(FLAGS_batches); ++b) {
    const int32_t count =
        std::min(absl::GetFlag(FLAGS_batch), all.num_documents() - taken);
    if (count == 0) break;
    const DClustRBatch batch = BatchOf(all, taken, taken + count);
    taken += count;
    const Clock::time_point update_start = Clock::now();
    const auto update = collection->Update(batch, options);
    if (!update.ok()) return update.status();
    seconds = SecondsSince(update_start);
    // What whole components would be: in memory all of them.
    const double whole = MemoryBytes(update->documents, 2.0 * update->edges);
    std::printf(
        "+%d: %.1f ms (join %.1f, graph %.1f, relevance %.1f, covering %.1f, "
        "useful %.1f, commit %.1f); %d documents, %lld edges, %d PCCs; "
        "affected %d PCCs, %d vertices, changed %d; read %lld PCCs, %lld "
        "vertices, %lld entries, %.3f MB = %.1f%% of %.3f MB in memory; "
        "vectors %.1f MB; peak %.0f MB",
        count, 1e3 * seconds, 1e3 * update->join_seconds,
        1e3 * update->cover.seconds.graph,
        1e3 * update->cover.seconds.relevance,
        1e3 * update->cover.seconds.covering,
        1e3 * update->cover.seconds.useful, 1e3 * update->commit_seconds,
        update->documents, static_cast<long long>(update->edges),
        update->components, update->cover.affected_components,
        update->cover.affected_vertices, update->cover.changed_vertices,
        static_cast<long long>(update->loads.components),
        static_cast<long long>(update->loads.vertices),
        static_cast<long long>(update->loads.row_entries),
        update->loads.bytes / 1e6, 100 * update->loads.bytes / whole,
        whole / 1e6, update->vector_bytes / 1e6, PeakResidentBytes() / 1e6);
    if (absl::GetFlag(FLAGS_scratch)) {
      const absl::StatusOr<Scratch> scratch =
          FromScratch(Slice(all, 0, taken), std::min(create_batch, base),
                      weighting, beta, *device, options.num_threads);
      if (!scratch.ok()) return scratch.status();
      std::printf("; from scratch %.3f s, %.1f times as long, %d clusters",
                  scratch->seconds, scratch->seconds / seconds,
                  scratch->clusters);
    }
    std::printf("\n");
    std::fflush(stdout);
  }
  if (absl::GetFlag(FLAGS_scratch) && seconds > 0) {
    const absl::StatusOr<double> store = StoreFromScratch(
        Slice(all, 0, taken), directory + ".scratch", store_options, options);
    if (!store.ok()) return store.status();
    std::printf("a store from scratch %.3f s, %.1f times the last update\n",
                *store, *store / seconds);
  }
  return absl::OkStatus();
}

absl::Status RunAll() {
  const absl::StatusOr<DocumentMatrix> all = ReadAll();
  if (!all.ok()) return all.status();
  std::error_code error;
  std::string folder = absl::GetFlag(FLAGS_store);
  if (folder.empty()) {
    folder = (std::filesystem::temp_directory_path(error) /
              absl::StrCat("dclustr_benchmark.",
                           Clock::now().time_since_epoch().count()))
                 .string();
  }
  for (const std::string& name : absl::GetFlag(FLAGS_weightings)) {
    const absl::StatusOr<Weighting> weighting = ParseWeighting(name);
    if (!weighting.ok()) return weighting.status();
    for (const std::string& text : absl::GetFlag(FLAGS_betas)) {
      const absl::StatusOr<Decimal> beta = ParseDecimal(text);
      if (!beta.ok()) return beta.status();
      std::filesystem::remove_all(folder, error);
      std::filesystem::remove_all(folder + ".scratch", error);
      absl::Status status = Run(*all, *weighting, *beta, folder);
      std::filesystem::remove_all(folder, error);
      std::filesystem::remove_all(folder + ".scratch", error);
      if (!status.ok()) return status;
    }
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) {
  absl::ParseCommandLine(argc, argv);
  const absl::Status status = warpclust::RunAll();
  if (status.ok()) return 0;
  std::fprintf(stderr, "dclustr_benchmark: %s\n",
               std::string(status.message()).c_str());
  return 1;
}
