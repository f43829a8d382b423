// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/points/byte_grid.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

namespace warpclust {
namespace {

constexpr double kMostUnits = 255;
// Squares of steps and their multiples are far from underflow and overflow.
constexpr int kMostExponent = 400;
// Doubles below this, plus and minus kRounder, are rounded to integers.
constexpr double kMostRounded = 0x1p50;
constexpr double kRounder = 0x1.8p52;
constexpr int32_t kRowsBetweenChecks = 64;
constexpr int kNoBit = std::numeric_limits<int>::max();

// Vector code, unlike a call of rint().
bool IsInteger(double x) { return (x + kRounder) - kRounder == x; }

// The exponent of the lowest bit that is set in `value`, which is not 0.
int LowestBit(double value) {
  int exponent = 0;
  const auto mantissa =
      static_cast<int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  return exponent - 53 + __builtin_ctzll(static_cast<uint64_t>(mantissa));
}

// Where bytes begin that hold [low, high], such that they hold other points of
// the same data, too: unsigned or signed bytes if it may be, else with as much
// room below as above.
double LowFor(double low, double high) {
  for (const double begin : {0.0, -128.0}) {
    if (low >= begin && high <= begin + kMostUnits) return begin;
  }
  return low - std::floor((kMostUnits - (high - low)) / 2);
}

// What rows tell of their grid.
struct Ranges {
  explicit Ranges(int32_t d)
      : lows(d, std::numeric_limits<double>::infinity()),
        highs(d, -std::numeric_limits<double>::infinity()) {}

  void Add(const double* row) {
    const double inverse = bit == kNoBit ? 0 : std::ldexp(1.0, -bit);
    double* const low = lows.data();
    double* const high = highs.data();
    int others = bit == kNoBit ? 1 : 0;
#pragma omp simd reduction(+ : others)
    for (size_t k = 0; k < lows.size(); ++k) {
      low[k] = low[k] < row[k] ? low[k] : row[k];
      high[k] = high[k] > row[k] ? high[k] : row[k];
      others += IsInteger(row[k] * inverse) ? 0 : 1;
    }
    if (others == 0) return;
    for (size_t k = 0; k < lows.size(); ++k) {
      if (row[k] != 0) SetBit(LowestBit(row[k]));
    }
  }
  void Add(const Ranges& other) {
    for (size_t k = 0; k < lows.size(); ++k) {
      lows[k] = std::min(lows[k], other.lows[k]);
      highs[k] = std::max(highs[k], other.highs[k]);
    }
    SetBit(other.bit);
  }
  void SetBit(int other) { bit = std::min(bit, other); }

  // False stays false, whatever is added.
  bool MayBeGrid() const {
    if (bit == kNoBit) return true;
    if (bit < -kMostExponent) return false;
    const double widest = std::ldexp(kMostUnits, bit);
    for (size_t k = 0; k < lows.size(); ++k) {
      if (highs[k] - lows[k] > widest) return false;
    }
    return true;
  }

  std::vector<double> lows;
  std::vector<double> highs;
  int bit = kNoBit;  // The lowest of all.
};

}  // namespace

std::optional<ByteGrid> ByteGrid::Find(int32_t num_points,
                                       int32_t num_dimensions, RowAt row,
                                       int num_threads) {
  const int32_t d = num_dimensions;
  if (d > kMostDimensions) return std::nullopt;
  Ranges all(d);
  std::atomic<bool> may_be_grid = true;
#pragma omp parallel num_threads(num_threads)
  {
    Ranges mine(d);
    std::vector<double> room(d);
#pragma omp for schedule(static)
    for (int32_t i = 0; i < num_points; ++i) {
      if (!may_be_grid.load(std::memory_order_relaxed)) continue;
      mine.Add(row(i, room.data()));
      if (i % kRowsBetweenChecks == 0 && !mine.MayBeGrid()) may_be_grid = false;
    }
#pragma omp critical(byte_grid_ranges)
    all.Add(mine);
  }
  if (!may_be_grid || !all.MayBeGrid() || all.bit == kNoBit ||
      all.bit > kMostExponent) {
    return std::nullopt;
  }
  ByteGrid grid;
  grid.step_ = std::ldexp(1.0, all.bit);
  for (int32_t k = 0; k < d; ++k) {
    const double low = all.lows[k] / grid.step_;
    const double high = all.highs[k] / grid.step_;
    if (std::fabs(low) > kMostRounded || std::fabs(high) > kMostRounded) {
      return std::nullopt;
    }
    grid.low_.push_back(LowFor(low, high));
  }
  return grid;
}

bool ByteGrid::Holds(int32_t begin, int32_t end, RowAt row,
                     int num_threads) const {
  const int32_t d = num_dimensions();
  const double inverse = 1 / step_;
  bool holds = true;
#pragma omp parallel num_threads(num_threads) reduction(&& : holds)
  {
    std::vector<double> room(d);
#pragma omp for schedule(static)
    for (int32_t i = begin; i < end; ++i) {
      if (!holds) continue;
      const double* const values = row(i, room.data());
      int others = 0;
#pragma omp simd reduction(+ : others)
      for (int32_t k = 0; k < d; ++k) {
        const double units = values[k] * inverse;
        const double above = units - low_[k];
        const bool is_held =
            IsInteger(units) & (above >= 0) & (above <= kMostUnits);
        others += is_held ? 0 : 1;
      }
      holds = others == 0;
    }
  }
  return holds;
}

void ByteGrid::ToBytes(const double* row, uint8_t* bytes) const {
  const double inverse = 1 / step_;
  const int32_t d = num_dimensions();
  uint32_t sum = 0;
  uint32_t squares = 0;
#pragma omp simd reduction(+ : sum, squares)
  for (int32_t k = 0; k < d; ++k) {
    const auto u = static_cast<int32_t>(row[k] * inverse - low_[k]);
    bytes[k] = static_cast<uint8_t>(u);
    sum += u;
    squares += u * u;
  }
  const Sums sums = {squares - 256 * sum, squares};
  std::memcpy(bytes + row_bytes() - sizeof(sums), &sums, sizeof(sums));
}

void ByteGrid::FromBytes(const uint8_t* bytes, double* row) const {
  const int32_t d = num_dimensions();
#pragma omp simd
  for (int32_t k = 0; k < d; ++k) row[k] = (low_[k] + bytes[k]) * step_;
}

double ByteGrid::Largest(const std::vector<double>& center) const {
  double largest = 0;
  for (size_t k = 0; k < low_.size(); ++k) {
    const double low = low_[k] * step_;
    const double high = (low_[k] + kMostUnits) * step_;
    largest = std::max({largest, center[k] - low, high - center[k]});
  }
  return largest;
}

std::vector<double> ByteGrid::Parts() const {
  std::vector<double> parts = low_;
  parts.push_back(step_);
  return parts;
}

ByteGrid ByteGrid::FromParts(const std::vector<double>& parts) {
  ByteGrid grid;
  grid.low_.assign(parts.begin(), parts.end() - 1);
  grid.step_ = parts.back();
  return grid;
}

}  // namespace warpclust
