// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/unit_vectors.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace warpclust {

absl::StatusOr<UnitVectors> MakeUnitVectors(const DocumentMatrix& documents,
                                            int32_t terms) {
  if (terms < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected at least 1 term a document, found ", terms));
  }
  UnitVectors vectors;
  vectors.num_terms = documents.num_terms;
  vectors.offsets.reserve(documents.offsets.size());
  const size_t most =
      std::min<size_t>(documents.terms.size(),
                       static_cast<size_t>(documents.num_documents()) * terms);
  vectors.terms.reserve(most);
  vectors.weights.reserve(most);
  // (weight, term) of one document, the heaviest first, the smaller term first
  // among equals.
  std::vector<std::pair<float, int32_t>> kept;
  for (int32_t d = 0; d < documents.num_documents(); ++d) {
    const absl::Span<const int32_t> row = documents.TermsOf(d);
    const absl::Span<const float> weights = documents.WeightsOf(d);
    kept.clear();
    for (size_t i = 0; i < row.size(); ++i) {
      kept.emplace_back(weights[i], row[i]);
    }
    if (kept.size() > static_cast<size_t>(terms)) {
      std::nth_element(kept.begin(), kept.begin() + terms, kept.end(),
                       [](const auto& a, const auto& b) {
                         return a.first != b.first ? a.first > b.first
                                                   : a.second < b.second;
                       });
      kept.resize(terms);
      std::sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) {
        return a.second < b.second;
      });
    }
    double squares = 0;
    for (const auto& [weight, term] : kept) {
      squares += static_cast<double>(weight) * static_cast<double>(weight);
    }
    const double scale = 0x1p30 / std::sqrt(squares);
    for (const auto& [weight, term] : kept) {
      const auto unit = static_cast<int32_t>(weight * scale + 0.5);
      if (unit == 0) continue;
      vectors.terms.push_back(term);
      vectors.weights.push_back(unit);
    }
    vectors.offsets.push_back(static_cast<int64_t>(vectors.terms.size()));
  }
  return vectors;
}

int64_t SimilarityAbove(const Decimal& threshold) {
  if (threshold.numerator >= threshold.denominator) {
    return std::numeric_limits<int64_t>::max();
  }
  // The numerator is below 10^9 here: the product needs 90 bits.
  return static_cast<int64_t>(static_cast<__int128>(threshold.numerator) *
                              (int64_t{1} << 60) / threshold.denominator);
}

}  // namespace warpclust
