// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/brute_force/tile_boxes.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace warpclust {

void TileBoxes::Fill(const float* panels, int32_t num_points,
                     int stored_dimensions, int num_dimensions) {
  const int32_t num_panels = (num_points + kPanelPoints - 1) / kPanelPoints;
  num_tiles_ = (num_panels + kFilterTilePanels - 1) / kFilterTilePanels;
  num_dimensions_ = num_dimensions;
  const size_t size = static_cast<size_t>(num_dimensions) * num_tiles_;
  low_.assign(size, std::numeric_limits<float>::infinity());
  high_.assign(size, -std::numeric_limits<float>::infinity());
  for (int32_t panel = 0; panel < num_panels; ++panel) {
    const int count = std::min(kPanelPoints, num_points - panel * kPanelPoints);
    const float* values =
        panels + static_cast<int64_t>(panel) * stored_dimensions * kPanelPoints;
    for (int k = 0; k < num_dimensions; ++k) {
      const size_t at =
          static_cast<size_t>(k) * num_tiles_ + panel / kFilterTilePanels;
      for (int i = 0; i < count; ++i) {
        const float value = values[k * kPanelPoints + i];
        low_[at] = std::min(low_[at], value);
        high_[at] = std::max(high_[at], value);
      }
    }
  }
}

void TileBoxes::GapsAndReaches(int tile, int begin, int end, double* gaps,
                               double* reaches) const {
  const int count = end - begin;
  std::fill_n(gaps, count, 0.0);
  std::fill_n(reaches, count, 0.0);
  for (int k = 0; k < num_dimensions_; ++k) {
    const int64_t first = static_cast<int64_t>(k) * num_tiles_;
    const double low = low_[first + tile];
    const double high = high_[first + tile];
    const float* lows = low_.data() + first + begin;
    const float* highs = high_.data() + first + begin;
    for (int i = 0; i < count; ++i) {
      const double below = low - highs[i];
      const double above = lows[i] - high;
      const double gap = std::max(std::max(below, above), 0.0);
      gaps[i] += gap * gap;
      // Points are at most as far apart as the extent of both boxes.
      const double reach = std::min(below, above);
      reaches[i] += reach * reach;
    }
  }
}

double TileBoxes::PointGap(const float* values, int stride, int tile) const {
  double sum = 0;
  for (int k = 0; k < num_dimensions_; ++k) {
    const int64_t at = static_cast<int64_t>(k) * num_tiles_ + tile;
    const double value = values[static_cast<int64_t>(k) * stride];
    const double gap =
        std::max(std::max(low_[at] - value, value - high_[at]), 0.0);
    sum += gap * gap;
  }
  return sum;
}

void TileBoxes::MiddleDistances(int tile, double* distances) const {
  std::fill_n(distances, num_tiles_, 0.0);
  for (int k = 0; k < num_dimensions_; ++k) {
    const int64_t first = static_cast<int64_t>(k) * num_tiles_;
    const double middle =
        static_cast<double>(low_[first + tile]) + high_[first + tile];
    const float* lows = low_.data() + first;
    const float* highs = high_.data() + first;
    for (int i = 0; i < num_tiles_; ++i) {
      const double apart = (static_cast<double>(lows[i]) + highs[i]) - middle;
      distances[i] += apart * apart;
    }
  }
}

}  // namespace warpclust
