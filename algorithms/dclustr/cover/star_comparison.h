// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CompareStars: compares a vertex with all vertices of its row, by degree and
// by average weight: what a relevance count (graph/stars/relevance_table.h)
// adds up, and which neighbors' own counts may have changed.
//
// A vertex is a word of two integers below 2^31, loaded at once. Averages are
// compared by their integer parts without the lowest two bits, which decide
// unless they are equal; ties are reported, and the caller decides them
// exactly.
//
// Loads are the bottleneck: vectors of 16 bytes take two words each. Gather
// instructions took twice as long, and vectors of 32 bytes saved at most a
// fifth.

#ifndef WARPCLUST_ALGORITHMS_DCLUSTR_COVER_STAR_COMPARISON_H_
#define WARPCLUST_ALGORITHMS_DCLUSTR_COVER_STAR_COMPARISON_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace warpclust {

struct alignas(8) Star {
  int32_t degree = -1;
  // Twice a quarter of the average's integer part, plus 1 if watched.
  int32_t average = 0;
};

// A vertex that must not be in a row.
constexpr Star kAbsentStar = Star();

// `degree` is at least 0; `weight_sum` is of as many weights in fixed point.
Star MakeStar(int32_t degree, uint64_t weight_sum, bool watched);

struct StarComparison {
  // Neighbors whose degree, and whose average, is at most the vertex's,
  // including those of `num_ties`.
  uint32_t num_degrees = 0;
  uint32_t num_averages = 0;
  // Neighbors whose average is too close to decide.
  uint32_t num_ties = 0;
  // A neighbor is absent; the numbers are then invalid.
  bool has_absent = false;
};

// Compares `star` with stars[u] for all u in `row`, which must be in range.
// Appends to `*suspects` the watched u whose comparison with `former_star` may
// have had another result, and perhaps some more.
StarComparison CompareStars(Star star, Star former_star,
                            absl::Span<const int32_t> row,
                            absl::Span<const Star> stars,
                            std::vector<int32_t>* suspects);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DCLUSTR_COVER_STAR_COMPARISON_H_
