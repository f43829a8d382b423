// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Dense documents and their clusters as online clustering compares them: the
// fixed point of unit_vectors.h with all dimensions kept, and with signs. For
// values v of a document and sums s of a cluster's documents:
//
//   document   w[k] = ±floor(|v[k]| * (2^30 / sqrt(sum v^2)) + 1/2) with the
//              sign of v[k]; squares are added in double in ascending order
//   cluster    c[k] = ±max(1, floor(|s[k]| * (2^30 / sqrt(sum s^2)) + 1/2))
//              with the sign of s[k]; 0 if s[k] is 0
//   similarity the sum of w[k] * c[k], an integer; 2^60 is a cosine of 1
//
// Without negative values this is what documents with terms get whose terms are
// all kept: the same clusters, byte for byte.
//
// An entry of a rounded vector differs from that of the unit vector by less
// than 1, or 1/2 of a document. So with p = sqrt(dimensions) 2^-30, w 2^-30 and
// c 2^-30 are within 1.01 p of unit vectors, and no similarity or sum of a part
// of its products exceeds 2^61.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_DENSE_DENSE_VECTORS_H_
#define WARPCLUST_ALGORITHMS_ONLINE_DENSE_DENSE_VECTORS_H_

#include <cstdint>

#include "absl/types/span.h"

namespace warpclust {

// The weights of a document of finite values, as many as it has. All 0 if the
// values are.
void DocumentWeights(absl::Span<const float> values, int32_t* weights);

// The weights of a cluster with these sums, of at most 2^32 documents.
void ClusterWeights(absl::Span<const int64_t> sums, int32_t* weights);

// The sum of a[k] * b[k] for k < size, exactly, for a document and a cluster or
// two clusters. Four to eight products per cycle.
int64_t DenseSimilarity(const int32_t* a, const int32_t* b, int32_t size);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_DENSE_DENSE_VECTORS_H_
