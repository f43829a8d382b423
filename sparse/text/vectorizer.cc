// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/text/vectorizer.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "base/status/status_macros.h"
#include "sparse/text/term_counter.h"

namespace warpclust {
namespace {

// Counts terms; `number` gives a term its column, or kDropped.
DocumentMatrix CountTerms(
    absl::Span<const std::string> texts, Analyzer analyzer, WorkShare* work,
    absl::FunctionRef<int32_t(absl::string_view)> number) {
  const CountedWork counted(work, static_cast<int64_t>(texts.size()));
  DocumentMatrix documents;
  documents.offsets.reserve(texts.size() + 1);
  TermCounter counter(std::move(analyzer));
  for (const std::string& text : texts) {
    counter.Append(text, number, &documents);
    counted.Add(1);
  }
  return documents;
}

// Sorts the rows by term after their terms were renumbered.
void SortRows(DocumentMatrix& documents) {
  std::vector<std::pair<int32_t, float>> row;
  for (int32_t d = 0; d < documents.num_documents(); ++d) {
    const int64_t begin = documents.offsets[d];
    const int64_t size = documents.offsets[d + 1] - begin;
    row.resize(size);
    for (int64_t i = 0; i < size; ++i) {
      row[i] = {documents.terms[begin + i], documents.weights[begin + i]};
    }
    std::sort(row.begin(), row.end());
    for (int64_t i = 0; i < size; ++i) {
      documents.terms[begin + i] = row[i].first;
      documents.weights[begin + i] = row[i].second;
    }
  }
}

}  // namespace

absl::StatusOr<VectorizedTexts> VectorizeTexts(
    absl::Span<const std::string> texts, const AnalyzerOptions& options,
    WorkShare* work) {
  ASSIGN_OR_RETURN(Analyzer analyzer, Analyzer::Create(options));
  VectorizedTexts result;
  Vocabulary by_appearance;
  result.documents = CountTerms(
      texts, std::move(analyzer), work,
      [&](absl::string_view term) { return by_appearance.Add(term); });

  std::vector<int32_t> order(by_appearance.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return by_appearance.Term(a) < by_appearance.Term(b);
  });
  std::vector<int32_t> rank(order.size());
  for (int32_t old : order) {
    rank[old] = result.vocabulary.Add(by_appearance.Term(old));
  }
  for (int32_t& term : result.documents.terms) term = rank[term];
  result.documents.num_terms = result.vocabulary.size();
  SortRows(result.documents);
  return result;
}

absl::StatusOr<DocumentMatrix> VectorizeTexts(
    absl::Span<const std::string> texts, const AnalyzerOptions& options,
    const Vocabulary& vocabulary, WorkShare* work) {
  ASSIGN_OR_RETURN(Analyzer analyzer, Analyzer::Create(options));
  DocumentMatrix documents =
      CountTerms(texts, std::move(analyzer), work, [&](absl::string_view term) {
        const int32_t id = vocabulary.Find(term);
        return id == Vocabulary::kNotFound ? TermCounter::kDropped : id;
      });
  documents.num_terms = vocabulary.size();
  return documents;
}

}  // namespace warpclust
