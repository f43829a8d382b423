// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// IncrementalDensityPeaks: the decision graph of points that come and go in
// batches (Incremental GDPC: Liu et al. 2023, section 5). After every batch it
// equals, bit for bit, what ComputeDecisionGraph says about the live points.
// Use it when batches are small against the points: a batch of 1 % costs a
// fraction of a restart.
//
//   absl::StatusOr<IncrementalDensityPeaks> peaks =
//       IncrementalDensityPeaks::Create(/*num_dimensions=*/3, options);
//   peaks->Insert(batch);                 // ids 0, 1, …
//   peaks->Remove({17, 4});
//   absl::StatusOr<DecisionGraph> graph = peaks->Graph();
//   absl::StatusOr<Clusters> clusters = ClusterByPeaks(*graph, selection);
//
// How it works. Points enter and leave a dynamic tree
// (vptree/dynamic/dynamic_tree.h). The densities of the others change by the
// points of the batch within d_c, found from one side or the other
// (DensityUpdate). A dependent point is searched again if the old one was
// removed or is no longer of higher rank; otherwise the search is bounded by
// the old distance and visits only points that have gained more density than
// the query. With ties of density broken by id, this covers both cases of
// section 5.3 and both of section 5.5 exactly. Labels follow from the graph in
// one pass over the points.
//
// Cost of a batch of b points among n: about b range searches, a bounded
// search for each point whose surroundings changed, and some passes over n
// words. Memory: that of the tree, and the coordinates of all points ever
// inserted.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_INCREMENTAL_INCREMENTAL_DENSITY_PEAKS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_INCREMENTAL_INCREMENTAL_DENSITY_PEAKS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/incremental/density_update_chooser.h"
#include "algorithms/density_peaks/incremental/incremental_engine.h"
#include "kernels/device/device.h"
#include "vptree/points/metric.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

struct IncrementalDensityPeaksOptions {
  // Which tree holds the points. kAuto is the box tree up to 5 dimensions;
  // above, the first batch decides by a model (vptree/index_forecast.h), or, if
  // it has fewer than 512 points, a box tree up to 16 dimensions and a VP-tree
  // above. The answer is the same.
  enum class Tree { kAuto, kBox, kVantage };

  Metric metric = Metric::kEuclidean;
  // d_c, above 0. It is fixed: otherwise a batch would change every density.
  double cutoff_distance = 0;
  DensityUpdate update = DensityUpdate::kAuto;
  Tree tree = Tree::kAuto;
  Device device = Device::kAuto;
  int num_threads = 0;  // 0: all cores.

  // InvalidArgument naming the field that is out of range.
  absl::Status Validate() const;
};

class IncrementalDensityPeaks {
 public:
  // Starts without points. InvalidArgument for bad options or num_dimensions
  // < 1; Unavailable if the device is.
  static absl::StatusOr<IncrementalDensityPeaks> Create(
      int32_t num_dimensions, const IncrementalDensityPeaksOptions& options);

  // Ids so far are 0 … num_ids() - 1, in order of insertion.
  int32_t num_ids() const { return static_cast<int32_t>(live_.size()); }
  // Live points: inserted and not removed.
  int32_t num_points() const { return num_points_; }
  bool IsLive(int32_t id) const {
    return id >= 0 && id < num_ids() && live_[id] != 0;
  }
  // The ids of the live points, ascending: point i of Graph() is LiveIds()[i].
  std::vector<int32_t> LiveIds() const;

  // Adds the points, in their order. InvalidArgument, without any change, for
  // another number of dimensions or points that the metric refuses
  // (PrepareForMetric). After ResourceExhausted (device memory, or 2^31 - 1
  // ids) or Unavailable, do not use the object.
  absl::Status Insert(PointMatrix batch);

  // Removes live points. InvalidArgument with the id, without any change, if a
  // point is not live or is repeated; other errors as for Insert.
  absl::Status Remove(absl::Span<const int32_t> ids);

  // The decision graph of the live points, numbered densely in order of their
  // ids, which is also how ties of density are broken. O(n d). Unavailable if
  // the GPU fails.
  absl::StatusOr<DecisionGraph> Graph() const;

  // "dynamic box tree" or "dynamic vp tree"; chosen by the first batch.
  absl::string_view index_name() const;

  // Of the last Insert or Remove.
  BatchSeconds last_batch() const { return engine_->last_batch(); }
  DensityUpdate last_update() const { return last_update_; }

 private:
  IncrementalDensityPeaks(const IncrementalDensityPeaksOptions& options,
                          std::unique_ptr<IncrementalEngine> engine,
                          int32_t num_dimensions);

  // The largest key of a live point and any other.
  double LargestLiveKey(int32_t point) const;
  DensityUpdate ChooseUpdate(int64_t batch);
  void RecordUpdate(int64_t batch);

  // The device is resolved. The tree is kAuto until the first batch.
  IncrementalDensityPeaksOptions options_;
  std::unique_ptr<IncrementalEngine> engine_;
  DensityUpdateChooser chooser_;
  DensityUpdate last_update_ = DensityUpdate::kIncidental;
  // Prepared coordinates by id.
  PointMatrix points_;
  std::vector<uint8_t> live_;
  int32_t num_points_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_INCREMENTAL_INCREMENTAL_DENSITY_PEAKS_H_
