// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// KernelLaunch: what the hardware counted while a kernel ran, as ncu, the
// command line of Nsight Compute, reports it.
//
//   ASSIGN_OR_RETURN(
//       const std::vector<KernelLaunch> launches,
//       ProfileKernels("program --flag", "CountKernel", {kSectors}, options));
//   const std::optional<double> sectors =
//       MeanByTime(launches, "CountKernel", kSectors);

#ifndef WARPCLUST_TOOLS_REPRODUCE_DENSITY_PEAKS_KERNEL_PROFILE_H_
#define WARPCLUST_TOOLS_REPRODUCE_DENSITY_PEAKS_KERNEL_PROFILE_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace warpclust {

struct KernelLaunch {
  std::string kernel;  // With its template arguments.
  std::map<std::string, double, std::less<>> metrics;
};

// The duration of a launch in nanoseconds, which ProfileKernels always asks
// for.
inline constexpr char kKernelTime[] = "gpu__time_duration.sum";

// The launches in the output of `ncu --csv`, in its order. Lines that are not
// of the table, and values that are not numbers, are left out. InvalidArgument
// if a line of the table is broken or a column is missing.
absl::StatusOr<std::vector<KernelLaunch>> ParseKernelLaunches(
    absl::string_view output);

// The mean of a metric over the launches of kernels whose names contain
// `kernel`, weighted by their time. Empty if no launch has it.
std::optional<double> MeanByTime(const std::vector<KernelLaunch>& launches,
                                 absl::string_view kernel,
                                 absl::string_view metric);

struct ProfileOptions {
  std::string scratch;  // An existing folder.
  double seconds = 0;   // Time limit; infinite: none.
};

// Runs a shell command under ncu and returns the launches of the kernels whose
// names match the regular expression. Unavailable, with what ncu said, if it is
// not on PATH, may not count, takes too long, or sees no such kernel.
absl::StatusOr<std::vector<KernelLaunch>> ProfileKernels(
    absl::string_view command, absl::string_view kernels,
    absl::Span<const absl::string_view> metrics, const ProfileOptions& options);

// Whether ProfileKernels runs this program. It then does only what is to be
// counted.
bool IsProfiled();

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_REPRODUCE_DENSITY_PEAKS_KERNEL_PROFILE_H_
