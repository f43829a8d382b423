// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/cpu/cosine_list_join.h"

#include <algorithm>
#include <cstddef>

#include "graph/cosine/cpu/cosine_exact.h"
#include "graph/csr/symmetric_csr.h"
#include "sparse/term_lists/term_lists.h"

namespace warpclust {
namespace {

// The widest tile that a cell's columns can name: cells are few.
constexpr int32_t kTileColumns = 1 << 16;

// Pairs of the first `rows` documents.
int64_t PairsBefore(int64_t rows) { return rows * (rows - 1) / 2; }

// The working memory of one thread.
class Joiner {
 public:
  Joiner(const DocumentMatrix& documents, const CosineRows& rows,
         const CosineDecision& decision, const TermLists& lists)
      : documents_(documents),
        rows_(rows),
        lists_(lists),
        exact_(documents, rows),
        edges_(decision, rows) {}

  // The edges of the rows of one block.
  void Run(int32_t block, HalfEdgeGrid& grid) {
    const int64_t begin = int64_t{block} * grid.block_rows();
    const int64_t end =
        std::min<int64_t>(rows_.num_documents(), begin + grid.block_rows());
    for (int64_t row = begin; row < end; ++row) {
      const int32_t document = static_cast<int32_t>(row);
      FindBelow(document);
      if (below_.empty()) continue;
      exact_.SetDocument(document);
      for (size_t i = 0; i < below_.size();) {
        const int32_t tile = below_[i] / kTileColumns;
        size_t tile_end = i;
        while (tile_end < below_.size() &&
               below_[tile_end] / kTileColumns == tile) {
          ++tile_end;
        }
        edges_.Clear();
        edges_.Decide(
            rows_.squared_norms[document], tile * kTileColumns,
            static_cast<int>(tile_end - i),
            [&](int k) { return below_[i + k]; },
            [&](int k) { return exact_.DotWith(below_[i + k]); });
        edges_.AppendTo(document, &grid.cell(tile, block));
        i = tile_end;
      }
    }
  }

 private:
  // Sets below_ to the documents before `document` that share a term with it,
  // ascending.
  void FindBelow(int32_t document) {
    below_.clear();
    int lists = 0;
    for (const int32_t term : documents_.TermsOf(document)) {
      const size_t before = below_.size();
      for (int64_t i = lists_.offsets[term]; lists_.documents[i] < document;
           ++i) {
        below_.push_back(lists_.documents[i]);
      }
      lists += below_.size() > before;
    }
    if (lists < 2) return;
    std::sort(below_.begin(), below_.end());
    below_.erase(std::unique(below_.begin(), below_.end()), below_.end());
  }

  const DocumentMatrix& documents_;
  const CosineRows& rows_;
  const TermLists& lists_;
  ExactDots exact_;
  RowEdges edges_;
  std::vector<int32_t> below_;
};

}  // namespace

double SharedTermPairs(absl::Span<const int64_t> document_frequencies) {
  double pairs = 0;
  for (const int64_t frequency : document_frequencies) {
    const double documents = static_cast<double>(frequency);
    pairs += documents * (documents - 1) / 2;
  }
  return pairs;
}

std::vector<int64_t> RowFrequencies(const CosineRows& rows) {
  std::vector<int64_t> frequencies(rows.num_terms);
  const int64_t entries = rows.offsets.back();
  for (int64_t e = 0; e < entries; ++e) ++frequencies[rows.terms[e]];
  return frequencies;
}

CsrGraph CosineListJoin(const DocumentMatrix& documents, const CosineRows& rows,
                        const CosineDecision& decision, WorkShare* work,
                        int num_threads) {
  TermListsOptions options;
  options.num_threads = num_threads;
  const TermLists lists = BuildTermLists(documents, options);
  HalfEdgeGrid grid = MakeCosineGrid(rows.num_documents(), kTileColumns);
  const CountedWork counted(work, PairsBefore(rows.num_documents()));
#pragma omp parallel num_threads(num_threads)
  {
    Joiner joiner(documents, rows, decision, lists);
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
  return grid.TakeGraph(num_threads);
}

}  // namespace warpclust
