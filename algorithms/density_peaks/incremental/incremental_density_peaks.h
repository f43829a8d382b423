// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// IncrementalDensityPeaks: the decision graph of points that come and go in
// batches (Incremental GDPC: Liu et al. 2023, section 5). After every batch it
// equals, bit for bit, what ComputeDecisionGraph says of the points that are
// there: densities, dependent points and distances.
//
//   absl::StatusOr<IncrementalDensityPeaks> peaks =
//       IncrementalDensityPeaks::Create(/*num_dimensions=*/3, options);
//   peaks->Insert(batch);                 // ids 0, 1, …
//   peaks->Remove({17, 4});
//   absl::StatusOr<DecisionGraph> graph = peaks->Graph();
//   absl::StatusOr<Clusters> clusters = ClusterByPeaks(*graph, selection);
//
// How: points enter and leave a dynamic tree (vptree/dynamic/dynamic_tree.h);
// densities of the others change by what lies within d_c of the batch, found
// from one side or the other (DensityUpdate); dependent points are searched
// anew where the old one is gone or no longer of higher rank, and elsewhere
// only among points that have gained more density than the query, within the
// old distance. With ties of density broken by id this covers both cases of
// section 5.3 and both of 5.5 exactly. Labels follow from the graph in one pass
// over the points.
//
// Cost of a batch of b points beside n: about b range searches, and a bounded
// search for each point whose surroundings changed; some passes over n words.
// Memory: as CudaDynamicTree or DynamicTree says, and the coordinates of all
// points ever inserted. Thread-safety: one thread at a time. Move-only.
// Determinism: as everywhere, no device, thread count or batch size shows.

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
#include "kernels/device.h"
#include "vptree/points/metric.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

struct IncrementalDensityPeaksOptions {
  // Which tree holds the points; kAuto is the box tree up to 16 dimensions, the
  // VP-tree above. The answer is the same.
  enum class Tree { kAuto, kBox, kVantage };

  Metric metric = Metric::kEuclidean;
  // d_c, above 0: fixed, or a batch would change every density.
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
  // No points yet. InvalidArgument for options or num_dimensions < 1;
  // Unavailable if the device is; ResourceExhausted if memory runs out.
  static absl::StatusOr<IncrementalDensityPeaks> Create(
      int32_t num_dimensions, const IncrementalDensityPeaksOptions& options);

  // Ids given so far: 0 … num_ids() - 1, in order of insertion.
  int32_t num_ids() const { return static_cast<int32_t>(live_.size()); }
  // Points that are there.
  int32_t num_points() const { return num_points_; }
  bool IsLive(int32_t id) const {
    return id >= 0 && id < num_ids() && live_[id] != 0;
  }
  // Their ids, ascending: point i of Graph() is LiveIds()[i].
  std::vector<int32_t> LiveIds() const;

  // Adds the points, in their order. InvalidArgument, and nothing is done, for
  // another number of dimensions or points that the metric refuses (see
  // PrepareForMetric); after ResourceExhausted or Unavailable the object is not
  // to be used.
  absl::Status Insert(PointMatrix batch);

  // Takes points away. InvalidArgument naming the id, and nothing is done, if
  // one is not there or comes twice; other errors as of Insert.
  absl::Status Remove(absl::Span<const int32_t> ids);

  // The decision graph of the points that are there, numbered densely in order
  // of their ids, which is also how ties of density are broken. Costs O(n d).
  // ResourceExhausted if memory runs out; Unavailable if the GPU fails.
  absl::StatusOr<DecisionGraph> Graph() const;

  // "dynamic box tree" or "dynamic vp tree".
  absl::string_view index_name() const;

  // Of the last Insert or Remove.
  BatchSeconds last_batch() const { return engine_->last_batch(); }
  DensityUpdate last_update() const { return last_update_; }

 private:
  IncrementalDensityPeaks(const IncrementalDensityPeaksOptions& options,
                          std::unique_ptr<IncrementalEngine> engine,
                          int32_t num_dimensions);

  DensityUpdate ChooseUpdate(int64_t batch);
  void RecordUpdate(int64_t batch);

  // The tree is chosen: never kAuto.
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
