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
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "algorithms/oclustr/oclustr.h"
#include "algorithms/oclustr/oclustr_documents.h"
#include "algorithms/oclustr/oclustr_json.h"
#include "base/io/line_reader.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "graph/io/edge_list_reader.h"
#include "sparse/matrix/compact_terms.h"
#include "tools/cli/cli.h"
#include "tools/cli/flag_set.h"
#include "tools/cli/write_cover.h"
#include "tools/input/json_flags.h"
#include "tools/input/read_documents.h"

namespace warpclust {
namespace {

struct Options {
  DocumentOptions documents;
  Decimal beta = "0.25";
};

// Clusters documents; fills `ids`.
absl::StatusOr<OClustRResult> ClusterDocuments(
    const Input& input, const DocumentOptions& document_options,
    OClustRDocumentsOptions options, const FlagSet& flags, ToolRun& run,
    std::vector<std::string>* ids) {
  InputDocuments read;
  {
    ToolRun::Timer timer(&run, "read");
    ASSIGN_OR_RETURN(read, ReadDocuments(input, document_options, flags));
    CompactTerms(&read.documents);
  }
  *ids = std::move(read.ids);
  const std::string& named_by =
      document_options.ids.empty() ? input.path : document_options.ids;
  RETURN_IF_ERROR(CheckOutputNames(*ids, named_by, run));
  NoteSkippedLines(read.skipped, run);
  ASSIGN_OR_RETURN(options.device, run.ResolveDevice());
  ToolRun::Timer timer(&run, "compute");
  return OClustRDocuments(read.documents, options);
}

// Clusters the vertices of an edge list; fills `ids`.
absl::StatusOr<OClustRResult> ClusterGraph(const Input& input,
                                           const EdgeListOptions& edge_options,
                                           const FlagSet& flags, ToolRun& run,
                                           std::vector<std::string>* ids) {
  RETURN_IF_ERROR(RefuseFlags(
      flags,
      {"weighting", "stop_words", "stem", "language", "max_terms", "ids",
       "text_column", "id_column", "text_field", "id_field", "skip_bad_lines"},
      "is for documents, and the input is a graph"));
  EdgeList edges;
  {
    ToolRun::Timer timer(&run, "read");
    ASSIGN_OR_RETURN(LineReader lines,
                     LineReader::Open(input.path, input.work));
    ASSIGN_OR_RETURN(edges, ReadEdgeList(lines, edge_options));
  }
  *ids = std::move(edges.ids);
  RETURN_IF_ERROR(CheckOutputNames(*ids, input.path, run));
  run.report.n_noun = {"vertex", "vertices"};
  OClustROptions options;
  ASSIGN_OR_RETURN(options.device, run.ResolveDevice());
  ToolRun::Timer timer(&run, "compute");
  options.num_threads = run.threads;
  return OClustR(edges.graph, options);
}

absl::Status Cluster(const Options& options, const FlagSet& flags,
                     ToolRun& run) {
  OClustRDocumentsOptions document_options;
  document_options.graph.beta = options.beta;
  document_options.graph.work = run.progress.work();
  document_options.graph.num_threads = run.threads;
  RETURN_IF_ERROR(FlagError(document_options.graph.Validate()));
  // Edges already are a graph; a threshold applies only if it is asked for.
  EdgeListOptions edge_options;
  edge_options.num_threads = run.threads;
  if (flags.WasGiven("beta")) {
    edge_options.min_weight = options.beta.ToDouble();
  }

  ASSIGN_OR_RETURN(const Input input, FindInput(run, /*edges_allowed=*/true));
  std::vector<std::string> ids;
  ASSIGN_OR_RETURN(const OClustRResult result,
                   input.format == InputFormat::kEdges
                       ? ClusterGraph(input, edge_options, flags, run, &ids)
                       : ClusterDocuments(input, options.documents,
                                          document_options, flags, run, &ids));
  run.report.n = static_cast<int64_t>(ids.size());
  run.report.edges = result.num_edges;
  run.report.clusters = result.cover.num_clusters();
  run.report.memberships = result.cover.num_memberships();
  run.report.alone = CountAlone(result.cover);
  run.report.AddSeconds("graph", result.seconds.graph);
  run.report.AddSeconds("relevance", result.seconds.relevance);
  run.report.AddSeconds("covering", result.seconds.covering);
  run.report.AddSeconds("useful", result.seconds.useful);

  ToolRun::Timer timer(&run, "write");
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
          ".txt files), vectors (svmlight, MatrixMarket) or a graph (lines "
          "`u v [weight]`). Writes one line `id<TAB>cluster` per membership, "
          "or JSON with center, satellites and linked. The same input gives "
          "the same bytes on every device and with any number of threads.",
      .examples = {"oclustr --input=news.jsonl.gz --beta=0.35 > clusters.tsv",
                   "oclustr --input=texts/ --weighting=tfidf --format=json "
                   "--output=clusters.json",
                   "similarity_graph --input=news.svm | oclustr --input=-",
                   "oclustr | evaluate"},
      .uses_gpu = true,
  });
  warpclust::Options options;
  tool.AddInputFlags({"auto", "jsonl", "lines", "csv", "directory", "svmlight",
                      "matrixmarket", "edges"});
  tool.flags().Group("Clustering");
  tool.flags().AddDecimal(
      "beta", &options.beta,
      "Smallest cosine of an edge, exact as written, above 0 and at most 1. "
      "Good starts: headlines 0.3 (tf), news 0.2 to 0.25 (tf), long posts 0.05 "
      "to 0.1 (tfidf). For a graph: drops lighter edges, if it is given.");
  warpclust::AddDocumentFlags(&tool.flags(), &options.documents);
  tool.AddOutputFlags({"tsv", "json"});
  tool.AddRunFlags();
  return tool.Run(argc, argv, [&](warpclust::ToolRun& run) {
    return warpclust::Cluster(options, tool.flags(), run);
  });
}
