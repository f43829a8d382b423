// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DensityPeaksOnGpus: DensityPeaks by several GPUs of this computer, which have
// a part of the points each, or, by brute force in more than 16 dimensions, a
// part of the pairs (density_peaks_on_ranks.h). Densities, dependent points and
// clusters are the same, to the bit.
//
//   ASSIGN_OR_RETURN(const DensityPeaksResult result,
//                    DensityPeaksOnGpus(points, DensityPeaksOptions(), 2));

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_DENSITY_PEAKS_ON_GPUS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_DENSITY_PEAKS_ON_GPUS_H_

#include "absl/status/statusor.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// Errors: those of DensityPeaks with Device::kCuda and of CheckNumGpus
// (kernels/device/gpu_ranks.h); Unimplemented for the halo, and for other
// densities than kCount. options.device and options.work are not used; the
// threads are those of all GPUs together. Memory of the host: a copy of the
// points, and while they move half of one more, or 40 bytes per point and GPU.
// distance_evaluations counts those of all GPUs, which are others than those of
// one.
absl::StatusOr<DensityPeaksResult> DensityPeaksOnGpus(
    const PointMatrix& points, const DensityPeaksOptions& options,
    int num_gpus);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_DENSITY_PEAKS_ON_GPUS_H_
