// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/state/unit_vectors.h"

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
        absl::StrCat("expected at least 1 term per document, found ", terms));
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

UnitVectors Slice(const UnitVectors& documents, int64_t begin, int64_t end) {
  const int64_t first = documents.offsets[begin];
  const int64_t last = documents.offsets[end];
  UnitVectors slice;
  slice.offsets.clear();
  for (int64_t d = begin; d <= end; ++d) {
    slice.offsets.push_back(documents.offsets[d] - first);
  }
  slice.terms.assign(documents.terms.begin() + first,
                     documents.terms.begin() + last);
  slice.weights.assign(documents.weights.begin() + first,
                       documents.weights.begin() + last);
  slice.num_terms = documents.num_terms;
  return slice;
}

absl::Status ValidateUnitVectors(const UnitVectors& documents, int32_t terms) {
  const std::vector<int64_t>& offsets = documents.offsets;
  if (offsets.empty() || offsets.front() != 0 ||
      !std::is_sorted(offsets.begin(), offsets.end()) ||
      offsets.back() != static_cast<int64_t>(documents.terms.size()) ||
      documents.terms.size() != documents.weights.size()) {
    return absl::InvalidArgumentError(
        "unit vectors: expected offsets that ascend from 0 to the number of "
        "terms, and as many weights as terms");
  }
  for (int64_t d = 0; d < documents.size(); ++d) {
    const absl::Span<const int32_t> row = documents.TermsOf(d);
    const absl::Span<const int32_t> weights = documents.WeightsOf(d);
    if (row.size() > static_cast<size_t>(terms)) {
      return absl::InvalidArgumentError(
          absl::StrCat("document ", d, ": expected at most ", terms,
                       " terms, found ", row.size()));
    }
    int32_t previous = -1;
    int64_t squares = 0;
    for (size_t i = 0; i < row.size(); ++i) {
      if (row[i] <= previous || row[i] >= documents.num_terms) {
        return absl::InvalidArgumentError(absl::StrCat(
            "document ", d, ", entry ", i, ": expected a term above ", previous,
            " and below ", documents.num_terms, ", found ", row[i]));
      }
      previous = row[i];
      // Before the square: it does not overflow then.
      const bool too_heavy = weights[i] < 1 || weights[i] > 1 << 30;
      if (!too_heavy) squares += int64_t{weights[i]} * weights[i];
      if (too_heavy || squares > kMaxUnitLength * kMaxUnitLength) {
        return absl::InvalidArgumentError(absl::StrCat(
            "document ", d, ", entry ", i,
            ": expected weights of at least 1 and a length of 2^30, found ",
            weights[i]));
      }
    }
  }
  return absl::OkStatus();
}

int64_t SimilarityAbove(const Decimal& threshold) {
  if (threshold.numerator >= threshold.denominator) {
    return std::numeric_limits<int64_t>::max();
  }
  // The numerator is below the denominator, at most 10^9: 90 bits hold the
  // product.
  return static_cast<int64_t>(static_cast<__int128>(threshold.numerator) *
                              (int64_t{1} << 60) / threshold.denominator);
}

}  // namespace warpclust
