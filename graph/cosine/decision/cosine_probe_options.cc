// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/decision/cosine_probe_options.h"

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "graph/cosine/decision/cosine_graph_options.h"

namespace warpclust {

double CosineProbeOptions::LargestSquaredNorm() const {
  if (!integer_arithmetic) return std::numeric_limits<double>::infinity();
  // The limits of HasIntegerWeights and MakeCosineDecision.
  constexpr double kExactDouble = 9007199254740992.0;
  constexpr double kTwoTo63 = 9223372036854775808.0;
  return std::min(kExactDouble,
                  kTwoTo63 / static_cast<double>(beta.denominator));
}

absl::Status CosineProbeOptions::Validate() const {
  CosineGraphOptions options;
  options.beta = beta;
  options.num_threads = num_threads;
  return options.Validate();
}

absl::Status ProbesNotIntegers() {
  return absl::InvalidArgumentError(
      "integer_arithmetic: expected probes with integer weights below 2^24 and "
      "squared norms below 2^53, found others");
}

absl::Status ProbeNormTooLarge(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(
      "integer_arithmetic: expected a squared norm of at most 2^53, or 2^63 "
      "divided by the denominator of beta if that is less, found ",
      what, " with a larger one"));
}

}  // namespace warpclust
