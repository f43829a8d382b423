// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/search/correlation_options.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

// The first name of a method is the one that is written.
constexpr std::pair<absl::string_view, CorrelationMethod> kNames[] = {
    {"auto", CorrelationMethod::kAuto},
    {"seq_grasp", CorrelationMethod::kSeqGrasp},
    {"seq_ils", CorrelationMethod::kSeqIls},
    {"grasp_cudavnd", CorrelationMethod::kGraspCudaVnd},
    {"ils_cudavnd", CorrelationMethod::kIlsCudaVnd},
    {"grasp", CorrelationMethod::kSeqGrasp},
    {"ils", CorrelationMethod::kSeqIls}};

absl::Status Check(bool in_range, absl::string_view field,
                   absl::string_view expected, double found) {
  if (in_range) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(field, ": expected ", expected, ", found ", found));
}

absl::Status CheckAtLeast(int64_t least, absl::string_view field,
                          int64_t found) {
  return Check(found >= least, field, absl::StrCat("at least ", least),
               static_cast<double>(found));
}

}  // namespace

absl::string_view CorrelationMethodName(CorrelationMethod method) {
  for (const auto& [name, named] : kNames) {
    if (named == method) return name;
  }
  return "";
}

absl::StatusOr<CorrelationMethod> ParseCorrelationMethod(
    absl::string_view name) {
  for (const auto& [known, method] : kNames) {
    if (known == name) return method;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("expected auto, seq_grasp, seq_ils, grasp_cudavnd or "
                   "ils_cudavnd, found ",
                   name));
}

absl::Status CorrelationOptions::Validate() const {
  RETURN_IF_ERROR(CheckAtLeast(0, "iterations", iterations));
  RETURN_IF_ERROR(CheckAtLeast(0, "no_improvement", no_improvement));
  // False for NaN.
  const bool alpha_in_range = alpha >= 0 && alpha <= 1;
  RETURN_IF_ERROR(Check(alpha_in_range, "alpha", "from 0 to 1", alpha));
  RETURN_IF_ERROR(Check(neighborhood == 1 || neighborhood == 2, "neighborhood",
                        "1 or 2", neighborhood));
  RETURN_IF_ERROR(CheckAtLeast(1, "ils_iterations", ils_iterations));
  RETURN_IF_ERROR(CheckAtLeast(1, "perturbation_max", perturbation_max));
  if (!initial.empty() && method != CorrelationMethod::kAuto) {
    return absl::InvalidArgumentError(
        absl::StrCat("initial: expected the method auto, which can start from "
                     "a partition, found ",
                     CorrelationMethodName(method)));
  }
  return ValidateNumThreads(num_threads);
}

}  // namespace warpclust
