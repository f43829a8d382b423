// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/state/online_options.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status/status_macros.h"

namespace warpclust {

absl::Status CheckShare(absl::string_view what, const Decimal& value) {
  if (ValidateDecimal(value).ok() && value.numerator >= 0 &&
      value.numerator <= value.denominator) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "expected ", what, " from 0 to 1, found ", FormatDecimal(value)));
}

OnlineOptions OnlineOptions::Paper() {
  OnlineOptions options;
  options.threshold = "0.5";
  options.merge_every = 0;
  options.merge_threshold = "0.5";
  return options;
}

OnlineOptions OnlineOptions::Embeddings() {
  OnlineOptions options;
  options.threshold = "0.7";
  options.merge_every = 0;
  options.merge_threshold = "0.7";
  return options;
}

absl::Status OnlineOptions::Validate() const {
  RETURN_IF_ERROR(CheckShare("a threshold", threshold));
  if (terms < 1 || terms > kMaxTerms) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected 1 to ", kMaxTerms, " terms per document, found ", terms));
  }
  if (expire_after < 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected at least 0 seconds until a cluster expires, found ",
        expire_after));
  }
  if (merge_every < 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected at least 0 documents between merges, found ", merge_every));
  }
  return CheckShare("a merge threshold", merge_threshold);
}

}  // namespace warpclust
