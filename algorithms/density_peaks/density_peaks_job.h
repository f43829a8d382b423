// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DensityPeaksJob: the state that the steps of one job share, for the functions
// of density_peaks.h and densities with a cutoff distance.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_PEAKS_JOB_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_PEAKS_JOB_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "algorithms/density_peaks/density/decision_graph_run.h"
#include "algorithms/density_peaks/density/point_density.h"
#include "algorithms/density_peaks/density/sweep_searches.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/peaks/basins.h"
#include "algorithms/density_peaks/peaks/judged_clusters.h"
#include "base/machine/work_share.h"
#include "kernels/device/device.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

struct DevicePoints;    // vptree/points/device_points.h
struct DeviceSearches;  // density/cuda/device_searches.h

namespace internal {

// InvalidArgument.
absl::Status NoPoints();

// Cancelled once the owner of `work`, which may be null, has asked for the end.
absl::Status NotStopped(const WorkShare* work);

// Runs `step`, which returns absl::Status and reads *device; once more with the
// CPU if the memory of the GPU does not suffice.
template <typename Step>
absl::Status OnCpuIfExhausted(Device* device, const Step& step) {
  const absl::Status status = step();
  if (*device != Device::kCuda || !absl::IsResourceExhausted(status)) {
    return status;
  }
  *device = Device::kCpu;
  return step();
}

// Sets what `result` says of the cutoff distance.
void SetCutoff(const CutoffDistance& cutoff, DensityPeaksResult* result);

class DensityPeaksJob {
 public:
  DensityPeaksJob(PointMatrix points, const DensityPeaksOptions& options)
      : DensityPeaksJob(std::make_shared<PointMatrix>(std::move(points)),
                        options) {}

  // Call it first. `searches_once`: for FindCutoffAndGraph. If that is to be on
  // a GPU, the points go there.
  absl::Status Prepare(bool searches_once);
  absl::Status FindCutoffAndGraph();
  // Frees what FindClusters does not need. Not in a sweep.
  void FreeSearches();
  absl::Status FindClusters();
  absl::StatusOr<std::vector<uint8_t>> Halo(const DecisionGraph& graph,
                                            const Clusters& clusters);

  // The results for some quantiles, in order. What one search finds helps the
  // next ones.
  absl::Status Sweep(
      absl::Span<const double> quantiles,
      absl::FunctionRef<absl::Status(const DensityPeaksResult&)> visit);

  DensityPeaksResult TakeResult() { return std::move(result_); }

 private:
  DensityPeaksJob(std::shared_ptr<PointMatrix> points,
                  const DensityPeaksOptions& options)
      : points_(std::move(points)), options_(options) {}

  bool by_significance() const {
    return options_.peaks.rule == PeakSelection::Rule::kSignificance;
  }
  bool is_gaussian() const {
    return options_.density == PointDensity::kGaussian;
  }
  // Whether DecisionGraphCuda does it.
  bool searches_on_device() const {
    return device_ == Device::kCuda && !is_gaussian();
  }
  bool ClustersNeedSearches() const;
  int32_t dimensions() const;

  // For Sweep.

  // The densities at the cutoff distance of each result, which share the time.
  absl::StatusOr<SweptDensities> CountForResults(
      std::vector<DensityPeaksResult>& results);
  // How many values of a sweep are found at the same time.
  int ValuesAtOnce(const SweptDensities& swept, int num_threads) const;
  // A job that finds other values of the sweep.
  std::unique_ptr<DensityPeaksJob> Copy() const;
  void UseThreads(int num_threads);
  // Finds the value of a sweep that `result` and start_ have the beginnings of.
  absl::Status FindValue(DensityPeaksResult* result);

  absl::Status ChooseDevice();
  // Copies the points to on_device_ and checks them there. Whether they are
  // known to be legal.
  bool CopyToDevice(EarlyUpload<double>* upload);
  absl::Status MakeIndexOnce(double cutoff_distance);
  // The graph of the cutoff distance in the result. `searches_end`: the index
  // is needed no more.
  absl::Status FindGraph(bool searches_end);
  // Sets farthest_ for the point of rank 0, which is mostly the same one in a
  // sweep.
  absl::Status FindFarthest();
  // Sets `run`, except the dependent points, and start_.nearest to these.
  absl::Status SearchIndex(DecisionGraphRun* run);
  // Runs `step` with the index. If that is on the GPU, whose memory does not
  // suffice, again with one on the CPU.
  template <typename Step>
  absl::Status WithIndex(const Step& step);
  absl::Status FindGaussianDensities();
  absl::Status FindGaussianClusters();
  absl::Status FindSignificantClusters();
  void TakeClusters(JudgedClusters clusters);
  absl::StatusOr<Basins> FindAllBasins();

  // Points and index are shared by the jobs of a sweep (Copy).
  std::shared_ptr<PointMatrix> points_;
  DensityPeaksOptions options_;
  Device device_ = Device::kCpu;
  std::shared_ptr<NeighborIndex> index_;
  // Null on the CPU.
  std::shared_ptr<DeviceSearches> searches_on_device_;
  DensityPeaksResult result_;
  // What the searches of a sweep begin with, and the ranks of its densities.
  DecisionGraphStart start_;
  // The pairs at the last saddles.
  JoinedPairs joined_;
  // The last point of rank 0, and its largest key.
  NearestPoint farthest_;
  // Gaussian.
  PointDensities densities_;
  // The points for DecisionGraphCuda, until it takes them.
  std::shared_ptr<DevicePoints> on_device_;
};

}  // namespace internal
}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_PEAKS_JOB_H_
