// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// oclustr: overlapping clusters of documents, or of the vertices of a graph.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "algorithms/oclustr/oclustr.h"
#include "algorithms/oclustr/oclustr_documents.h"
#include "algorithms/oclustr/oclustr_json.h"
#include "algorithms/oclustr/oclustr_sweep.h"
#include "base/io/line_reader.h"
#include "base/io/npy_header.h"
#include "base/io/row_watch.h"
#include "base/machine/stopwatch.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cosine_graph.h"
#include "graph/cosine/cosine_job.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/exact_cosines.h"
#include "graph/csr/csr_graph.h"
#include "graph/hierarchy/single_linkage.h"
#include "graph/io/edge_list_reader.h"
#include "graph/io/graph_export.h"
#include "kernels/device.h"
#include "kernels/device_choice.h"
#include "kernels/early_upload.h"
#include "tools/cli/cli.h"
#include "tools/cli/flag_set.h"
#include "tools/cli/write_cover.h"
#include "tools/describe/choose_beta.h"
#include "tools/describe/describe_flags.h"
#include "tools/describe/read_named.h"
#include "tools/describe/threshold_sweep.h"
#include "tools/describe/write_stars.h"
#include "tools/input/input_format.h"
#include "tools/input/read_dense.h"
#include "tools/input/read_documents.h"
#include "tools/ranks/oclustr_on_ranks.h"
#include "tools/report/documents_page.h"
#include "tools/report/report_file.h"

namespace warpclust {
namespace {

struct Options {
  DocumentOptions documents;
  DenseFlags dense;
  DescribeFlags describe;
  // None: chosen.
  absl::optional<Decimal> beta;
  std::string sweep;
  std::string hierarchy;
  ReportFile hierarchy_file;
};

// Where nothing chooses.
constexpr Decimal kBeta = "0.25";

bool IsGraphFormat(const ToolRun& run) {
  return run.options.format == "graphml" || run.options.format == "gexf";
}

// What is clustered: documents, or only names and a graph.
struct Clustered {
  NamedDocuments named;
  bool has_documents = false;
  // Kept for the formats that have edges.
  CsrGraph graph;
};

// Reads documents, with titles and words if `describe`. If --beta is not known,
// chooses it, and --weighting unless it was given or they are embeddings.
absl::StatusOr<NamedDocuments> Read(const Input& input, bool describe,
                                    const FlagSet& flags, Options& options,
                                    ToolRun& run) {
  ToolRun::Timer timer(&run, "read");
  DocumentOptions reading = options.documents;
  reading.describe = describe;
  if (!options.beta.has_value()) {
    reading.choose =
        BetaChooser(flags, &options.beta, &options.documents.weighting, &run);
  }
  absl::StatusOr<NamedDocuments> named =
      ReadNamed(input, reading, options.dense, options.describe, flags, run);
  if (named.ok() && named->is_dense && !options.beta.has_value()) {
    RETURN_IF_ERROR(ChooseBeta(named->dense, flags, &options.beta, &run));
  }
  return named;
}

// Where to cluster documents at this β or above.
absl::StatusOr<Device> ChooseDevice(const NamedDocuments& named,
                                    const Decimal& beta, bool clusters_only,
                                    ToolRun& run) {
  if (named.is_dense) {
    return run.ChooseDevice(
        Expect(DenseCosineJob{named.dense.num_rows, named.dense.num_dimensions},
               run.threads));
  }
  CosineJob job = MeasureCosineJob(named.documents, beta, run.threads);
  job.clusters_only = clusters_only;
  return run.ChooseDevice(Expect(job, run.threads));
}

// --hierarchy: writes that of the documents, from their graph.
absl::Status WriteHierarchy(const CsrGraph& graph, const NamedDocuments& named,
                            ReportFile& file, ToolRun& run) {
  const Stopwatch stopwatch;
  const std::vector<double> rows =
      named.is_dense
          ? SingleLinkage(graph, ExactDenseCosines(named.dense, run.threads))
          : SingleLinkage(graph, ExactCosines(named.documents));
  run.report.AddSeconds("hierarchy", stopwatch.Seconds());
  const auto write = file.sink();
  write(NpyStart("<f8", {static_cast<int64_t>(rows.size() / 4), 4}));
  write({reinterpret_cast<const char*>(rows.data()),
         rows.size() * sizeof(double)});
  return file.Close();
}

// Clusters documents.
absl::StatusOr<OClustRResult> ClusterDocuments(
    Input input, OClustRDocumentsOptions clustering, const FlagSet& flags,
    Options& options, ToolRun& run, Clustered* clustered) {
  const bool needs_graph = IsGraphFormat(run) || !options.hierarchy.empty();
  const auto upload = needs_graph ? nullptr : EarlyUpload<float>::New();
  clustering.upload = upload.get();
  if (upload != nullptr) {
    input.watch = [&upload, &run](const RowsRead<float>& read) {
      const DenseCosineJob job = {read.least_rows(), read.num_columns};
      if (!run.WillUseCuda(Expect(job, run.threads))) return;
      upload->Write(read.first, read.values, read.num_values());
    };
  }
  NamedDocuments& named = clustered->named;
  ASSIGN_OR_RETURN(
      named, Read(input, NeedsDescriptions(options.describe, flags, run), flags,
                  options, run));
  clustering.graph.beta = *options.beta;
  clustered->has_documents = true;
  const std::string& named_by =
      options.documents.ids.empty() ? input.path : options.documents.ids;
  RETURN_IF_ERROR(CheckOutputNames(named.ids, named_by, run));
  RETURN_IF_ERROR(CheckExplained(options.describe, named.ids));
  ASSIGN_OR_RETURN(clustering.device,
                   ChooseDevice(named, *options.beta, !needs_graph, run));
  ToolRun::Timer timer(&run, "compute");
  if (!needs_graph) {
    return named.is_dense ? OClustRDocuments(named.dense, clustering)
                          : OClustRDocuments(named.documents, clustering);
  }
  ASSIGN_OR_RETURN(
      clustered->graph,
      named.is_dense
          ? CosineGraph(named.dense, clustering.graph, clustering.device)
          : CosineGraph(named.documents, clustering.graph, clustering.device));
  if (!options.hierarchy.empty()) {
    RETURN_IF_ERROR(
        WriteHierarchy(clustered->graph, named, options.hierarchy_file, run));
  }
  OClustROptions stages;
  stages.device = clustering.device;
  stages.num_threads = run.threads;
  return OClustR(clustered->graph, stages);
}

// Clusters the vertices of an edge list.
absl::StatusOr<OClustRResult> ClusterGraph(const Input& input,
                                           const EdgeListOptions& edge_options,
                                           const FlagSet& flags, ToolRun& run,
                                           Clustered* clustered) {
  RETURN_IF_ERROR(
      RefuseFlags(flags,
                  {"weighting", "stop_words", "stem", "language", "max_terms",
                   "ids", "text_column", "id_column", "text_field", "id_field",
                   "skip_bad_lines", "vector_field", "tensor", "titles",
                   "explain", "vocabulary", "hierarchy"},
                  "is for documents, and the input is a graph"));
  EdgeList edges;
  {
    ToolRun::Timer timer(&run, "read");
    ASSIGN_OR_RETURN(LineReader lines,
                     LineReader::Open(input.path, input.work));
    ASSIGN_OR_RETURN(edges, ReadEdgeList(lines, edge_options));
  }
  clustered->named.ids = std::move(edges.ids);
  RETURN_IF_ERROR(CheckOutputNames(clustered->named.ids, input.path, run));
  run.report.n_noun = {"vertex", "vertices"};
  OClustROptions options;
  ASSIGN_OR_RETURN(
      options.device,
      run.ChooseDevice(Expect(GraphJob{edges.graph.num_edges()}, run.threads)));
  ToolRun::Timer timer(&run, "compute");
  options.num_threads = run.threads;
  absl::StatusOr<OClustRResult> result = OClustR(edges.graph, options);
  clustered->graph = std::move(edges.graph);
  return result;
}

// --format=graphml and gexf.
absl::Status WriteGraph(const OClustRResult& result, const Clustered& clustered,
                        ToolRun& run) {
  const NamedDocuments& named = clustered.named;
  ExportedNodes nodes;
  nodes.ids = named.ids;
  nodes.titles = named.titles;
  nodes.cover = &result.cover;
  const auto edges = [&](UseExportedEdge use) {
    if (named.is_dense) {
      ForEachEdge(clustered.graph, ExactDenseCosines(named.dense, run.threads),
                  9, use);
    } else if (clustered.has_documents) {
      ForEachEdge(clustered.graph, ExactCosines(named.documents), 9, use);
    } else {
      ForEachEdge(clustered.graph, use);
    }
  };
  const auto write = [&run](absl::string_view text) { run.output.Write(text); };
  return run.options.format == "gexf" ? WriteGexf(nodes, edges, write)
                                      : WriteGraphMl(nodes, edges, write);
}

void ReportClusters(const OClustRResult& result, ToolRun& run) {
  run.report.edges = result.num_edges;
  run.report.clusters = result.cover.num_clusters();
  run.report.memberships = result.cover.num_memberships();
  run.report.alone = CountAlone(result.cover);
}

void ReportSeconds(const OClustRResult& result, ToolRun& run) {
  run.report.AddSeconds("graph", result.seconds.graph);
  run.report.AddSeconds("relevance", result.seconds.relevance);
  run.report.AddSeconds("covering", result.seconds.covering);
  run.report.AddSeconds("useful", result.seconds.useful);
}

// --sweep: the table, and the page of the run at --beta.
absl::Status Sweep(const FlagSet& flags, Options& options, ToolRun& run) {
  if (flags.WasGiven("beta") && !options.beta.has_value()) {
    return UsageError(
        "--beta=auto chooses, and --sweep writes a table to choose by");
  }
  options.beta = options.beta.value_or(kBeta);
  const Decimal beta = *options.beta;
  run.report.options = flags.Values();
  OClustRSweepOptions sweeping;
  ASSIGN_OR_RETURN(sweeping.betas, ParseSweep(options.sweep));
  std::vector<Decimal>& betas = sweeping.betas;
  RETURN_IF_ERROR(
      RefuseFlags(flags, {"titles", "explain"},
                  "is about one run, and --sweep writes a table of many"));
  if (run.options.format != "tsv" && run.options.format != "json") {
    return UsageError("--sweep writes --format=tsv or json");
  }
  const bool reports = !options.describe.report.empty();
  const auto below = [](const Decimal& a, const Decimal& b) {
    return a.numerator * b.denominator < b.numerator * a.denominator;
  };
  const auto same = [&](const Decimal& a, const Decimal& b) {
    return !below(a, b) && !below(b, a);
  };
  // Whether --beta is not in the table, only on the page.
  bool only_on_page = false;
  if (reports) {
    CosineGraphOptions graph;
    graph.beta = beta;
    RETURN_IF_ERROR(FlagError(graph.Validate()));
    const auto at = std::lower_bound(betas.begin(), betas.end(), beta, below);
    if (at != betas.end() && same(*at, beta)) {
      *at = beta;
    } else {
      betas.insert(at, beta);
      only_on_page = true;
    }
  } else {
    RETURN_IF_ERROR(RefuseFlags(flags, {"beta"},
                                "with --sweep is that of the page of --report, "
                                "which is not asked for"));
  }
  ASSIGN_OR_RETURN(
      const Input input,
      FindInputOrDense(run, /*edges_allowed=*/true, options.dense));
  if (input.format == InputFormat::kEdges) {
    return UsageError("--sweep is for documents, and the input is a graph");
  }
  ASSIGN_OR_RETURN(const NamedDocuments named,
                   Read(input, reports, flags, options, run));
  run.report.n = static_cast<int64_t>(named.ids.size());
  ASSIGN_OR_RETURN(sweeping.device, ChooseDevice(named, betas.front(),
                                                 /*clusters_only=*/false, run));
  sweeping.work = run.progress.work();
  sweeping.num_threads = run.threads;
  if (!options.hierarchy.empty()) {
    sweeping.use_graph = [&](const CsrGraph& graph) {
      return WriteHierarchy(graph, named, options.hierarchy_file, run);
    };
  }
  ThresholdSweep sweep(named, run.threads);
  OClustRResult reported;
  {
    ToolRun::Timer timer(&run, "compute");
    const auto use = [&](const Decimal& at, OClustRResult result) {
      ReportSeconds(result, run);
      const Stopwatch stopwatch;
      const bool on_page = reports && same(at, beta);
      if (!(on_page && only_on_page)) {
        RETURN_IF_ERROR(sweep.Add(at, result.num_edges, result));
      }
      run.report.AddSeconds("measures", stopwatch.Seconds());
      if (on_page) reported = std::move(result);
      return absl::OkStatus();
    };
    RETURN_IF_ERROR(named.is_dense
                        ? SweepOClustR(named.dense, sweeping, use)
                        : SweepOClustR(named.documents, sweeping, use));
  }
  ToolRun::Timer timer(&run, "write");
  if (reports) {
    ReportClusters(reported, run);
    RETURN_IF_ERROR(WriteStarsReport(reported, named, input.path, beta,
                                     options.describe, flags, run,
                                     sweep.steps()));
  }
  WriteSweep(sweep.steps(), run.options.format == "json",
             [&run](absl::string_view text) { run.output.Write(text); });
  return absl::OkStatus();
}

absl::Status Cluster(const FlagSet& flags, Options& options, ToolRun& run) {
  if (IsForRanks(run)) {
    return OClustROnRanks(flags, &options.documents, options.dense,
                          &options.beta, run);
  }
  ASSIGN_OR_RETURN(options.hierarchy_file, ReportFile::Open(options.hierarchy));
  if (flags.WasGiven("sweep")) return Sweep(flags, options, run);
  OClustRDocumentsOptions document_options;
  document_options.graph.beta = options.beta.value_or(kBeta);
  document_options.graph.work = run.progress.work();
  document_options.graph.num_threads = run.threads;
  RETURN_IF_ERROR(FlagError(document_options.graph.Validate()));
  // Edges already are a graph; a threshold applies only if it is asked for.
  EdgeListOptions edge_options;
  edge_options.num_threads = run.threads;
  const bool beta_known = options.beta.has_value();
  if (beta_known) edge_options.min_weight = options.beta->ToDouble();

  ASSIGN_OR_RETURN(
      const Input input,
      FindInputOrDense(run, /*edges_allowed=*/true, options.dense));
  if (input.format == InputFormat::kEdges && flags.WasGiven("beta") &&
      !beta_known) {
    return UsageError("--beta=auto is for documents, and the input is a graph");
  }
  if (flags.WasGiven("explain") && run.options.format != "tsv" &&
      run.options.format != "json") {
    return UsageError("--explain writes --format=tsv or json");
  }
  Clustered clustered;
  ASSIGN_OR_RETURN(
      const OClustRResult result,
      input.format == InputFormat::kEdges
          ? ClusterGraph(input, edge_options, flags, run, &clustered)
          : ClusterDocuments(input, document_options, flags, options, run,
                             &clustered));
  const std::vector<std::string>& ids = clustered.named.ids;
  run.report.n = static_cast<int64_t>(ids.size());
  ReportClusters(result, run);
  ReportSeconds(result, run);

  ToolRun::Timer timer(&run, "write");
  RETURN_IF_ERROR(WriteStarsReport(result, clustered.named, input.path,
                                   options.beta.value_or(Decimal{0, 1}),
                                   options.describe, flags, run));
  if (IsGraphFormat(run)) return WriteGraph(result, clustered, run);
  if (clustered.has_documents) {
    return WriteStars(result, clustered.named, options.describe, flags, run);
  }
  return WriteCover(
      result.cover, ids,
      [&](int32_t cluster, std::string* json) {
        AppendOClustRFields(result, ids, cluster, json);
      },
      run);
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) {
  warpclust::Tool tool({
      .name = "oclustr",
      .summary = "overlapping clusters of documents (OClustR)",
      .usage = "[--input=PATH|-] [--beta=X] [flags]",
      .description =
          "Joins every pair of documents whose cosine is at least --beta, and "
          "covers that graph with overlapping clusters. A cluster has a "
          "center, the documents joined to it (satellites), and linked "
          "documents, taken over from smaller clusters that were dropped. "
          "Every document is in at least one cluster; a document without an "
          "edge is a cluster of its own.\n\n"
          "Reads texts (JSON Lines with \"text\", CSV, plain lines, a "
          "directory of "
          ".txt files), vectors (svmlight, MatrixMarket), embeddings (NPY, "
          "fvecs, "
          "safetensors, JSON Lines with \"embedding\") or a graph (lines "
          "`u v [weight]`). Writes one line `id<TAB>cluster` per membership, "
          "or JSON with center, satellites and linked, and for documents with "
          "titles and top terms; or CSV, or the graph with its clusters "
          "(GraphML, GEXF). The same input gives the same bytes on every "
          "device and with any number of threads.\n\n"
          "An --input with *, ? or [ names many files, which follow one "
          "another in the order of their names. In builds with MPI, mpirun "
          "shares the documents among processes: give --beta, and files that "
          "all of them can read.",
      .examples = {"oclustr --input=news.jsonl.gz --beta=0.35 > clusters.tsv",
                   "oclustr --input=texts/ --weighting=tfidf --format=json "
                   "--output=clusters.json",
                   "oclustr --input=news.jsonl.gz --titles=titles.tsv "
                   "--output=clusters.tsv",
                   "oclustr --input=news.jsonl.gz --explain=reut-17",
                   "oclustr --input=news.jsonl.gz --sweep=0.05:0.6",
                   "similarity_graph --input=news.svm | oclustr --input=-",
                   "oclustr --input=vectors.npy --beta=0.8",
                   "mpirun -n 4 oclustr --input='part-*' --beta=0.35 "
                   "--output=out-%r.tsv",
                   "oclustr | evaluate"},
      .uses_gpu = true,
      .uses_ranks = true,
  });
  warpclust::Options options;
  tool.AddInputFlags({"auto", "jsonl", "lines", "csv", "directory", "svmlight",
                      "matrixmarket", "edges", "npy", "fvecs", "bvecs",
                      "safetensors", "jsonl_vectors"});
  tool.flags().Group("Clustering");
  tool.flags().AddDecimalOrAuto(
      "beta", &options.beta,
      "Smallest cosine of an edge, exact as written, above 0 and at most 1. "
      "auto chooses it, and --weighting unless that is given: the setting with "
      "the highest expected FBCubed, by comparing documents with shuffled "
      "ones; a note says which. For a graph: drops lighter edges, if it is "
      "given.");
  warpclust::AddSweepFlag(&options.sweep, &tool.flags());
  tool.flags().AddWritePath(
      "hierarchy", &options.hierarchy, "PATH",
      "Also write the single-linkage hierarchy of the documents, from their "
      "cosines of at least --beta (with --sweep its lowest): SciPy's linkage "
      "matrix as NPY, n - 1 rows a, b, 1 - cosine, size. What has no cosine is "
      "joined last, at 1.");
  warpclust::AddDocumentFlags(&tool.flags(), &options.documents);
  warpclust::AddDenseFlags(&tool.flags(), &options.dense);
  warpclust::AddVocabularyFlag(&tool.flags(), &options.describe);
  tool.AddOutputFlags({"tsv", "json", "csv", "graphml", "gexf"});
  warpclust::AddTitlesFlag(&tool.flags(), &options.describe);
  warpclust::AddExplainFlag(&tool.flags(), &options.describe);
  warpclust::AddReportFlag(&options.describe.report,
                           warpclust::kDocumentsPageShows, &tool.flags());
  tool.AddRunFlags();
  return tool.Run(argc, argv, [&](warpclust::ToolRun& run) {
    return warpclust::Cluster(tool.flags(), options, run);
  });
}
