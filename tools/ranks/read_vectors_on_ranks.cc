// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/ranks/read_vectors_on_ranks.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/io/lines/line_reader.h"
#include "base/io/row_share.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "sparse/io/matrix_market.h"
#include "sparse/io/matrix_market_entries.h"
#include "sparse/io/svmlight.h"
#include "sparse/matrix/append_rows.h"
#include "sparse/matrix/concatenate_documents.h"
#include "sparse/matrix/labelled_documents.h"
#include "sparse/weighting/top_terms.h"
#include "sparse/weighting/weighting.h"
#include "tools/ranks/choose_on_ranks.h"
#include "tools/ranks/line_shares.h"

namespace warpclust {
namespace {

// Lines that are in memory at a time; of svmlight, per thread.
constexpr int64_t kBlockBytes = 4 << 20;
constexpr int64_t kSvmLightBlockBytes = 1 << 20;

// Appends the documents of blocks of svmlight, which are parsed side by side.
absl::Status ParseSvmLight(absl::Span<LineBlock> blocks, int num_threads,
                           std::vector<DocumentMatrix>* parts) {
  const auto num_blocks = static_cast<int64_t>(blocks.size());
  std::vector<absl::StatusOr<LabelledDocuments>> read(num_blocks);
#pragma omp parallel for num_threads(num_threads) schedule(dynamic, 1)
  for (int64_t b = 0; b < num_blocks; ++b) {
    LineReader lines = LineReader::FromBlock(std::move(blocks[b]));
    read[b] = ReadSvmLight(lines, /*num_threads=*/1, /*allow_negative=*/true);
  }
  for (absl::StatusOr<LabelledDocuments>& part : read) {
    RETURN_IF_ERROR(part.status());
    parts->push_back(std::move(part->documents));
  }
  return absl::OkStatus();
}

absl::StatusOr<DocumentMatrix> ReadSvmLightShare(
    Communicator& ranks, const std::vector<std::string>& files,
    int num_threads) {
  const int threads = ResolveThreads(num_threads);
  std::vector<DocumentMatrix> parts;
  RETURN_IF_ERROR(ForOwnBlocks(ranks, files, kSvmLightBlockBytes, threads,
                               [&](absl::Span<LineBlock> blocks) {
                                 return ParseSvmLight(blocks, threads, &parts);
                               }));
  DocumentMatrix all = ConcatenateDocuments(std::move(parts), threads);
  ASSIGN_OR_RETURN(all.num_terms,
                   ranks.AllReduce(Reduction::kMax, all.num_terms));
  return all;
}

// The entries on the lines of this rank.
absl::StatusOr<std::vector<WeightedMatrixEntry>> ReadOwnEntries(
    Communicator& ranks, const std::string& path,
    const MatrixMarketLayout& layout, int64_t num_head_lines) {
  std::vector<WeightedMatrixEntry> entries;
  absl::Status bad;
  const absl::Status damage =
      ForEachOwnBlock(ranks, {path}, kBlockBytes, [&](LineBlock block) {
        LineReader lines = LineReader::FromBlock(std::move(block));
        absl::string_view ignored;
        while (lines.line_number() < num_head_lines && lines.Next(&ignored)) {
        }
        if (bad.ok()) {
          bad = AppendMatrixEntries(lines, layout, /*allow_negative=*/true,
                                    &entries);
        }
        return absl::OkStatus();
      });
  // An entry beyond the last one comes before a bad line behind it.
  ASSIGN_OR_RETURN(const std::vector<int64_t> begins,
                   ranks.Begins(static_cast<int64_t>(entries.size())));
  const int64_t room =
      std::max<int64_t>(0, layout.entries - begins[ranks.rank()]);
  if (static_cast<int64_t>(entries.size()) > room) {
    const WeightedMatrixEntry& first = entries[room];
    bad = TooManyEntries(path, first.line, layout, first.row, first.column);
  }
  if (bad.ok() && damage.ok() && begins.back() < layout.entries &&
      ranks.rank() + 1 == ranks.size()) {
    ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
    LineBlock block;
    while (lines.NextBlock(&block)) continue;
    bad = CheckAllEntries(lines, layout, begins.back());
  }
  RETURN_IF_ERROR(ranks.Agree(bad));
  RETURN_IF_ERROR(damage);
  return entries;
}

absl::StatusOr<DocumentMatrix> ReadMatrixMarketShare(Communicator& ranks,
                                                     const std::string& path) {
  absl::StatusOr<LineReader> head = LineReader::Open(path);
  RETURN_IF_ERROR(ranks.Agree(head.status()));
  const absl::StatusOr<MatrixMarketLayout> layout =
      ReadMatrixMarketLayout(*head, /*allow_symmetric=*/false);
  RETURN_IF_ERROR(ranks.Agree(layout.status()));
  ASSIGN_OR_RETURN(std::vector<WeightedMatrixEntry> entries,
                   ReadOwnEntries(ranks, path, *layout, head->line_number()));
  const int64_t rows = layout->rows;
  const auto share_of = [&](int rank) { return RowShare{rank, ranks.size()}; };
  // By rank, in the order of the lines.
  std::vector<std::vector<WeightedMatrixEntry>> by_rank(ranks.size());
  for (const WeightedMatrixEntry& entry : entries) {
    int rank = static_cast<int>(int64_t{entry.row} * ranks.size() / rows);
    while (entry.row >= share_of(rank).End(rows)) ++rank;
    by_rank[rank].push_back(entry);
  }
  entries = {};
  RankLists<WeightedMatrixEntry> out;
  for (std::vector<WeightedMatrixEntry>& list : by_rank) {
    out.Append(list);
    list = {};
  }
  ASSIGN_OR_RETURN(RankLists<WeightedMatrixEntry> in, ranks.AllToAll(out));
  out = {};
  const RowShare share = share_of(ranks.rank());
  absl::StatusOr<DocumentMatrix> own =
      RowsOfEntries(std::move(in.values), path, *layout,
                    static_cast<int32_t>(share.Begin(rows)),
                    static_cast<int32_t>(share.End(rows)));
  RETURN_IF_ERROR(ranks.Agree(own.status()));
  return own;
}

}  // namespace

absl::StatusOr<DocumentMatrix> ReadVectorsOnRanks(
    Communicator& ranks, const std::vector<std::string>& files,
    InputFormat format, int num_threads) {
  return format == InputFormat::kSvmlight
             ? ReadSvmLightShare(ranks, files, num_threads)
             : ReadMatrixMarketShare(ranks, files[0]);
}

absl::StatusOr<DocumentMatrix> WeightVectorsOnRanks(
    Communicator& ranks, DocumentMatrix vectors, const DocumentOptions& options,
    const std::string& path, int num_threads) {
  ASSIGN_OR_RETURN(Weighting weighting, ParseWeighting(options.weighting));
  if (options.choose != nullptr) {
    ASSIGN_OR_RETURN(const std::vector<int64_t> begins,
                     ranks.Begins(vectors.num_documents()));
    DocumentMatrix compared;
    compared.num_terms = vectors.num_terms;
    for (const int32_t d : ComparedDocuments(begins, ranks.rank())) {
      AppendRows(vectors, d, d + 1, &compared);
    }
    ASSIGN_OR_RETURN(weighting, ChooseOnRanks(ranks, compared, options.choose));
  }
  absl::StatusOr<DocumentMatrix> weighted;
  if (weighting == Weighting::kTf) {
    weighted = std::move(vectors);
  } else {
    std::vector<int32_t> frequencies =
        DocumentFrequencies(vectors, num_threads);
    frequencies.resize(vectors.num_terms);
    RETURN_IF_ERROR(
        ranks.AllReduce(Reduction::kSum, absl::MakeSpan(frequencies)));
    ASSIGN_OR_RETURN(
        const int64_t num_documents,
        ranks.AllReduce(Reduction::kSum, int64_t{vectors.num_documents()}));
    weighted = ScaleTerms(
        std::move(vectors),
        InverseDocumentFrequencies(frequencies, num_documents), num_threads);
  }
  if (weighted.ok() && options.max_terms > 0) {
    weighted = KeepTopTerms(*std::move(weighted),
                            static_cast<int32_t>(options.max_terms));
  }
  absl::Status status = weighted.status();
  if (!status.ok()) {
    status =
        absl::InvalidArgumentError(absl::StrCat(path, ": ", status.message()));
  }
  RETURN_IF_ERROR(ranks.Agree(status));
  return weighted;
}

}  // namespace warpclust
