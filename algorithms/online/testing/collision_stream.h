// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CollisionStream: small random streams whose documents collide on purpose: few
// terms, repeated documents, stories that break within a batch, documents
// without terms, and weights so far apart that one vanishes beside the other.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_TESTING_COLLISION_STREAM_H_
#define WARPCLUST_ALGORITHMS_ONLINE_TESTING_COLLISION_STREAM_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include "algorithms/online/state/unit_vectors.h"
#include "base/numbers/random.h"

namespace warpclust {

struct CollisionStream {
  UnitVectors documents;
  std::vector<int64_t> clocks;
};

// `size` documents of at most `terms` terms below `num_terms`; clocks start at
// 0 and rise by 0 to 3.
inline CollisionStream MakeCollisionStream(Random* random, int64_t size,
                                           int32_t terms, int32_t num_terms) {
  CollisionStream stream;
  UnitVectors& documents = stream.documents;
  documents.num_terms = num_terms;
  int64_t clock = 0;
  for (int64_t d = 0; d < size; ++d) {
    const uint64_t kind = random->Below(16);
    std::vector<int32_t> row;
    std::vector<int32_t> weights;
    if (d > 0 && kind < 5) {
      // One of the last few again, now and then with a weight changed.
      const int64_t other =
          d - 1 - static_cast<int64_t>(random->Below(std::min<int64_t>(d, 20)));
      row.assign(documents.TermsOf(other).begin(),
                 documents.TermsOf(other).end());
      weights.assign(documents.WeightsOf(other).begin(),
                     documents.WeightsOf(other).end());
      if (kind < 2 && !weights.empty()) {
        weights[random->Below(weights.size())] =
            static_cast<int32_t>(1 + random->Below(1 << 30));
      }
    } else if (kind != 15) {
      std::set<int32_t> distinct;
      const uint64_t count = 1 + random->Below(terms);
      // Terms as words are: most are rare, a few are everywhere.
      for (uint64_t i = 0; i < count; ++i) {
        const uint64_t bound = 1 + random->Below(num_terms);
        distinct.insert(static_cast<int32_t>(random->Below(bound)));
      }
      row.assign(distinct.begin(), distinct.end());
      for (size_t i = 0; i < row.size(); ++i) {
        const uint64_t shift = random->Below(8) == 0 ? random->Below(30) : 0;
        // Few different ones: exact ties.
        const uint64_t unit = (1 + random->Below(3)) << 28;
        weights.push_back(static_cast<int32_t>(unit >> shift));
      }
    }
    double squares = 0;
    for (const int32_t w : weights) squares += static_cast<double>(w) * w;
    const double scale = 0x1p30 / std::sqrt(squares);
    for (int32_t& w : weights) {
      w = std::max(1, static_cast<int32_t>(w * scale));
    }
    documents.terms.insert(documents.terms.end(), row.begin(), row.end());
    documents.weights.insert(documents.weights.end(), weights.begin(),
                             weights.end());
    documents.offsets.push_back(static_cast<int64_t>(documents.terms.size()));
    clock += static_cast<int64_t>(random->Below(4));
    stream.clocks.push_back(clock);
  }
  return stream;
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_TESTING_COLLISION_STREAM_H_
