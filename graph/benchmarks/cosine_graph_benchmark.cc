// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The CPU cosine graph and a plain half join on one thread, on each collection
// and setting.
//
//   cosine_graph_benchmark --data=DOCS --threads=1,2
//
// `plain` and, with --counts, `counts` run first. The graphs must be equal,
// byte for byte. times_plain is the wall-clock time of the faster of the two
// divided by ours. The column CPU is the time of all threads together.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/machine/cpu_features.h"
#include "base/machine/peak_memory.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "base/testing/benchmark_program.h"
#include "base/testing/timed_iterations.h"
#include "benchmark/benchmark.h"
#include "graph/benchmarks/cosine_cases.h"
#include "graph/benchmarks/zipf_documents.h"
#include "graph/cosine/cpu/cosine_graph_cpu_plan.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/filter/cosine_filter_kernels.h"
#include "graph/cosine/filter/cosine_filter_tile.h"
#include "graph/csr/csr_graph.h"
#include "sparse/matrix/document_matrix.h"

ABSL_FLAG(std::vector<std::string>, threads,
          std::vector<std::string>({"1", "2"}), "thread counts");
ABSL_FLAG(std::vector<std::string>, simd, {"best"},
          "baseline, avx2, avx512 or best");
ABSL_FLAG(int, tile, 0, "documents per tile; 0: the default");
ABSL_FLAG(double, dense_share, 0, "share of a frequent term; 0: the default");
ABSL_FLAG(double, list_bias, 1, "0: tiles, 1e9: lists, 1: by their costs");
ABSL_FLAG(bool, plain, true, "run the plain half join, too");
ABSL_FLAG(bool, counts, false, "and the one that tests only what it counted");

namespace warpclust {
namespace {

// The symmetric graph of the edges of the lower half, ascending by u, then v.
CsrGraph MirrorEdges(int32_t n, const std::vector<WeightedEdge>& edges) {
  CsrGraph graph;
  graph.offsets.assign(n + 1, 0);
  for (const WeightedEdge& edge : edges) {
    ++graph.offsets[edge.u + 1];
    ++graph.offsets[edge.v + 1];
  }
  for (int32_t v = 0; v < n; ++v) graph.offsets[v + 1] += graph.offsets[v];
  std::vector<int64_t> next(graph.offsets.begin(), graph.offsets.end() - 1);
  graph.neighbors.resize(2 * edges.size());
  graph.weights.resize(2 * edges.size());
  // Each row gets its lower neighbors, in order, when it is u, and its higher
  // ones after that.
  for (const WeightedEdge& edge : edges) {
    for (const auto& [from, to] :
         {std::pair(edge.u, edge.v), std::pair(edge.v, edge.u)}) {
      graph.neighbors[next[from]] = to;
      graph.weights[next[from]++] = edge.weight;
    }
  }
  return graph;
}

// The plain half join: term lists that grow, one accumulator per document; then
// the lower half is mirrored. If `counts`, only accumulators that were added to
// are tested, as in the exhaustive mode of all-pairs programs: better if few
// pairs share a term.
CsrGraph PlainHalfJoin(const DocumentMatrix& documents, const Decimal& beta,
                       bool counts) {
  const int32_t n = documents.num_documents();
  const std::vector<double> norms = SquaredNorms(documents);
  const double largest =
      n == 0 ? 0 : *std::max_element(norms.begin(), norms.end());
  const CosineDecision decision =
      MakeCosineDecision(beta, HasIntegerWeights(documents), largest);
  std::vector<std::vector<std::pair<int32_t, float>>> lists(
      documents.num_terms);
  std::vector<double> dots(n, 0.0);
  std::vector<WeightedEdge> edges;
  std::vector<int32_t> counted;
  const auto test = [&](int32_t i, int32_t j) {
    if (dots[j] == 0) return;
    if (decision.Reaches(dots[j], norms[i], norms[j])) {
      edges.push_back(
          {i, j, CosineDecision::Cosine(dots[j], norms[i], norms[j])});
    }
    dots[j] = 0;
  };
  for (int32_t i = 0; i < n; ++i) {
    const size_t first = edges.size();
    counted.clear();
    for (int64_t e = documents.offsets[i]; e < documents.offsets[i + 1]; ++e) {
      const double weight = documents.weights[e];
      auto& list = lists[documents.terms[e]];
      for (const auto& [j, other] : list) {
        if (counts && dots[j] == 0) counted.push_back(j);
        dots[j] += weight * static_cast<double>(other);
      }
      list.push_back({i, documents.weights[e]});
    }
    if (counts) {
      for (const int32_t j : counted) test(i, j);
      std::sort(edges.begin() + first, edges.end(),
                [](const WeightedEdge& a, const WeightedEdge& b) {
                  return a.v < b.v;
                });
    } else {
      for (int32_t j = 0; j < i; ++j) test(i, j);
    }
  }
  return MirrorEdges(n, edges);
}

struct Case : CosineCase {
  int num_threads = 0;
  CosineFilterPlan plan;
  bool counts = false;
};

// The last graph of the plain half joins, and the seconds of the faster one.
struct Plain {
  std::string name;
  CsrGraph graph;
  double seconds = 0;
};

Plain& LastPlain() {
  static auto& plain = *new Plain();
  return plain;
}

void RunPlain(benchmark::State& state, const Case& input) {
  Plain& plain = LastPlain();
  const double seconds = TimeIterations(
      state,
      [&]() -> absl::StatusOr<CsrGraph> {
        return PlainHalfJoin(*input.documents, input.setting.beta,
                             input.counts);
      },
      [&](CsrGraph graph) {
        plain.graph = std::move(graph);
        return absl::OkStatus();
      });
  plain.seconds =
      plain.name == input.name ? std::min(plain.seconds, seconds) : seconds;
  plain.name = input.name;
  state.counters["edges"] = static_cast<double>(plain.graph.num_edges());
}

void RunOurs(benchmark::State& state, const Case& input) {
  const Plain& plain = LastPlain();
  const bool compare = plain.name == input.name;
  CosineGraphOptions options;
  options.beta = input.setting.beta;
  options.num_threads = input.num_threads;
  const double seconds = TimeIterations(
      state,
      [&] {
        return CosineGraphCpuWithPlan(*input.documents, options, input.plan);
      },
      [&](const CsrGraph& graph) -> absl::Status {
        state.counters["edges"] = static_cast<double>(graph.num_edges());
        if (compare && (graph.offsets != plain.graph.offsets ||
                        graph.neighbors != plain.graph.neighbors ||
                        graph.weights != plain.graph.weights)) {
          return absl::InternalError("the graphs differ");
        }
        return absl::OkStatus();
      });
  if (compare && seconds > 0) {
    state.counters["times_plain"] = plain.seconds / seconds;
  }
  state.counters["peak_bytes"] = static_cast<double>(PeakResidentBytes());
}

void Register(const std::string& name,
              void (*function)(benchmark::State&, const Case&),
              const Case& input) {
  benchmark::RegisterBenchmark(
      absl::StrCat("CosineGraphCpu/", input.name, "/", name).c_str(), function,
      input)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime()
      ->MeasureProcessCPUTime();
}

absl::Status SetPlan(const std::string& simd, CosineFilterPlan& plan) {
  plan = DefaultCosineFilterPlan();
  if (simd == "baseline") {
    plan.simd = SimdLevel::kBaseline;
  } else if (simd == "avx2") {
    plan.simd = SimdLevel::kAvx2;
  } else if (simd == "avx512") {
    plan.simd = SimdLevel::kAvx512;
  } else if (simd != "best") {
    return absl::InvalidArgumentError(absl::StrCat(
        "--simd: expected baseline, avx2, avx512 or best, found ", simd));
  }
  if (absl::GetFlag(FLAGS_tile) > 0) {
    plan.tile_columns = absl::GetFlag(FLAGS_tile);
    plan.wide_tile_columns = plan.tile_columns;
  }
  plan.dense_share = absl::GetFlag(FLAGS_dense_share);
  plan.list_bias = absl::GetFlag(FLAGS_list_bias);
  return absl::OkStatus();
}

}  // namespace

absl::Status RegisterBenchmarks() {
  ASSIGN_OR_RETURN(const std::vector<int> thread_counts,
                   ParseThreadCounts(absl::GetFlag(FLAGS_threads)));
  ASSIGN_OR_RETURN(const std::vector<CosineSetting> settings, CosineSettings());
  ASSIGN_OR_RETURN(const std::vector<DocumentCollection> collections,
                   DocumentCollections({}, SmallZipfDocuments));
  ASSIGN_OR_RETURN(const std::vector<CosineCase> cases,
                   CosineCases(collections, settings));
  Case input;
  for (const CosineCase& next : cases) {
    static_cast<CosineCase&>(input) = next;
    input.counts = false;
    if (absl::GetFlag(FLAGS_plain)) Register("plain", RunPlain, input);
    input.counts = true;
    if (absl::GetFlag(FLAGS_counts)) Register("counts", RunPlain, input);
    for (const std::string& simd : absl::GetFlag(FLAGS_simd)) {
      RETURN_IF_ERROR(SetPlan(simd, input.plan));
      for (const int threads : thread_counts) {
        input.num_threads = threads;
        Register(absl::StrCat("simd=", simd, "/threads=", threads), RunOurs,
                 input);
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust
