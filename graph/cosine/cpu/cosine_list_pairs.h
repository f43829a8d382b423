// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CosineListPairs: which of the documents that CosineLists found for a document
// are its neighbors.

#ifndef WARPCLUST_GRAPH_COSINE_CPU_COSINE_LIST_PAIRS_H_
#define WARPCLUST_GRAPH_COSINE_CPU_COSINE_LIST_PAIRS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "graph/cosine/cpu/cosine_exact.h"
#include "graph/cosine/cpu/cosine_list_join.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "graph/cosine/filter/cosine_rows.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// The working memory of one thread: a bit per document, and the candidates.
class CosineListPairs {
 public:
  // The widest tile that the columns of RowEdges can name.
  static constexpr int32_t kTileColumns = 1 << 16;

  // `documents`, whose rows are `rows`, are in the lists. All outlive this
  // object.
  CosineListPairs(const DocumentMatrix& documents, const CosineRows& rows,
                  const CosineDecision& decision)
      : rows_(rows),
        // Decides all but the pairs next to the threshold, as DecideCosines
        // does.
        least_(decision.beta * decision.beta * (1 - 1e-9)),
        exact_(documents, rows),
        edges_(decision, rows),
        seen_(rows.num_documents() / 64 + size_t{1}) {}

  // What the lists are to write to.
  std::vector<int32_t>* candidates() { return &candidates_; }

  // The edges of a document with those that `found` says are in candidates().
  // set_exact(&exact) sets the document, and returns its squared norm; it is
  // not called without candidates. take(tile, edges) gets the edges with the
  // documents from number tile * kTileColumns on, tiles ascending.
  template <class SetExact, class Take>
  void Decide(const CosineLists::Found& found, const SetExact& set_exact,
              const Take& take) {
    int64_t count = found.candidates;
    if (found.lists > 1) count = RemoveRepeated(count);
    if (count == 0) return;
    const double squared_norm = set_exact(&exact_);
    count = KeepClose(squared_norm, count);
    if (found.lists > 1) std::sort(close_.begin(), close_.begin() + count);
    for (int64_t i = 0; i < count;) {
      const int32_t tile = close_[i].first / kTileColumns;
      int64_t end = i;
      while (end < count && close_[end].first / kTileColumns == tile) ++end;
      edges_.Clear();
      edges_.Decide(
          squared_norm, tile * kTileColumns, static_cast<int>(end - i),
          [&](int k) { return close_[i + k].first; },
          [&](int k) { return close_[i + k].second; });
      take(tile, edges_);
      i = end;
    }
  }

 private:
  // How many candidates ahead their rows are fetched.
  static constexpr int64_t kAhead = 6;

  // Keeps each of the first `count` candidates once.
  int64_t RemoveRepeated(int64_t count) {
    int64_t kept = 0;
    for (int64_t i = 0; i < count; ++i) {
      const int32_t document = candidates_[i];
      uint64_t& word = seen_[document / 64];
      const uint64_t bit = uint64_t{1} << (document % 64);
      // Always written, kept if it is new: a branch would be mispredicted.
      candidates_[kept] = document;
      kept += (word & bit) == 0;
      word |= bit;
    }
    for (int64_t i = 0; i < kept; ++i) seen_[candidates_[i] / 64] = 0;
    return kept;
  }

  // Sets close_ to those of the first `count` candidates whose cosine may reach
  // β, with their dot products. Returns their number.
  int64_t KeepClose(double squared_norm, int64_t count) {
    if (static_cast<int64_t>(close_.size()) < count) close_.resize(2 * count);
    const double least = least_ * squared_norm;
    int64_t kept = 0;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t ahead =
          rows_.offsets[candidates_[std::min(i + kAhead, count - 1)]];
      __builtin_prefetch(rows_.terms.data() + ahead);
      __builtin_prefetch(rows_.weights.data() + ahead);
      const int32_t document = candidates_[i];
      const double dot = exact_.DotWith(document);
      close_[kept] = {document, dot};
      kept += dot * dot >= least * rows_.squared_norms[document];
    }
    return kept;
  }

  const CosineRows& rows_;
  const double least_;
  ExactDots exact_;
  RowEdges edges_;
  std::vector<int32_t> candidates_;
  std::vector<std::pair<int32_t, double>> close_;
  // A bit per document, set while RemoveRepeated runs.
  std::vector<uint64_t> seen_;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CPU_COSINE_LIST_PAIRS_H_
