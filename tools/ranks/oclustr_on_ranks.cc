// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/ranks/oclustr_on_ranks.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "algorithms/oclustr/oclustr_distributed.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "base/text/json_text.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/distributed/cosine_graph_distributed.h"
#include "graph/csr/graph_share.h"
#include "kernels/device.h"
#include "kernels/device_choice.h"
#include "tools/cli/write_cover.h"
#include "tools/input/input_format.h"
#include "tools/input/json_flags.h"
#include "tools/ranks/line_shares.h"
#include "tools/ranks/read_texts_on_ranks.h"
#include "tools/ranks/write_cover_on_ranks.h"

namespace warpclust {
namespace {

// The documents of this rank, of either kind.
struct OwnDocuments {
  RankDocuments texts;
  DenseDocuments dense;
  bool is_dense = false;
};

absl::Status CheckFlags(const FlagSet& flags,
                        const absl::optional<Decimal>& beta,
                        const ToolRun& run) {
  RETURN_IF_ERROR(RefuseFlags(
      flags,
      {"sweep", "hierarchy", "report", "titles", "explain", "vocabulary", "ids",
       "skip_bad_lines", "text_column", "id_column"},
      "needs all documents in one process: not with several ranks or files"));
  if (run.options.format != "tsv") {
    return UsageError("several ranks or files write --format=tsv only");
  }
  if (!beta.has_value()) {
    return UsageError(
        "several ranks or files need --beta=X: choosing it needs all documents "
        "in one process");
  }
  if (run.options.input.empty() || run.options.input == "-") {
    return UsageError(
        "several ranks need --input=PATH: they cannot share the example or "
        "standard input");
  }
  return absl::OkStatus();
}

absl::StatusOr<OwnDocuments> Read(const FlagSet& flags,
                                  const DocumentOptions& options,
                                  const DenseFlags& dense, ToolRun& run) {
  ToolRun::Timer timer(&run, "read");
  Communicator& ranks = run.ranks;
  ASSIGN_OR_RETURN(const std::vector<std::string> files,
                   FilesOf(run.options.input));
  Input input;
  input.path = files[0];
  input.num_threads = run.threads;
  absl::optional<InputFormat> format;
  if (run.options.input_format == "auto") {
    ASSIGN_OR_RETURN(format, DetectDenseFormat(input.path, dense.vector_field));
  }
  if (!format.has_value()) {
    ASSIGN_OR_RETURN(format,
                     ResolveInputFormat(input.path, run.options.input_format,
                                        /*edges_allowed=*/false));
  }
  input.format = *format;
  OwnDocuments own;
  if (input.format == InputFormat::kNpy && files.size() == 1) {
    ASSIGN_OR_RETURN(DenseInput all, ReadDense(input, options, dense, flags));
    const int64_t n = all.documents.num_documents();
    const int32_t begin = static_cast<int32_t>(n * ranks.rank() / ranks.size());
    const int32_t end =
        static_cast<int32_t>(n * (ranks.rank() + 1) / ranks.size());
    own.is_dense = true;
    own.dense = all.documents.Rows(begin, end);
    own.texts.ids.assign(all.ids.begin() + begin, all.ids.begin() + end);
    return own;
  }
  if (input.format != InputFormat::kJsonLines &&
      input.format != InputFormat::kLines) {
    return UsageError(absl::StrCat(
        "several ranks or files read JSON Lines, lines of text or one NPY "
        "file, and ",
        input.path, " is ", InputFormatName(input.format)));
  }
  RETURN_IF_ERROR(CheckJsonFlags(options.json, input.format));
  ASSIGN_OR_RETURN(own.texts, ReadTextsOnRanks(ranks, files, input.format,
                                               options, run.threads));
  return own;
}

}  // namespace

bool IsForRanks(const ToolRun& run) {
  return run.ranks.size() > 1 || IsFilePattern(run.options.input);
}

absl::Status OClustROnRanks(const FlagSet& flags,
                            const DocumentOptions& documents,
                            const DenseFlags& dense,
                            const absl::optional<Decimal>& beta, ToolRun& run) {
  RETURN_IF_ERROR(CheckFlags(flags, beta, run));
  CosineGraphOptions graph_options;
  graph_options.beta = *beta;
  graph_options.num_threads = run.threads;
  RETURN_IF_ERROR(FlagError(graph_options.Validate()));
  ASSIGN_OR_RETURN(OwnDocuments own, Read(flags, documents, dense, run));
  const std::vector<std::string> ids = std::move(own.texts.ids);
  RETURN_IF_ERROR(
      run.ranks.Agree(CheckOutputNames(ids, run.options.input, run)));
  ASSIGN_OR_RETURN(
      const ExpectedSeconds expected,
      own.is_dense
          ? ExpectCosineGraph(run.ranks, own.dense, graph_options)
          : ExpectCosineGraph(run.ranks, own.texts.documents, graph_options));
  ASSIGN_OR_RETURN(const Device device, run.ChooseDevice(expected));
  OClustRResult result;
  std::string way;
  {
    ToolRun::Timer timer(&run, "compute");
    Stopwatch stopwatch;
    ASSIGN_OR_RETURN(
        GraphShare share,
        own.is_dense
            ? CosineGraphDistributed(run.ranks, own.dense, graph_options,
                                     device, /*exchange=*/{}, &way)
            : CosineGraphDistributed(run.ranks, own.texts.documents,
                                     graph_options, device, /*exchange=*/{},
                                     &way));
    own = OwnDocuments();
    run.report.AddSeconds("graph", stopwatch.Lap("graph"));
    run.report.n = share.num_vertices();
    ASSIGN_OR_RETURN(
        result, OClustRDistributed(run.ranks, std::move(share), run.threads));
  }
  if (run.ranks.size() > 1) {
    run.report.extra.push_back({"documents_by", JsonQuote(way)});
  }
  run.report.edges = result.num_edges;
  run.report.clusters = result.cover.num_clusters();
  run.report.memberships = result.cover.num_memberships();
  run.report.alone = CountAlone(result.cover);
  run.report.AddSeconds("relevance", result.seconds.relevance);
  run.report.AddSeconds("covering", result.seconds.covering);
  run.report.AddSeconds("useful", result.seconds.useful);
  ToolRun::Timer timer(&run, "write");
  return WriteCoverOnRanks(result.cover, ids, run);
}

}  // namespace warpclust
