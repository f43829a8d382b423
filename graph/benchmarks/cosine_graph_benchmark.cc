// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

// The CPU cosine graph beside a plain half join, in one run: a table of
// tab-separated columns on stdout.
//
//   cosine_graph_benchmark --data=reviews.svm.gz,news.svm.gz --threads=1,2
//
// Seconds are without reading, the best of --repeat; `cpu` is the time of all
// threads together. `plain` runs on one thread: compare cpu with cpu at one
// thread, wall with wall on a quiet machine. The two graphs are compared byte
// for byte. Data are svmlight term counts; without
// --data, a small generated collection. Exit codes: 0 ok, 1 usage, 2 bad input
// or graphs that differ.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
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
#include "absl/strings/str_split.h"
#include "base/machine/cpu_features.h"
#include "base/machine/peak_memory.h"
#include "base/numbers/decimal.h"
#include "graph/benchmarks/zipf_documents.h"
#include "graph/cosine/cpu/cosine_graph_cpu_plan.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/filter/cosine_filter_kernels.h"
#include "graph/cosine/filter/cosine_filter_tile.h"
#include "graph/csr/csr_graph.h"
#include "sparse/io/svmlight.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/matrix/labelled_documents.h"
#include "sparse/weighting/weighting.h"

ABSL_FLAG(std::vector<std::string>, data, {}, "svmlight files of term counts");
ABSL_FLAG(std::vector<std::string>, settings,
          std::vector<std::string>({"tf:0.25", "tf:0.35", "tfidf:0.25",
                                    "tfidf:0.35"}),
          "weighting:beta, each");
ABSL_FLAG(std::vector<std::string>, threads,
          std::vector<std::string>({"1", "2"}), "thread counts, each");
ABSL_FLAG(std::vector<std::string>, simd, {},
          "baseline, avx2, avx512; empty: the best there is");
ABSL_FLAG(int, tile, 0, "documents a tile; 0: the default");
ABSL_FLAG(double, dense_share, 0, "share of a frequent term; 0: the default");
ABSL_FLAG(bool, plain, true, "run the plain half join, too");
ABSL_FLAG(int, repeat, 3, "timed runs; the best counts");
ABSL_FLAG(int, generated, 2000, "documents of the generated collection");

namespace warpclust {
namespace {

// The plain half join: term lists that grow, one accumulator a document, and
// the lower half then mirrored.
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

double CpuSeconds() {
  std::timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * now.tv_nsec;
}

double WallSeconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

absl::StatusOr<SimdLevel> ParseLevel(const std::string& name) {
  SimdLevel level = SimdLevel::kBaseline;
  if (name == "avx2") {
    level = SimdLevel::kAvx2;
  } else if (name == "avx512") {
    level = SimdLevel::kAvx512;
  } else if (name != "baseline") {
    return absl::InvalidArgumentError(
        absl::StrCat("simd: baseline, avx2 or avx512, found \"", name, "\""));
  }
  return level;
}

struct Setting {
  Weighting weighting;
  Decimal beta;
};

absl::StatusOr<Setting> ParseSetting(const std::string& text) {
  const std::pair<std::string, std::string> parts =
      absl::StrSplit(text, absl::MaxSplits(':', 1));
  const absl::StatusOr<Weighting> weighting = ParseWeighting(parts.first);
  if (!weighting.ok()) return weighting.status();
  const absl::StatusOr<Decimal> beta = ParseDecimal(parts.second);
  if (!beta.ok()) return beta.status();
  return Setting{*weighting, *beta};
}

absl::Status RunSetting(const std::string& data, const std::string& setting,
                        const DocumentMatrix& counts) {
  const absl::StatusOr<Setting> parsed = ParseSetting(setting);
  if (!parsed.ok()) return parsed.status();
  const absl::StatusOr<DocumentMatrix> documents =
      ApplyWeighting(counts, parsed->weighting);
  if (!documents.ok()) return documents.status();
  const int repeat = std::max(1, absl::GetFlag(FLAGS_repeat));

  CsrGraph plain;
  double plain_cpu = 0;
  double plain_wall = 0;
  if (absl::GetFlag(FLAGS_plain)) {
    for (int r = 0; r < repeat; ++r) {
      const double wall_start = WallSeconds();
      const double cpu_start = CpuSeconds();
      plain = PlainHalfJoin(*documents, parsed->beta);
      const double cpu = CpuSeconds() - cpu_start;
      const double wall = WallSeconds() - wall_start;
      plain_cpu = r == 0 ? cpu : std::min(plain_cpu, cpu);
      plain_wall = r == 0 ? wall : std::min(plain_wall, wall);
    }
  }
  std::vector<std::string> levels = absl::GetFlag(FLAGS_simd);
  if (levels.empty()) levels = {"best"};
  for (const std::string& level : levels) {
    for (const std::string& threads : absl::GetFlag(FLAGS_threads)) {
      CosineGraphOptions options;
      options.beta = parsed->beta;
      if (!absl::SimpleAtoi(threads, &options.num_threads)) {
        return absl::InvalidArgumentError("threads: a list of numbers");
      }
      CosineFilterPlan plan = DefaultCosineFilterPlan();
      if (level != "best") {
        const absl::StatusOr<SimdLevel> parsed_level = ParseLevel(level);
        if (!parsed_level.ok()) return parsed_level.status();
        plan.simd = *parsed_level;
      }
      if (absl::GetFlag(FLAGS_tile) > 0) {
        plan.tile_columns = absl::GetFlag(FLAGS_tile);
      }
      plan.dense_share = absl::GetFlag(FLAGS_dense_share);
      double wall = 0;
      double cpu = 0;
      int64_t edges = 0;
      bool same = true;
      for (int r = 0; r < repeat; ++r) {
        const double wall_start = WallSeconds();
        const double cpu_start = CpuSeconds();
        const absl::StatusOr<CsrGraph> graph =
            CosineGraphCpuWithPlan(*documents, options, plan);
        const double cpu_seconds = CpuSeconds() - cpu_start;
        const double wall_seconds = WallSeconds() - wall_start;
        if (!graph.ok()) return graph.status();
        wall = r == 0 ? wall_seconds : std::min(wall, wall_seconds);
        cpu = r == 0 ? cpu_seconds : std::min(cpu, cpu_seconds);
        edges = graph->num_edges();
        same = graph->offsets == plain.offsets &&
               graph->neighbors == plain.neighbors &&
               graph->weights == plain.weights;
      }
      std::printf("%s\t%d\t%s\t%s\t%d\t%lld\t%.3f\t%.3f", data.c_str(),
                  documents->num_documents(), setting.c_str(), level.c_str(),
                  options.num_threads, static_cast<long long>(edges), wall,
                  cpu);
      if (absl::GetFlag(FLAGS_plain)) {
        std::printf("\t%.3f\t%.3f\t%.2f\t%.2f\t%s", plain_wall, plain_cpu,
                    plain_wall / wall, plain_cpu / cpu,
                    same ? "same" : "DIFFERENT");
      } else {
        std::printf("\t-\t-\t-\t-\t-");
      }
      std::printf("\t%lld\n",
                  static_cast<long long>(PeakResidentBytes() >> 20));
      std::fflush(stdout);
      if (absl::GetFlag(FLAGS_plain) && !same) {
        return absl::InternalError("the graphs differ");
      }
    }
  }
  return absl::OkStatus();
}

absl::Status RunAll() {
  std::printf(
      "data\tdocuments\tsetting\tsimd\tthreads\tedges\twall\tcpu\t"
      "plain_wall\tplain_cpu\twall_ratio\tcpu_ratio\tgraphs\tpeak_mib\n");
  std::vector<std::string> paths = absl::GetFlag(FLAGS_data);
  if (paths.empty()) paths = {""};
  for (const std::string& path : paths) {
    DocumentMatrix counts;
    std::string name = "generated";
    if (path.empty()) {
      ZipfDocumentsOptions generated;
      generated.num_documents = absl::GetFlag(FLAGS_generated);
      generated.num_terms = 20000;
      generated.offset = 5;
      counts = ZipfDocuments(generated);
    } else {
      absl::StatusOr<LabelledDocuments> read = ReadSvmLight(path);
      if (!read.ok()) return read.status();
      counts = std::move(read->documents);
      name = path.substr(path.rfind('/') + 1);
    }
    for (const std::string& setting : absl::GetFlag(FLAGS_settings)) {
      absl::Status status = RunSetting(name, setting, counts);
      if (!status.ok()) return status;
    }
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) {
  absl::SetProgramUsageMessage(
      "the CPU cosine graph beside a plain half join; "
      "--data=a.svm.gz,b.svm.gz");
  absl::ParseCommandLine(argc, argv);
  const absl::Status status = warpclust::RunAll();
  if (!status.ok()) {
    std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
    return 2;
  }
  return 0;
}
