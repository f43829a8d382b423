// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// BlockPace: how many documents of a stream to take at once, so that lines come
// out, progress is shown and an interrupt is heard every second or two, however
// slow the method is, and so that a fast one is not called too often.
//
// Thread-safety: a plain value.

#ifndef WARPCLUST_TOOLS_STREAM_BLOCK_PACE_H_
#define WARPCLUST_TOOLS_STREAM_BLOCK_PACE_H_

#include <cstdint>

namespace warpclust {

class BlockPace {
 public:
  // Blocks have `least` to `most` documents, 1 <= least <= most.
  BlockPace(int64_t least, int64_t most);

  // Of the next block.
  int64_t documents() const { return documents_; }
  // The last one had so many and took so long.
  void Took(int64_t documents, double seconds);

 private:
  int64_t least_;
  int64_t most_;
  int64_t documents_;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_STREAM_BLOCK_PACE_H_
