// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/filter/cosine_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/machine/cpu_features.h"
#include "graph/cosine/filter/cosine_filter_kernels.h"
#include "graph/cosine/filter/cosine_row_kernels.h"

namespace warpclust {
namespace {

constexpr double kLargestNarrowNorm = 255;
constexpr double kUnits = 65535;
// Terms in fewer documents than this share are cheap as they are.
constexpr double kFewestBounded = 0.03;
// Mean of r_a r_b, beside β, up to which terms are left out: more would cost
// more exact decisions than they save.
constexpr double kBoundShare = 0.14;
// Thresholds must be well above the roundings of the bound.
constexpr double kLowestBoundedBeta = 0.01;
// Floats represent every integer up to here.
constexpr double kExactFloat = 16777216;

// `loss` of the banner.
double Loss(int64_t num_terms) {
  const double k = static_cast<double>(num_terms);
  return k + 2.25 * std::sqrt(k) + 2;
}

// ρ of the banner, rounded up whatever the roundings before.
uint16_t Rest(double share) {
  return static_cast<uint16_t>(
      std::min(kUnits, std::ceil(kUnits * share * (1 + 1e-5))));
}

// Rows without offsets: sizes and what follows from them, the norms given.
void ChooseWidths(double beta, CosineRows* rows) {
  const int32_t n = rows->num_documents();
  rows->is_wide.resize(n);
  rows->num_wide = 0;
  rows->longest_row = 0;
  for (int32_t d = 0; d < n; ++d) {
    rows->longest_row = std::max(rows->longest_row, rows->RowSize(d));
    rows->is_wide[d] = !IsNarrowRow(rows->squared_norms[d], rows->RowSize(d),
                                    rows->integer_weights, beta);
    rows->num_wide += rows->is_wide[d];
  }
}

void FillThreshold(int32_t d, double beta, CosineRows* rows) {
  uint16_t threshold = 0;
  if (!rows->is_wide[d]) {
    threshold = static_cast<uint16_t>(
        rows->integer_weights
            ? std::floor(kUnits * std::sqrt(rows->squared_norms[d]) /
                         kLargestNarrowNorm)
            : std::floor((kUnits - 1) * beta - Loss(rows->RowSize(d))));
  }
  rows->narrow_thresholds[d] = threshold;
}

void FillWideWeights(int32_t d, CosineRows* rows) {
  if (rows->wide_weights.empty()) return;
  const double norm = std::sqrt(rows->squared_norms[d]);
  const double scale = rows->wide_is_exact ? 1 : 1 / norm;
  for (int64_t e = rows->offsets[d]; e < rows->offsets[d + 1]; ++e) {
    rows->wide_weights[e] =
        static_cast<float>(static_cast<double>(rows->weights[e]) * scale);
  }
  rows->wide_thresholds[d] =
      rows->wide_is_exact ? static_cast<float>(norm * (1 - 1e-6)) : 1.0f;
}

// Thresholds and the weights of both arithmetics of one row.
void FillRow(int32_t d, double beta, CosineRows* rows) {
  const int64_t begin = rows->offsets[d];
  const int64_t end = rows->offsets[d + 1];
  if (!rows->is_wide[d]) {
    const double scale =
        rows->integer_weights ? 1 : kUnits / std::sqrt(rows->squared_norms[d]);
    for (int64_t e = begin; e < end; ++e) {
      // min: the quotient of a document of one term may round above 1.
      rows->narrow_weights[e] = static_cast<uint16_t>(
          std::min(static_cast<double>(rows->weights[e]) * scale, kUnits));
    }
  } else {
    std::fill(rows->narrow_weights.begin() + begin,
              rows->narrow_weights.begin() + end, uint16_t{0});
  }
  FillThreshold(d, beta, rows);
  FillWideWeights(d, rows);
}

CosineRows MakeRows(const DocumentMatrix& documents,
                    std::vector<double> squared_norms, const CosineTerms& terms,
                    bool integer_weights, double beta, bool exact_if_possible,
                    int num_threads) {
  const int32_t n = documents.num_documents();
  CosineRows rows;
  rows.squared_norms = std::move(squared_norms);
  rows.integer_weights = integer_weights;
  rows.num_terms = terms.num_kept;

  rows.offsets.assign(n + size_t{1}, 0);
#pragma omp parallel for num_threads(num_threads) schedule(static)
  for (int32_t d = 0; d < n; ++d) {
    int64_t kept = 0;
    for (int32_t term : documents.TermsOf(d)) {
      kept += terms.RankOf(term) != CosineTerms::kDropped;
    }
    rows.offsets[d + 1] = kept;
  }
  for (int32_t d = 0; d < n; ++d) rows.offsets[d + 1] += rows.offsets[d];

  ChooseWidths(beta, &rows);
  double largest_norm = 0;
  double largest_wide_norm = 0;
  for (int32_t d = 0; d < n; ++d) {
    largest_norm = std::max(largest_norm, rows.squared_norms[d]);
    if (rows.is_wide[d]) {
      largest_wide_norm = std::max(largest_wide_norm, rows.squared_norms[d]);
    }
  }
  // By Cauchy and Schwarz no partial sum of a pair with a wide document is
  // above the product of the norms.
  rows.wide_is_exact =
      exact_if_possible && integer_weights &&
      largest_norm * largest_wide_norm <= kExactFloat * kExactFloat;

  const int64_t kept = rows.offsets[n];
  rows.terms.resize(kept);
  rows.weights.resize(kept);
  rows.narrow_weights.resize(kept);
  rows.narrow_thresholds.resize(n);
  if (rows.num_wide > 0 || !exact_if_possible) {
    rows.wide_weights.resize(kept);
    rows.wide_thresholds.resize(n);
  }
#pragma omp parallel for num_threads(num_threads) schedule(static)
  for (int32_t d = 0; d < n; ++d) {
    int64_t at = rows.offsets[d];
    for (int64_t e = documents.offsets[d]; e < documents.offsets[d + 1]; ++e) {
      const int32_t term = terms.RankOf(documents.terms[e]);
      if (term == CosineTerms::kDropped) continue;
      rows.terms[at] = term;
      rows.weights[at++] = documents.weights[e];
    }
    FillRow(d, beta, &rows);
  }
  return rows;
}

// As SquaredNorms, four rows at a time: each addition waits for the one before
// it in its row.
void SquaredNormsOf(const DocumentMatrix& documents, int32_t begin, int32_t end,
                    double* norms) {
  constexpr int kTogether = 4;
  for (int32_t d = begin; d < end; d += kTogether) {
    int64_t at[kTogether];
    int64_t common = INT64_MAX;
    double sums[kTogether] = {};
    const int32_t together = std::min(kTogether, end - d);
    for (int k = 0; k < kTogether; ++k) {
      // The last row takes the places that no row has.
      const int32_t row = d + std::min(k, together - 1);
      at[k] = documents.offsets[row];
      common = std::min(common, documents.offsets[row + 1] - at[k]);
    }
    const float* weights = documents.weights.data();
    for (int64_t e = 0; e < common; ++e) {
      for (int k = 0; k < kTogether; ++k) {
        const double weight = weights[at[k] + e];
        sums[k] += weight * weight;
      }
    }
    for (int k = 0; k < together; ++k) {
      for (int64_t e = at[k] + common; e < documents.offsets[d + k + 1]; ++e) {
        const double weight = weights[e];
        sums[k] += weight * weight;
      }
      norms[d + k - begin] = sums[k];
    }
  }
}

}  // namespace

CosineTerms RankTerms(const DocumentMatrix& documents,
                      int32_t fewest_documents) {
  std::vector<int32_t> frequency(documents.num_terms, 0);
  for (int32_t term : documents.terms) ++frequency[term];
  // Counting sort: no term is in more documents than there are.
  std::vector<int32_t> next(documents.num_documents() + size_t{2}, 0);
  for (int32_t f : frequency) {
    if (f >= fewest_documents) ++next[f];
  }
  CosineTerms terms;
  for (int32_t f = documents.num_documents(); f >= fewest_documents; --f) {
    const int32_t count = next[f];
    next[f] = terms.num_kept;
    terms.num_kept += count;
  }
  terms.rank.assign(documents.num_terms + size_t{1}, CosineTerms::kDropped);
  for (int32_t t = 0; t < documents.num_terms; ++t) {
    if (frequency[t] >= fewest_documents) {
      terms.rank[t] = next[frequency[t]]++;
    }
  }
  return terms;
}

CosineRows MakeCosineRows(const DocumentMatrix& documents,
                          std::vector<double> squared_norms,
                          bool integer_weights, double beta, int num_threads) {
  return MakeRows(documents, std::move(squared_norms), RankTerms(documents, 2),
                  integer_weights, beta, /*exact_if_possible=*/true,
                  num_threads);
}

CosineRows MakeCosineRows(const DocumentMatrix& documents,
                          std::vector<double> squared_norms,
                          const CosineTerms& terms, bool integer_weights,
                          double beta, int num_threads) {
  return MakeRows(documents, std::move(squared_norms), terms, integer_weights,
                  beta, /*exact_if_possible=*/false, num_threads);
}

void BoundFrequentTerms(double beta, CosineRows* rows) {
  const int32_t n = rows->num_documents();
  rows->num_bounded = 0;
  rows->rests.clear();
  if (rows->integer_weights || beta < kLowestBoundedBeta) return;
  // Mean squared share of a document's norm, by term.
  std::vector<double> shares(rows->num_terms, 0.0);
  std::vector<int32_t> frequencies(rows->num_terms, 0);
  for (int32_t d = 0; d < n; ++d) {
    const double scale = 1 / (n * rows->squared_norms[d]);
    for (int64_t e = rows->offsets[d]; e < rows->offsets[d + 1]; ++e) {
      const double weight = rows->weights[e];
      shares[rows->terms[e]] += weight * weight * scale;
      ++frequencies[rows->terms[e]];
    }
  }
  double mean = 0;
  int32_t num_bounded = 0;
  while (num_bounded < rows->num_terms &&
         frequencies[num_bounded] >= kFewestBounded * n &&
         mean + shares[num_bounded] <= kBoundShare * beta) {
    mean += shares[num_bounded++];
  }
  if (num_bounded == 0) return;
  rows->num_bounded = num_bounded;
  rows->largest_rest = 2 * std::sqrt(kBoundShare * beta);
  rows->rests.resize(n);
  for (int32_t d = 0; d < n; ++d) {
    double squares = 0;
    for (int64_t e = rows->offsets[d]; e < rows->offsets[d + 1]; ++e) {
      const double weight = rows->weights[e];
      if (rows->terms[e] < num_bounded) squares += weight * weight;
    }
    if (squares == 0) continue;
    rows->rests[d] = Rest(std::sqrt(squares / rows->squared_norms[d]));
  }
}

bool IsNarrowRow(double squared_norm, int64_t num_terms, bool integer_weights,
                 double beta) {
  if (integer_weights) {
    return squared_norm <= kLargestNarrowNorm * kLargestNarrowNorm;
  }
  return Loss(num_terms) <= (kUnits - 1) * beta / 8;
}

uint16_t RestOfRow(double squared_rest, double squared_norm,
                   const CosineRows& columns) {
  if (squared_rest <= 0) return 0;
  const double rest = std::sqrt(squared_rest / squared_norm);
  return rest <= columns.largest_rest ? Rest(rest) : 0;
}

void PrepareRefill(int32_t num_documents, int64_t most_entries,
                   const CosineRows& columns, CosineRows* rows) {
  rows->num_terms = columns.num_terms;
  rows->integer_weights = columns.integer_weights;
  rows->wide_is_exact = false;
  rows->squared_norms.resize(num_documents);
  rows->offsets.resize(num_documents + size_t{1});
  rows->offsets[0] = 0;
  rows->narrow_thresholds.resize(num_documents);
  rows->wide_thresholds.resize(num_documents);
  rows->num_bounded = columns.num_bounded;
  rows->rests.resize(num_documents);
  // Grows only.
  if (rows->terms.size() < static_cast<size_t>(most_entries)) {
    rows->terms.resize(most_entries);
    rows->weights.resize(most_entries);
    rows->narrow_weights.resize(most_entries);
  }
}

void FinishRefill(const CosineRows& columns, double beta, CosineRows* rows) {
  ChooseWidths(beta, rows);
  const int32_t n = rows->num_documents();
  rows->wide_weights.resize(
      columns.num_wide > 0 || rows->num_wide > 0 ? rows->offsets[n] : 0);
  const QuantizeFunction quantize =
      CosineRowKernelsFor(CpuSimdLevel()).quantize;
  for (int32_t d = 0; d < n; ++d) {
    const int64_t begin = rows->offsets[d];
    const int64_t size = rows->RowSize(d);
    if (!rows->is_wide[d] && size > 0) {
      const float scale =
          rows->integer_weights
              ? 1.0f
              : static_cast<float>(kUnits * (1 - 0x1p-19) /
                                   std::sqrt(rows->squared_norms[d]));
      quantize(rows->weights.data() + begin, size, scale,
               rows->narrow_weights.data() + begin);
    }
    FillThreshold(d, beta, rows);
    FillWideWeights(d, rows);
  }
}

void RefillCosineRows(const DocumentMatrix& documents, int32_t begin,
                      int32_t end, const CosineTerms& terms,
                      const CosineRows& columns, double beta,
                      CosineRows* rows) {
  const int32_t n = end - begin;
  PrepareRefill(
      n, documents.offsets[end] - documents.offsets[begin] + kKeepPadding,
      columns, rows);
  const KeepTermsFunction keep =
      CosineFilterKernelsFor(CpuSimdLevel()).keep_terms;
  SquaredNormsOf(documents, begin, end, rows->squared_norms.data());
  int64_t at = 0;
  for (int32_t d = begin; d < end; ++d) {
    const int64_t first = documents.offsets[d];
    double squared_rest = 0;
    at +=
        keep(documents.terms.data() + first, documents.weights.data() + first,
             documents.offsets[d + 1] - first, terms.rank.data(),
             static_cast<uint32_t>(terms.rank.size() - 1), columns.num_bounded,
             rows->terms.data() + at, rows->weights.data() + at, &squared_rest);
    rows->offsets[d - begin + 1] = at;
    rows->rests[d - begin] =
        RestOfRow(squared_rest, rows->squared_norms[d - begin], columns);
  }
  ChooseWidths(beta, rows);
  rows->wide_weights.resize(columns.num_wide > 0 || rows->num_wide > 0 ? at
                                                                       : 0);
  for (int32_t d = 0; d < n; ++d) FillRow(d, beta, rows);
}

uint16_t NarrowFactor(const CosineRows& rows, double beta, int32_t row) {
  if (!rows.integer_weights) return rows.narrow_thresholds[row];
  // The scan multiplies it by floor(65535 m / 255) / 65536, so the product is
  // less than β n m, also after being rounded down: dot >= β n m passes.
  return static_cast<uint16_t>(
      std::floor(beta * 255 * (1 - 1e-6) * std::sqrt(rows.squared_norms[row])));
}

float WideFactor(const CosineRows& rows, double beta, int32_t row) {
  if (rows.wide_is_exact) {
    return static_cast<float>(beta * (1 - 2e-6) *
                              std::sqrt(rows.squared_norms[row]));
  }
  const double factor =
      beta * (1 - 0x1p-22 * static_cast<double>(rows.RowSize(row) + 16));
  return factor > 0 ? static_cast<float>(factor) : -1.0f;
}

}  // namespace warpclust
