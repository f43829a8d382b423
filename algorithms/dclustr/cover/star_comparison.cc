// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/cover/star_comparison.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "graph/stars/fixed_point_weight.h"

namespace warpclust {
namespace {

// Vectors of 16 bytes as the compiler offers them on every machine. Lanes are
// in the order of memory: degree, average, degree, average.
typedef int32_t Lanes __attribute__((vector_size(16)));
typedef uint64_t Words __attribute__((vector_size(16)));

// Neighbors between two checks for watched ones.
constexpr size_t kBlock = 16;

int32_t Unwatched(int32_t average) { return average & ~1; }

Lanes Twice(int32_t degree, int32_t average) {
  return Lanes{degree, average, degree, average};
}

uint64_t WordOf(const Star& star) {
  uint64_t word;
  std::memcpy(&word, &star, sizeof(word));
  return word;
}

// The values between a star and its former one, bounds included.
struct Range {
  Star low;
  Star high;

  bool MayHaveFlipped(const Star& other) const {
    const int32_t average = Unwatched(other.average);
    return (other.degree >= low.degree && other.degree <= high.degree) ||
           (average >= low.average && average <= high.average);
  }
};

Range RangeOf(const Star& a, const Star& b) {
  const int32_t average_a = Unwatched(a.average);
  const int32_t average_b = Unwatched(b.average);
  return {{std::min(a.degree, b.degree), std::min(average_a, average_b)},
          {std::max(a.degree, b.degree), std::max(average_a, average_b)}};
}

__attribute__((noinline)) void LookForSuspects(const Range& range,
                                               const int32_t* ids, size_t size,
                                               const Star* stars,
                                               std::vector<int32_t>* suspects) {
  for (size_t i = 0; i < size; ++i) {
    const Star& other = stars[ids[i]];
    if ((other.average & 1) != 0 && range.MayHaveFlipped(other)) {
      suspects->push_back(ids[i]);
    }
  }
}

}  // namespace

Star MakeStar(int32_t degree, uint64_t weight_sum, bool watched) {
  const uint32_t floor =
      AverageFloor(weight_sum, static_cast<uint64_t>(degree));
  return {degree, static_cast<int32_t>((floor >> 2 << 1) | (watched ? 1 : 0))};
}

StarComparison CompareStars(Star star, Star former_star,
                            absl::Span<const int32_t> row,
                            absl::Span<const Star> stars,
                            std::vector<int32_t>* suspects) {
  const Range range = RangeOf(star, former_star);
  // Plain pointers: no bounds checks.
  const int32_t* const ids = row.data();
  const size_t size = row.size();
  const Star* const data = stars.data();
  const int32_t average = Unwatched(star.average);
  // An average above `above` exceeds `average`, watched or not; one above
  // `below` is at least `average`.
  const Lanes above = Twice(star.degree, average | 1);
  const Lanes below = Twice(star.degree, average - 1);
  // A comparison that holds is -1.
  Lanes minus_above = {};
  Lanes minus_at_least = {};
  Lanes seen = {};

  size_t i = 0;
  for (; i + kBlock <= size; i += kBlock) {
    Lanes block = {};
#pragma GCC unroll 8
    for (size_t k = i; k < i + kBlock; k += 2) {
      const Words words = {WordOf(data[ids[k]]), WordOf(data[ids[k + 1]])};
      Lanes others;
      std::memcpy(&others, &words, sizeof(others));
      block |= others;
      minus_above += others > above;
      minus_at_least += others > below;
    }
    seen |= block;
    if (((block[1] | block[3]) & 1) != 0) {
      LookForSuspects(range, ids + i, kBlock, data, suspects);
    }
  }
  LookForSuspects(range, ids + i, size - i, data, suspects);
  for (; i < size; ++i) {
    const Star& other = data[ids[i]];
    seen[0] |= other.degree;
    minus_above[0] -= other.degree > above[0];
    minus_above[1] -= other.average > above[1];
    minus_at_least[1] -= other.average > below[1];
  }

  const uint32_t count = static_cast<uint32_t>(size);
  const uint32_t averages_above =
      static_cast<uint32_t>(-(minus_above[1] + minus_above[3]));
  const uint32_t averages_at_least =
      static_cast<uint32_t>(-(minus_at_least[1] + minus_at_least[3]));
  StarComparison result;
  result.num_degrees =
      count - static_cast<uint32_t>(-(minus_above[0] + minus_above[2]));
  result.num_averages = count - averages_above;
  result.num_ties = averages_at_least - averages_above;
  result.has_absent = (seen[0] | seen[2]) < 0;
  return result;
}

}  // namespace warpclust
