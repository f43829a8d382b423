// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/filter/cosine_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/machine/cpu_features.h"

namespace warpclust {
namespace {

constexpr double kLargestQuantizedNorm = 255;
constexpr double kUnits = 65535;
// Squared norms of real rows outside of this are float rows: the scale of
// QuantizeFunction would leave the range of normal floats.
constexpr double kSmallestSquare = 1e-64;
constexpr double kLargestSquare = 1e76;
// Terms in a smaller share of the documents are cheap and never bounded.
constexpr double kFewestBounded = 0.03;
// Mean of r_a r_b, relative to β, up to which terms are bounded: more would
// cost more exact decisions than they save.
constexpr double kBoundShare = 0.14;
// Thresholds must be well above the roundings of the bound.
constexpr double kLowestBoundedBeta = 0.01;
// Floats represent every integer up to here.
constexpr double kExactFloat = 16777216;

// `loss` of the header.
double Loss(int64_t num_terms) {
  const double k = static_cast<double>(num_terms);
  return k + 2.25 * std::sqrt(k) + 2;
}

// ρ of the header, rounded up despite the roundings before.
uint16_t Rho(double residual_norm) {
  return static_cast<uint16_t>(
      std::min(kUnits, std::ceil(kUnits * residual_norm * (1 + 1e-5))));
}

bool IsQuantized(double squared_norm, int64_t num_terms, bool integer_weights,
                 double beta) {
  if (integer_weights) {
    return squared_norm <= kLargestQuantizedNorm * kLargestQuantizedNorm;
  }
  return Loss(num_terms) <= (kUnits - 1) * beta / 8 &&
         (squared_norm == 0 ||
          (squared_norm >= kSmallestSquare && squared_norm <= kLargestSquare));
}

// Sets is_float and num_float from the sizes and the norms of the rows.
void ChooseArithmetic(double beta, CosineRows* rows) {
  const int32_t n = rows->num_documents();
  rows->is_float.resize(n);
  rows->num_float = 0;
  for (int32_t d = 0; d < n; ++d) {
    rows->is_float[d] = !IsQuantized(rows->squared_norms[d], rows->RowSize(d),
                                     rows->integer_weights, beta);
    rows->num_float += rows->is_float[d];
  }
}

uint16_t QuantizedThreshold(const CosineRows& rows, double beta, int32_t d) {
  if (rows.is_float[d]) return 0;
  // Both are positive: the conversion rounds down.
  return static_cast<uint16_t>(
      rows.integer_weights
          ? kUnits * std::sqrt(rows.squared_norms[d]) / kLargestQuantizedNorm
          : (kUnits - 1) * beta - Loss(rows.RowSize(d)));
}

void FillFloats(int32_t d, CosineRows* rows) {
  if (rows->floats.weights.empty()) return;
  const double norm = std::sqrt(rows->squared_norms[d]);
  const double scale = rows->float_is_exact ? 1 : 1 / norm;
  for (int64_t e = rows->offsets[d]; e < rows->offsets[d + 1]; ++e) {
    rows->floats.weights[e] =
        static_cast<float>(static_cast<double>(rows->weights[e]) * scale);
  }
  rows->floats.thresholds[d] =
      rows->float_is_exact ? static_cast<float>(norm * (1 - 1e-6)) : 1.0f;
}

// ρ of a refilled row; 0 if it keeps its terms.
uint16_t RhoOfRow(double squared_residual, double squared_norm,
                  const CosineRows& columns) {
  if (squared_residual <= 0) return 0;
  const double residual = std::sqrt(squared_residual / squared_norm);
  return residual <= columns.largest_residual_norm ? Rho(residual) : 0;
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
  terms.rank.assign(documents.num_terms, kDroppedTerm);
  for (int32_t t = 0; t < documents.num_terms; ++t) {
    if (frequency[t] >= fewest_documents) {
      terms.rank[t] = next[frequency[t]]++;
    }
  }
  return terms;
}

CosineRows MakeCosineRows(const DocumentMatrix& documents,
                          std::vector<double> squared_norms,
                          const CosineTerms& terms, bool integer_weights,
                          double beta, bool closed, int num_threads) {
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
      kept += terms.rank[term] != kDroppedTerm;
    }
    rows.offsets[d + 1] = kept;
  }
  for (int32_t d = 0; d < n; ++d) rows.offsets[d + 1] += rows.offsets[d];

  ChooseArithmetic(beta, &rows);
  double largest_norm = 0;
  double largest_float_norm = 0;
  for (int32_t d = 0; d < n; ++d) {
    const double norm = rows.squared_norms[d];
    largest_norm = std::max(largest_norm, norm);
    if (rows.is_float[d])
      largest_float_norm = std::max(largest_float_norm, norm);
  }
  // By Cauchy-Schwarz no partial sum of a pair with a float row is above the
  // product of the norms.
  rows.float_is_exact =
      closed && integer_weights &&
      largest_norm * largest_float_norm <= kExactFloat * kExactFloat;

  const int64_t kept = rows.offsets[n];
  rows.terms.resize(kept);
  rows.weights.resize(kept);
  rows.quantized.weights.resize(kept);
  rows.quantized.thresholds.resize(n);
  if (rows.num_float > 0 || !closed) {
    rows.floats.weights.resize(kept);
    rows.floats.thresholds.resize(n);
  }
#pragma omp parallel for num_threads(num_threads) schedule(static)
  for (int32_t d = 0; d < n; ++d) {
    const double scale =
        integer_weights ? 1 : kUnits / std::sqrt(rows.squared_norms[d]);
    int64_t at = rows.offsets[d];
    for (int64_t e = documents.offsets[d]; e < documents.offsets[d + 1]; ++e) {
      const int32_t term = terms.rank[documents.terms[e]];
      if (term == kDroppedTerm) continue;
      const float weight = documents.weights[e];
      rows.terms[at] = term;
      rows.weights[at] = weight;
      if (!rows.is_float[d]) {
        // min: the quotient of a document of one term may round above 1.
        rows.quantized.weights[at] = static_cast<uint16_t>(
            std::min(static_cast<double>(weight) * scale, kUnits));
      }
      ++at;
    }
    rows.quantized.thresholds[d] = QuantizedThreshold(rows, beta, d);
    FillFloats(d, &rows);
  }
  return rows;
}

void BoundFrequentTerms(double beta, CosineRows* rows) {
  const int32_t n = rows->num_documents();
  rows->num_bounded = 0;
  rows->residual_norms.clear();
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
  rows->largest_residual_norm = 2 * std::sqrt(kBoundShare * beta);
  rows->residual_norms.resize(n);
  for (int32_t d = 0; d < n; ++d) {
    double squares = 0;
    for (int64_t e = rows->offsets[d]; e < rows->offsets[d + 1]; ++e) {
      const double weight = rows->weights[e];
      if (rows->terms[e] < num_bounded) squares += weight * weight;
    }
    if (squares == 0) continue;
    rows->residual_norms[d] = Rho(std::sqrt(squares / rows->squared_norms[d]));
  }
}

void RefillCosineRows(const DocumentMatrix& documents, int32_t begin,
                      int32_t end, absl::Span<const TableTerm> table,
                      const CosineRows& columns, double beta,
                      RefillScratch* scratch, CosineRows* rows) {
  const int32_t n = end - begin;
  rows->num_terms = columns.num_terms;
  rows->integer_weights = columns.integer_weights;
  rows->float_is_exact = false;
  rows->num_bounded = columns.num_bounded;
  rows->squared_norms.resize(n);
  rows->offsets.assign(n + size_t{1}, 0);
  rows->quantized.thresholds.resize(n);
  rows->floats.thresholds.resize(n);
  rows->residual_norms.assign(n, 0);
  // These only grow, so that they are not filled with zeros again.
  const size_t most_entries =
      documents.offsets[end] - documents.offsets[begin] + kRowPadding;
  if (rows->terms.size() < most_entries) {
    rows->terms.resize(most_entries);
    rows->weights.resize(most_entries);
    rows->quantized.weights.resize(most_entries);
  }
  int64_t longest = 0;
  for (int32_t d = begin; d < end; ++d) {
    longest =
        std::max(longest, documents.offsets[d + 1] - documents.offsets[d]);
  }
  if (scratch->bounded_ranks.size() <
      static_cast<size_t>(longest + kRowPadding)) {
    scratch->bounded_ranks.resize(longest + kRowPadding);
    scratch->bounded_weights.resize(longest + kRowPadding);
  }

  const CosineRowKernels& kernels = CosineRowKernelsFor(CpuSimdLevel());
  int64_t at = 0;
  for (int32_t d = 0; d < n; ++d) {
    const int64_t first = documents.offsets[begin + d];
    const WeighedRow row = kernels.weigh_terms(
        documents.terms.data() + first, documents.weights.data() + first,
        documents.offsets[begin + d + 1] - first, table.data(),
        static_cast<uint32_t>(table.size() - 1), columns.num_bounded,
        rows->terms.data() + at, rows->weights.data() + at,
        scratch->bounded_ranks.data(), scratch->bounded_weights.data());
    rows->squared_norms[d] = row.squared_norm;
    // Weights may all be 0: such a document is in no pair.
    if (row.squared_norm > 0) {
      const uint16_t rho =
          RhoOfRow(row.squared_residual, row.squared_norm, columns);
      rows->residual_norms[d] = rho;
      at += row.num_kept;
      if (row.num_bounded > 0 &&
          (rho == 0 || columns.num_float > 0 ||
           !IsQuantized(row.squared_norm, row.num_kept, columns.integer_weights,
                        beta))) {
        std::copy_n(scratch->bounded_ranks.begin(), row.num_bounded,
                    rows->terms.begin() + at);
        std::copy_n(scratch->bounded_weights.begin(), row.num_bounded,
                    rows->weights.begin() + at);
        at += row.num_bounded;
      }
    }
    rows->offsets[d + 1] = at;
  }

  ChooseArithmetic(beta, rows);
  rows->floats.weights.resize(columns.num_float > 0 || rows->num_float > 0 ? at
                                                                           : 0);
  for (int32_t d = 0; d < n; ++d) {
    const int64_t first = rows->offsets[d];
    const int64_t size = rows->RowSize(d);
    if (!rows->is_float[d] && size > 0) {
      const float scale =
          rows->integer_weights
              ? 1.0f
              : static_cast<float>(kUnits * (1 - 0x1p-19) /
                                   std::sqrt(rows->squared_norms[d]));
      kernels.quantize(rows->weights.data() + first, size, scale,
                       rows->quantized.weights.data() + first);
    }
    rows->quantized.thresholds[d] = QuantizedThreshold(*rows, beta, d);
    FillFloats(d, rows);
  }
}

bool CanScaleInFloat(absl::Span<const double> factors) {
  constexpr double kSmallest = 1e-20;
  constexpr double kLargest = 1e20;
  return std::all_of(factors.begin(), factors.end(), [](double factor) {
    return factor == 0 || (factor >= kSmallest && factor <= kLargest);
  });
}

std::vector<TableTerm> MakeTermTable(absl::Span<const double> factors,
                                     const CosineTerms& terms,
                                     int32_t num_terms) {
  std::vector<TableTerm> table(num_terms + size_t{1}, {1.0f, kDroppedTerm});
  for (int32_t t = 0; t < num_terms; ++t) {
    if (!factors.empty()) table[t].factor = static_cast<float>(factors[t]);
    if (static_cast<size_t>(t) < terms.rank.size()) {
      table[t].rank = terms.rank[t];
    }
  }
  return table;
}

template <>
uint16_t ScanFactor(const CosineRows& rows, double beta, int32_t row) {
  if (!rows.integer_weights) return rows.quantized.thresholds[row];
  // The scan multiplies it by floor(65535 m / 255) / 65536, so the product is
  // less than β n m, also after being rounded down: dot >= β n m passes.
  return static_cast<uint16_t>(
      std::floor(beta * 255 * (1 - 1e-6) * std::sqrt(rows.squared_norms[row])));
}

template <>
float ScanFactor(const CosineRows& rows, double beta, int32_t row) {
  if (rows.float_is_exact) {
    return static_cast<float>(beta * (1 - 2e-6) *
                              std::sqrt(rows.squared_norms[row]));
  }
  const double factor =
      beta * (1 - 0x1p-22 * static_cast<double>(rows.RowSize(row) + 16));
  return factor > 0 ? static_cast<float>(factor) : -1.0f;
}

}  // namespace warpclust
