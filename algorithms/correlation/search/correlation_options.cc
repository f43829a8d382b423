// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/search/correlation_options.h"

#include "absl/strings/str_cat.h"

namespace warpclust {

absl::Status CorrelationOptions::Validate() const {
  const auto at_least = [](const char* field, int64_t value, int64_t least) {
    return value >= least
               ? absl::OkStatus()
               : absl::InvalidArgumentError(absl::StrCat(
                     field, " must be at least ", least, ", not ", value));
  };
  for (const absl::Status& status :
       {at_least("iterations", iterations, 0),
        at_least("no_improvement", no_improvement, 0),
        at_least("ils_iterations", ils_iterations, 1),
        at_least("perturbation_max", perturbation_max, 1)}) {
    if (!status.ok()) return status;
  }
  // Written so that NaN is refused too.
  if (!(alpha >= 0 && alpha <= 1)) {
    return absl::InvalidArgumentError(
        absl::StrCat("alpha must be from 0 to 1, not ", alpha));
  }
  if (neighborhood != 1 && neighborhood != 2) {
    return absl::InvalidArgumentError(
        absl::StrCat("neighborhood must be 1 or 2, not ", neighborhood));
  }
  return absl::OkStatus();
}

}  // namespace warpclust
