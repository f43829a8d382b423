// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/cpu/cosine_exact.h"

#include <algorithm>
#include <cmath>

#include "absl/types/span.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace warpclust {
namespace {

// From this ratio of lengths searching in the longer document is cheaper than
// reading it.
constexpr int64_t kSearchRatio = 32;

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

// A quotient this far from β, relatively, decides: it differs from the exact
// cosine, and β from its double, by less than 2^-50.
constexpr double kSlack = 1e-12;

}  // namespace

ExactDots::ExactDots(const DocumentMatrix& documents, const CosineRows& rows)
    : documents_(documents), rows_(rows), dense_(rows.num_terms, 0.0) {}

void ExactDots::SetDocument(int32_t document) {
  SetDocument(documents_, document, rows_, document);
}

void ExactDots::SetDocument(const DocumentMatrix& documents, int32_t document,
                            const CosineRows& rows, int32_t row) {
  for (int32_t term : terms_) dense_[term] = 0;
  original_terms_ = documents.TermsOf(document);
  original_weights_ = documents.WeightsOf(document);
  terms_.assign(rows.terms.begin() + rows.offsets[row],
                rows.terms.begin() + rows.offsets[row + 1]);
  const float* weights = rows.weights.data() + rows.offsets[row];
  for (size_t e = 0; e < terms_.size(); ++e) dense_[terms_[e]] = weights[e];
}

void ExactDots::SetDocument(absl::Span<const int32_t> terms,
                            absl::Span<const float> weights,
                            absl::Span<const int32_t> ranks) {
  for (int32_t term : terms_) dense_[term] = 0;
  original_terms_ = terms;
  original_weights_ = weights;
  terms_.clear();
  for (size_t e = 0; e < ranks.size(); ++e) {
    if (ranks[e] < 0) continue;
    terms_.push_back(ranks[e]);
    dense_[ranks[e]] = weights[e];
  }
}

double ExactDots::DotWith(int32_t other) const {
  if (rows_.RowSize(other) >
      kSearchRatio * static_cast<int64_t>(terms_.size())) {
    return DotBySearch(original_terms_, original_weights_,
                       documents_.TermsOf(other), documents_.WeightsOf(other));
  }
  // Terms that are not shared add +0, which changes no sum.
  double sum = 0;
  for (int64_t e = rows_.offsets[other]; e < rows_.offsets[other + 1]; ++e) {
    sum += dense_[rows_.terms[e]] * static_cast<double>(rows_.weights[e]);
  }
  return sum;
}

int DecideCosines(const CosineDecision& decision, double squared_norm,
                  const double* dots, const double* other_squared_norms,
                  int count, uint16_t* columns, float* cosines) {
  const double sure = decision.beta * (1 + kSlack);
  const double hopeless = decision.beta * (1 - kSlack);
  int kept = 0;
  int k = 0;
#if defined(__SSE2__)
  // The operations of CosineDecision::Cosine, two pairs at a time: each is
  // rounded as the scalar one.
  const __m128d norm = _mm_set1_pd(squared_norm);
  for (; k + 2 <= count; k += 2) {
    const __m128d root =
        _mm_sqrt_pd(_mm_mul_pd(norm, _mm_loadu_pd(other_squared_norms + k)));
    const __m128d quotient = _mm_div_pd(_mm_loadu_pd(dots + k), root);
    const __m128 cosine = _mm_cvtpd_ps(_mm_min_pd(quotient, _mm_set1_pd(1.0)));
    const int is_sure =
        _mm_movemask_pd(_mm_cmpge_pd(quotient, _mm_set1_pd(sure)));
    const int is_open = is_sure ^ _mm_movemask_pd(_mm_cmpge_pd(
                                      quotient, _mm_set1_pd(hopeless)));
    int reaches = is_sure;
    if (__builtin_expect(is_open != 0, 0)) {
      for (int lane = 0; lane < 2; ++lane) {
        if ((is_open >> lane & 1) &&
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
    const double root = std::sqrt(squared_norm * other_squared_norms[k]);
    const double quotient = dots[k] / root;
    if (quotient < hopeless) continue;
    if (quotient < sure &&
        !decision.Reaches(dots[k], squared_norm, other_squared_norms[k])) {
      continue;
    }
    cosines[kept] =
        CosineDecision::Cosine(dots[k], squared_norm, other_squared_norms[k]);
    columns[kept] = columns[k];
    ++kept;
  }
  return kept;
}

}  // namespace warpclust
