// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Random covers for tests and benchmarks. Seeded, and drawn with arithmetic of
// our own (the distributions of <random> differ between libraries).

#ifndef WARPCLUST_EVAL_TESTING_RANDOM_COVERS_H_
#define WARPCLUST_EVAL_TESTING_RANDOM_COVERS_H_

#include <cstdint>
#include <random>
#include <vector>

#include "graph/cover/cover.h"

namespace warpclust {

// Uniform in [0, bound); bound > 0. The bias is below bound / 2^64.
int64_t UniformBelow(int64_t bound, std::mt19937_64& random);

// A small cover of [0, num_items) of a random kind: overlapping, a partition,
// singletons, one cluster of all, empty, disjoint but incomplete, with nested,
// duplicated or very large clusters.
Cover RandomSmallCover(int32_t num_items, std::mt19937_64& random);

// `cover` with a share of its memberships removed and as many random ones
// added.
Cover Perturbed(const Cover& cover, int32_t num_items, double share,
                std::mt19937_64& random);

// A cover with clusters of the given sizes, each a uniform sample of the items.
Cover CoverWithSizes(int32_t num_items, const std::vector<int32_t>& sizes,
                     std::mt19937_64& random);

}  // namespace warpclust

#endif  // WARPCLUST_EVAL_TESTING_RANDOM_COVERS_H_
