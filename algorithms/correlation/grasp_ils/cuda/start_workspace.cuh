// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The device memory of the starts: StartJob, which all blocks share;
// StartWorkspace, the arrays of one block; StartProgress, the state of a block,
// with which it can stop after any step and continue in a later launch.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_CUDA_START_WORKSPACE_CUH_
#define WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_CUDA_START_WORKSPACE_CUH_

#include <cstdint>

#include "algorithms/correlation/grasp_ils/cuda/block_bitmap.cuh"
#include "base/machine/cuda_host_device.h"
#include "base/numbers/random.h"

namespace warpclust {

// A vertex: its sum to its own cluster, its best cluster, its label. The label
// is last: a neighbor's move writes the others without it, in one store if Sum
// is int32_t.
template <typename Sum>
struct alignas(32) StartVertex {
  Sum own;
  Sum best_sum;
  Sum bound;
  int32_t best_label;
  int32_t label;  // -1: unclustered.
};

enum class StartPhase : int32_t {
  kNew,
  kCleared,    // The workspace is cleared.
  kConstruct,  // Vertices are being clustered.
  kDescend,
  kPerturb,
  kUndo,  // Back to the best.
  kDone,
};

struct StartProgress {
  Random random{0};
  // I(P) of the present partition (during construction with unclustered
  // vertices alone), and of the best one of this start.
  int64_t imbalance = 0;
  int64_t best_imbalance = 0;
  // Vertices still to be clustered, or to be perturbed.
  int64_t remaining = 0;
  int64_t level = 0;
  int64_t failures = 0;
  // Commands given, over all slices.
  int64_t steps = 0;
  StartPhase phase = StartPhase::kNew;
  int32_t cursor = 0;
  // The next vertex to be clustered, no longer among `remaining`; -1: none.
  int32_t drawn_vertex = -1;
  int32_t max_label = -1;
  // The largest label since the sums were cleared.
  int32_t max_label_ever = -1;
  // Whether a descent has ended, with best_imbalance.
  bool has_best = false;
};

// The same for all blocks; block b makes start first_start + b.
template <typename Sums>
struct StartJob {
  using Sum = typename Sums::Sum;

  int32_t num_vertices;
  const int64_t* offsets;
  const typename Sums::Edge* edges;
  typename Sums::Layout layout;
  // I(P) with every vertex alone, and the least I(P) possible.
  int64_t apart_imbalance;
  int64_t least_imbalance;

  uint64_t seed;
  int64_t first_start;

  // Without `ils` a start ends after its first descent.
  bool ils;
  int64_t ils_iterations;
  int64_t perturbation_max;

  // A block yields after this time.
  int64_t slice_nanoseconds;

  // By block.
  StartProgress* progress;
  unsigned char* arrays;
  typename Sums::Entry* entries;
  int64_t entries_each;

  // Kept in shared memory during a slice: the first bytes of the arrays, then
  // the first entries.
  int64_t shared_array_bytes;
  int64_t shared_entries;
};

// The places of the arrays of one block, back to back, first those that each
// step of a sparse graph reads most. Offsets in bytes.
template <typename Sum>
struct StartArraysLayout {
  WARPCLUST_HOST_DEVICE explicit StartArraysLayout(int64_t n)
      : bitmaps(0),
        cluster_sizes(RoundUp(3 * BlockBitmap::Words(n) * int64_t{4})),
        best_labels(RoundUp(cluster_sizes + n * int64_t{4})),
        states(RoundUp(best_labels + n * int64_t{4})),
        order(states + n * int64_t{sizeof(StartVertex<Sum>)}),
        size(RoundUp(order + n * int64_t{4})) {}

  // The bytes of the first whole arrays that fit in `bytes`.
  int64_t PrefixWithin(int64_t bytes) const {
    int64_t prefix = 0;
    for (const int64_t end :
         {cluster_sizes, best_labels, states, order, size}) {
      if (end <= bytes) prefix = end;
    }
    return prefix;
  }

  int64_t bitmaps;
  int64_t cluster_sizes;
  int64_t best_labels;
  int64_t states;
  int64_t order;
  int64_t size;

 private:
  static WARPCLUST_HOST_DEVICE int64_t RoundUp(int64_t bytes) {
    return (bytes + 31) / 32 * 32;
  }
};

template <typename Sums>
struct StartWorkspace {
  using Sum = typename Sums::Sum;

  // `shared` has the bytes that the job asks for.
  __device__ StartWorkspace(const StartJob<Sums>& job, unsigned char* shared)
      : StartWorkspace(job, StartArraysLayout<Sum>(job.num_vertices), shared) {}

  StartVertex<Sum>* states;
  // The unclustered vertices, in the first StartProgress::remaining.
  int32_t* order;
  int32_t* cluster_sizes;
  // For ILS, if StartProgress::has_best.
  int32_t* best_labels;
  Sums sums;
  // Clustered vertices that gain by a move to their best cluster.
  BlockBitmap improving;
  // Labels of empty clusters.
  BlockBitmap unused;
  // Vertices that moved since best_labels was written.
  BlockBitmap changed;

 private:
  __device__ StartWorkspace(const StartJob<Sums>& job,
                            const StartArraysLayout<Sum>& layout,
                            unsigned char* shared)
      : states(Place<StartVertex<Sum>>(job, layout, layout.states, shared)),
        order(Place<int32_t>(job, layout, layout.order, shared)),
        cluster_sizes(
            Place<int32_t>(job, layout, layout.cluster_sizes, shared)),
        best_labels(Place<int32_t>(job, layout, layout.best_labels, shared)),
        sums(job.layout, job.entries + blockIdx.x * job.entries_each,
             reinterpret_cast<typename Sums::Entry*>(shared +
                                                     job.shared_array_bytes),
             job.shared_entries),
        improving(Bits(job, layout, 0, shared), job.num_vertices),
        unused(Bits(job, layout, 1, shared), job.num_vertices),
        changed(Bits(job, layout, 2, shared), job.num_vertices) {}

  template <typename T>
  static __device__ T* Place(const StartJob<Sums>& job,
                             const StartArraysLayout<Sum>& layout,
                             int64_t offset, unsigned char* shared) {
    unsigned char* const global = job.arrays + blockIdx.x * layout.size;
    return reinterpret_cast<T*>(
        (offset < job.shared_array_bytes ? shared : global) + offset);
  }
  static __device__ uint32_t* Bits(const StartJob<Sums>& job,
                                   const StartArraysLayout<Sum>& layout,
                                   int which, unsigned char* shared) {
    return Place<uint32_t>(job, layout, layout.bitmaps, shared) +
           which * BlockBitmap::Words(job.num_vertices);
  }
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_CUDA_START_WORKSPACE_CUH_
