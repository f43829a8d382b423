// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/ranks/read_texts_on_ranks.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/communicator/exchange_strings.h"
#include "base/io/lines/line_reader.h"
#include "base/numbers/crc32c.h"
#include "base/status/status_macros.h"
#include "sparse/io/json_lines.h"
#include "sparse/io/text_documents.h"
#include "sparse/io/text_lines.h"
#include "sparse/matrix/append_rows.h"
#include "sparse/text/analyzer.h"
#include "sparse/text/merge_terms.h"
#include "sparse/text/vectorizer.h"
#include "sparse/text/vocabulary.h"
#include "sparse/weighting/top_terms.h"
#include "sparse/weighting/weighting.h"
#include "tools/input/json_flags.h"
#include "tools/input/text_flags.h"
#include "tools/ranks/choose_on_ranks.h"
#include "tools/ranks/line_shares.h"

namespace warpclust {
namespace {

// Texts that are in memory at a time.
constexpr int64_t kBlockBytes = 4 << 20;

// The documents of a rank as they are read.
struct Counts {
  // Columns are numbers of `vocabulary`; rows are not sorted by them.
  DocumentMatrix documents;
  Vocabulary vocabulary;
  // Empty for a document that is called by its number.
  std::vector<std::string> ids;
};

// InvalidArgument for a file that is one array: its objects do not end with
// lines. Each file is looked at by one rank.
absl::Status RefuseArrays(Communicator& ranks,
                          const std::vector<std::string>& files) {
  absl::Status status;
  for (size_t f = ranks.rank(); f < files.size() && status.ok();
       f += ranks.size()) {
    absl::StatusOr<LineReader> lines = LineReader::Open(files[f]);
    status = lines.status();
    if (!status.ok()) break;
    const absl::string_view head =
        absl::StripLeadingAsciiWhitespace(lines->Peek());
    if (absl::StartsWith(head, "[")) {
      status = absl::InvalidArgumentError(
          absl::StrCat(files[f],
                       ":1: expected an object per line, to share among ranks, "
                       "found an array; jq -c '.[]' makes lines of it"));
    }
  }
  return ranks.Agree(status);
}

absl::StatusOr<TextDocuments> ParseBlock(LineBlock block, InputFormat format,
                                         const DocumentOptions& options,
                                         int num_threads,
                                         SkippedLines* skipped) {
  LineReader lines = LineReader::FromBlock(std::move(block));
  if (format == InputFormat::kLines) {
    ASSIGN_OR_RETURN(TextDocuments texts, ReadTextLines(lines, num_threads));
    texts.ids.assign(texts.ids.size(), "");
    return texts;
  }
  JsonLinesOptions json = JsonOptions(options.json);
  json.number_documents = false;
  absl::StatusOr<TextDocuments> texts = ReadJsonLines(
      lines, json, options.json.skip_bad_lines ? skipped : nullptr,
      num_threads);
  RETURN_IF_ERROR(HintJsonFlags(texts.status(), "text_field"));
  return texts;
}

// Joins what ranks left out, in the order of their lines.
absl::Status MergeSkipped(Communicator& ranks, SkippedLines* skipped) {
  ASSIGN_OR_RETURN(const RankLists<int64_t> counts,
                   ranks.AllGather<int64_t>({skipped->count}));
  ASSIGN_OR_RETURN(RankLists<int64_t> lines,
                   ranks.AllGather<int64_t>(skipped->lines));
  skipped->lines = std::move(lines.values);
  if (skipped->lines.size() > SkippedLines::kListed) {
    skipped->lines.resize(SkippedLines::kListed);
  }
  int first = -1;
  skipped->count = 0;
  for (int rank = 0; rank < ranks.size(); ++rank) {
    skipped->count += counts.values[rank];
    if (first < 0 && counts.values[rank] > 0) first = rank;
  }
  return first < 0 ? absl::OkStatus()
                   : ranks.BroadcastAll(&skipped->first_error, first);
}

absl::Status AppendTexts(TextDocuments texts, const AnalyzerOptions& analyzer,
                         int num_threads, Counts* counts) {
  ASSIGN_OR_RETURN(const VectorizedTexts vectors,
                   VectorizeTexts(texts.texts, analyzer, nullptr, num_threads));
  std::vector<int32_t> numbers(vectors.vocabulary.size());
  for (int32_t t = 0; t < vectors.vocabulary.size(); ++t) {
    numbers[t] = counts->vocabulary.Add(vectors.vocabulary.Term(t));
  }
  DocumentMatrix& all = counts->documents;
  const int64_t before = all.offsets.back();
  for (const int32_t term : vectors.documents.terms) {
    all.terms.push_back(numbers[term]);
  }
  all.weights.insert(all.weights.end(), vectors.documents.weights.begin(),
                     vectors.documents.weights.end());
  for (int32_t d = 0; d < vectors.documents.num_documents(); ++d) {
    all.offsets.push_back(before + vectors.documents.offsets[d + 1]);
  }
  all.num_terms = counts->vocabulary.size();
  std::move(texts.ids.begin(), texts.ids.end(),
            std::back_inserter(counts->ids));
  return absl::OkStatus();
}

// Numbers the columns anew and sorts each row by them.
void Renumber(const std::vector<int32_t>& numbers, int32_t num_terms,
              DocumentMatrix* documents) {
  std::vector<std::pair<int32_t, float>> row;
  for (int32_t d = 0; d < documents->num_documents(); ++d) {
    const int64_t begin = documents->offsets[d];
    const int64_t end = documents->offsets[d + 1];
    row.clear();
    for (int64_t e = begin; e < end; ++e) {
      row.push_back({numbers[documents->terms[e]], documents->weights[e]});
    }
    std::sort(row.begin(), row.end());
    for (int64_t e = begin; e < end; ++e) {
      documents->terms[e] = row[e - begin].first;
      documents->weights[e] = row[e - begin].second;
    }
  }
  documents->num_terms = num_terms;
}

// As ApplyWeighting, by the frequencies of all ranks.
absl::StatusOr<DocumentMatrix> Weight(DocumentMatrix documents,
                                      Weighting weighting,
                                      const MergedTerms& terms,
                                      int64_t num_documents, int num_threads) {
  if (weighting == Weighting::kTf) return documents;
  return ScaleTerms(
      std::move(documents),
      InverseDocumentFrequencies(terms.frequencies, num_documents),
      num_threads);
}

}  // namespace

absl::Status CheckUniqueOnRanks(Communicator& ranks,
                                const std::vector<std::string>& ids) {
  // Equal ids come to the same rank.
  std::vector<std::vector<absl::string_view>> by_rank(ranks.size());
  for (const std::string& id : ids) {
    by_rank[Crc32c(id) % ranks.size()].push_back(id);
  }
  RankLists<absl::string_view> out;
  for (const std::vector<absl::string_view>& list : by_rank) out.Append(list);
  by_rank.clear();
  ASSIGN_OR_RETURN(RankLists<std::string> in, ExchangeStrings(ranks, out));
  std::sort(in.values.begin(), in.values.end());
  const auto repeated = std::adjacent_find(in.values.begin(), in.values.end());
  absl::Status status;
  if (repeated != in.values.end()) {
    status = absl::InvalidArgumentError(
        absl::StrCat("documents: expected different ids, found two documents ",
                     QuoteInput(*repeated)));
  }
  return ranks.Agree(status);
}

absl::StatusOr<RankDocuments> ReadTextsOnRanks(
    Communicator& ranks, const std::vector<std::string>& files,
    InputFormat format, const DocumentOptions& options, int num_threads) {
  ASSIGN_OR_RETURN(const AnalyzerOptions analyzer, TextAnalyzer(options.text));
  ASSIGN_OR_RETURN(Weighting weighting, ParseWeighting(options.weighting));
  if (format == InputFormat::kJsonLines) {
    RETURN_IF_ERROR(RefuseArrays(ranks, files));
  }
  Counts counts;
  RankDocuments result;
  RETURN_IF_ERROR(
      ForEachOwnBlock(ranks, files, kBlockBytes, [&](LineBlock block) {
        absl::StatusOr<TextDocuments> texts = ParseBlock(
            std::move(block), format, options, num_threads, &result.skipped);
        RETURN_IF_ERROR(texts.status());
        return AppendTexts(*std::move(texts), analyzer, num_threads, &counts);
      }));
  ASSIGN_OR_RETURN(const std::vector<int64_t> begins,
                   ranks.Begins(static_cast<int64_t>(counts.ids.size())));
  RETURN_IF_ERROR(MergeSkipped(ranks, &result.skipped));
  result.ids = std::move(counts.ids);
  for (size_t d = 0; d < result.ids.size(); ++d) {
    if (result.ids[d].empty()) {
      result.ids[d] =
          absl::StrCat(begins[ranks.rank()] + static_cast<int64_t>(d));
    }
  }
  RETURN_IF_ERROR(CheckUniqueOnRanks(ranks, result.ids));
  ASSIGN_OR_RETURN(
      const MergedTerms terms,
      MergeTerms(ranks, counts.vocabulary,
                 DocumentFrequencies(counts.documents, num_threads)));
  if (options.choose != nullptr) {
    DocumentMatrix compared;
    for (const int32_t d : ComparedDocuments(begins, ranks.rank())) {
      AppendRows(counts.documents, d, d + 1, &compared);
    }
    Renumber(terms.numbers, terms.num_terms, &compared);
    ASSIGN_OR_RETURN(weighting, ChooseOnRanks(ranks, compared, options.choose));
  }
  absl::StatusOr<DocumentMatrix> weighted =
      Weight(std::move(counts.documents), weighting, terms, begins.back(),
             num_threads);
  if (weighted.ok()) {
    Renumber(terms.numbers, terms.num_terms, &*weighted);
    if (options.max_terms > 0) {
      weighted = KeepTopTerms(*std::move(weighted),
                              static_cast<int32_t>(options.max_terms));
    }
  }
  RETURN_IF_ERROR(ranks.Agree(weighted.status()));
  result.documents = *std::move(weighted);
  return result;
}

}  // namespace warpclust
