// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Annealing chains: simulated annealing of a partition by moves of single
// vertices, defined so that every engine (CPU or GPU, sums in rows or in
// tables, one thread or thousands) makes exactly the same moves.
//
// A chain visits every vertex once per sweep, class by class of a coloring of
// the graph. No two vertices of a class are adjacent, so the vertices of a
// class can decide at the same time. A visit of v in sweep s:
//
//   r = VisitRandom(SweepKey(key of the chain, s), v)
//   r draws one of v's positive neighbors, or none (as likely as each of them);
//   the target is the cluster of that neighbor, or a new cluster;
//   delta = w(v, own cluster) - w(v, target);
//   v moves if delta <= the threshold of the temperature of s and r, which is
//   Metropolis' rule.
//
// A visit reads the labels of v's neighbors, and only one of them if the target
// is v's own cluster, which is the usual case. Temperatures fall geometrically.
// Weights, thresholds and sums are integers; random numbers are hashes.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_ANNEALING_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_ANNEALING_H_

#include <array>
#include <cstdint>
#include <vector>

#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "base/machine/cuda_host_device.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

// A graph prepared for chains. Positions number the vertices in order of visit;
// isolated vertices have no position.
struct AnnealingPlan {
  int32_t num_vertices = 0;       // of the graph
  std::vector<int32_t> vertices;  // by position
  // Class c has the positions [class_offsets[c], class_offsets[c + 1]).
  std::vector<int32_t> class_offsets = {0};
  // Rows by position: the positions of the neighbors, positive ones first, each
  // part ascending.
  std::vector<int64_t> offsets = {0};
  std::vector<int32_t> num_positive;
  std::vector<int32_t> neighbors;
  std::vector<int64_t> weights;
  // The largest sum of magnitudes of a row.
  int64_t max_strength = 0;
  // The scale of good temperatures: the mean magnitude of a weight, in units,
  // and the mean numbers of neighbors and of positive ones.
  double mean_weight = 0;
  double mean_degree = 0;
  double mean_positive_degree = 0;

  int32_t num_positions() const {
    return static_cast<int32_t>(vertices.size());
  }
};

// Colors greedily by descending degree (in a large graph, of the bit width of
// the degree), so that late classes are small. The coloring runs on one thread.
// If stopped, a plan without positions. O(edges log degree).
AnnealingPlan MakeAnnealingPlan(const SignedGraph& graph,
                                const StepOptions& step = StepOptions());

struct AnnealingChain {
  uint64_t key = 0;
  int32_t num_sweeps = 0;
  // Of the first and the last sweep, in units, positive.
  double first_temperature = 0;
  double last_temperature = 0;
  // One label in [0, n) per vertex at the start; canonical at the end.
  Labels labels;
  // The change of I(P) that the moves made, in units.
  int64_t change = 0;
  // All sweeps were made.
  bool finished = false;
};

namespace internal {

// The random number of a visit.
WARPCLUST_HOST_DEVICE inline uint64_t MixBits(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}
WARPCLUST_HOST_DEVICE inline uint64_t SweepKey(uint64_t chain_key,
                                               int32_t sweep) {
  return MixBits(chain_key +
                 (static_cast<uint64_t>(sweep) + 1) * 0x9E3779B97F4A7C15u);
}
WARPCLUST_HOST_DEVICE inline uint64_t VisitRandom(uint64_t sweep_key,
                                                  int32_t position) {
  return MixBits(sweep_key +
                 (static_cast<uint64_t>(position) + 1) * 0x9E3779B97F4A7C15u);
}

// The drawn one of num_positive neighbors; num_positive is a new cluster.
WARPCLUST_HOST_DEVICE inline int32_t DrawnNeighbor(uint64_t random,
                                                   int32_t num_positive) {
  return static_cast<int32_t>(
      ((random >> 32) * (static_cast<uint64_t>(num_positive) + 1)) >> 32);
}

// Metropolis' rule accepts if delta <= -T ln(u), u uniform. The logarithms are
// in a table of this many entries, indexed by the low bits of the random
// number.
inline constexpr int kNumNoise = 4096;
WARPCLUST_HOST_DEVICE inline int32_t NoiseIndex(uint64_t random) {
  return static_cast<int32_t>(random & (kNumNoise - 1));
}
// The largest delta accepted; `noise` is an entry of NoiseTable.
WARPCLUST_HOST_DEVICE inline int64_t Threshold(double temperature,
                                               double noise) {
  return static_cast<int64_t>(temperature * noise);
}

// -ln((i + 1/2) / kNumNoise), computed with operations that IEEE 754 defines.
const std::array<double, kNumNoise>& NoiseTable();

// Engines that keep a table of w(v, cluster) for all v and clusters need n^2
// memory: only dense graphs of at most this many positions get one.
inline constexpr int32_t kMostTablePositions = 2048;
inline bool PrefersTable(int64_t positions, int64_t entries) {
  return positions <= kMostTablePositions &&
         entries >= positions * positions / 16;
}
bool PrefersTable(const AnnealingPlan& plan);

// `count` numbers from `first` to `last` > 0, each a constant factor from the
// next; one number is `last`.
std::vector<double> GeometricSequence(double first, double last, int32_t count);

// The temperatures of all sweeps, geometric from first to last.
std::vector<double> Temperatures(const AnnealingChain& chain);

}  // namespace internal

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_ANNEALING_H_
