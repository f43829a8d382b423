// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/ranks.h"
#include "algorithms/density_peaks/incremental/incremental_engine.h"
#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "vptree/dynamic/dynamic_tree.h"
#include "vptree/points/nearest_point.h"

namespace warpclust {
namespace {

class IncrementalCpu : public IncrementalEngine {
 public:
  IncrementalCpu(std::unique_ptr<DynamicTree> tree, double radius_key,
                 int num_threads)
      : tree_(std::move(tree)),
        radius_key_(radius_key),
        num_threads_(ResolveThreads(num_threads)) {}

  absl::Status Insert(const PointMatrix& batch, DensityUpdate update) override {
    seconds_ = BatchSeconds();
    if (batch.num_points == 0) return absl::OkStatus();
    const int32_t first = tree_->num_ids();
    {
      PhaseTimer timer(&seconds_.tree);
      RETURN_IF_ERROR(tree_->Insert(batch));
      const int32_t ids = tree_->num_ids();
      densities_.resize(ids, 0);
      nearest_.resize(ids);
      marks_.assign(ids, 0);
      std::fill(marks_.begin() + first, marks_.end(), 1);
      gains_.assign(ids, 0);
    }
    RETURN_IF_ERROR(UpdateDensities(update, /*sign=*/1));
    return UpdateDependentPoints();
  }

  absl::Status Remove(absl::Span<const int32_t> ids,
                      DensityUpdate update) override {
    seconds_ = BatchSeconds();
    if (ids.empty()) return absl::OkStatus();
    marks_.assign(tree_->num_ids(), 0);
    for (const int32_t id : ids) marks_[id] = 1;
    gains_.assign(tree_->num_ids(), 0);
    // While they are still in the tree.
    RETURN_IF_ERROR(UpdateDensities(update, /*sign=*/-1));
    {
      PhaseTimer timer(&seconds_.tree);
      RETURN_IF_ERROR(tree_->Remove(ids));
    }
    return UpdateDependentPoints();
  }

  absl::StatusOr<IncrementalState> Read() const override {
    const size_t ids = nearest_.size();
    IncrementalState state;
    state.densities = densities_;
    state.dependent_points.resize(ids);
    state.dependent_keys.resize(ids);
    for (size_t i = 0; i < ids; ++i) {
      state.dependent_points[i] = nearest_[i].id;
      state.dependent_keys[i] = nearest_[i].key;
    }
    return state;
  }

  BatchSeconds last_batch() const override { return seconds_; }

 private:
  // The densities of the points that stay change by `sign` times their gain,
  // and the gains keep that sign. New points have the largest gain; removed
  // points have no density.
  absl::Status UpdateDensities(DensityUpdate update, int sign) {
    PhaseTimer timer(&seconds_.density);
    const absl::Span<int32_t> counts = absl::MakeSpan(densities_);
    const absl::Span<int32_t> gains = absl::MakeSpan(gains_);
    RETURN_IF_ERROR(
        update == DensityUpdate::kSeparate
            ? tree_->CountMarkedSeparately(radius_key_, marks_, counts, gains)
            : tree_->CountMarkedIncidentally(radius_key_, marks_, counts,
                                             gains));
    const auto ids = static_cast<int64_t>(densities_.size());
#pragma omp parallel for num_threads(num_threads_) if (ids > 100000)
    for (int64_t i = 0; i < ids; ++i) {
      if (marks_[i] != 0) {
        gains_[i] = std::numeric_limits<int32_t>::max();
        if (sign < 0) densities_[i] = -1;
      } else if (densities_[i] >= 0) {
        gains_[i] *= sign;
        densities_[i] += gains_[i];
      }
    }
    return absl::OkStatus();
  }

  absl::Status UpdateDependentPoints() {
    PhaseTimer timer(&seconds_.dependent);
    RankByDensity(densities_, &starts_, &ranks_);
    const auto ids = static_cast<int64_t>(densities_.size());
    restart_.resize(ids);
#pragma omp parallel for num_threads(num_threads_) if (ids > 100000)
    for (int64_t i = 0; i < ids; ++i) {
      // New points have no dependent point yet.
      const int32_t above = nearest_[i].id;
      restart_[i] =
          above < 0 || densities_[above] < 0 || ranks_[above] > ranks_[i];
    }
    return tree_->UpdateNearest(ranks_, gains_, restart_,
                                absl::MakeSpan(nearest_));
  }

  std::unique_ptr<DynamicTree> tree_;
  const double radius_key_;
  const int num_threads_;
  BatchSeconds seconds_;
  // By id.
  std::vector<int32_t> densities_;  // -1: removed.
  std::vector<NearestPoint> nearest_;
  // Scratch of a batch, allocated once.
  std::vector<uint8_t> marks_;
  std::vector<int32_t> gains_;
  std::vector<int32_t> ranks_;
  std::vector<uint8_t> restart_;
  std::vector<int32_t> starts_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<IncrementalEngine>> MakeIncrementalCpu(
    Norm norm, int32_t num_dimensions, double radius_key, bool vp_tree,
    int num_threads) {
  ASSIGN_OR_RETURN(std::unique_ptr<DynamicTree> tree,
                   DynamicTree::Create(vp_tree ? DynamicTree::Kind::kVantage
                                               : DynamicTree::Kind::kBox,
                                       norm, num_dimensions, num_threads));
  return std::make_unique<IncrementalCpu>(std::move(tree), radius_key,
                                          num_threads);
}

}  // namespace warpclust
