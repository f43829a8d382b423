// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/cpu/cosine_exact.h"

#include <algorithm>
#include <cstddef>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace warpclust {
namespace {

// From this ratio of lengths on, searching in the longer document is cheaper
// than reading it.
constexpr int64_t kSearchRatio = 32;
// The products of a document of at most this many terms are added without a
// loop, whose exit would be mispredicted: there is a sum after each of
// kFewTerms terms, also those past the end of the document, and that of its own
// terms is taken.
constexpr int kFewTerms = 8;

double DotBySearch(absl::Span<const int32_t> terms,
                   absl::Span<const float> weights,
                   absl::Span<const int32_t> long_terms,
                   absl::Span<const float> long_weights) {
  double sum = 0;
  const int32_t* from = long_terms.begin();
  for (size_t e = 0; e < terms.size(); ++e) {
    from = std::lower_bound(from, long_terms.end(), terms[e]);
    if (from == long_terms.end()) break;
    if (*from == terms[e]) {
      sum += static_cast<double>(weights[e]) *
             static_cast<double>(long_weights[from - long_terms.begin()]);
    }
  }
  return sum;
}

}  // namespace

ExactDots::ExactDots(const DocumentMatrix& documents, const CosineRows& rows)
    : documents_(documents),
      rows_(rows),
      few_terms_end_(rows.offsets.back() <=
                             (kFewTerms - 1) * int64_t{rows.num_documents()}
                         ? rows.offsets.back()
                         : 0),
      dense_(rows.num_terms + size_t{1}, 0.0) {}

void ExactDots::SetDocument(int32_t document) {
  for (int32_t rank : ranks_) dense_[rank] = 0;
  terms_ = documents_.TermsOf(document);
  weights_ = documents_.WeightsOf(document);
  ranks_.assign(rows_.terms.begin() + rows_.offsets[document],
                rows_.terms.begin() + rows_.offsets[document + 1]);
  const float* weights = rows_.weights.data() + rows_.offsets[document];
  for (size_t e = 0; e < ranks_.size(); ++e) dense_[ranks_[e]] = weights[e];
}

double ExactDots::SetDocument(absl::Span<const int32_t> terms,
                              absl::Span<const float> entries,
                              absl::Span<const double> factors,
                              absl::Span<const TableTerm> table) {
  for (int32_t rank : ranks_) dense_[rank] = 0;
  const size_t size = terms.size();
  terms_ = terms;
  weights_ = entries;
  if (!factors.empty()) {
    scaled_.resize(size);
    for (size_t e = 0; e < size; ++e) {
      scaled_[e] = static_cast<float>(static_cast<double>(entries[e]) *
                                      factors[terms[e]]);
    }
    weights_ = scaled_;
  }
  // One pass: each addition to the norm waits for the one before, and
  // everything else is done meanwhile.
  const size_t last = table.size() - 1;
  const size_t dropped = dense_.size() - 1;
  ranks_.resize(size);
  double squared_norm = 0;
  size_t kept = 0;
  for (size_t e = 0; e < size; ++e) {
    const int32_t rank = table[std::min<size_t>(terms[e], last)].rank;
    const double weight = weights_[e];
    squared_norm += weight * weight;
    dense_[rank == kDroppedTerm ? dropped : rank] = weight;
    // Always written, kept if it is a rank: a branch would be mispredicted.
    ranks_[kept] = rank;
    kept += rank != kDroppedTerm;
  }
  ranks_.resize(kept);
  return squared_norm;
}

double ExactDots::DotWith(int32_t other) const {
  if (rows_.RowSize(other) >
      kSearchRatio * static_cast<int64_t>(ranks_.size())) {
    return DotBySearch(terms_, weights_, documents_.TermsOf(other),
                       documents_.WeightsOf(other));
  }
  // Terms that are not shared add +0, which changes no sum.
  const int32_t* const terms = rows_.terms.data();
  const float* const weights = rows_.weights.data();
  const auto product = [&](int64_t e) {
    return dense_[terms[e]] * static_cast<double>(weights[e]);
  };
  const int64_t begin = rows_.offsets[other];
  const int64_t size = rows_.RowSize(other);
  // The first test is the same for nearly all documents, so it comes first.
  if (begin + kFewTerms <= few_terms_end_ && size <= kFewTerms) {
    double sums[kFewTerms + 1];
    sums[0] = 0;
#pragma GCC unroll 8
    for (int k = 0; k < kFewTerms; ++k) {
      sums[k + 1] = sums[k] + product(begin + k);
    }
    return sums[size];
  }
  double sum = 0;
  for (int64_t e = begin; e < begin + size; ++e) sum += product(e);
  return sum;
}

int DecideCosines(const CosineDecision& decision, double squared_norm,
                  const double* dots, const double* other_squared_norms,
                  int count, uint16_t* columns, float* cosines) {
  int kept = 0;
  int k = 0;
#if defined(__SSE2__)
  // A quotient this far from β, relatively, decides: it differs from the exact
  // cosine, and the double of β from β, by less than 2^-50. Pairs in between
  // are undecided.
  constexpr double kSlack = 1e-12;
  const __m128d sure = _mm_set1_pd(decision.beta * (1 + kSlack));
  const __m128d hopeless = _mm_set1_pd(decision.beta * (1 - kSlack));
  // The operations of CosineDecision::Cosine, two pairs at a time: each is
  // rounded as the scalar one.
  const __m128d norm = _mm_set1_pd(squared_norm);
  for (; k + 2 <= count; k += 2) {
    const __m128d root =
        _mm_sqrt_pd(_mm_mul_pd(norm, _mm_loadu_pd(other_squared_norms + k)));
    const __m128d quotient = _mm_div_pd(_mm_loadu_pd(dots + k), root);
    const __m128 cosine = _mm_cvtpd_ps(_mm_min_pd(quotient, _mm_set1_pd(1.0)));
    int reaches = _mm_movemask_pd(_mm_cmpge_pd(quotient, sure));
    const int undecided =
        reaches ^ _mm_movemask_pd(_mm_cmpge_pd(quotient, hopeless));
    if (__builtin_expect(undecided != 0, 0)) {
      for (int lane = 0; lane < 2; ++lane) {
        if ((undecided >> lane & 1) &&
            decision.Reaches(dots[k + lane], squared_norm,
                             other_squared_norms[k + lane])) {
          reaches |= 1 << lane;
        }
      }
    }
    cosines[kept] = _mm_cvtss_f32(cosine);
    columns[kept] = columns[k];
    kept += reaches & 1;
    cosines[kept] = _mm_cvtss_f32(_mm_shuffle_ps(cosine, cosine, 1));
    columns[kept] = columns[k + 1];
    kept += reaches >> 1;
  }
#endif
  for (; k < count; ++k) {
    if (!decision.Reaches(dots[k], squared_norm, other_squared_norms[k])) {
      continue;
    }
    cosines[kept] =
        CosineDecision::Cosine(dots[k], squared_norm, other_squared_norms[k]);
    columns[kept] = columns[k];
    ++kept;
  }
  return kept;
}

void RowEdges::Sort() {
  order_.resize(count_);
  for (size_t k = 0; k < count_; ++k) order_[k] = {columns_[k], cosines_[k]};
  std::sort(order_.begin(), order_.end());
  for (size_t k = 0; k < count_; ++k) {
    columns_[k] = order_[k].first;
    cosines_[k] = order_[k].second;
  }
}

void RowEdges::AppendTo(int32_t row, HalfEdgeCell* cell) const {
  if (count_ == 0) return;
  cell->rows.push_back({row, static_cast<int32_t>(count_)});
  cell->columns.insert(cell->columns.end(), columns().begin(), columns().end());
  cell->weights.insert(cell->weights.end(), cosines().begin(), cosines().end());
}

}  // namespace warpclust
