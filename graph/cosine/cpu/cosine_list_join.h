// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CosineListJoin: the cosine graph by term lists. A document meets only those
// that share a significant term with it. This is cheaper than a filter over all
// pairs where few pairs do: with short documents, or a high β.
//
// Order the terms of each document by document frequency, the rarest first. Let
// t be the first term, in this order, that documents x and y share, x_t its
// weight in x, and |x_>t| the norm of the terms of x after t. By
// Cauchy-Schwarz,
//   cos(x, y) <= (x_t y_t + |x_>t| |y_>t|) / (|x| |y|).
// So the list of a term has two numbers per document, x_t / |x| and
// |x_>t| / |x|, and of the documents in a list only those meet whose bound
// reaches β. By Cauchy-Schwarz again, a document is left out of the lists of
// terms where the squares of the two numbers sum to less than β²: its most
// frequent terms. (Prefix filtering with norms, as in Anastasiu and Karypis,
// L2AP, ICDE 2014, with lists in order of frequency.)
//
// Cost: the lists, by vector instructions, and an exact dot product for each
// pair that meets. Memory: 28 bytes per entry, 8 per term, a bit per document
// and thread, and the edges.

#ifndef WARPCLUST_GRAPH_COSINE_CPU_COSINE_LIST_JOIN_H_
#define WARPCLUST_GRAPH_COSINE_CPU_COSINE_LIST_JOIN_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "base/machine/aligned_buffer.h"
#include "base/machine/cpu_features.h"
#include "base/machine/work_share.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "graph/cosine/filter/cosine_rows.h"
#include "graph/csr/symmetric_csr.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// The lists of the documents 0, stride, 2 stride, … of some rows.
class CosineLists {
 public:
  CosineLists(const CosineRows& rows, double beta, int32_t stride,
              SimdLevel simd, int num_threads);

  int32_t num_documents() const {
    return static_cast<int32_t>(offsets_.size()) - 1;
  }

  struct Found {
    // Documents in the lists that were searched.
    int64_t searched = 0;
    // Candidates, once per list that has them, and how many lists do.
    int64_t candidates = 0;
    int lists = 0;
  };
  // Writes to `documents`, which grows as needed, those before document
  // `index` · stride that it meets: per list ascending.
  Found FindBefore(int32_t index, std::vector<int32_t>* documents) const;

  // A document in the list of a term.
  struct Entry {
    int32_t term;
    // Documents before this one in the list of the term.
    int32_t before;
    float weight;  // x_t / |x|.
    float rest;    // |x_>t| / |x|.
  };
  using TermScratch = std::vector<std::pair<int32_t, float>>;
  // Writes the entries of a document of `rows`, the most frequent term first,
  // to `entries`, which has room for all of its terms; `before` is 0. Returns
  // their number.
  static int32_t EntriesOf(const CosineRows& rows, int32_t document,
                           double beta, TermScratch* scratch, Entry* entries);
  // As FindBefore for a document of other rows with the same terms, which has
  // these entries: the documents from `begin` on that it meets.
  Found FindFrom(int32_t begin, absl::Span<const Entry> entries,
                 std::vector<int32_t>* documents) const;

 private:
  // Scans the part of each entry's list that `range_of` names.
  template <class RangeOf>
  Found Find(absl::Span<const Entry> entries, const RangeOf& range_of,
             std::vector<int32_t>* documents) const;

  const float least_;
  const ScanListFunction scan_;
  // By document: its entries in lists, the most frequent term first.
  std::vector<int64_t> offsets_;
  std::vector<Entry> entries_;
  // By term.
  std::vector<int64_t> list_offsets_;
  AlignedBuffer<int32_t> documents_;
  AlignedBuffer<float> weights_;
  AlignedBuffer<float> rests_;
};

// The estimated cost of a join by lists and by tiles, in nanoseconds of one
// thread; without writing the edges, which costs the same.
struct CosineJoinCosts {
  double lists = 0;
  double tiles = 0;
};

// From document frequencies and the lists of up to a thousand documents.
CosineJoinCosts EstimateCosineJoin(const CosineRows& rows, double beta,
                                   SimdLevel simd);

// The document frequency of each term of `rows`.
std::vector<int64_t> RowFrequencies(const CosineRows& rows);

// The edges of `documents`, whose rows are `rows` and whose lists, with
// stride 1, are `lists`. `work`, unless null, counts pairs.
HalfEdgeGrid CosineListJoin(const DocumentMatrix& documents,
                            const CosineRows& rows,
                            const CosineDecision& decision,
                            const CosineLists& lists, WorkShare* work,
                            int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CPU_COSINE_LIST_JOIN_H_
