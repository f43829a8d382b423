// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/text/stream_term_counter.h"

#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "sparse/matrix/concatenate_documents.h"

namespace warpclust {
namespace {

// They take 0.2 milliseconds; starting a thread of a team takes up to 20
// microseconds.
constexpr int64_t kBytesPerThread = int64_t{1} << 14;

DocumentMatrix CountBlock(TextBlock<absl::string_view> texts,
                          absl::FunctionRef<int32_t(absl::string_view)> number,
                          TermCounter* place) {
  Stopwatch stopwatch;
  // Not side by side with those of other threads: all write to them.
  TermCounter counter = std::move(*place);
  DocumentMatrix rows;
  rows.offsets.reserve(texts.size() + 1);
  for (const absl::string_view text : texts) {
    counter.Append(text, number, &rows);
  }
  *place = std::move(counter);
  stopwatch.Lap("analyze texts");
  return rows;
}

}  // namespace

absl::StatusOr<StreamTermCounter> StreamTermCounter::Create(
    const AnalyzerOptions& options, int num_threads) {
  std::vector<TermCounter> counters;
  for (int t = 0; t < ResolveThreads(num_threads); ++t) {
    ASSIGN_OR_RETURN(Analyzer analyzer, Analyzer::Create(options));
    counters.emplace_back(std::move(analyzer));
  }
  return StreamTermCounter(std::move(counters));
}

void StreamTermCounter::KeepWords() {
  for (TermCounter& counter : counters_) counter.KeepWords();
}

void StreamTermCounter::ForgetWordCounts() {
  for (TermCounter& counter : counters_) counter.ForgetWordCounts();
}

void StreamTermCounter::ForEachKeptWord(
    absl::FunctionRef<void(absl::string_view word, int32_t column,
                           int64_t count)>
        use) const {
  for (const TermCounter& counter : counters_) counter.ForEachKeptWord(use);
}

std::vector<TextBlock<absl::string_view>> StreamTermCounter::Split(
    absl::Span<const absl::string_view> texts) const {
  const int64_t bytes = TextBytes(texts);
  return SplitTexts(
      texts, bytes,
      ThreadsFor(bytes, kBytesPerThread, static_cast<int>(counters_.size())));
}

DocumentMatrix StreamTermCounter::Count(
    absl::Span<const absl::string_view> texts, Vocabulary* vocabulary) {
  const std::vector<TextBlock<absl::string_view>> blocks = Split(texts);
  if (blocks.size() == 1) {
    return CountBlock(
        texts, [&](absl::string_view term) { return vocabulary->Add(term); },
        counters_.data());
  }
  const auto num_blocks = static_cast<int64_t>(blocks.size());
  const int32_t known = vocabulary->size();
  std::vector<DocumentMatrix> rows(num_blocks);
  // The new terms of each block: its columns from `known` on.
  std::vector<Vocabulary> fresh(num_blocks);
  std::vector<std::vector<int32_t>> numbers(num_blocks);
#pragma omp parallel num_threads(num_blocks)
  {
#pragma omp for schedule(static, 1)
    for (int64_t b = 0; b < num_blocks; ++b) {
      Vocabulary terms;
      rows[b] = CountBlock(
          blocks[b],
          [&](absl::string_view term) {
            const int32_t id = vocabulary->Find(term);
            return id == Vocabulary::kNotFound ? known + terms.Add(term) : id;
          },
          &counters_[b]);
      fresh[b] = std::move(terms);
    }
#pragma omp single
    for (int64_t b = 0; b < num_blocks; ++b) {
      for (int32_t t = 0; t < fresh[b].size(); ++t) {
        numbers[b].push_back(vocabulary->Add(fresh[b].Term(t)));
      }
    }
#pragma omp for schedule(static, 1)
    for (int64_t b = 0; b < num_blocks; ++b) {
      counters_[b].RenumberColumns(known, numbers[b]);
      if (!numbers[b].empty()) RenumberColumns(known, numbers[b], rows[b]);
    }
  }
  return ConcatenateDocuments(std::move(rows), static_cast<int>(num_blocks));
}

DocumentMatrix StreamTermCounter::CountKnown(
    absl::Span<const absl::string_view> texts, const Vocabulary& vocabulary) {
  const std::vector<TextBlock<absl::string_view>> blocks = Split(texts);
  const auto num_blocks = static_cast<int64_t>(blocks.size());
  std::vector<DocumentMatrix> rows(num_blocks);
#pragma omp parallel for num_threads(num_blocks) schedule(static, 1)
  for (int64_t b = 0; b < num_blocks; ++b) {
    rows[b] = CountBlock(
        blocks[b],
        [&](absl::string_view term) {
          const int32_t id = vocabulary.Find(term);
          return id == Vocabulary::kNotFound ? TermCounter::kDropped : id;
        },
        &counters_[b]);
  }
  return ConcatenateDocuments(std::move(rows), static_cast<int>(num_blocks));
}

}  // namespace warpclust
