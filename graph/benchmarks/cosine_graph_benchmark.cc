// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The CPU cosine graph and a plain half join on one thread, on each collection
// and setting.
//
//   cosine_graph_benchmark --data=DOCS --threads=1,2
//
// `plain` runs first. The graphs must be equal, byte for byte. times_plain is
// the wall-clock time of `plain` divided by ours. The column CPU is the time of
// all threads together.

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
ABSL_FLAG(bool, plain, true, "run the plain half join, too");

namespace warpclust {
namespace {

// The plain half join: term lists that grow, one accumulator per
// document; then the lower half is mirrored.
CsrGraph PlainHalfJoin(const DocumentMatrix& documents, const Decimal& beta) {
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
  CsrGraph graph;
  graph.offsets.assign(n + 1, 0);
  for (int32_t i = 0; i < n; ++i) {
    for (int64_t e = documents.offsets[i]; e < documents.offsets[i + 1]; ++e) {
      const double weight = documents.weights[e];
      auto& list = lists[documents.terms[e]];
      for (const auto& [j, other] : list) {
        dots[j] += weight * static_cast<double>(other);
      }
      list.push_back({i, documents.weights[e]});
    }
    for (int32_t j = 0; j < i; ++j) {
      if (dots[j] == 0) continue;
      if (decision.Reaches(dots[j], norms[i], norms[j])) {
        edges.push_back(
            {i, j, CosineDecision::Cosine(dots[j], norms[i], norms[j])});
        ++graph.offsets[i + 1];
        ++graph.offsets[j + 1];
      }
      dots[j] = 0;
    }
  }
  for (int32_t v = 0; v < n; ++v) graph.offsets[v + 1] += graph.offsets[v];
  std::vector<int64_t> next(graph.offsets.begin(), graph.offsets.end() - 1);
  graph.neighbors.resize(2 * edges.size());
  graph.weights.resize(2 * edges.size());
  // Ascending by u, then v: each row gets its lower neighbors, in order, when
  // it is u, and its higher ones after that.
  for (const WeightedEdge& edge : edges) {
    for (const auto& [from, to] :
         {std::pair(edge.u, edge.v), std::pair(edge.v, edge.u)}) {
      graph.neighbors[next[from]] = to;
      graph.weights[next[from]++] = edge.weight;
    }
  }
  return graph;
}

struct Case : CosineCase {
  int num_threads = 0;
  CosineFilterPlan plan;
};

// The last graph of the plain half join, and the seconds it took.
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
  plain = Plain();
  plain.seconds = TimeIterations(
      state,
      [&]() -> absl::StatusOr<CsrGraph> {
        return PlainHalfJoin(*input.documents, input.setting.beta);
      },
      [&](CsrGraph graph) {
        plain.graph = std::move(graph);
        return absl::OkStatus();
      });
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
  }
  plan.dense_share = absl::GetFlag(FLAGS_dense_share);
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
    if (absl::GetFlag(FLAGS_plain)) Register("plain", RunPlain, input);
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
