// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/online_methods.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "algorithms/online/state/online_options.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

struct Name {
  OnlineMethod method;
  absl::string_view name;
};

constexpr Name kNames[] = {
    {OnlineMethod::kAuto, "auto"},
    {OnlineMethod::kSerial1, "serial1"},
    {OnlineMethod::kSerial2, "serial2"},
    {OnlineMethod::kParallel1, "parallel1"},
    {OnlineMethod::kBatched, "batched"},
    {OnlineMethod::kMdc1, "mdc1"},
    {OnlineMethod::kMdc2, "mdc2"},
    {OnlineMethod::kApproximate, "approximate"},
    // After the names that OnlineMethodName gives.
    {OnlineMethod::kSerial1, "sc1"},
    {OnlineMethod::kSerial2, "sc2"},
    {OnlineMethod::kParallel1, "pc1"},
};

bool IsSerial(OnlineMethod method) {
  return method == OnlineMethod::kSerial1 || method == OnlineMethod::kSerial2;
}

}  // namespace

bool IsApproximate(OnlineMethod method) {
  return method == OnlineMethod::kMdc1 || method == OnlineMethod::kMdc2 ||
         method == OnlineMethod::kApproximate;
}

absl::StatusOr<OnlineMethod> ParseOnlineMethod(absl::string_view name) {
  std::string known;
  for (const Name& entry : kNames) {
    if (entry.name == name) return entry.method;
    absl::StrAppend(&known, known.empty() ? "" : ", ", entry.name);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("expected one of ", known, ", found \"", name, "\""));
}

absl::string_view OnlineMethodName(OnlineMethod method) {
  for (const Name& entry : kNames) {
    if (entry.method == method) return entry.name;
  }
  return "unknown";
}

OnlineOptions DefaultOnlineOptions(OnlineMethod method) {
  return method == OnlineMethod::kMdc1 || method == OnlineMethod::kMdc2
             ? OnlineOptions::Paper()
             : OnlineOptions();
}

int OnlineMethodOptions::preparing_threads() const {
  return IsSerial(method) && num_threads == 0 ? 1 : num_threads;
}

absl::Status OnlineMethodOptions::Validate() const {
  if (IsSerial(method) && device == Device::kCuda) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected the device cpu for the method ", OnlineMethodName(method),
        ", which runs on the CPU only; found ", DeviceName(device)));
  }
  if (method == OnlineMethod::kParallel1 && device == Device::kCpu) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected the device cuda for the method ", OnlineMethodName(method),
        ", which runs on a GPU only; found ", DeviceName(device)));
  }
  if (has_ranks() && method != OnlineMethod::kAuto &&
      method != OnlineMethod::kBatched) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected the method auto or batched on several ranks, found ",
        OnlineMethodName(method)));
  }
  if (batch < 0 || batch > kMaxBatch) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected a batch of 1 to ", kMaxBatch,
        " documents, or 0 for the method's choice, found ", batch));
  }
  if (epsilon.has_value()) {
    RETURN_IF_ERROR(CheckShare("an epsilon", *epsilon));
  }
  return ValidateNumThreads(num_threads);
}

MultipleDocumentOptions DocumentsAtATime(OnlineMethod method,
                                         const OnlineMethodOptions& options) {
  MultipleDocumentOptions result;
  result.num_threads = options.num_threads;
  if (method == OnlineMethod::kParallel1) {
    result.batch = 1;
    return result;
  }
  if (options.batch != 0) result.batch = options.batch;
  result.exhaustive = method == OnlineMethod::kMdc1;
  const bool has_buckets = method != OnlineMethod::kApproximate;
  result.epsilon = options.epsilon.value_or(
      has_buckets ? MultipleDocumentOptions::kPaperEpsilon : Decimal("0"));
  return result;
}

}  // namespace warpclust
