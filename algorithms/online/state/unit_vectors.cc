// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/state/unit_vectors.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/machine/first_bad.h"
#include "sparse/matrix/drop_zero_weights.h"

namespace warpclust {
namespace {

// (weight, term) of one document.
using Kept = std::vector<std::pair<float, int32_t>>;

// The `terms` heaviest terms of a row, ascending; the smaller term first among
// equals.
void KeepHeaviest(absl::Span<const int32_t> row,
                  absl::Span<const float> weights, int32_t terms, Kept* kept) {
  kept->clear();
  for (size_t i = 0; i < row.size(); ++i) {
    kept->emplace_back(weights[i], row[i]);
  }
  if (kept->size() <= static_cast<size_t>(terms)) return;
  std::nth_element(kept->begin(), kept->begin() + terms, kept->end(),
                   [](const auto& a, const auto& b) {
                     return a.first != b.first ? a.first > b.first
                                               : a.second < b.second;
                   });
  kept->resize(terms);
  std::sort(kept->begin(), kept->end(),
            [](const auto& a, const auto& b) { return a.second < b.second; });
}

// Writes a row; returns whether a weight is 0.
bool WriteUnitRow(const Kept& kept, int32_t* terms, int32_t* weights) {
  double squares = 0;
  for (const auto& [weight, term] : kept) {
    squares += static_cast<double>(weight) * static_cast<double>(weight);
  }
  const double scale = 0x1p30 / std::sqrt(squares);
  bool has_zero = false;
  for (size_t i = 0; i < kept.size(); ++i) {
    terms[i] = kept[i].second;
    weights[i] = static_cast<int32_t>(kept[i].first * scale + 0.5);
    has_zero |= weights[i] == 0;
  }
  return has_zero;
}

absl::Status ValidateUnitRow(const UnitVectors& documents, int64_t d,
                             int32_t terms) {
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
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<UnitVectors> MakeUnitVectors(const DocumentMatrix& documents,
                                            int32_t terms, int num_threads) {
  if (terms < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected at least 1 term per document, found ", terms));
  }
  const int32_t count = documents.num_documents();
  UnitVectors vectors;
  vectors.num_terms = documents.num_terms;
  vectors.offsets.resize(count + size_t{1});
  for (int32_t d = 0; d < count; ++d) {
    vectors.offsets[d + 1] =
        vectors.offsets[d] +
        std::min<int64_t>(documents.offsets[d + 1] - documents.offsets[d],
                          terms);
  }
  vectors.terms.resize(vectors.offsets.back());
  vectors.weights.resize(vectors.offsets.back());
  bool has_zero = false;
#pragma omp parallel num_threads(ThreadsForEntries(     \
    documents.num_entries(), num_threads)) reduction(|| \
                                                     : has_zero)
  {
    Kept kept;
#pragma omp for schedule(static)
    for (int32_t d = 0; d < count; ++d) {
      const int64_t begin = vectors.offsets[d];
      KeepHeaviest(documents.TermsOf(d), documents.WeightsOf(d), terms, &kept);
      has_zero |= WriteUnitRow(kept, vectors.terms.data() + begin,
                               vectors.weights.data() + begin);
    }
  }
  // Rare: a weight below 2^-31 of the length.
  if (has_zero) DropZeroWeights(&vectors);
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

absl::Status ValidateUnitVectors(const UnitVectors& documents, int32_t terms,
                                 int num_threads) {
  const std::vector<int64_t>& offsets = documents.offsets;
  if (offsets.empty() || offsets.front() != 0 ||
      !std::is_sorted(offsets.begin(), offsets.end()) ||
      offsets.back() != static_cast<int64_t>(documents.terms.size()) ||
      documents.terms.size() != documents.weights.size()) {
    return absl::InvalidArgumentError(
        "unit vectors: expected offsets that ascend from 0 to the number of "
        "terms, and as many weights as terms");
  }
  const int64_t count = documents.size();
  const int64_t bad = FirstBad(
      count, ThreadsForEntries(offsets.back(), num_threads),
      [&](int64_t d) { return ValidateUnitRow(documents, d, terms).ok(); });
  return bad == count ? absl::OkStatus()
                      : ValidateUnitRow(documents, bad, terms);
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
