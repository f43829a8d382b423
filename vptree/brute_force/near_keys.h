// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// NearKeys: the distance keys below a bound among the pairs of some thousand
// points, by brute force (brute_force.h). Use it for keys that are wanted
// themselves; where few are below the bound, few are computed.
//
//   const NearKeys near(PointRows(points), numbers, PairParts::All(),
//   Norm::kL2,
//                       num_threads);
//   near.Visit(bound, [&](int thread, absl::Span<const double> keys) {…});
//
// Cost: preparing the points once, a search as brute force's for each bound,
// and the keys below it twice. Memory: as brute_force.h.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_NEAR_KEYS_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_NEAR_KEYS_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "vptree/brute_force/brute_force_pairs.h"
#include "vptree/brute_force/pair_parts.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_rows.h"

namespace warpclust {

class NearKeys {
 public:
  using Take =
      absl::FunctionRef<void(int thread, absl::Span<const double> keys)>;

  // Of the pairs of `parts`, those of two points with different `numbers`, one
  // per point. The rows of `points`, which are valid, must outlive this.
  // `num_threads` is at least 1.
  NearKeys(PointRows points, std::vector<int32_t> numbers, PairParts parts,
           Norm norm, int num_threads);

  // Those that call `take`, by their numbers from 0: at most num_threads, fewer
  // for few points.
  int num_threads() const { return num_threads_; }

  // Gives each key below `bound`, which is positive, to `take` once, many at a
  // time.
  void Visit(double bound, Take take) const;

 private:
  const std::vector<int32_t> numbers_;
  const PairParts parts_;
  const BruteForcePairs pairs_;
  const int num_threads_;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_NEAR_KEYS_H_
