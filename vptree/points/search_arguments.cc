// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/points/search_arguments.h"

#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"

namespace warpclust {

absl::Status CheckLength(absl::string_view what, size_t found, int64_t n) {
  if (found == static_cast<size_t>(n)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(what, ": expected ", n, " elements, found ", found));
}

absl::Status CheckRadiusKey(double radius_key) {
  if (radius_key >= 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "radius key: expected a number of at least 0, found ", radius_key));
}

absl::Status CheckRadiusKeys(absl::Span<const double> radius_keys) {
  for (size_t r = 0; r < radius_keys.size(); ++r) {
    RETURN_IF_ERROR(CheckRadiusKey(radius_keys[r]));
    if (r == 0 || radius_keys[r - 1] <= radius_keys[r]) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("radius keys: expected ascending ones, found ",
                     radius_keys[r], " after ", radius_keys[r - 1]));
  }
  return absl::OkStatus();
}

absl::Status CheckRadius(double radius) {
  if (radius >= 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("radius: expected a number of at least 0, found ", radius));
}

}  // namespace warpclust
