// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// similarity_graph: all pairs of documents with a cosine of at least beta.

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cosine_graph.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/exact_cosines.h"
#include "graph/csr/csr_graph.h"
#include "graph/io/edge_list_writer.h"
#include "kernels/device.h"
#include "sparse/matrix/compact_terms.h"
#include "tools/cli/cli.h"
#include "tools/cli/flag_set.h"
#include "tools/input/json_flags.h"
#include "tools/input/read_documents.h"

namespace warpclust {
namespace {

struct Options {
  DocumentOptions documents;
  Decimal beta = "0.25";
  int32_t digits = 9;
};

absl::Status SimilarityGraph(const Options& options, const FlagSet& flags,
                             ToolRun& run) {
  CosineGraphOptions graph_options;
  graph_options.beta = options.beta;
  graph_options.work = run.progress.work();
  graph_options.num_threads = run.threads;
  RETURN_IF_ERROR(FlagError(graph_options.Validate()));

  InputDocuments input;
  {
    ToolRun::Timer timer(&run, "read");
    ASSIGN_OR_RETURN(const Input found,
                     FindInput(run, /*edges_allowed=*/false));
    ASSIGN_OR_RETURN(input, ReadDocuments(found, options.documents, flags));
    NoteSkippedLines(input.skipped, run);
    CompactTerms(&input.documents);
  }
  run.report.n = input.documents.num_documents();
  ASSIGN_OR_RETURN(const Device device, run.ResolveDevice());

  ASSIGN_OR_RETURN(const CsrGraph graph, run.Timed("compute", [&] {
    return CosineGraph(input.documents, graph_options, device);
  }));
  run.report.edges = graph.num_edges();

  ToolRun::Timer timer(&run, "write");
  const absl::Status status =
      WriteEdgeList(graph, input.ids, ExactCosines(input.documents),
                    [&run](absl::string_view text) { run.output.Write(text); },
                    {.digits = options.digits, .num_threads = run.threads});
  if (absl::IsInvalidArgument(status)) {
    return absl::InvalidArgumentError(absl::StrCat(
        status.message(), " (--ids=PATH gives the documents other names)"));
  }
  return status;
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
          "exactly. Writes one comment `#vertex<TAB>name` per document, then "
          "each pair once as `u<TAB>v<TAB>cosine`. The same input gives the "
          "same bytes on every device and with any number of threads.",
      .examples = {"similarity_graph --input=news.jsonl.gz --beta=0.35 > "
                   "news.edges",
                   "similarity_graph --input=news.svm.gz | oclustr --input=-"},
      .uses_gpu = true,
  });
  warpclust::Options options;
  tool.AddInputFlags({"auto", "jsonl", "lines", "csv", "directory", "svmlight",
                      "matrixmarket"});
  tool.flags().Group("Graph");
  tool.flags().AddDecimal("beta", &options.beta,
                          "Smallest cosine of a pair, exact as written, above "
                          "0 and at most 1.");
  warpclust::AddDocumentFlags(&tool.flags(), &options.documents);
  tool.AddOutputFlags({});
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
