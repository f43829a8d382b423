// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/describe/explain_cosine.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "graph/io/edge_list_writer.h"

namespace warpclust {
namespace {

// A cosine as a whole number of units of its last decimal place.
struct Units {
  int64_t count = 0;
  int places = 0;
};

// Reads the text of FormatExactWeight: digits with a point, and an exponent if
// the number is small. At least `least_places`, so that shares have some too.
Units ParseUnits(absl::string_view text, int least_places) {
  Units units;
  bool after_point = false;
  size_t i = 0;
  for (; i < text.size() && text[i] != 'e'; ++i) {
    if (text[i] == '.') {
      after_point = true;
      continue;
    }
    units.count = units.count * 10 + (text[i] - '0');
    units.places += after_point ? 1 : 0;
  }
  if (i < text.size()) {
    int exponent = 0;
    for (i += 2; i < text.size(); ++i) exponent = exponent * 10 + text[i] - '0';
    units.places += exponent;  // It is negative: a cosine is at most 1.
  }
  // A cosine has at most 17 digits, and more places only if it is small.
  while (units.places < least_places) {
    units.count *= 10;
    ++units.places;
  }
  return units;
}

std::string FormatUnits(int64_t count, int places) {
  std::string digits = std::to_string(count);
  if (static_cast<int>(digits.size()) <= places) {
    digits.insert(0, places + 1 - digits.size(), '0');
  }
  digits.insert(digits.size() - places, 1, '.');
  return digits;
}

}  // namespace

CosineExplainer::CosineExplainer(const DocumentMatrix& documents, int digits)
    : documents_(documents),
      digits_(digits),
      squared_norms_(SquaredNorms(documents, 1)) {}

CosineExplanation CosineExplainer::operator()(int32_t a, int32_t b) const {
  CosineExplanation result;
  const absl::Span<const int32_t> terms_a = documents_.TermsOf(a);
  const absl::Span<const int32_t> terms_b = documents_.TermsOf(b);
  const absl::Span<const float> weights_a = documents_.WeightsOf(a);
  const absl::Span<const float> weights_b = documents_.WeightsOf(b);
  double dot = 0;
  for (size_t i = 0, j = 0; i < terms_a.size() && j < terms_b.size();) {
    if (terms_a[i] < terms_b[j]) {
      ++i;
    } else if (terms_a[i] > terms_b[j]) {
      ++j;
    } else {
      const double product =
          static_cast<double>(weights_a[i]) * static_cast<double>(weights_b[j]);
      dot += product;
      result.shares.push_back({terms_a[i], product, ""});
      ++i;
      ++j;
    }
  }
  if (dot <= 0) return result;
  result.cosine =
      CosineDecision::DoubleCosine(dot, squared_norms_[a], squared_norms_[b]);
  char text[32];
  result.text.assign(text,
                     internal::FormatExactWeight(result.cosine, digits_, text));

  std::sort(result.shares.begin(), result.shares.end(),
            [](const CosineShare& x, const CosineShare& y) {
              return x.value != y.value ? x.value > y.value
                                        : x.column < y.column;
            });
  // Each share is the difference of two rounded sums, so that all of them add
  // up to the last sum, which is the cosine.
  const Units units = ParseUnits(result.text, digits_);
  double sum = 0;
  int64_t units_before = 0;
  for (size_t k = 0; k < result.shares.size(); ++k) {
    CosineShare& share = result.shares[k];
    sum += share.value;
    int64_t units_now = units.count;
    if (k + 1 < result.shares.size()) {
      units_now = std::clamp(
          static_cast<int64_t>(
              std::floor(static_cast<double>(units.count) * (sum / dot) + 0.5)),
          units_before, units.count);
    }
    share.text = FormatUnits(units_now - units_before, units.places);
    units_before = units_now;
    share.value = share.value / dot * result.cosine;
  }
  return result;
}

}  // namespace warpclust
