// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpclust {
namespace {

constexpr int32_t kDropped = -1;
constexpr double kLargestNarrowNorm = 255;
constexpr double kUnits = 65535;
// Floats represent every integer up to here.
constexpr double kExactFloat = 16777216;

// New ids of terms by descending document frequency, then ascending id;
// kDropped for terms in fewer than two documents. Returns how many are kept.
int32_t RankTerms(const DocumentMatrix& documents, std::vector<int32_t>& rank) {
  std::vector<int32_t> frequency(documents.num_terms, 0);
  for (int32_t term : documents.terms) ++frequency[term];
  // Counting sort: no term is in more documents than there are.
  std::vector<int32_t> next(documents.num_documents() + 2, 0);
  for (int32_t f : frequency) {
    if (f >= 2) ++next[f];
  }
  int32_t kept = 0;
  for (int32_t f = documents.num_documents(); f >= 2; --f) {
    const int32_t count = next[f];
    next[f] = kept;
    kept += count;
  }
  rank.resize(documents.num_terms);
  for (int32_t t = 0; t < documents.num_terms; ++t) {
    rank[t] = frequency[t] >= 2 ? next[frequency[t]]++ : kDropped;
  }
  return kept;
}

// `loss` of the banner.
double Loss(int64_t num_terms) {
  const double k = static_cast<double>(num_terms);
  return k + 2 * std::sqrt(k) + 2;
}

bool IsNarrow(const CosineRows& rows, double beta, int32_t document) {
  if (rows.integer_weights) {
    return rows.squared_norms[document] <=
           kLargestNarrowNorm * kLargestNarrowNorm;
  }
  return Loss(rows.RowSize(document)) <= (kUnits - 1) * beta / 8;
}

}  // namespace

CosineRows MakeCosineRows(const DocumentMatrix& documents,
                          std::vector<double> squared_norms,
                          bool integer_weights, double beta, int num_threads) {
  const int32_t n = documents.num_documents();
  CosineRows rows;
  rows.squared_norms = std::move(squared_norms);
  rows.integer_weights = integer_weights;
  std::vector<int32_t> rank;
  rows.num_terms = RankTerms(documents, rank);

  rows.offsets.assign(n + 1, 0);
#pragma omp parallel for num_threads(num_threads) schedule(static)
  for (int32_t d = 0; d < n; ++d) {
    int64_t kept = 0;
    for (int32_t term : documents.TermsOf(d)) kept += rank[term] != kDropped;
    rows.offsets[d + 1] = kept;
  }
  for (int32_t d = 0; d < n; ++d) {
    rows.longest_row = std::max(rows.longest_row, rows.offsets[d + 1]);
    rows.offsets[d + 1] += rows.offsets[d];
  }

  rows.is_wide.resize(n);
  double largest_norm = 0;
  double largest_wide_norm = 0;
  for (int32_t d = 0; d < n; ++d) {
    rows.is_wide[d] = !IsNarrow(rows, beta, d);
    largest_norm = std::max(largest_norm, rows.squared_norms[d]);
    if (rows.is_wide[d]) {
      ++rows.num_wide;
      largest_wide_norm = std::max(largest_wide_norm, rows.squared_norms[d]);
    }
  }
  // By Cauchy and Schwarz no partial sum of a pair with a wide document is
  // above the product of the norms.
  rows.wide_is_exact = integer_weights && largest_norm * largest_wide_norm <=
                                              kExactFloat * kExactFloat;

  const int64_t kept = rows.offsets[n];
  rows.terms.resize(kept);
  rows.weights.resize(kept);
  rows.narrow_weights.resize(kept);
  rows.narrow_thresholds.resize(n);
  if (rows.num_wide > 0) {
    rows.wide_weights.resize(kept);
    rows.wide_thresholds.resize(n);
  }
#pragma omp parallel for num_threads(num_threads) schedule(static)
  for (int32_t d = 0; d < n; ++d) {
    const double norm = std::sqrt(rows.squared_norms[d]);
    const bool narrow = !rows.is_wide[d];
    const double narrow_scale = integer_weights ? 1 : kUnits / norm;
    const double wide_scale = rows.wide_is_exact ? 1 : 1 / norm;
    int64_t at = rows.offsets[d];
    for (int64_t e = documents.offsets[d]; e < documents.offsets[d + 1]; ++e) {
      const int32_t term = rank[documents.terms[e]];
      if (term == kDropped) continue;
      const double weight = documents.weights[e];
      rows.terms[at] = term;
      rows.weights[at] = documents.weights[e];
      // min: the quotient of a document of one term may round above 1.
      rows.narrow_weights[at] =
          narrow
              ? static_cast<uint16_t>(std::min(weight * narrow_scale, kUnits))
              : 0;
      if (rows.num_wide > 0) {
        rows.wide_weights[at] = static_cast<float>(weight * wide_scale);
      }
      ++at;
    }
    uint16_t threshold = 0;
    if (narrow) {
      threshold = static_cast<uint16_t>(
          integer_weights
              ? std::floor(kUnits * norm / kLargestNarrowNorm)
              : std::floor((kUnits - 1) * beta - Loss(rows.RowSize(d))));
    }
    rows.narrow_thresholds[d] = threshold;
    if (rows.num_wide > 0) {
      rows.wide_thresholds[d] =
          rows.wide_is_exact ? static_cast<float>(norm * (1 - 1e-6)) : 1.0f;
    }
  }
  return rows;
}

}  // namespace warpclust
