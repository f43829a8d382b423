// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

// New documents against stored ones, beside the graph of all of them from
// scratch, in one run: a table of tab-separated columns on stdout.
//
//   cosine_probe_benchmark --data=reviews.svm.gz --documents=51000
//   cosine_probe_benchmark --device=cuda --threads=0 --block=65536
//
// The last --probes of the first --documents documents meet the others, in
// blocks of --block, on --device (for cuda one thread count is enough). Seconds
// are the best of --repeat. `create` indexes the probes; `join` meets the
// blocks, from their weights in memory, the blocks' norms included; `graph` is
// CosineGraphCpu of all documents. ratio: graph / (create + join). The edges
// are compared with those of the graph bit for bit. Data are svmlight term
// counts; without --data, a small generated collection. Exit codes: 0 ok, 1
// usage, 2 bad input or edges that differ.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "base/machine/peak_memory.h"
#include "base/numbers/decimal.h"
#include "graph/benchmarks/zipf_documents.h"
#include "graph/cosine/cosine_probe.h"
#include "graph/cosine/cpu/cosine_graph_cpu.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/csr/csr_graph.h"
#include "kernels/device.h"
#include "sparse/io/svmlight.h"
#include "sparse/matrix/append_rows.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/matrix/labelled_documents.h"
#include "sparse/weighting/weighting.h"

ABSL_FLAG(std::string, data, "", "svmlight file of term counts");
ABSL_FLAG(int, documents, 2000, "the first so many documents of it");
ABSL_FLAG(int, probes, 1000, "the last so many of these are new");
ABSL_FLAG(int, block, 16384, "documents a block");
ABSL_FLAG(std::vector<std::string>, settings,
          std::vector<std::string>({"tf:0.25", "tf:0.35", "tfidf:0.25",
                                    "tfidf:0.35"}),
          "weighting:beta, each");
ABSL_FLAG(std::vector<std::string>, threads,
          std::vector<std::string>({"1", "2"}), "thread counts, each");
ABSL_FLAG(std::string, device, "auto", "where probes and blocks meet");
ABSL_FLAG(bool, graph, true, "build the graph from scratch, too");
ABSL_FLAG(int, repeat, 3, "timed runs; the best counts");

namespace warpclust {
namespace {

double Now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

DocumentMatrix Rows(const DocumentMatrix& documents, int32_t begin,
                    int32_t end) {
  DocumentMatrix rows;
  AppendRows(documents, begin, end, &rows);
  return rows;
}

// What the probes, the documents from `first` on, have to give: edges of the
// graph between them and the others, by row, then probe.
bool AreTheGraphs(const std::vector<ProbeEdge>& edges, const CsrGraph& graph,
                  int32_t first) {
  size_t at = 0;
  for (int32_t row = 0; row < first; ++row) {
    for (int64_t e = graph.offsets[row]; e < graph.offsets[row + 1]; ++e) {
      if (graph.neighbors[e] < first) continue;
      if (at == edges.size() || edges[at].row != row ||
          edges[at].probe != graph.neighbors[e] - first ||
          edges[at].cosine != graph.weights[e]) {
        return false;
      }
      ++at;
    }
  }
  return at == edges.size();
}

absl::Status RunSetting(const std::string& setting,
                        const DocumentMatrix& counts) {
  const std::pair<std::string, std::string> parts =
      absl::StrSplit(setting, absl::MaxSplits(':', 1));
  const absl::StatusOr<Weighting> weighting = ParseWeighting(parts.first);
  if (!weighting.ok()) return weighting.status();
  const absl::StatusOr<Decimal> beta = ParseDecimal(parts.second);
  if (!beta.ok()) return beta.status();
  const absl::StatusOr<DocumentMatrix> documents =
      ApplyWeighting(counts, *weighting);
  if (!documents.ok()) return documents.status();
  const bool integer = HasIntegerWeights(*documents);

  const int32_t n = documents->num_documents();
  const int32_t first =
      n - std::clamp<int32_t>(absl::GetFlag(FLAGS_probes), 0, n);
  const DocumentMatrix probes = Rows(*documents, first, n);
  std::vector<DocumentMatrix> blocks;
  const int32_t step = std::max(1, absl::GetFlag(FLAGS_block));
  for (int64_t d = 0; d < first; d += step) {
    blocks.push_back(Rows(*documents, static_cast<int32_t>(d),
                          std::min<int64_t>(first, d + step)));
  }
  const int repeat = std::max(1, absl::GetFlag(FLAGS_repeat));
  absl::StatusOr<Device> device = ParseDevice(absl::GetFlag(FLAGS_device));
  if (device.ok()) device = ResolveDevice(*device);
  if (!device.ok()) return device.status();
  for (const std::string& threads : absl::GetFlag(FLAGS_threads)) {
    CosineProbeOptions options;
    options.beta = *beta;
    options.integer_arithmetic = integer;
    if (!absl::SimpleAtoi(threads, &options.num_threads)) {
      return absl::InvalidArgumentError("threads: a list of numbers");
    }
    double create = 0;
    double join = 0;
    std::vector<ProbeEdge> edges;
    for (int r = 0; r < repeat; ++r) {
      DocumentMatrix copy = probes;
      edges = {};
      const double start = Now();
      absl::StatusOr<CosineProbe> probe =
          CosineProbe::Create(std::move(copy), options, *device);
      const double created = Now();
      if (!probe.ok()) return probe.status();
      int32_t row = 0;
      std::vector<ProbeEdge> found;
      double joined = 0;
      for (const DocumentMatrix& block : blocks) {
        found.clear();
        const double join_start = Now();
        const absl::Status status = probe->Join(block, &found);
        joined += Now() - join_start;
        if (!status.ok()) return status;
        for (const ProbeEdge& edge : found) {
          edges.push_back({edge.row + row, edge.probe, edge.cosine});
        }
        row += block.num_documents();
      }
      create = r == 0 ? created - start : std::min(create, created - start);
      join = r == 0 ? joined : std::min(join, joined);
    }
    std::printf("%d\t%d\t%s\t%s\t%d\t%zu\t%.4f\t%.4f", first, n - first,
                setting.c_str(), std::string(DeviceName(*device)).c_str(),
                options.num_threads, edges.size(), create, join);
    bool same = true;
    if (absl::GetFlag(FLAGS_graph)) {
      CosineGraphOptions graph_options;
      graph_options.beta = *beta;
      graph_options.num_threads = options.num_threads;
      double seconds = 0;
      for (int r = 0; r < repeat; ++r) {
        const double start = Now();
        const absl::StatusOr<CsrGraph> graph =
            CosineGraphCpu(*documents, graph_options);
        const double once = Now() - start;
        if (!graph.ok()) return graph.status();
        seconds = r == 0 ? once : std::min(seconds, once);
        same = AreTheGraphs(edges, *graph, first);
      }
      std::printf("\t%.3f\t%.1f\t%s", seconds, seconds / (create + join),
                  same ? "same" : "DIFFERENT");
    } else {
      std::printf("\t-\t-\t-");
    }
    std::printf("\t%lld\n", static_cast<long long>(PeakResidentBytes() >> 20));
    std::fflush(stdout);
    if (!same) return absl::InternalError("the edges differ");
  }
  return absl::OkStatus();
}

absl::Status RunAll() {
  std::printf(
      "documents\tprobes\tsetting\tdevice\tthreads\tedges\tcreate\tjoin\tgraph"
      "\tratio"
      "\tedges\tpeak_mib\n");
  DocumentMatrix counts;
  const std::string path = absl::GetFlag(FLAGS_data);
  const int32_t most = std::max(0, absl::GetFlag(FLAGS_documents));
  if (path.empty()) {
    ZipfDocumentsOptions generated;
    generated.num_documents = most;
    generated.num_terms = 20000;
    generated.offset = 5;
    counts = ZipfDocuments(generated);
  } else {
    absl::StatusOr<LabelledDocuments> read = ReadSvmLight(path);
    if (!read.ok()) return read.status();
    counts = Rows(read->documents, 0,
                  std::min(most, read->documents.num_documents()));
  }
  for (const std::string& setting : absl::GetFlag(FLAGS_settings)) {
    absl::Status status = RunSetting(setting, counts);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) {
  absl::SetProgramUsageMessage(
      "new documents against stored ones, beside the graph from scratch; "
      "--data=a.svm.gz");
  absl::ParseCommandLine(argc, argv);
  const absl::Status status = warpclust::RunAll();
  if (!status.ok()) {
    std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
    return 2;
  }
  return 0;
}
