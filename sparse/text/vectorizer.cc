// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/text/vectorizer.h"

#include <omp.h>

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
#include "sparse/text/shared_terms.h"
#include "sparse/text/term_counter.h"
#include "sparse/text/text_blocks.h"

namespace warpclust {
namespace {

using Texts = TextBlock<std::string>;

// Texts with fewer bytes are not worth a thread.
constexpr int64_t kBytesPerThread = int64_t{1} << 18;

// `*threads` is cut to what the texts are worth.
std::vector<Texts> Blocks(Texts texts, int* threads) {
  // So many that no thread waits long for the last ones.
  constexpr int64_t kBlocksPerThread = 6;
  const int64_t bytes = TextBytes(texts);
  *threads = ThreadsFor(bytes, kBytesPerThread, *threads);
  return SplitTexts(texts, bytes,
                    *threads > 1 ? kBlocksPerThread * *threads : 1);
}

static_assert(SharedTerms::kNone == TermCounter::kDropped);

// Counts the terms of all blocks, each with one of `counters`, one per thread;
// `column` as in TermCounter::AppendWords. Returns the rows of each block.
// `owned`, unless null, are the texts, which are freed.
std::vector<DocumentMatrix> CountTerms(
    absl::Span<const Texts> blocks, const CountedWork& counted,
    absl::FunctionRef<int32_t(absl::string_view, Analyzer&)> column,
    std::vector<TermCounter>* counters,
    std::vector<std::string>* owned = nullptr) {
  const auto num_blocks = static_cast<int64_t>(blocks.size());
  std::vector<DocumentMatrix> counts(blocks.size());
#pragma omp parallel num_threads(counters->size())
  {
    Stopwatch stopwatch;
    // Not side by side with those of other threads: all write to them.
    TermCounter counter = std::move((*counters)[omp_get_thread_num()]);
#pragma omp for schedule(dynamic, 1)
    for (int64_t b = 0; b < num_blocks; ++b) {
      DocumentMatrix documents;
      documents.offsets.reserve(blocks[b].size() + 1);
      for (const std::string& text : blocks[b]) {
        counter.AppendWords(text, column, &documents);
        if (owned != nullptr) {
          std::string().swap((*owned)[&text - owned->data()]);
        }
        counted.Add(1);
      }
      counts[b] = std::move(documents);
    }
    (*counters)[omp_get_thread_num()] = std::move(counter);
    stopwatch.Lap("analyze texts");
  }
  return counts;
}

absl::StatusOr<std::vector<TermCounter>> Counters(
    const AnalyzerOptions& options, int num_threads, bool keep_words) {
  std::vector<TermCounter> counters;
  for (int t = 0; t < num_threads; ++t) {
    ASSIGN_OR_RETURN(Analyzer analyzer, Analyzer::Create(options));
    counters.emplace_back(std::move(analyzer));
    if (keep_words) counters.back().KeepWords();
  }
  return counters;
}

// `owned` as in CountTerms.
absl::StatusOr<VectorizedTexts> Vectorize(absl::Span<const std::string> texts,
                                          std::vector<std::string>* owned,
                                          const AnalyzerOptions& options,
                                          WorkShare* work, int num_threads,
                                          bool keep_words) {
  int threads = ResolveThreads(num_threads);
  const std::vector<Texts> blocks = Blocks(texts, &threads);
  ASSIGN_OR_RETURN(std::vector<TermCounter> counters,
                   Counters(options, threads, keep_words));
  absl::optional<SharedTerms> terms(absl::in_place, threads);
  std::vector<DocumentMatrix> counts;
  {
    const CountedWork counted(work, static_cast<int64_t>(texts.size()));
    counts = CountTerms(
        blocks, counted,
        [&](absl::string_view word, Analyzer& analyzer) {
          return terms->Find(word, analyzer);
        },
        &counters, owned);
  }
  VectorizedTexts result;
  Stopwatch stopwatch;
  const SharedTerms::Numbered numbered = terms->Number(threads);
  stopwatch.Lap("merge terms");
  const auto num_blocks = static_cast<int64_t>(blocks.size());
#pragma omp parallel num_threads(threads)
  {
    // One thread makes the vocabulary meanwhile.
#pragma omp single nowait
    {
      Stopwatch adding;
      result.vocabulary = Vocabulary::FromDistinct(numbered.terms);
      adding.Lap("make vocabulary");
    }
#pragma omp for schedule(dynamic, 1)
    for (int64_t b = 0; b < num_blocks; ++b) {
      Stopwatch renumbering;
      RenumberColumns(0, numbered.places, counts[b]);
      renumbering.Lap("number terms");
    }
  }
  if (keep_words) {
    FullWords words;
    for (TermCounter& counter : counters) {
      counter.ForEachKeptWord(
          [&](absl::string_view word, int32_t term, int64_t count) {
            words.Add(word, numbered.places[term], count);
          });
    }
    result.words = words.Words(result.vocabulary.size());
  }
  result.documents = ConcatenateDocuments(std::move(counts), num_threads);
  result.documents.num_terms = result.vocabulary.size();
  stopwatch.Lap("number and join");
  return result;
}

}  // namespace

absl::StatusOr<VectorizedTexts> VectorizeTexts(
    absl::Span<const std::string> texts, const AnalyzerOptions& options,
    WorkShare* work, int num_threads, bool keep_words) {
  return Vectorize(texts, /*owned=*/nullptr, options, work, num_threads,
                   keep_words);
}

absl::StatusOr<VectorizedTexts> VectorizeAndFree(
    std::vector<std::string>* texts, const AnalyzerOptions& options,
    WorkShare* work, int num_threads, bool keep_words) {
  return Vectorize(*texts, texts, options, work, num_threads, keep_words);
}

absl::StatusOr<DocumentMatrix> VectorizeTexts(
    absl::Span<const std::string> texts, const AnalyzerOptions& options,
    const Vocabulary& vocabulary, WorkShare* work, int num_threads) {
  int threads = ResolveThreads(num_threads);
  const std::vector<Texts> blocks = Blocks(texts, &threads);
  ASSIGN_OR_RETURN(std::vector<TermCounter> counters,
                   Counters(options, threads, /*keep_words=*/false));
  const CountedWork counted(work, static_cast<int64_t>(texts.size()));
  DocumentMatrix documents = ConcatenateDocuments(
      CountTerms(
          blocks, counted,
          [&](absl::string_view word, Analyzer& analyzer) {
            const absl::string_view term = analyzer.TermOf(word);
            const int32_t id =
                term.empty() ? Vocabulary::kNotFound : vocabulary.Find(term);
            return id == Vocabulary::kNotFound ? TermCounter::kDropped : id;
          },
          &counters),
      num_threads);
  documents.num_terms = vocabulary.size();
  return documents;
}

}  // namespace warpclust
