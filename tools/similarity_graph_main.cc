// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// similarity_graph: all pairs of documents with a cosine of at least beta.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/io/lines/line_reader.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "base/text/json_text.h"
#include "eval/describe/explain_cosine.h"
#include "graph/cosine/cosine_graph.h"
#include "graph/cosine/cosine_job.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/exact_cosines.h"
#include "graph/csr/csr_graph.h"
#include "graph/io/cover_io.h"
#include "graph/io/edge_list_writer.h"
#include "graph/io/graph_export.h"
#include "kernels/device/device.h"
#include "kernels/device/device_choice.h"
#include "tools/cli/cli.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/describe/describe_flags.h"
#include "tools/describe/read_named.h"
#include "tools/describe/write_descriptions.h"
#include "tools/input/read_dense.h"
#include "tools/input/read_documents.h"

namespace warpclust {
namespace {

struct Options {
  DocumentOptions documents;
  DenseFlags dense;
  Decimal beta = "0.25";
  int32_t digits = 9;
  DescribeFlags describe;
};

// The two documents that --explain=A,B names. Ids may hold commas.
absl::StatusOr<std::pair<int32_t, int32_t>> FindPair(
    absl::string_view names, absl::Span<const std::string> ids) {
  for (size_t comma = names.find(','); comma != absl::string_view::npos;
       comma = names.find(',', comma + 1)) {
    const absl::StatusOr<int32_t> a =
        FindDocument("explain", names.substr(0, comma), ids);
    const absl::StatusOr<int32_t> b =
        FindDocument("explain", names.substr(comma + 1), ids);
    if (a.ok() && b.ok()) return std::make_pair(*a, *b);
  }
  return UsageError(
      absl::StrCat("--explain: expected the ids of two documents, A,B, found ",
                   QuoteInput(names)));
}

// --explain: what the shared terms add to the cosine of two documents.
absl::Status Explain(const Options& options, const NamedDocuments& named,
                     ToolRun& run) {
  ASSIGN_OR_RETURN(const auto pair,
                   FindPair(options.describe.explain, named.ids));
  const CosineExplainer explain(named.documents, options.digits);
  const CosineExplanation explanation = explain(pair.first, pair.second);
  const std::vector<std::string> names = {named.ids[pair.first],
                                          named.ids[pair.second]};
  std::string text;
  if (run.options.format == "json") {
    absl::StrAppend(&text, "{\"u\":", JsonQuote(names[0]),
                    ",\"v\":", JsonQuote(names[1]));
    AppendExplanationJson(explanation, named, &text);
    text += "}\n";
  } else {
    RETURN_IF_ERROR(CheckCoverTsvNames(names));
    AppendExplanationTsv(absl::StrCat(names[0], "\t", names[1]), explanation,
                         named, &text);
  }
  run.output.Write(text);
  return absl::OkStatus();
}

// Writes the graph; `cosines` are those of all documents.
template <typename Cosines>
absl::Status WriteGraph(const CsrGraph& graph, const NamedDocuments& named,
                        const Cosines& cosines, int32_t digits, ToolRun& run) {
  run.report.edges = graph.num_edges();
  ToolRun::Timer timer(&run, "write");
  const auto write = run.sink();
  if (run.options.format == "tsv") {
    const absl::Status status =
        WriteEdgeList(graph, named.ids, cosines, write,
                      {.digits = digits, .num_threads = run.threads});
    if (absl::IsInvalidArgument(status)) {
      return absl::InvalidArgumentError(absl::StrCat(
          status.message(), " (--ids=PATH gives the documents other names)"));
    }
    return status;
  }
  ExportedNodes nodes;
  nodes.ids = named.ids;
  nodes.titles = named.titles;
  const auto edges = [&](UseExportedEdge use) {
    ForEachEdge(graph, cosines, digits, use);
  };
  if (run.options.format == "csv") return WriteEdgesCsv(nodes, edges, write);
  return run.options.format == "gexf" ? WriteGexf(nodes, edges, write)
                                      : WriteGraphMl(nodes, edges, write);
}

absl::Status SimilarityGraph(const Options& options, const FlagSet& flags,
                             ToolRun& run) {
  CosineGraphOptions graph_options;
  graph_options.beta = options.beta;
  graph_options.work = run.progress.work();
  graph_options.num_threads = run.threads;
  RETURN_IF_ERROR(FlagError(graph_options.Validate()));
  const bool explains = flags.WasGiven("explain");
  const std::string& format = run.options.format;
  if (explains ? format != "tsv" && format != "json" : format == "json") {
    return UsageError(explains ? "--explain writes --format=tsv or json"
                               : "--format=json is for --explain");
  }
  ASSIGN_OR_RETURN(
      const Input found,
      FindInputOrDense(run, /*edges_allowed=*/false, options.dense));
  NamedDocuments input;
  {
    ToolRun::Timer timer(&run, "read");
    DocumentOptions reading = options.documents;
    reading.describe = explains || format != "tsv";
    ASSIGN_OR_RETURN(input, ReadNamed(found, reading, options.dense,
                                      options.describe, flags, run));
  }
  run.report.n = static_cast<int64_t>(input.ids.size());
  if (explains) return Explain(options, input, run);

  if (input.is_dense) {
    const DenseCosineJob job = {input.dense.num_rows,
                                input.dense.num_dimensions};
    ASSIGN_OR_RETURN(const Device device,
                     run.ChooseDevice(Expect(job, run.threads)));
    ASSIGN_OR_RETURN(const CsrGraph graph, run.Timed("compute", [&] {
      return CosineGraph(input.dense, graph_options, device);
    }));
    return WriteGraph(graph, input, ExactDenseCosines(input.dense, run.threads),
                      options.digits, run);
  }
  ASSIGN_OR_RETURN(
      const Device device,
      run.ChooseDevice(
          Expect(MeasureCosineJob(input.documents, options.beta, run.threads),
                 run.threads)));
  ASSIGN_OR_RETURN(const CsrGraph graph, run.Timed("compute", [&] {
    return CosineGraph(input.documents, graph_options, device);
  }));
  return WriteGraph(graph, input, ExactCosines(input.documents), options.digits,
                    run);
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) {
  warpclust::Tool tool({
      .name = "similarity_graph",
      .summary = "the pairs of similar documents",
      .usage = "[--input=PATH|-] [--beta=X] [flags]",
      .description =
          "Finds all pairs of documents whose cosine is at least --beta, "
          "exactly. Documents are texts, term vectors or embeddings. Writes "
          "one comment `#vertex<TAB>name` per document, then "
          "each pair once as `u<TAB>v<TAB>cosine`; or CSV, or GraphML or GEXF "
          "for other programs. The same input gives the "
          "same bytes on every device and with any number of threads.",
      .examples = {"similarity_graph --input=news.jsonl.gz --beta=0.35 > "
                   "news.edges",
                   "similarity_graph --input=news.svm.gz | oclustr --input=-",
                   "similarity_graph --input=news.jsonl.gz --format=gexf "
                   "--output=news.gexf",
                   "similarity_graph --input=news.jsonl.gz "
                   "--explain=reut-17,reut-4"},
      .uses_gpu = true,
  });
  warpclust::Options options;
  tool.AddInputFlags({"auto", "jsonl", "lines", "csv", "directory", "svmlight",
                      "matrixmarket", "npy", "fvecs", "bvecs", "safetensors",
                      "jsonl_vectors"});
  tool.flags().Group("Graph");
  tool.flags().AddDecimal("beta", &options.beta,
                          "Smallest cosine of a pair, exact as written, above "
                          "0 and at most 1. For embeddings 0.7 to 0.9.");
  warpclust::AddDocumentFlags(&tool.flags(), &options.documents);
  warpclust::AddDenseFlags(&tool.flags(), &options.dense);
  warpclust::AddVocabularyFlag(&tool.flags(), &options.describe);
  tool.AddOutputFlags({"tsv", "json", "csv", "graphml", "gexf"});
  tool.flags().AddString(
      "explain", &options.describe.explain, "A,B",
      "Instead of the graph, write the cosine of the documents called A and B, "
      "and what each shared term adds to it.");
  tool.flags().AddInt(
      "digits", &options.digits, 9, 17,
      "Significant digits of a cosine, rounded to the nearest. A few cosines "
      "get more, where oclustr needs them to read the same graph. 17 tell all "
      "cosines apart.");
  tool.AddRunFlags();
  return tool.Run(argc, argv, [&](warpclust::ToolRun& run) {
    return warpclust::SimilarityGraph(options, tool.flags(), run);
  });
}
