// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/filter/cosine_count_rows.h"

#include <algorithm>
#include <cstddef>

#include "base/machine/cpu_features.h"

namespace warpclust {
namespace {

// Puts the bounded terms of a row behind its others; returns how many.
int64_t AppendBounded(const CountRowsScratch& scratch, int64_t count,
                      int64_t at, CosineRows* rows) {
  std::copy_n(scratch.bounded_ranks.begin(), count, rows->terms.begin() + at);
  std::copy_n(scratch.bounded_weights.begin(), count,
              rows->weights.begin() + at);
  return count;
}

}  // namespace

bool CanWeighCounts(absl::Span<const double> factors) {
  constexpr double kSmallest = 1e-20;
  constexpr double kLargest = 1e20;
  bool can = true;
  for (double factor : factors) {
    can &= factor == 0 || (factor >= kSmallest && factor <= kLargest);
  }
  return can;
}

std::vector<CountedTerm> CountTable(absl::Span<const double> factors,
                                    const CosineTerms& terms,
                                    int32_t num_terms) {
  std::vector<CountedTerm> table(num_terms);
  for (int32_t t = 0; t < num_terms; ++t) {
    table[t] = {factors.empty() ? 1.0f : static_cast<float>(factors[t]),
                terms.RankOf(t)};
  }
  return table;
}

void RefillCountRows(const DocumentMatrix& counts,
                     absl::Span<const CountedTerm> table,
                     const CosineRows& columns, double beta,
                     CountRowsScratch* scratch, CosineRows* rows) {
  const int32_t n = counts.num_documents();
  PrepareRefill(n, counts.offsets[n] - counts.offsets[0] + kRowPadding, columns,
                rows);
  int64_t longest = 0;
  for (int32_t d = 0; d < n; ++d) {
    longest = std::max(longest, counts.offsets[d + 1] - counts.offsets[d]);
  }
  if (scratch->bounded_ranks.size() <
      static_cast<size_t>(longest + kRowPadding)) {
    scratch->bounded_ranks.resize(longest + kRowPadding);
    scratch->bounded_weights.resize(longest + kRowPadding);
  }
  const CosineRowKernels& kernels = CosineRowKernelsFor(CpuSimdLevel());
  int64_t at = 0;
  for (int32_t d = 0; d < n; ++d) {
    const int64_t first = counts.offsets[d];
    const WeighedRow row = kernels.weigh_terms(
        counts.terms.data() + first, counts.weights.data() + first,
        counts.offsets[d + 1] - first, table.data(), columns.num_bounded,
        rows->terms.data() + at, rows->weights.data() + at,
        scratch->bounded_ranks.data(), scratch->bounded_weights.data());
    rows->squared_norms[d] = row.squared_norm;
    rows->rests[d] = 0;
    int64_t kept = 0;
    // Weights may all be 0: such a document is in no pair.
    if (row.squared_norm > 0) {
      kept = row.num_kept;
      rows->rests[d] = RestOfRow(row.squared_rest, row.squared_norm, columns);
      if (row.num_bounded > 0 &&
          (rows->rests[d] == 0 || columns.num_wide > 0 ||
           !IsNarrowRow(row.squared_norm, kept, columns.integer_weights,
                        beta))) {
        kept += AppendBounded(*scratch, row.num_bounded, at + kept, rows);
      }
    }
    at += kept;
    rows->offsets[d + 1] = at;
  }
  FinishRefill(columns, beta, rows);
}

void ExactCountRow::Set(absl::Span<const int32_t> terms_of,
                        absl::Span<const float> counts,
                        absl::Span<const double> factors,
                        absl::Span<const CountedTerm> table) {
  const size_t size = terms_of.size();
  terms.resize(size);
  ranks.resize(size);
  weights.resize(size);
  squared_norm = 0;
  size_t kept = 0;
  for (size_t e = 0; e < size; ++e) {
    const int32_t term = terms_of[e];
    const double factor = factors.empty() ? 1 : factors[term];
    const float weight =
        static_cast<float>(static_cast<double>(counts[e]) * factor);
    // Written always, kept if it is a weight; adding +0 changes no sum.
    terms[kept] = term;
    ranks[kept] = table[term].rank;
    weights[kept] = weight;
    kept += weight != 0;
    squared_norm += static_cast<double>(weight) * static_cast<double>(weight);
  }
  terms.resize(kept);
  ranks.resize(kept);
  weights.resize(kept);
}

}  // namespace warpclust
