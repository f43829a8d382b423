// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Digests of the results that several algorithms share: all of their fields.
//
// Thread-safety: pure but for the digest.

#ifndef WARPCLUST_TOOLS_DETERMINISM_COVER_DIGEST_H_
#define WARPCLUST_TOOLS_DETERMINISM_COVER_DIGEST_H_

#include "graph/stars/star_cover.h"
#include "tools/determinism/digest.h"

namespace warpclust {

inline void AddStarCover(const StarCover& result, Digest* digest) {
  digest->Array(result.cover.offsets);
  digest->Array(result.cover.members);
  digest->Array(result.centers);
  digest->Array(result.num_satellites);
  digest->Array(result.linked_offsets);
  digest->Array(result.linked);
}

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_DETERMINISM_COVER_DIGEST_H_
