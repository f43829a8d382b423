// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/exact_cosines.h"

#include <algorithm>
#include <cstddef>

#include "graph/cosine/decision/cosine_decision.h"
#include "graph/cosine/dense/exact_dense_dots.h"

namespace warpclust {
namespace {

// How many neighbors ahead a row is prefetched; entries per cache line.
constexpr size_t kAhead = 4;
constexpr int64_t kLine = 16;

// Replaces dot products with cosines.
void DotsToCosines(absl::Span<const double> squared_norms, int32_t document,
                   absl::Span<const int32_t> others,
                   absl::Span<double> values) {
  for (size_t k = 0; k < others.size(); ++k) {
    values[k] = CosineDecision::DoubleCosine(values[k], squared_norms[document],
                                             squared_norms[others[k]]);
  }
}

}  // namespace

ExactCosines::ExactCosines(const DocumentMatrix& documents)
    : documents_(documents), squared_norms_(SquaredNorms(documents, 1)) {}

void ExactCosines::operator()(int32_t document,
                              absl::Span<const int32_t> others,
                              std::vector<double>* scratch,
                              absl::Span<double> cosines) const {
  Dots(document, others, scratch, cosines);
  DotsToCosines(squared_norms_, document, others, cosines);
}

void ExactCosines::Dots(int32_t document, absl::Span<const int32_t> others,
                        std::vector<double>* scratch,
                        absl::Span<double> dots) const {
  // The document's weights by term; 0 elsewhere, and everywhere between calls.
  std::vector<double>& dense = *scratch;
  dense.resize(documents_.num_terms);
  const absl::Span<const int32_t> terms = documents_.TermsOf(document);
  const absl::Span<const float> weights = documents_.WeightsOf(document);
  for (size_t e = 0; e < terms.size(); ++e) dense[terms[e]] = weights[e];
  const int64_t* const offsets = documents_.offsets.data();
  const int32_t* const all_terms = documents_.terms.data();
  const float* const all_weights = documents_.weights.data();
  const double* const weight_of = dense.data();
  for (size_t k = 0; k < others.size(); ++k) {
    // Neighbors lie anywhere in memory: their rows are asked for in time.
    if (k + kAhead < others.size()) {
      const int32_t next = others[k + kAhead];
      for (int64_t e = offsets[next]; e < offsets[next + 1]; e += kLine) {
        __builtin_prefetch(all_terms + e);
        __builtin_prefetch(all_weights + e);
      }
    }
    // Terms that are not shared add +0, which changes no sum.
    double dot = 0;
    const int64_t end = offsets[others[k] + 1];
    for (int64_t e = offsets[others[k]]; e < end; ++e) {
      dot += weight_of[all_terms[e]] * static_cast<double>(all_weights[e]);
    }
    dots[k] = dot;
  }
  for (const int32_t term : terms) dense[term] = 0;
}

ExactDenseCosines::ExactDenseCosines(const DenseDocuments& documents,
                                     int num_threads)
    : documents_(documents),
      squared_norms_(SquaredNorms(documents, num_threads)) {}

void ExactDenseCosines::operator()(int32_t document,
                                   absl::Span<const int32_t> others,
                                   std::vector<double>* scratch,
                                   absl::Span<double> cosines) const {
  Dots(document, others, scratch, cosines);
  DotsToCosines(squared_norms_, document, others, cosines);
}

void ExactDenseCosines::Dots(int32_t document, absl::Span<const int32_t> others,
                             std::vector<double>* /*scratch*/,
                             absl::Span<double> dots) const {
  const float* rows[kDenseDots];
  const float* columns[kDenseDots];
  double group[kDenseDots];
  std::fill_n(rows, kDenseDots, documents_.Row(document).data());
  for (size_t first = 0; first < others.size(); first += kDenseDots) {
    const size_t count = std::min<size_t>(kDenseDots, others.size() - first);
    for (size_t k = 0; k < kDenseDots; ++k) {
      columns[k] = documents_.Row(others[first + (k < count ? k : 0)]).data();
    }
    ExactDenseDots(rows, columns, documents_.num_dimensions, group);
    std::copy_n(group, count, dots.begin() + first);
  }
}

}  // namespace warpclust
