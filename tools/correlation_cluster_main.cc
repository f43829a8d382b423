// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// correlation_cluster: clusters of a signed network, as many as fit best.

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "algorithms/correlation/correlation_clustering.h"
#include "algorithms/correlation/search/search_control.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "graph/cover/cover.h"
#include "graph/io/cover_io.h"
#include "graph/io/signed_edge_list.h"
#include "graph/signed/signed_graph.h"
#include "tools/cli/cli.h"
#include "tools/cli/flag_set.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/json_writer.h"
#include "tools/cli/output_names.h"
#include "tools/cli/run_report.h"
#include "tools/cli/text_sink.h"
#include "tools/input/read_signed_graph.h"

namespace warpclust {
namespace {

struct Options {
  SignedEdgeListOptions read;
  std::string method = "auto";
  int64_t iterations = 0;
  int64_t no_improvement = 0;
  Decimal alpha = "1";
  int64_t neighborhood = 1;
  int64_t ils_iterations = 5;
  int64_t perturbation_max = 30;
  double time_limit = 0;
};

// A flag that only some methods know.
struct MethodFlag {
  absl::string_view flag;
  std::vector<absl::string_view> methods;
};

absl::Status CheckMethodFlags(const Options& options, const FlagSet& flags) {
  const std::vector<MethodFlag> kMethodFlags = {
      {"no_improvement", {"auto", "grasp"}}, {"alpha", {"grasp", "ils"}},
      {"neighborhood", {"grasp", "ils"}},    {"ils_iterations", {"ils"}},
      {"perturbation_max", {"ils"}},
  };
  for (const MethodFlag& known : kMethodFlags) {
    if (!flags.WasGiven(known.flag)) continue;
    bool fits = false;
    for (absl::string_view method : known.methods) {
      fits = fits || method == options.method;
    }
    if (!fits) {
      return UsageError(absl::StrCat(
          "--", known.flag,
          " is for --method=", absl::StrJoin(known.methods, " and --method="),
          ", and the method is ", options.method));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<CorrelationOptions> LibraryOptions(const Options& options,
                                                  const FlagSet& flags,
                                                  const ToolRun& run) {
  absl::Status status = CheckMethodFlags(options, flags);
  if (!status.ok()) return status;
  CorrelationOptions result;
  if (options.method == "grasp") result.method = CorrelationMethod::kGrasp;
  if (options.method == "ils") result.method = CorrelationMethod::kIls;
  result.seed = static_cast<uint64_t>(run.options.seed);
  result.device = run.device;
  result.num_threads = run.threads;
  result.iterations = options.iterations;
  result.no_improvement = options.no_improvement;
  result.alpha = options.alpha.ToDouble();
  if (!(result.alpha >= 0 && result.alpha <= 1)) {
    return UsageError(
        absl::StrCat("--alpha: expected a number from 0 to 1, found ",
                     FormatDecimal(options.alpha)));
  }
  result.neighborhood = static_cast<int>(options.neighborhood);
  result.ils_iterations = options.ils_iterations;
  result.perturbation_max = options.perturbation_max;
  status = result.Validate();
  if (!status.ok()) return UsageError(status.message());
  return result;
}

// Exactly; units_per_one is a power of ten.
std::string WeightText(const SignedGraph& graph, int64_t units) {
  return FormatDecimal({units, graph.units_per_one});
}

std::string NumberText(double value) {
  StringSink sink;
  JsonWriter(&sink).Double(value);
  return sink.text();
}

Cover CoverOf(const CorrelationResult& result) {
  Cover cover;
  cover.offsets.assign(static_cast<size_t>(result.num_clusters) + 1, 0);
  for (const int32_t label : result.labels) ++cover.offsets[label + 1];
  for (int32_t c = 0; c < result.num_clusters; ++c) {
    cover.offsets[c + 1] += cover.offsets[c];
  }
  cover.members.resize(result.labels.size());
  std::vector<int64_t> next(cover.offsets.begin(), cover.offsets.end() - 1);
  for (size_t v = 0; v < result.labels.size(); ++v) {
    cover.members[next[result.labels[v]]++] = static_cast<int32_t>(v);
  }
  return cover;
}

// What a cluster costs, by net weights.
struct ClusterCost {
  int64_t negative_inside = 0;
  int64_t positive_outside = 0;
};

std::vector<ClusterCost> ClusterCosts(const SignedGraph& graph,
                                      const CorrelationResult& result) {
  std::vector<ClusterCost> costs(static_cast<size_t>(result.num_clusters));
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    ClusterCost& cost = costs[result.labels[v]];
    for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
      const int32_t u = graph.neighbors[i];
      const int64_t weight = graph.weights[i];
      const bool together = result.labels[u] == result.labels[v];
      // An edge inside is in two rows of one cluster.
      if (together && weight < 0 && u < v) cost.negative_inside -= weight;
      if (!together && weight > 0) cost.positive_outside += weight;
    }
  }
  return costs;
}

std::string StartsText(int64_t starts) {
  return Counted(starts, {"start", "starts"});
}

std::string ProgressText(const SignedGraph& graph,
                         const SearchControl& control) {
  std::string text = StartsText(control.starts());
  const int64_t best = control.best();
  if (best != std::numeric_limits<int64_t>::max()) {
    absl::StrAppend(&text, ", best I(P) ", WeightText(graph, best));
  }
  return text;
}

// When the search came to what it returned.
double SecondsToBest(
    const std::vector<SearchControl::Improvement>& improvements) {
  return improvements.empty() ? 0 : improvements.back().seconds;
}

void Note(const SignedGraph& graph, const CorrelationResult& result,
          absl::string_view stopped, double seconds, double seconds_to_best,
          const ToolRun& run) {
  if (stopped == "signal") {
    run.Note(absl::StrFormat(
        "interrupted after %.1f s: the best partition found so far follows",
        seconds));
  } else if (stopped == "time_limit") {
    run.Note("the time limit ended the search");
  }
  const std::string imbalance = WeightText(graph, result.imbalance);
  run.Note(absl::StrFormat("I(P) = %s, found after %.2f s; %s", imbalance,
                           seconds_to_best, StartsText(result.starts)));
  if (run.options.input.empty()) {
    const bool reached =
        result.imbalance == kBundledSignedGraphOptimum * graph.units_per_one;
    run.Note(absl::StrCat(kBundledSignedGraphOptimum,
                          " is the proved optimum of this example: it was ",
                          reached ? "reached" : "not reached"));
  } else if (result.proven_optimal) {
    run.Note("this is optimal: every partition costs at least as much");
  }
}

void Report(const SignedGraph& graph, const CorrelationResult& result,
            const std::vector<SearchControl::Improvement>& improvements,
            const Options& options, absl::string_view stopped,
            RunReport* report) {
  report->n = graph.num_vertices();
  report->n_noun = {"vertex", "vertices"};
  report->edges = graph.num_edges();
  report->clusters = result.num_clusters;
  report->memberships = graph.num_vertices();
  report->objective = WeightText(graph, result.imbalance);
  report->objective_noun = "I(P)";
  const std::string trace = absl::StrJoin(
      improvements, ",",
      [&](std::string* text, const SearchControl::Improvement& step) {
        absl::StrAppend(text, "[", NumberText(step.seconds), ",",
                        WeightText(graph, step.imbalance), "]");
      });
  report->extra = {
      {"method", absl::StrCat("\"", options.method, "\"")},
      {"balance",
       WeightText(graph, graph.positive_weight + graph.negative_weight -
                             result.imbalance)},
      {"positive_weight", WeightText(graph, graph.positive_weight)},
      {"negative_weight", WeightText(graph, graph.negative_weight)},
      {"constant_cost", WeightText(graph, graph.constant_cost)},
      {"proven_optimal", result.proven_optimal ? "true" : "false"},
      {"starts", absl::StrCat(result.starts)},
      {"stopped", absl::StrCat("\"", stopped, "\"")},
      {"seconds_to_best", NumberText(SecondsToBest(improvements))},
      {"improvements", absl::StrCat("[", trace, "]")},
  };
}

absl::Status Cluster(const Options& options, const FlagSet& flags,
                     ToolRun& run) {
  ASSIGN_OR_RETURN(const CorrelationOptions library_options,
                   LibraryOptions(options, flags, run));
  ASSIGN_OR_RETURN(const std::string path, SignedGraphPath(run));
  SignedEdgeList network;
  {
    ToolRun::Timer timer(&run, "read");
    ASSIGN_OR_RETURN(
        SignedEdgeList read,
        ReadSignedGraph(path, run.options.input_format, options.read));
    network = std::move(read);
  }
  const SignedGraph& graph = network.graph;
  if (network.skipped_loops > 0) {
    run.Note(
        absl::StrCat("loops left out: ", GroupDigits(network.skipped_loops)));
  }

  RETURN_IF_ERROR(CheckOutputNames(network.ids, path, run));
  SearchControl control(options.time_limit);
  // Until the output is written, so that a second signal of one interrupt finds
  // it complete.
  const StopOnSignal stop(
      [](void* search) { static_cast<SearchControl*>(search)->RequestStop(); },
      &control);
  absl::StatusOr<CorrelationResult> result;
  {
    ToolRun::Timer timer(&run, "compute");
    run.progress.SetStatus([&] { return ProgressText(graph, control); });
    result = CorrelationClustering(graph, library_options, &control);
    run.progress.SetStatus(nullptr);
  }
  if (!result.ok()) return result.status();
  const double seconds = control.seconds();
  const std::vector<SearchControl::Improvement> improvements =
      control.improvements();
  const absl::string_view stopped = !result->stopped   ? "no"
                                    : stop.requested() ? "signal"
                                                       : "time_limit";
  Note(graph, *result, stopped, seconds, SecondsToBest(improvements), run);
  Report(graph, *result, improvements, options, stopped, &run.report);

  ToolRun::Timer timer(&run, "write");
  const auto write = [&run](absl::string_view text) { run.output.Write(text); };
  const Cover cover = CoverOf(*result);
  if (run.options.format == "tsv") {
    return WriteCoverTsv(cover, network.ids, write);
  }
  const std::vector<ClusterCost> costs = ClusterCosts(graph, *result);
  return WriteCoverJson(
      cover, network.ids, write, [&](int32_t cluster, std::string* json) {
        const ClusterCost& cost = costs[cluster];
        absl::StrAppend(
            json,
            ",\"negative_inside\":", WeightText(graph, cost.negative_inside),
            ",\"positive_outside\":", WeightText(graph, cost.positive_outside));
      });
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) {
  warpclust::Tool tool({
      .name = "correlation_cluster",
      .summary = "clusters of a signed network (correlation clustering)",
      .usage = "[--input=PATH|-] [--time_limit=S] [flags]",
      .description =
          "Edges of positive weight attract, those of negative weight repel. "
          "Looks for the partition, into as many clusters as fit best, of the "
          "least imbalance I(P): the weight of negative edges inside clusters "
          "and of positive edges between them. Finding the least is NP-hard; "
          "this is a search, and more time can find better. I(P) of what it "
          "returns is exact.\n\n"
          "Reads lines `u v [weight]` with `#` comments and vertices of any "
          "name, or a MatrixMarket matrix. Writes `id<TAB>cluster`, a line for "
          "every vertex, or JSON with what each cluster costs. A search that "
          "ends by itself gives the same bytes for the same seed, on every "
          "device and with any number of threads. Ctrl-C (or SIGTERM) ends it "
          "early: the best partition found so far is written and the exit code "
          "is 0; a second one, half a second later or more, kills.",
      .examples = {"correlation_cluster --input=epinions.txt.gz --skip_loops > "
                   "clusters.tsv",
                   "correlation_cluster --input=network.mtx --time_limit=60 "
                   "--format=json",
                   "correlation_cluster --input=network.txt --method=ils "
                   "--seed=7",
                   "generate --kind=signed --n=400 --density=0.1 | "
                   "correlation_cluster --input=-"},
      .uses_gpu = true,
  });
  warpclust::Options options;
  constexpr int64_t kMany = std::numeric_limits<int64_t>::max();
  tool.AddInputFlags(warpclust::SignedGraphFormats());
  warpclust::FlagSet& flags = tool.flags();
  flags.AddBool("sign_only", &options.read.sign_only,
                "Refuse every weight but 1 and -1.");
  flags.AddBool("skip_loops", &options.read.skip_loops,
                "Leave out edges from a vertex to itself instead of refusing "
                "them.");
  flags.Group("Search");
  flags.AddChoice("method", &options.method, {"auto", "grasp", "ils"},
                  "auto is the best we know; grasp and ils are those of "
                  "Levorato et al. 2015, with their parameters as defaults.");
  flags.AddNumber("time_limit", &options.time_limit,
                  "Seconds after which the best partition found so far is the "
                  "answer; auto searches that long unless --iterations or "
                  "--no_improvement is given. 0 for no limit.");
  flags.AddInt("iterations", &options.iterations, 0, kMany,
               "Most rounds of auto (0: 5), restarts of ils (0: 10), starts of "
               "grasp (0: no limit).");
  flags.AddInt("no_improvement", &options.no_improvement, 0, kMany,
               "End after so many rounds of auto (0: 3) or starts of grasp (0: "
               "400) without improvement.");
  flags.Group("Methods grasp and ils");
  flags.AddDecimal("alpha", &options.alpha,
                   "Construction: the share of the candidates, from the best "
                   "down, to draw the next vertex from. 0 takes the best, 1 "
                   "any.");
  flags.AddInt("neighborhood", &options.neighborhood, 1, 2,
               "Most vertices that the descent moves at once.");
  flags.AddInt("ils_iterations", &options.ils_iterations, 1, kMany,
               "ils: failures in a row before one more vertex is perturbed.");
  flags.AddInt("perturbation_max", &options.perturbation_max, 1, kMany,
               "ils: most vertices that a perturbation moves.");
  tool.AddOutputFlags({"tsv", "json"});
  tool.AddRunFlags();
  return tool.Run(argc, argv, [&](warpclust::ToolRun& run) {
    return warpclust::Cluster(options, tool.flags(), run);
  });
}
