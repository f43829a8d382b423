// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// correlation_cluster: clusters of a signed network.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "algorithms/correlation/correlation_clustering.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "base/machine/heap_growth.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "eval/imbalance.h"
#include "eval/labels.h"
#include "graph/cover/cover.h"
#include "graph/io/graph_export.h"
#include "graph/io/signed_edge_list.h"
#include "graph/signed/signed_graph.h"
#include "kernels/device/device_choice.h"
#include "tools/bound/lower_bound.h"
#include "tools/cli/cli.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/cli/process/interrupt.h"
#include "tools/cli/write_cover.h"
#include "tools/correlation/constraint_flags.h"
#include "tools/correlation/search_report.h"
#include "tools/input/read_signed_graph.h"
#include "tools/report/network_page.h"
#include "tools/report/report_file.h"

namespace warpclust {
namespace {

struct Options {
  SignedEdgeListOptions read;
  std::string method = "auto";
  Decimal alpha = "1";
  double time_limit = 0;
  std::string report;
  LowerBoundFlags bound;
  ConstraintFlags constraints;
  // The other flags of the search.
  CorrelationOptions search;
};

// Refuses flags that the method does not have.
absl::Status CheckMethodFlags(absl::string_view name, CorrelationMethod method,
                              const FlagSet& flags) {
  const bool is_auto = method == CorrelationMethod::kAuto;
  const bool is_ils = IsIls(method);
  const struct {
    absl::string_view flag;
    bool fits;
    absl::string_view methods;
  } kFlags[] = {{"no_improvement", !is_ils, "auto and the methods of GRASP"},
                {"alpha", !is_auto, "the methods of GRASP and ILS"},
                {"neighborhood", !is_auto, "the methods of GRASP and ILS"},
                {"ils_iterations", is_ils, "the methods of ILS"},
                {"perturbation_max", is_ils, "the methods of ILS"},
                {"initial", is_auto, "auto"}};
  for (const auto& [flag, fits, methods] : kFlags) {
    if (flags.WasGiven(flag) && !fits) {
      return UsageError(absl::StrCat("--", flag, " is for ", methods,
                                     "; --method is ", name));
    }
  }
  if (flags.WasGiven("fixed") && !flags.WasGiven("initial")) {
    return UsageError("--fixed keeps clusters of --initial, which is missing");
  }
  return absl::OkStatus();
}

absl::StatusOr<CorrelationOptions> LibraryOptions(const Options& options,
                                                  const FlagSet& flags,
                                                  const ToolRun& run) {
  CorrelationOptions result = options.search;
  ASSIGN_OR_RETURN(result.method, ParseCorrelationMethod(options.method));
  RETURN_IF_ERROR(CheckMethodFlags(options.method, result.method, flags));
  result.seed = static_cast<uint64_t>(run.options.seed);
  result.device = run.requested;
  result.num_threads = run.threads;
  result.alpha = options.alpha.ToDouble();
  if (const absl::Status status = result.Validate(); !status.ok()) {
    return UsageError(status.message());
  }
  return result;
}

// --format=graphml and gexf: an edge has the net weight of its pair.
absl::Status WriteGraph(const SignedGraph& graph,
                        const std::vector<std::string>& ids, const Cover& cover,
                        ToolRun& run) {
  ExportedNodes nodes;
  nodes.ids = ids;
  nodes.cover = &cover;
  const auto edges = [&graph](UseExportedEdge use) {
    for (int32_t u = 0; u < graph.num_vertices(); ++u) {
      for (int64_t k = 0; k < graph.Degree(u); ++k) {
        const int32_t v = graph.NeighborsOf(u)[k];
        if (v > u) use(u, v, WeightText(graph, graph.WeightsOf(u)[k]));
      }
    }
  };
  const auto write = run.sink();
  return run.options.format == "gexf" ? WriteGexf(nodes, edges, write)
                                      : WriteGraphMl(nodes, edges, write);
}

// Every rank reads the network, and rank 0 writes the clusters.
absl::Status CheckRanks(const ToolRun& run) {
  if (run.ranks.size() == 1) return absl::OkStatus();
  if (run.options.input == "-") {
    return UsageError(
        "--input=-: standard input goes to one rank only; give a file that all "
        "ranks or GPUs can read");
  }
  if (run.WritesParts()) {
    return UsageError(
        "--output: expected a path without %r, because every rank has all "
        "clusters");
  }
  return absl::OkStatus();
}

absl::Status Cluster(const Options& options, const FlagSet& flags,
                     ToolRun& run) {
  ASSIGN_OR_RETURN(CorrelationOptions library_options,
                   LibraryOptions(options, flags, run));
  RETURN_IF_ERROR(
      !flags.WasGiven("certificate")
          ? absl::OkStatus()
          : RefuseFlags(flags, {"must_link", "cannot_link", "fixed"},
                        "does not go with --certificate, which is a proof "
                        "about all partitions; --bound respects it"));
  RETURN_IF_ERROR(CheckRanks(run));
  const bool is_first = run.ranks.rank() == 0;
  ASSIGN_OR_RETURN(ReportFile page,
                   ReportFile::Open(is_first ? options.report : ""));
  ASSIGN_OR_RETURN(
      LowerBound bound,
      LowerBound::Open(is_first ? options.bound : LowerBoundFlags()));
  ASSIGN_OR_RETURN(const std::string path, InputOrExample(run, "tribes.txt"));
  ASSIGN_OR_RETURN(const SignedEdgeList network, run.Timed("read", [&] {
    SignedEdgeListOptions read_options = options.read;
    read_options.num_threads = run.threads;
    return ReadSignedGraph(path, run.options.input_format, read_options,
                           run.InputNotes(), run.progress.work());
  }));
  // Steps of a search allocate arrays of about the same sizes.
  KeepFreedMemory();
  const SignedGraph& graph = network.graph;
  NoteOnNetwork(network, path, run);
  RETURN_IF_ERROR(CheckOutputNames(network.ids, path, run));
  RETURN_IF_ERROR(run.Timed("read", [&] {
    return ReadConstraints(options.constraints, network.ids, run,
                           &library_options);
  }));
  const SignedJob job = {graph.num_vertices(), graph.num_edges(),
                         library_options.iterations};
  ASSIGN_OR_RETURN(library_options.device,
                   library_options.method == CorrelationMethod::kAuto
                       ? run.ChooseDevice(Expect(job, run.threads))
                       : run.ResolveDevice());

  SearchControl control(options.time_limit);
  // Lives until the output is written, so that the second signal of an
  // interrupt does not kill the tool while it writes. A stop of one rank is
  // that of all.
  std::optional<StopOnSignal> stop;
  if (run.IsFirstOfProcess()) {
    stop.emplace(
        [](void* search) {
          static_cast<SearchControl*>(search)->RequestStop();
        },
        &control);
  }
  CorrelationResult result;
  {
    ToolRun::Timer timer(&run, "compute");
    run.progress.SetStatus([&] { return SearchProgress(graph, control); });
    if (options.time_limit > 0) {
      run.progress.SetShare(
          [&] { return control.seconds() / options.time_limit; });
    }
    absl::StatusOr<CorrelationResult> found =
        CorrelationClustering(graph, library_options, &control, &run.ranks);
    run.progress.SetStatus(nullptr);
    run.progress.SetShare(nullptr);
    ASSIGN_OR_RETURN(result, std::move(found));
  }
  RETURN_IF_ERROR(bound.Prove(graph, library_options, control, &result, run));
  const bool stopped_early = result.stopped || bound.proof().packing.stopped;
  const bool by_signal = stop.has_value() && stop->requested();
  const SearchEnd end = {.stopped = !stopped_early ? "no"
                                    : by_signal    ? "signal"
                                                   : "time_limit",
                         .seconds = control.seconds(),
                         .improvements = control.improvements()};
  NoteOnSearch(graph, result, !library_options.constraints.empty(), end, run);
  ReportSearch(graph, result, options.method, end, &run.report);
  if (!library_options.initial.empty()) {
    run.report.extra.push_back(
        {"initial_objective",
         WeightText(graph, Imbalance(graph, library_options.initial))});
  }
  if (!is_first) return absl::OkStatus();
  bound.Report(graph, result, &run.report);

  ToolRun::Timer timer(&run, "write");
  RETURN_IF_ERROR(bound.Write(graph));
  if (page.wanted()) {
    NetworkPageOptions about = {.title = ReportTitle(path),
                                .command = ReportCommand(run, flags),
                                .seconds = end.seconds};
    if (bound.wanted()) {
      about.lower_bound = bound.proof().bound;
      about.bounds = bound.proof().packing.steps;
    }
    const auto write = absl::EndsWith(options.report, ".json")
                           ? WriteNetworkJson
                           : WriteNetworkPage;
    RETURN_IF_ERROR(write(graph, network.ids, result, end.improvements, about,
                          page.sink()));
    RETURN_IF_ERROR(page.Close());
  }
  ASSIGN_OR_RETURN(const Cover cover, CoverFromLabels(result.labels));
  if (run.options.format == "graphml" || run.options.format == "gexf") {
    return WriteGraph(graph, network.ids, cover, run);
  }
  const std::vector<ClusterImbalance> costs =
      ClusterImbalances(graph, result.labels, result.num_clusters);
  return WriteCover(
      cover, network.ids,
      [&](int32_t cluster, std::string* json) {
        const ClusterImbalance& cost = costs[cluster];
        absl::StrAppend(
            json,
            ",\"negative_inside\":", WeightText(graph, cost.negative_inside),
            ",\"positive_outside\":", WeightText(graph, cost.positive_outside));
      },
      run);
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) {
  warpclust::Tool tool({
      .name = "correlation_cluster",
      .summary = "clusters of a signed network (correlation clustering)",
      .usage = "[--input=PATH|-] [--time_limit=S] [flags]",
      .description =
          "Edges of positive weight attract, edges of negative weight repel. "
          "The tool looks for the partition, with any number of clusters, that "
          "has the smallest imbalance I(P): the weight of the negative edges "
          "inside clusters plus that of the positive edges between them. This "
          "problem is NP-hard, so the search is heuristic: more time may find "
          "a better partition. The reported I(P) is exact.\n\n"
          "Reads lines `u v [weight]` with `#` comments and vertices of any "
          "name, or a MatrixMarket matrix. Writes one line `id<TAB>cluster` "
          "per vertex, or JSON with the cost of each cluster, CSV, or the "
          "network with its clusters (GraphML, GEXF). A search that "
          "ends by itself gives the same bytes for the same seed, on every "
          "device and with any number of threads. In builds with MPI, mpirun "
          "shares the search among processes, with the same bytes; each holds "
          "the whole network. Ctrl-C (or SIGTERM) ends it "
          "early: the best partition found so far is written, and the exit "
          "code is 0. A second Ctrl-C, at least half a second later, kills.",
      .examples = {"correlation_cluster --input=epinions.txt.gz --skip_loops > "
                   "clusters.tsv",
                   "correlation_cluster --input=network.mtx --time_limit=60 "
                   "--format=json",
                   "correlation_cluster --input=network.txt --method=seq_ils "
                   "--seed=7",
                   "correlation_cluster --input=today.txt "
                   "--initial=yesterday.tsv --time_limit=1",
                   "mpirun -n 4 correlation_cluster --input=network.txt",
                   "generate --kind=signed --n=400 --density=0.1 | "
                   "correlation_cluster --input=-"},
      .uses_gpu = true,
      .uses_ranks = true,
      .uses_gpus = true,
  });
  warpclust::Options options;
  constexpr int64_t kMany = std::numeric_limits<int64_t>::max();
  tool.AddInputFlags({"auto", "edges", "matrixmarket"});
  warpclust::FlagSet& flags = tool.flags();
  flags.AddBool("sign_only", &options.read.sign_only,
                "Refuse weights other than 1 and -1.");
  flags.AddBool("skip_loops", &options.read.skip_loops,
                "Leave out edges from a vertex to itself instead of refusing "
                "them.");
  flags.Group("Search");
  flags.AddChoice("method", &options.method,
                  {"auto", "seq_grasp", "seq_ils", "grasp_cudavnd",
                   "ils_cudavnd", "grasp", "ils"},
                  "auto is the best method. The others are SeqGRASP, SeqILS, "
                  "GRASP/CUDAVND and ILS/CUDAVND of Levorato et al. 2015, with "
                  "their parameters as defaults; grasp and ils are older names "
                  "of the first two. All run on every device.");
  flags.AddNumber("time_limit", &options.time_limit,
                  "Seconds after which the best partition found so far is the "
                  "result; auto searches that long unless --iterations or "
                  "--no_improvement is given. 0 for no limit; the paper has "
                  "7200.");
  flags.AddInt(
      "iterations", &options.search.iterations, 0, kMany,
      "Maximum number of rounds of auto (0: 5), restarts of ILS (0: 10) "
      "or starts of GRASP (0: no limit).");
  flags.AddInt("no_improvement", &options.search.no_improvement, 0, kMany,
               "End after this many rounds of auto (0: 3) or starts of GRASP "
               "(0: 400) without improvement.");
  warpclust::AddConstraintFlags(&options.constraints, &flags);
  flags.Group("Methods of GRASP and ILS");
  flags.AddDecimal("alpha", &options.alpha,
                   "Construction: the next vertex is drawn from this share of "
                   "the candidates, the best ones. 0 takes the best, 1 any.",
                   warpclust::FlagSet::Range::kZeroToOne);
  flags.AddInt(
      "neighborhood", &options.search.neighborhood, 1, 2,
      "Maximum number of vertices that the local search moves at once.");
  flags.AddInt("ils_iterations", &options.search.ils_iterations, 1, kMany,
               "ILS: failures in a row before one more vertex is perturbed.");
  flags.AddInt("perturbation_max", &options.search.perturbation_max, 1, kMany,
               "ILS: maximum number of vertices that a perturbation moves.");
  warpclust::AddLowerBoundFlags(&options.bound, &flags);
  tool.AddOutputFlags({"tsv", "json", "csv", "graphml", "gexf"});
  warpclust::AddReportFlag(
      &options.report,
      "clusters by size and cost, the edges that contradict them, how each "
      "vertex is bound to its cluster, how stable it is over the best "
      "partitions that were found, and I(P) over time. PATH.json: the same as "
      "JSON.",
      &flags);
  tool.AddRunFlags();
  return tool.Run(argc, argv, [&](warpclust::ToolRun& run) {
    return warpclust::Cluster(options, tool.flags(), run);
  });
}
