// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What the two kernels of brute_force_cuda share. A thread block takes a tile
// of "rows" against up to 32 tiles of "columns" before it, so that each pair of
// points is visited once; between two parts, columns are tiles of the first.
// tensor_tiles_cuda.cu filters in integer arithmetic on tensor cores;
// plain_tiles_cuda.cu computes every key. Internal.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_TILE_SEARCH_CUDA_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_TILE_SEARCH_CUDA_H_

#include <algorithm>
#include <cstdint>

#include "absl/status/status.h"
#include "base/machine/cuda_host_device.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/label_summary.h"

namespace warpclust {

// The most column tiles of one block.
inline constexpr int kMostColumns = 32;

// CountWithin, NearestOfHigherRank or HighestRankOfOtherLabel.
enum class TileSearch { kCount, kNearest, kLabel };

// Which pairs of tiles (row tile >= column tile) a search takes: all, those
// fewer than kMostColumns apart in the order of the tiles, the others, or those
// of a tile of the second part and one of the first.
enum class TilePart : int32_t { kAll, kNear, kFar, kBetween };

// CountWithin and HighestRankOfOtherLabel. The distance of two points is below
// `within` only if their key is below the radius key, and at least `beyond`
// only if it is not. The others are limits of the sums of
// tensor_sums_cuda.cuh (digit_limits.h).
struct CountLimits {
  double radius_key = 0;
  double within = 0;
  double beyond = 0;
  int32_t offset = 0;
  int32_t first_within = 0;
  bool second_digit = false;
  int32_t second_within = 0;
  int32_t second_near = 0;
  // Of the distance by both digits, in steps: below the first, the key is below
  // the radius key, and from the second on it is not.
  double digits_within = 0;
  double digits_beyond = 0;
};

// NearestOfHigherRank: arrays by place, with a point's best neighbor so far, an
// upper bound of the distance of a better one, and the limits of sums of digits
// that follow (tensor_sums_cuda.cuh). Bounds and limits only fall.
struct NearestState {
  const int32_t* ranks = nullptr;
  double* keys = nullptr;
  int32_t* ids = nullptr;
  int32_t* locks = nullptr;  // 0: free
  // Bits of a double. Null, as the limits, for the plain kernel.
  unsigned long long* bounds = nullptr;
  int32_t* first_limits = nullptr;
  int32_t* second_limits = nullptr;
  // By tile: the largest distance that a best key may stand for.
  const double* reaches = nullptr;
  // How keys become bounds and limits.
  double relative_error = 0;  // of a key, against the distance without rounding
  double absolute_error = 0;
  double step = 1;
  double first_error = 0;   // of a pair, in steps
  double second_error = 0;  // of a pair, in steps
  int32_t slack = 0;        // of the second limit
};

// HighestRankOfOtherLabel: arrays by place, of which `best` only falls. Empty
// places have a rank of INT32_MAX and a best of 0.
struct TileLabelState {
  const int32_t* ranks = nullptr;
  const int32_t* labels = nullptr;
  int32_t* best = nullptr;
  // By tile. The second: the largest best that a point began with.
  const LabelSummary* summaries = nullptr;
  const int32_t* most_best = nullptr;
};

struct TileArguments {
  const double* values = nullptr;
  int32_t dimensions = 0;
  // PointTiles.
  int32_t num_tiles = 0;
  int32_t first_part_tiles = 0;
  const int32_t* ids = nullptr;
  const int32_t* sizes = nullptr;
  const double* centers = nullptr;
  const double* radii = nullptr;
  // TileLandmarks.
  int32_t landmark_stride = 1;
  const double* landmark_distances = nullptr;
  // QuantizedRows, by place; null for the plain kernel.
  const int8_t* high = nullptr;
  const int8_t* low = nullptr;
  const int32_t* norms = nullptr;
  const int32_t* corrections = nullptr;
  int32_t row_bytes = 0;
  // Blocks: items first_item + i * item_stride below end_item, out of NumItems.
  TilePart part = TilePart::kAll;
  int32_t columns = kMostColumns;
  int64_t first_item = 0;
  int64_t end_item = 0;
  int64_t item_stride = 1;
  // This GPU's share of the row tiles of kNear, and of first neighbors.
  int32_t share = 0;
  int32_t num_shares = 1;
  // Undecided pairs in a block's queue: any number from 1 on.
  int32_t queue_capacity = 0;
  CountLimits count;
  int32_t* counts = nullptr;  // by place
  NearestState nearest;
  TileLabelState labels;
  // Pairs met, and pairs that the filter left undecided.
  unsigned long long* statistics = nullptr;
};

// Row tiles that follow one another are of one share, so that what a row finds
// near bounds its next search.
inline constexpr int32_t kTilesOfShare = 2 * kMostColumns;
inline WARPCLUST_HOST_DEVICE bool IsOfShare(const TileArguments& a,
                                            int32_t tile) {
  return tile / kTilesOfShare % a.num_shares == a.share;
}
inline WARPCLUST_HOST_DEVICE int32_t NumTilesOfShare(const TileArguments& a) {
  const int32_t turn = kTilesOfShare * a.num_shares;
  const int32_t rest = a.num_tiles % turn - a.share * kTilesOfShare;
  return a.num_tiles / turn * kTilesOfShare + (rest < 0 ? 0
                                               : rest < kTilesOfShare
                                                   ? rest
                                                   : kTilesOfShare);
}
// Its k-th tile.
inline WARPCLUST_HOST_DEVICE int32_t TileOfShare(const TileArguments& a,
                                                 int32_t k) {
  return (k / kTilesOfShare * a.num_shares + a.share) * kTilesOfShare +
         k % kTilesOfShare;
}

// Items of a search, run by run of columns: run r holds the row tiles from
// FirstRowTile + r * columns on, each with the column tiles from r * columns
// on. Between parts, every run holds all rows of the second part.
inline WARPCLUST_HOST_DEVICE int64_t FirstRowTile(const TileArguments& a) {
  return a.part == TilePart::kFar ? kMostColumns : 0;
}
inline WARPCLUST_HOST_DEVICE int64_t ItemsBefore(const TileArguments& a,
                                                 int64_t run) {
  return run * (a.num_tiles - FirstRowTile(a)) -
         a.columns * (run * (run - 1) / 2);
}
inline int64_t NumItems(const TileArguments& a) {
  if (a.part == TilePart::kNear) {
    return static_cast<int64_t>(NumTilesOfShare(a)) *
           (kMostColumns / a.columns);
  }
  if (a.part == TilePart::kBetween) {
    return static_cast<int64_t>(a.num_tiles - a.first_part_tiles) *
           ((a.first_part_tiles + a.columns - 1) / a.columns);
  }
  const int64_t rows = a.num_tiles - FirstRowTile(a);
  return rows <= 0 ? 0 : ItemsBefore(a, (rows + a.columns - 1) / a.columns);
}

// Blocks that take the items the arguments name.
inline int64_t NumBlocks(const TileArguments& a) {
  return (a.end_item - a.first_item + a.item_stride - 1) / a.item_stride;
}

// The end of the items that a launch of at most `most_blocks` blocks takes.
inline int64_t EndOfLaunch(const TileArguments& a, int64_t most_blocks) {
  const int64_t blocks = std::min(most_blocks, NumBlocks(a));
  return std::min(a.end_item, a.first_item + blocks * a.item_stride);
}

// On the default stream. At most 2^31 - 1 blocks. The counts must have been
// zeroed.
absl::Status LaunchTensorTiles(TileSearch search,
                               const TileArguments& arguments);
absl::Status LaunchPlainTiles(TileSearch search, Norm norm,
                              const TileArguments& arguments);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_TILE_SEARCH_CUDA_H_
