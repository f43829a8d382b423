// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/stream/block_pace.h"

#include <algorithm>

namespace warpclust {
namespace {

constexpr int64_t kFirst = 4096;
constexpr double kSeconds = 1;
// A block says little about a much larger one: clusters and lists grow.
constexpr double kGrowth = 4;

}  // namespace

BlockPace::BlockPace(int64_t least, int64_t most)
    : least_(least), most_(most), documents_(std::clamp(kFirst, least, most)) {}

void BlockPace::Took(int64_t documents, double seconds) {
  // A block that was small because no more documents were there says nothing
  // unless it was slow.
  if (documents < documents_ && seconds < kSeconds) return;
  const double factor = std::min(kGrowth, kSeconds / std::max(seconds, 1e-9));
  documents_ = static_cast<int64_t>(
      std::clamp(static_cast<double>(documents) * factor,
                 static_cast<double>(least_), static_cast<double>(most_)));
}

}  // namespace warpclust
