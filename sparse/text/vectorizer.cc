// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/text/vectorizer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "sparse/matrix/concatenate_documents.h"
#include "sparse/text/full_words.h"
#include "sparse/text/number_terms.h"
#include "sparse/text/term_counter.h"

namespace warpclust {
namespace {

// Texts with fewer bytes are not worth a thread.
constexpr int64_t kBytesPerThread = int64_t{1} << 18;

// Texts of about equal length in all for each thread.
std::vector<absl::Span<const std::string>> Shares(
    absl::Span<const std::string> texts, int num_threads) {
  int64_t bytes = 0;
  for (const std::string& text : texts) {
    bytes += static_cast<int64_t>(text.size()) + 1;
  }
  const int64_t shares = ThreadsFor(bytes, kBytesPerThread, num_threads);
  std::vector<absl::Span<const std::string>> result;
  size_t begin = 0;
  int64_t passed = 0;
  for (int64_t share = 1; share <= shares; ++share) {
    size_t end = begin;
    for (; end < texts.size() && passed * shares < bytes * share; ++end) {
      passed += static_cast<int64_t>(texts[end].size()) + 1;
    }
    result.push_back(texts.subspan(begin, end - begin));
    begin = end;
  }
  return result;
}

// Counts terms; `number` gives a term its column, or kDropped.
DocumentMatrix CountTerms(absl::Span<const std::string> texts,
                          const CountedWork& counted,
                          absl::FunctionRef<int32_t(absl::string_view)> number,
                          TermCounter* counter) {
  DocumentMatrix documents;
  documents.offsets.reserve(texts.size() + 1);
  for (const std::string& text : texts) {
    counter->Append(text, number, &documents);
    counted.Add(1);
  }
  return documents;
}

// Calls `count(share, analyzer)` for each share, in a thread of its own.
absl::Status ForEachShare(
    int64_t shares, const AnalyzerOptions& options,
    absl::FunctionRef<void(int64_t share, Analyzer analyzer)> count) {
  std::vector<Analyzer> analyzers;
  for (int64_t share = 0; share < shares; ++share) {
    ASSIGN_OR_RETURN(Analyzer analyzer, Analyzer::Create(options));
    analyzers.push_back(std::move(analyzer));
  }
#pragma omp parallel for num_threads(shares) schedule(static, 1)
  for (int64_t share = 0; share < shares; ++share) {
    Stopwatch stopwatch;
    count(share, std::move(analyzers[share]));
    stopwatch.Lap("analyze texts");
  }
  return absl::OkStatus();
}

// Numbers the terms of `documents` anew and sorts its rows by them.
void Renumber(const std::vector<int32_t>& numbers, DocumentMatrix& documents) {
  std::vector<std::pair<int32_t, float>> row;
  for (int32_t d = 0; d < documents.num_documents(); ++d) {
    const int64_t begin = documents.offsets[d];
    const int64_t size = documents.offsets[d + 1] - begin;
    row.resize(size);
    for (int64_t i = 0; i < size; ++i) {
      row[i] = {numbers[documents.terms[begin + i]],
                documents.weights[begin + i]};
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
    WorkShare* work, int num_threads, bool keep_words) {
  const std::vector<absl::Span<const std::string>> shares =
      Shares(texts, num_threads);
  const auto num_shares = static_cast<int64_t>(shares.size());
  // In the order of their first appearance.
  std::vector<Vocabulary> terms(shares.size());
  std::vector<DocumentMatrix> counts(shares.size());
  // Those with words.
  std::vector<absl::optional<TermCounter>> counters(shares.size());
  const CountedWork counted(work, static_cast<int64_t>(texts.size()));
  RETURN_IF_ERROR(
      ForEachShare(num_shares, options, [&](int64_t share, Analyzer analyzer) {
        Vocabulary& vocabulary = terms[share];
        TermCounter counter(std::move(analyzer));
        if (keep_words) counter.KeepWords();
        counts[share] = CountTerms(
            shares[share], counted,
            [&](absl::string_view term) { return vocabulary.Add(term); },
            &counter);
        if (keep_words) counters[share] = std::move(counter);
      }));
  VectorizedTexts result;
  Stopwatch stopwatch;
  const NumberedTerms numbered =
      NumberTerms(terms, static_cast<int>(num_shares));
  stopwatch.Lap("merge terms");
#pragma omp parallel num_threads(num_shares)
  {
    // One thread makes the vocabulary meanwhile.
#pragma omp single nowait
    for (const absl::string_view term : numbered.terms) {
      result.vocabulary.Add(term);
    }
#pragma omp for schedule(dynamic, 1)
    for (int64_t share = 0; share < num_shares; ++share) {
      Stopwatch renumbering;
      Renumber(numbered.numbers[share], counts[share]);
      renumbering.Lap("number terms");
    }
    // Freeing many strings takes as long.
#pragma omp for schedule(dynamic, 1)
    for (int64_t share = 0; share < num_shares; ++share) {
      terms[share] = Vocabulary();
    }
  }
  if (keep_words) {
    FullWords words;
    for (size_t share = 0; share < counters.size(); ++share) {
      counters[share]->ForEachKeptWord(
          [&](absl::string_view word, int32_t term, int64_t count) {
            words.Add(word, numbered.numbers[share][term], count);
          });
      counters[share].reset();
    }
    result.words = words.Words(result.vocabulary.size());
  }
  result.documents = ConcatenateDocuments(std::move(counts), num_threads);
  result.documents.num_terms = result.vocabulary.size();
  return result;
}

absl::StatusOr<DocumentMatrix> VectorizeTexts(
    absl::Span<const std::string> texts, const AnalyzerOptions& options,
    const Vocabulary& vocabulary, WorkShare* work, int num_threads) {
  const std::vector<absl::Span<const std::string>> shares =
      Shares(texts, num_threads);
  std::vector<DocumentMatrix> counts(shares.size());
  const CountedWork counted(work, static_cast<int64_t>(texts.size()));
  RETURN_IF_ERROR(ForEachShare(static_cast<int64_t>(shares.size()), options,
                               [&](int64_t share, Analyzer analyzer) {
                                 TermCounter counter(std::move(analyzer));
                                 counts[share] = CountTerms(
                                     shares[share], counted,
                                     [&](absl::string_view term) {
                                       const int32_t id = vocabulary.Find(term);
                                       return id == Vocabulary::kNotFound
                                                  ? TermCounter::kDropped
                                                  : id;
                                     },
                                     &counter);
                               }));
  DocumentMatrix documents =
      ConcatenateDocuments(std::move(counts), num_threads);
  documents.num_terms = vocabulary.size();
  return documents;
}

}  // namespace warpclust
