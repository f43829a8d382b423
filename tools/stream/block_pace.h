// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// BlockPace: how many documents of a stream to take at once. Blocks take a
// second or two, however slow the method, so that lines come out, progress is
// shown and an interrupt is noticed; and a fast method gets large blocks.

#ifndef WARPCLUST_TOOLS_STREAM_BLOCK_PACE_H_
#define WARPCLUST_TOOLS_STREAM_BLOCK_PACE_H_

#include <cstdint>

namespace warpclust {

class BlockPace {
 public:
  // Blocks have `least` to `most` documents, 1 <= least <= most.
  BlockPace(int64_t least, int64_t most);

  // The size of the next block.
  int64_t documents() const { return documents_; }
  // Tells the size and the duration of the last block.
  void Took(int64_t documents, double seconds);

 private:
  int64_t least_;
  int64_t most_;
  int64_t documents_;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_STREAM_BLOCK_PACE_H_
