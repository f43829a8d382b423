// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// New documents against stored ones, next to the graph of all of them from
// scratch, on each collection and setting.
//
//   cosine_probe_benchmark --data=DOCS --documents=51000
//   cosine_probe_benchmark --device=cuda --block=65536
//
// The last --probes of the first --documents documents meet the others, in
// blocks of --block documents. The measured time is that of `create`, which
// indexes the probes, and of `join`, which compares the blocks, from their
// weights in memory, their norms included. The baseline, `graph`, is
// CosineGraphCpu of all documents; it runs first, with as many threads. The
// probes' edges must be those of the graph, bit for bit. times_baseline is its
// time divided by ours.

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
#include "base/status/status_macros.h"
#include "base/testing/benchmark_program.h"
#include "base/testing/timed_iterations.h"
#include "benchmark/benchmark.h"
#include "graph/benchmarks/cosine_cases.h"
#include "graph/benchmarks/zipf_documents.h"
#include "graph/cosine/cosine_probe.h"
#include "graph/cosine/cpu/cosine_graph_cpu.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/csr/csr_graph.h"
#include "kernels/device/device.h"
#include "sparse/matrix/document_matrix.h"

ABSL_FLAG(int, documents, 51000, "documents to take of a collection");
ABSL_FLAG(int, probes, 1000, "the last of these, which are new");
ABSL_FLAG(int, block, 16384, "documents per block");
ABSL_FLAG(std::vector<std::string>, threads, {"0"}, "thread counts; 0: all");
ABSL_FLAG(std::string, device, "auto", "where probes and blocks meet");
ABSL_FLAG(bool, graph, true, "build the graph from scratch, too");

namespace warpclust {
namespace {

struct Case : CosineCase {
  int32_t first_probe = 0;
  int num_threads = 0;
  Device device = Device::kCpu;
};

// The baseline's last graph, and the seconds it took.
struct Baseline {
  std::string name;
  CsrGraph graph;
  double seconds = 0;
};

Baseline& LastBaseline() {
  static auto& baseline = *new Baseline();
  return baseline;
}

// The graph has these edges, and no others, between the probes, the documents
// from `first` on, and the others. The order is by row, then by probe.
absl::Status CheckEdges(const std::vector<ProbeEdge>& edges,
                        const CsrGraph& graph, int32_t first) {
  const absl::Status differ = absl::InternalError("the edges differ");
  size_t at = 0;
  for (int32_t row = 0; row < first; ++row) {
    for (int64_t e = graph.offsets[row]; e < graph.offsets[row + 1]; ++e) {
      if (graph.neighbors[e] < first) continue;
      if (at == edges.size() || edges[at].row != row ||
          edges[at].probe != graph.neighbors[e] - first ||
          edges[at].cosine != graph.weights[e]) {
        return differ;
      }
      ++at;
    }
  }
  return at == edges.size() ? absl::OkStatus() : differ;
}

void Graph(benchmark::State& state, const Case& input) {
  Baseline& baseline = LastBaseline();
  baseline = Baseline();
  CosineGraphOptions options;
  options.beta = input.setting.beta;
  options.num_threads = input.num_threads;
  const double seconds = TimeIterations(
      state, [&] { return CosineGraphCpu(*input.documents, options); },
      [&](CsrGraph graph) {
        baseline.graph = std::move(graph);
        return absl::OkStatus();
      });
  state.counters["edges"] = static_cast<double>(baseline.graph.num_edges());
  baseline.name = input.name;
  baseline.seconds = seconds;
}

void Probe(benchmark::State& state, const Case& input) {
  const DocumentMatrix& documents = *input.documents;
  const DocumentMatrix probes =
      RowsOf(documents, input.first_probe, documents.num_documents());
  const int32_t step = std::max(1, absl::GetFlag(FLAGS_block));
  std::vector<DocumentMatrix> blocks;
  for (int64_t d = 0; d < input.first_probe; d += step) {
    blocks.push_back(RowsOf(
        documents, static_cast<int32_t>(d),
        static_cast<int32_t>(std::min<int64_t>(input.first_probe, d + step))));
  }
  CosineProbeOptions options;
  options.beta = input.setting.beta;
  options.integer_arithmetic = HasIntegerWeights(documents);
  options.num_threads = input.num_threads;
  std::vector<ProbeEdge> edges;
  double create = 0;
  double join = 0;
  for (auto _ : state) {
    edges.clear();
    DocumentMatrix copy = probes;
    const double start = BenchmarkClock();
    absl::StatusOr<CosineProbe> probe =
        CosineProbe::Create(std::move(copy), options, input.device);
    const double created = BenchmarkClock() - start;
    if (!probe.ok()) return SkipBenchmark(state, probe.status());
    double joined = 0;
    int32_t row = 0;
    std::vector<ProbeEdge> found;
    for (const DocumentMatrix& block : blocks) {
      found.clear();
      const double join_start = BenchmarkClock();
      const absl::Status status = probe->Join(block, &found);
      joined += BenchmarkClock() - join_start;
      if (!status.ok()) return SkipBenchmark(state, status);
      for (const ProbeEdge& edge : found) {
        edges.push_back({edge.row + row, edge.probe, edge.cosine});
      }
      row += block.num_documents();
    }
    state.SetIterationTime(created + joined);
    create += created;
    join += joined;
  }
  const auto runs = static_cast<double>(state.iterations());
  state.counters["edges"] = static_cast<double>(edges.size());
  state.counters["create_ms"] = 1e3 * create / runs;
  state.counters["join_ms"] = 1e3 * join / runs;
  const Baseline& baseline = LastBaseline();
  if (baseline.name != input.name) return;
  state.counters["times_baseline"] = baseline.seconds * runs / (create + join);
  const absl::Status same =
      CheckEdges(edges, baseline.graph, input.first_probe);
  if (!same.ok()) SkipBenchmark(state, same);
}

}  // namespace

absl::Status RegisterBenchmarks() {
  Case input;
  ASSIGN_OR_RETURN(input.device, ParseDevice(absl::GetFlag(FLAGS_device)));
  ASSIGN_OR_RETURN(input.device, ResolveDevice(input.device));
  ASSIGN_OR_RETURN(const std::vector<int> thread_counts,
                   ParseThreadCounts(absl::GetFlag(FLAGS_threads)));
  ASSIGN_OR_RETURN(const std::vector<CosineSetting> settings, CosineSettings());
  ASSIGN_OR_RETURN(
      std::vector<DocumentCollection> collections,
      DocumentCollections({"reuters21578", "newsgroups20", "aclimdb100k"},
                          SmallZipfDocuments));
  for (DocumentCollection& collection : collections) {
    collection.counts = std::make_shared<DocumentMatrix>(
        RowsOf(*collection.counts, 0,
               std::clamp(absl::GetFlag(FLAGS_documents), 0,
                          collection.counts->num_documents())));
  }
  ASSIGN_OR_RETURN(const std::vector<CosineCase> cases,
                   CosineCases(collections, settings));
  for (const CosineCase& next : cases) {
    static_cast<CosineCase&>(input) = next;
    const int32_t n = next.documents->num_documents();
    input.first_probe = n - std::clamp(absl::GetFlag(FLAGS_probes), 0, n);
    for (const int threads : thread_counts) {
      input.num_threads = threads;
      input.name =
          absl::StrCat("CosineProbe/", next.name, "/threads=", threads);
      if (absl::GetFlag(FLAGS_graph)) {
        benchmark::RegisterBenchmark(absl::StrCat(input.name, "/graph").c_str(),
                                     Graph, input)
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime()
            ->MeasureProcessCPUTime();
      }
      benchmark::RegisterBenchmark(
          absl::StrCat(input.name, "/", DeviceName(input.device)).c_str(),
          Probe, input)
          ->Unit(benchmark::kMillisecond)
          ->UseManualTime();
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust
