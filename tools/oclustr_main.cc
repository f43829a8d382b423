// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// oclustr: overlapping clusters of documents, or of the vertices of a graph.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/oclustr/oclustr.h"
#include "algorithms/oclustr/oclustr_documents.h"
#include "algorithms/oclustr/oclustr_json.h"
#include "base/io/lines/line_reader.h"
#include "base/io/row_watch.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cosine_graph.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/exact_cosines.h"
#include "graph/csr/csr_graph.h"
#include "graph/io/edge_list_reader.h"
#include "graph/io/graph_export.h"
#include "kernels/device/device.h"
#include "kernels/device/device_choice.h"
#include "kernels/memory/early_upload.h"
#include "tools/cli/cli.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/cli/write_cover.h"
#include "tools/describe/describe_flags.h"
#include "tools/describe/threshold_sweep.h"
#include "tools/describe/write_stars.h"
#include "tools/documents/oclustr_steps.h"
#include "tools/documents/oclustr_sweep_run.h"
#include "tools/input/input_format.h"
#include "tools/input/read_dense.h"
#include "tools/input/read_documents.h"
#include "tools/ranks/oclustr_on_ranks.h"
#include "tools/report/documents_page.h"
#include "tools/report/report_file.h"

namespace warpclust {
namespace {

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

// Clusters documents.
absl::StatusOr<OClustRResult> ClusterDocuments(
    Input input, OClustRDocumentsOptions clustering, const FlagSet& flags,
    OClustRFlags& options, ToolRun& run, Clustered* clustered) {
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
      named,
      ReadForOClustR(input, NeedsDescriptions(options.describe, flags, run),
                     flags, options, run));
  clustering.graph.beta = *options.beta;
  run.FetchMemoryWhileCudaStarts(kOClustRHostBytesPerVertex *
                                 static_cast<int64_t>(named.ids.size()));
  clustered->has_documents = true;
  const std::string& named_by =
      options.documents.ids.empty() ? input.path : options.documents.ids;
  RETURN_IF_ERROR(CheckOutputNames(named.ids, named_by, run));
  RETURN_IF_ERROR(CheckExplained(options.describe, named.ids));
  ASSIGN_OR_RETURN(clustering.device, ChooseOClustRDevice(named, *options.beta,
                                                          !needs_graph, run));
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
  const auto write = run.sink();
  return run.options.format == "gexf" ? WriteGexf(nodes, edges, write)
                                      : WriteGraphMl(nodes, edges, write);
}

absl::Status Cluster(const FlagSet& flags, OClustRFlags& options,
                     ToolRun& run) {
  if (IsForRanks(run)) {
    return OClustROnRanks(flags, &options.documents, options.dense,
                          &options.beta, run);
  }
  ASSIGN_OR_RETURN(options.hierarchy_file, ReportFile::Open(options.hierarchy));
  if (flags.WasGiven("sweep")) return SweepBetas(flags, options, run);
  OClustRDocumentsOptions document_options;
  document_options.graph.beta = options.beta.value_or(kDefaultBeta);
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
                   "oclustr --input=vectors.npy --beta=0.8 --gpus=2",
                   "mpirun -n 4 oclustr --input='part-*' --beta=0.35 "
                   "--output=out-%r.tsv",
                   "oclustr | evaluate"},
      .uses_gpu = true,
      .uses_ranks = true,
      .uses_gpus = true,
  });
  warpclust::OClustRFlags options;
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
