// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/brute_force/near_keys.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/machine/cpu_features.h"
#include "vptree/brute_force/brute_force_pairs.h"
#include "vptree/brute_force/masked_keys.h"
#include "vptree/brute_force/pair_parts.h"
#include "vptree/brute_force/pair_tile_kernels.h"
#include "vptree/brute_force/parts_within.h"

namespace warpclust {
namespace {

// Gives the keys of the pairs that it gets to `take`.
class KeySink : public PairParts {
 public:
  KeySink(const BruteForcePairs& pairs, PairParts parts,
          absl::Span<const int32_t> numbers, int thread, NearKeys::Take take)
      : PairParts(parts),
        pairs_(pairs),
        kernels_(PairTileKernelsFor(CpuSimdLevel())),
        numbers_(numbers),
        thread_(thread),
        take_(take),
        scratch_(pairs.filter().num_dimensions(), 0) {}

  void AddTiles(int32_t row_begin, int32_t row_end, int32_t column_begin,
                int32_t column_end) {
    VisitPanels(pairs_, row_begin, row_end, column_begin, column_end,
                [&](int32_t a, int32_t b, uint32_t* masks) {
                  if (Wants(a, b)) AddMasks(a, b, masks);
                });
  }

  void AddMasks(int32_t row_panel, int32_t column_panel, uint32_t* masks) {
    Restrict(row_panel, column_panel, masks);
    int count = 0;
    VisitMaskedKeys(
        pairs_, kernels_, row_panel, column_panel, masks, &scratch_,
        [&](int i, int j, double key) {
          if (key == 0 && IsOnePoint(row_panel * kPanelPoints + i,
                                     column_panel * kPanelPoints + j)) {
            return;
          }
          keys_[count++] = key;
        });
    take_(thread_, absl::MakeConstSpan(keys_, count));
  }

 private:
  bool IsOnePoint(int32_t position, int32_t other) const {
    const std::vector<int32_t>& order = pairs_.filter().order();
    return numbers_[order[position]] == numbers_[order[other]];
  }

  const BruteForcePairs& pairs_;
  const PairTileKernels& kernels_;
  const absl::Span<const int32_t> numbers_;
  const int thread_;
  const NearKeys::Take take_;
  PairScratch scratch_;
  double keys_[kPanelPoints * kPanelPoints];
};

}  // namespace

NearKeys::NearKeys(PointRows points, std::vector<int32_t> numbers,
                   PairParts parts, Norm norm, int num_threads)
    : numbers_(std::move(numbers)),
      parts_(parts),
      pairs_(std::move(points), norm, num_threads, parts.first_part()),
      num_threads_(
          std::clamp(parts.NumRowTiles(pairs_.num_tiles()), 1, num_threads)) {}

void NearKeys::Visit(double bound, Take take) const {
  if (pairs_.num_tiles() == 0) return;
  std::vector<KeySink> sinks;
  sinks.reserve(num_threads_);
  for (int thread = 0; thread < num_threads_; ++thread) {
    sinks.emplace_back(pairs_, parts_, numbers_, thread, take);
  }
  VisitPartsWithin(pairs_, parts_, bound, num_threads_, /*work=*/nullptr,
                   &sinks);
}

}  // namespace warpclust
