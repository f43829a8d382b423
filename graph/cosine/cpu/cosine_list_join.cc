// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/cpu/cosine_list_join.h"

#include <algorithm>
#include <cstddef>

#include "graph/cosine/cpu/cosine_exact.h"
#include "graph/csr/symmetric_csr.h"

namespace warpclust {
namespace {

// The most that a cell's columns can name: cells are few.
constexpr int32_t kTileColumns = 1 << 16;
constexpr int32_t kFewestBlockRows = 1024;
constexpr int32_t kMostBlocks = 256;

// The documents of each term, ascending.
struct Lists {
  explicit Lists(const CosineRows& rows)
      : offsets(int64_t{rows.num_terms} + 1), documents(rows.offsets.back()) {
    const std::vector<int64_t> frequencies = RowFrequencies(rows);
    for (size_t t = 0; t < frequencies.size(); ++t) {
      offsets[t + 1] = offsets[t] + frequencies[t];
    }
    std::vector<int64_t> next(offsets.begin(), offsets.end() - 1);
    for (int32_t d = 0; d < rows.num_documents(); ++d) {
      for (int64_t e = rows.offsets[d]; e < rows.offsets[d + 1]; ++e) {
        documents[next[rows.terms[e]]++] = d;
      }
    }
  }
  std::vector<int64_t> offsets;
  std::vector<int32_t> documents;
};

// What one thread needs.
class Joiner {
 public:
  Joiner(const DocumentMatrix& documents, const CosineRows& rows,
         const CosineDecision& decision, const Lists& lists)
      : rows_(rows),
        decision_(decision),
        lists_(lists),
        exact_(documents, rows) {}

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
        Decide(document, i, tile_end, grid.cell(tile, block));
        i = tile_end;
      }
    }
  }

 private:
  // Documents before `document` that share a term with it, ascending.
  void FindBelow(int32_t document) {
    below_.clear();
    int lists = 0;
    for (int64_t e = rows_.offsets[document]; e < rows_.offsets[document + 1];
         ++e) {
      const size_t before = below_.size();
      for (int64_t i = lists_.offsets[rows_.terms[e]];
           lists_.documents[i] < document; ++i) {
        below_.push_back(lists_.documents[i]);
      }
      lists += below_.size() > before;
    }
    if (lists < 2) return;
    std::sort(below_.begin(), below_.end());
    below_.erase(std::unique(below_.begin(), below_.end()), below_.end());
  }

  // Edges of `document` with below_[begin, end), all of one tile.
  void Decide(int32_t document, size_t begin, size_t end, HalfEdgeCell& cell) {
    const size_t count = end - begin;
    dots_.resize(count);
    norms_.resize(count);
    columns_.resize(count);
    cosines_.resize(count);
    for (size_t k = 0; k < count; ++k) {
      const int32_t other = below_[begin + k];
      columns_[k] = static_cast<uint16_t>(other % kTileColumns);
      norms_[k] = rows_.squared_norms[other];
      dots_[k] = exact_.DotWith(other);
    }
    const int kept = DecideCosines(
        decision_, rows_.squared_norms[document], dots_.data(), norms_.data(),
        static_cast<int>(count), columns_.data(), cosines_.data());
    if (kept == 0) return;
    cell.rows.push_back({document, kept});
    cell.columns.insert(cell.columns.end(), columns_.data(),
                        columns_.data() + kept);
    cell.weights.insert(cell.weights.end(), cosines_.data(),
                        cosines_.data() + kept);
  }

  const CosineRows& rows_;
  const CosineDecision& decision_;
  const Lists& lists_;
  ExactDots exact_;
  std::vector<int32_t> below_;
  std::vector<double> dots_;
  std::vector<double> norms_;
  std::vector<uint16_t> columns_;
  std::vector<float> cosines_;
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
                        const CosineDecision& decision, int num_threads) {
  const Lists lists(rows);
  HalfEdgeGrid grid(
      rows.num_documents(), kTileColumns,
      std::max(kFewestBlockRows, rows.num_documents() / kMostBlocks + 1));
#pragma omp parallel num_threads(num_threads)
  {
    Joiner joiner(documents, rows, decision, lists);
    // The last blocks have most before them.
#pragma omp for schedule(dynamic, 1)
    for (int32_t i = 0; i < grid.num_blocks(); ++i) {
      joiner.Run(grid.num_blocks() - 1 - i, grid);
    }
  }
  return grid.TakeGraph(num_threads);
}

}  // namespace warpclust
