// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/decision/cosine_graph_options.h"

#include "absl/strings/str_cat.h"
#include "base/machine/threads.h"

namespace warpclust {

absl::Status CosineGraphOptions::Validate() const {
  // β = 0 would make every pair an edge, documents without terms included.
  if (beta.denominator <= 0 || beta.numerator <= 0 ||
      beta.numerator > beta.denominator) {
    return absl::InvalidArgumentError(absl::StrCat(
        "beta: expected a value in (0, 1], found ", FormatDecimal(beta)));
  }
  return ValidateNumThreads(num_threads);
}

absl::Status NotStopped(const CosineGraphOptions& options) {
  if (options.work == nullptr || !options.work->stop_requested()) {
    return absl::OkStatus();
  }
  return absl::CancelledError("the cosine graph was stopped");
}

}  // namespace warpclust
