// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/cpu/cosine_list_join.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "absl/types/span.h"
#include "graph/cosine/cpu/cosine_exact.h"
#include "graph/cosine/cpu/cosine_list_pairs.h"
#include "graph/cosine/filter/cosine_filter_kernels.h"

namespace warpclust {
namespace {

// Relative slack of the bounds against β. Their floats err by a few 2^-24, and
// the sums of squares behind them by 2^-53 per term: less than 2^-22 for 2^31
// terms. What underflows is below 2^-126, and β is at least 2^-63.
constexpr double kSlack = 1e-5;

// Documents of the sample in EstimateCosineJoin.
constexpr int32_t kSample = 1000;

// Nanoseconds, fitted to runs on one core (graph/BENCHMARKS.md).
constexpr double kPerSearched = 0.1;
constexpr double kPerCandidate = 15;
constexpr double kPerCandidateAndTerm = 1.5;
constexpr double kPerPair = 0.08;
constexpr double kPerSharedTerm = 0.8;
// From this share of the documents on, tiles store a term as a row.
constexpr double kRowShare = 0.04;

// Pairs of the first `rows` documents.
int64_t PairsBefore(int64_t rows) { return rows * (rows - 1) / 2; }

// The working memory of one thread.
class Joiner {
 public:
  Joiner(const DocumentMatrix& documents, const CosineRows& rows,
         const CosineDecision& decision, const CosineLists& lists,
         int32_t num_tiles)
      : rows_(rows),
        lists_(lists),
        pairs_(documents, rows, decision),
        cells_(num_tiles) {}
  ~Joiner() {
    for (HalfEdgeCell& cell : cells_) cell.Free();
  }

  // The edges of the rows of one block.
  void Run(int32_t block, HalfEdgeGrid& grid) {
    const int64_t begin = int64_t{block} * grid.block_rows();
    const int64_t end =
        std::min<int64_t>(rows_.num_documents(), begin + grid.block_rows());
    for (int64_t row = begin; row < end; ++row) {
      JoinRow(static_cast<int32_t>(row));
    }
    // Cells of the grid share cache lines with those of other threads.
    for (int32_t tile = 0; tile < grid.num_tiles(); ++tile) {
      HalfEdgeCell& cell = cells_[tile];
      if (cell.rows.empty()) continue;
      grid.cell(tile, block) = cell;
      cell.rows.clear();
      cell.columns.clear();
      cell.weights.clear();
    }
  }

 private:
  void JoinRow(int32_t document) {
    pairs_.Decide(
        lists_.FindBefore(document, pairs_.candidates()),
        [&](ExactDots* exact) {
          exact->SetDocument(document);
          return rows_.squared_norms[document];
        },
        [&](int32_t tile, const RowEdges& edges) {
          edges.AppendTo(document, &cells_[tile]);
        });
  }

  const CosineRows& rows_;
  const CosineLists& lists_;
  CosineListPairs pairs_;
  // The edges of the current block, by tile.
  std::vector<HalfEdgeCell> cells_;
};

}  // namespace

int32_t CosineLists::EntriesOf(const CosineRows& rows, int32_t document,
                               double beta, TermScratch* terms,
                               Entry* entries) {
  terms->clear();
  for (int64_t e = rows.offsets[document]; e < rows.offsets[document + 1];
       ++e) {
    terms->push_back({rows.terms[e], rows.weights[e]});
  }
  // The most frequent first: that of the smallest rank.
  std::sort(terms->begin(), terms->end());
  const double squared_norm = rows.squared_norms[document];
  const double norm = std::sqrt(squared_norm);
  const double least = beta * beta * (1 - 2 * kSlack) * squared_norm;
  double rest = 0;
  int32_t size = 0;
  for (const auto& [term, weight] : *terms) {
    const double w = weight;
    const double rest_with_term = rest + w * w;
    if (rest_with_term >= least) {
      entries[size++] = {term, 0, static_cast<float>(w / norm),
                         static_cast<float>(std::sqrt(rest) / norm)};
    }
    rest = rest_with_term;
  }
  return size;
}

CosineLists::CosineLists(const CosineRows& rows, double beta, int32_t stride,
                         SimdLevel simd, int num_threads)
    : least_(static_cast<float>(beta * (1 - kSlack))),
      scan_(CosineFilterKernelsFor(simd).scan_list) {
  const int32_t n = rows.num_documents();
  const int32_t count = n / stride + (n % stride != 0);
  // First, room for all terms of a document.
  offsets_.assign(count + size_t{1}, 0);
  for (int32_t i = 0; i < count; ++i) {
    offsets_[i + 1] = offsets_[i] + rows.RowSize(i * stride);
  }
  entries_.resize(offsets_[count]);
  std::vector<int32_t> sizes(count);
#pragma omp parallel num_threads(num_threads)
  {
    TermScratch scratch;
#pragma omp for schedule(static)
    for (int32_t i = 0; i < count; ++i) {
      sizes[i] = EntriesOf(rows, i * stride, beta, &scratch,
                           entries_.data() + offsets_[i]);
    }
  }
  list_offsets_.assign(rows.num_terms + size_t{1}, 0);
  int64_t kept = 0;
  for (int32_t i = 0; i < count; ++i) {
    const int64_t begin = std::exchange(offsets_[i], kept);
    for (int64_t e = begin; e < begin + sizes[i]; ++e) {
      Entry& entry = entries_[kept++];
      entry = entries_[e];
      entry.before =
          static_cast<int32_t>(list_offsets_[entry.term + size_t{1}]++);
    }
  }
  offsets_[count] = kept;
  entries_.resize(kept);
  for (int32_t t = 0; t < rows.num_terms; ++t) {
    list_offsets_[t + 1] += list_offsets_[t];
  }
  documents_.Reserve(kept + kListPadding);
  weights_.Reserve(kept + kListPadding);
  rests_.Reserve(kept + kListPadding);
  std::fill_n(documents_.data() + kept, kListPadding, 0);
  std::fill_n(weights_.data() + kept, kListPadding, 0.0f);
  std::fill_n(rests_.data() + kept, kListPadding, 0.0f);
#pragma omp parallel for num_threads(num_threads) schedule(static)
  for (int32_t i = 0; i < count; ++i) {
    for (int64_t e = offsets_[i]; e < offsets_[i + 1]; ++e) {
      const Entry& entry = entries_[e];
      const int64_t at = list_offsets_[entry.term] + entry.before;
      documents_.data()[at] = i * stride;
      weights_.data()[at] = entry.weight;
      rests_.data()[at] = entry.rest;
    }
  }
}

CosineLists::Found CosineLists::FindBefore(
    int32_t index, std::vector<int32_t>* documents) const {
  const auto entries = absl::MakeConstSpan(entries_).subspan(
      offsets_[index], offsets_[index + 1] - offsets_[index]);
  return Find(
      entries,
      [&](const Entry& entry) {
        const int64_t begin = list_offsets_[entry.term];
        return std::pair(begin, begin + entry.before);
      },
      documents);
}

CosineLists::Found CosineLists::FindFrom(
    int32_t begin, absl::Span<const Entry> entries,
    std::vector<int32_t>* documents) const {
  return Find(
      entries,
      [&](const Entry& entry) {
        const int64_t from = list_offsets_[entry.term];
        const int64_t to = list_offsets_[entry.term + size_t{1}];
        if (begin == 0) return std::pair(from, to);
        const int32_t* const list = documents_.data();
        return std::pair<int64_t, int64_t>(
            std::lower_bound(list + from, list + to, begin) - list, to);
      },
      documents);
}

template <class RangeOf>
CosineLists::Found CosineLists::Find(absl::Span<const Entry> entries,
                                     const RangeOf& range_of,
                                     std::vector<int32_t>* documents) const {
  Found found;
  for (const Entry& entry : entries) {
    const int64_t begin = list_offsets_[entry.term];
    __builtin_prefetch(weights_.data() + begin);
    __builtin_prefetch(rests_.data() + begin);
  }
  for (const Entry& entry : entries) {
    const auto [begin, end] = range_of(entry);
    const auto size = static_cast<int32_t>(end - begin);
    if (size == 0) continue;
    const size_t room = found.candidates + size + size_t{kListPadding};
    if (documents->size() < room) documents->resize(2 * room);
    const int64_t count =
        scan_(documents_.data() + begin, weights_.data() + begin,
              rests_.data() + begin, size, entry.weight, entry.rest, least_,
              documents->data() + found.candidates);
    found.searched += size;
    found.candidates += count;
    found.lists += count > 0;
  }
  return found;
}

std::vector<int64_t> RowFrequencies(const CosineRows& rows) {
  std::vector<int64_t> frequencies(rows.num_terms);
  const int64_t entries = rows.offsets.back();
  for (int64_t e = 0; e < entries; ++e) ++frequencies[rows.terms[e]];
  return frequencies;
}

CosineJoinCosts EstimateCosineJoin(const CosineRows& rows, double beta,
                                   SimdLevel simd) {
  const double n = rows.num_documents();
  if (n < 2) return {};
  const double pairs = n * (n - 1) / 2;
  CosineJoinCosts costs;
  // Shared terms of a pair, those in rows counted by their vector operations.
  double shared = 0;
  for (const int64_t frequency : RowFrequencies(rows)) {
    const double share = static_cast<double>(frequency) / n;
    shared += share * std::min(share, kRowShare);
  }
  costs.tiles = pairs * (kPerPair + kPerSharedTerm * shared);

  const int32_t stride = std::max(1, rows.num_documents() / kSample);
  const CosineLists sample(rows, beta, stride, simd, /*num_threads=*/1);
  double searched = 0;
  double candidates = 0;
  std::vector<int32_t> below;
  for (int32_t i = 0; i < sample.num_documents(); ++i) {
    const CosineLists::Found found = sample.FindBefore(i, &below);
    searched += static_cast<double>(found.searched);
    candidates += static_cast<double>(found.candidates);
  }
  const double entries = static_cast<double>(rows.offsets.back());
  const double sampled = sample.num_documents();
  const double all = sampled < 2 ? 1 : pairs / (sampled * (sampled - 1) / 2);
  costs.lists =
      all * (kPerSearched * searched +
             (kPerCandidate + kPerCandidateAndTerm * entries / n) * candidates);
  return costs;
}

HalfEdgeGrid CosineListJoin(const DocumentMatrix& documents,
                            const CosineRows& rows,
                            const CosineDecision& decision,
                            const CosineLists& lists, WorkShare* work,
                            int num_threads) {
  HalfEdgeGrid grid =
      MakeCosineGrid(rows.num_documents(), CosineListPairs::kTileColumns);
  const CountedWork counted(work, PairsBefore(rows.num_documents()));
#pragma omp parallel num_threads(num_threads)
  {
    Joiner joiner(documents, rows, decision, lists, grid.num_tiles());
    // The last blocks, which have the most documents before them, first.
#pragma omp for schedule(dynamic, 1)
    for (int32_t i = 0; i < grid.num_blocks(); ++i) {
      if (counted.stopped()) continue;
      const int64_t block = grid.num_blocks() - 1 - i;
      joiner.Run(static_cast<int32_t>(block), grid);
      const int64_t begin = block * grid.block_rows();
      const int64_t end =
          std::min<int64_t>(rows.num_documents(), begin + grid.block_rows());
      counted.Add(PairsBefore(end) - PairsBefore(begin));
    }
  }
  return grid;
}

}  // namespace warpclust
