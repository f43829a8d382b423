// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Options of density peaks in the C interface as those of the libraries.
// InvalidArgument for an unknown name; the libraries check the rest.

#ifndef WARPCLUST_PYTHON_C_API_DENSITY_PEAKS_ARGUMENTS_H_
#define WARPCLUST_PYTHON_C_API_DENSITY_PEAKS_ARGUMENTS_H_

#include "absl/status/statusor.h"
#include "algorithms/density_peaks/density_peaks_options.h"
#include "algorithms/density_peaks/incremental/incremental_density_peaks.h"
#include "algorithms/density_peaks/peaks/peak_selection.h"
#include "python/c_api/call.h"
#include "python/c_api/warpclust.h"

namespace warpclust {

PeakSelection ToSelection(const warpclust_peaks& from);

// The defaults for null.
absl::StatusOr<DensityPeaksOptions> ToOptions(
    const warpclust_density_peaks_options* given, const CallOptions& call);
absl::StatusOr<IncrementalDensityPeaksOptions> ToOptions(
    const warpclust_incremental_density_peaks_options& from,
    const CallOptions& call);

}  // namespace warpclust

#endif  // WARPCLUST_PYTHON_C_API_DENSITY_PEAKS_ARGUMENTS_H_
