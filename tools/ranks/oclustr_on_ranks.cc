// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/ranks/oclustr_on_ranks.h"

#include <cstdint>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "algorithms/oclustr/oclustr.h"
#include "algorithms/oclustr/oclustr_distributed.h"
#include "base/io/row_share.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "base/text/json_text.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/distributed/cosine_graph_distributed.h"
#include "graph/cosine/distributed/document_pieces.h"
#include "graph/csr/graph_share.h"
#include "kernels/device/device.h"
#include "kernels/device/device_choice.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/dense/dense_of_sparse.h"
#include "sparse/dense/io/dense_json_lines.h"
#include "sparse/io/id_lists.h"
#include "tools/cli/write_cover.h"
#include "tools/describe/choose_beta.h"
#include "tools/input/input_format.h"
#include "tools/input/json_flags.h"
#include "tools/input/text_flags.h"
#include "tools/ranks/choose_on_ranks.h"
#include "tools/ranks/gpu_exchange.h"
#include "tools/ranks/line_shares.h"
#include "tools/ranks/read_texts_on_ranks.h"
#include "tools/ranks/read_vectors_on_ranks.h"
#include "tools/ranks/write_cover_on_ranks.h"

namespace warpclust {
namespace {

// The documents of this rank, of either kind.
struct OwnDocuments {
  DocumentMatrix documents;
  DenseDocuments dense;
  bool is_dense = false;
  std::vector<std::string> ids;
};

absl::Status CheckFlags(const FlagSet& flags, const ToolRun& run) {
  RETURN_IF_ERROR(RefuseFlags(
      flags,
      {"sweep", "hierarchy", "report", "titles", "explain", "vocabulary",
       "text_column", "id_column"},
      "needs all documents in one process: not with several ranks or files"));
  if (run.options.format != "tsv") {
    return UsageError("several ranks or files write --format=tsv only");
  }
  if (run.options.input.empty() || run.options.input == "-") {
    return UsageError(
        "several ranks or GPUs need --input=PATH: they cannot share the "
        "example or standard input");
  }
  return absl::OkStatus();
}

// The format of all files, by the first one.
absl::StatusOr<InputFormat> FormatOf(const std::vector<std::string>& files,
                                     const DenseFlags& dense,
                                     const ToolRun& run) {
  absl::optional<InputFormat> format;
  if (run.options.input_format == "auto") {
    ASSIGN_OR_RETURN(format, DetectDenseFormat(files[0], dense.vector_field));
  }
  if (!format.has_value()) {
    ASSIGN_OR_RETURN(format,
                     ResolveInputFormat(files[0], run.options.input_format,
                                        /*edges_allowed=*/false));
  }
  const bool by_lines = *format == InputFormat::kJsonLines ||
                        *format == InputFormat::kLines ||
                        *format == InputFormat::kSvmlight;
  if (by_lines ||
      (files.size() == 1 &&
       (IsDense(*format) || *format == InputFormat::kMatrixMarket))) {
    return *format;
  }
  return UsageError(absl::StrCat(
      "several ranks or files read JSON Lines with texts, lines of text or "
      "svmlight, or one file of embeddings or MatrixMarket, and ",
      files[0], " is ", InputFormatName(*format)));
}

// Names the documents by --ids or, if the input does not, by their numbers.
absl::Status NameDocuments(const std::string& path, bool has_names,
                           Communicator& ranks, OwnDocuments* own) {
  const int64_t count = own->is_dense ? own->dense.num_documents()
                                      : own->documents.num_documents();
  ASSIGN_OR_RETURN(const std::vector<int64_t> begins, ranks.Begins(count));
  const int64_t first = begins[ranks.rank()];
  if (!path.empty()) {
    const absl::StatusOr<std::vector<std::string>> ids =
        ReadIds(path, begins.back());
    RETURN_IF_ERROR(ranks.Agree(ids.status()));
    own->ids.assign(ids->begin() + first, ids->begin() + first + count);
  } else if (!has_names) {
    for (int64_t i = 0; i < count; ++i) {
      own->ids.push_back(absl::StrCat(first + i));
    }
  }
  return absl::OkStatus();
}

// Weighs vectors, unless some weights are negative.
absl::Status FinishVectors(const FlagSet& flags, const DocumentOptions& options,
                           ToolRun& run, OwnDocuments* own) {
  Communicator& ranks = run.ranks;
  ASSIGN_OR_RETURN(const int has_negative,
                   ranks.AllReduce(Reduction::kMax,
                                   HasNegativeWeights(own->documents) ? 1 : 0));
  if (has_negative == 0) {
    ASSIGN_OR_RETURN(
        own->documents,
        WeightVectorsOnRanks(ranks, std::move(own->documents), options,
                             run.options.input, run.threads));
    return absl::OkStatus();
  }
  RETURN_IF_ERROR(RefuseFlags(
      flags, {"weighting", "max_terms"},
      "is for weights that are not negative, and the input has others"));
  InputDocuments negative;
  negative.documents = std::move(own->documents);
  absl::StatusOr<DenseInput> rows =
      DenseOfDocuments(std::move(negative), run.options.input);
  RETURN_IF_ERROR(ranks.Agree(rows.status()));
  own->documents = DocumentMatrix();
  own->dense = std::move(rows->documents);
  own->is_dense = true;
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
  ASSIGN_OR_RETURN(input.format, FormatOf(files, dense, run));
  OwnDocuments own;
  if (IsDense(input.format)) {
    RETURN_IF_ERROR(
        CheckDenseDocumentFlags(input.format, options, dense, flags));
    DenseJsonOptions json;
    json.id_field = options.json.id_field;
    absl::StatusOr<DenseInput> read = ReadDenseRows(
        input, dense, std::move(json), RowShare{ranks.rank(), ranks.size()});
    RETURN_IF_ERROR(ranks.Agree(read.status()));
    own.is_dense = true;
    own.dense = std::move(read->documents);
    own.ids = std::move(read->ids);
    RETURN_IF_ERROR(NameDocuments(
        options.ids, input.format == InputFormat::kJsonVectors, ranks, &own));
    return own;
  }
  RETURN_IF_ERROR(CheckDenseFlags(dense, options.json, input.format));
  RETURN_IF_ERROR(CheckJsonFlags(options.json, input.format));
  if (options.json.skip_bad_lines && files.size() > 1) {
    return UsageError(
        "--skip_bad_lines names lines of one file: not with several");
  }
  if (IsText(input.format)) {
    RETURN_IF_ERROR(
        CheckLanguageFlag(flags, options.text.stem, options.text.language));
    ASSIGN_OR_RETURN(
        RankDocuments texts,
        ReadTextsOnRanks(ranks, files, input.format, options, run.threads));
    NoteSkippedLines(texts.skipped, run);
    own.documents = std::move(texts.documents);
    own.ids = std::move(texts.ids);
  } else {
    RETURN_IF_ERROR(CheckNoTextFlags(flags, "the input is"));
    ASSIGN_OR_RETURN(
        own.documents,
        ReadVectorsOnRanks(ranks, files, input.format, run.threads));
    RETURN_IF_ERROR(FinishVectors(flags, options, run, &own));
  }
  RETURN_IF_ERROR(
      NameDocuments(options.ids, IsText(input.format), ranks, &own));
  return own;
}

// Rank 0 has chosen β for documents with terms, and chooses now for embeddings.
absl::Status AgreeOnBeta(const FlagSet& flags, const OwnDocuments& own,
                         absl::optional<Decimal>* beta, ToolRun& run) {
  if (own.is_dense) {
    RETURN_IF_ERROR(ChooseOnRanks(
        run.ranks, own.dense, [&](const DenseDocuments& compared) {
          return ChooseBeta(compared, flags, beta, &run);
        }));
  }
  Decimal chosen = beta->value_or(Decimal());
  RETURN_IF_ERROR(run.ranks.Broadcast(absl::MakeSpan(&chosen, 1), 0));
  *beta = chosen;
  return absl::OkStatus();
}

}  // namespace

bool IsForRanks(const ToolRun& run) {
  return run.ranks.size() > 1 || IsFilePattern(run.options.input);
}

absl::Status OClustROnRanks(const FlagSet& flags, DocumentOptions* documents,
                            const DenseFlags& dense,
                            absl::optional<Decimal>* beta, ToolRun& run) {
  RETURN_IF_ERROR(CheckFlags(flags, run));
  // Rank 0 reports what it chooses by the flags, which ranks of one process
  // have in common.
  absl::optional<Decimal> own_beta = *beta;
  std::string own_weighting = documents->weighting;
  if (run.ranks.rank() > 0) beta = &own_beta;
  std::string* const weighting =
      run.ranks.rank() > 0 ? &own_weighting : &documents->weighting;
  CosineExchange exchange;
  ASSIGN_OR_RETURN(exchange.way, GpuExchangeAsAsked(run));
  exchange.leave_rows_on_gpus = true;
  CosineGraphOptions graph_options;
  graph_options.beta = beta->value_or(graph_options.beta);
  graph_options.num_threads = run.threads;
  RETURN_IF_ERROR(FlagError(graph_options.Validate()));
  DocumentOptions reading = *documents;
  if (!beta->has_value()) {
    reading.choose = BetaChooser(flags, beta, weighting, &run);
  }
  ASSIGN_OR_RETURN(OwnDocuments own, Read(flags, reading, dense, run));
  if (reading.choose != nullptr) {
    RETURN_IF_ERROR(AgreeOnBeta(flags, own, beta, run));
    graph_options.beta = **beta;
  }
  const std::vector<std::string> ids = std::move(own.ids);
  RETURN_IF_ERROR(
      run.ranks.Agree(CheckOutputNames(ids, run.options.input, run)));
  ASSIGN_OR_RETURN(const std::vector<int64_t> begins,
                   run.ranks.Begins(static_cast<int64_t>(ids.size())));
  // Only rank 0 has something of all documents.
  if (run.ranks.rank() == 0) {
    run.FetchMemoryWhileCudaStarts(begins.back() * kOClustRHostBytesPerVertex);
  }
  ASSIGN_OR_RETURN(
      const ExpectedSeconds expected,
      own.is_dense
          ? ExpectCosineGraph(run.ranks, own.dense, graph_options)
          : ExpectCosineGraph(run.ranks, own.documents, graph_options));
  ASSIGN_OR_RETURN(const Device device, run.ChooseDevice(expected));
  // As in one process, the phases are without the start of CUDA.
  RETURN_IF_ERROR(run.ranks.Barrier());
  OClustRResult result;
  std::string way;
  {
    ToolRun::Timer timer(&run, "compute");
    Stopwatch stopwatch;
    ASSIGN_OR_RETURN(
        GraphShare share,
        own.is_dense
            ? CosineGraphDistributed(run.ranks, own.dense, graph_options,
                                     device, exchange, &way)
            : CosineGraphDistributed(run.ranks, own.documents, graph_options,
                                     device, exchange, &way));
    run.report.AddSeconds("graph", stopwatch.Lap("graph"));
    // Returning gigabytes to the system takes a while, in which it gives memory
    // more slowly. So only if memory is needed.
    std::future<void> freed;
    if (share.on_gpu == nullptr) {
      freed = std::async(std::launch::async, [&own] { own = OwnDocuments(); });
    }
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
