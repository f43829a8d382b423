// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What the kernels of CUDAVND (best_improvement_cuda.h) work on, and the order
// of moves. A kernel has one row of blocks (blockIdx.y) or one block per
// partition. A partition is in one phase; kernels of other phases pass over it,
// so the host can launch rounds blindly.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_CUDA_VND_JOB_CUH_
#define WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_CUDA_VND_JOB_CUH_

#include <cstdint>

#include "kernels/launch.cuh"

namespace warpclust {

// Of the paper, section 4.
inline constexpr int kVndThreads = 256;

enum class VndPhase : int32_t {
  kSingles,      // Vertices are moved.
  kPairs,        // No vertex gains; a pair may.
  kNeedsColumn,  // A move needs a new cluster, and the matrices have no column.
  kDone,
};

struct VndState {
  // The weight inside clusters, positive minus negative (SumInside).
  int64_t inside;
  // Rounds that moved something.
  int64_t moves;
  // One more than the largest used label. Clusters below may be empty.
  int32_t num_slots;
  VndPhase phase;
};

// A move, or what a reduction compares: the largest gain, then the smallest
// `first`, then the smallest `second`. Of a vertex: `first` goes to cluster
// `second`. Of a pair: `first` and `second` are its vertices.
struct VndMove {
  int64_t gain;
  int32_t first;
  int32_t second;
};

// By value in kernels; arrays are by partition p.
template <typename Sum>
struct VndJob {
  int32_t num_vertices;
  const int64_t* offsets;
  const int32_t* neighbors;
  const Sum* weights;
  // The row of each entry; null with neighborhood 1.
  const int32_t* rows;

  // Columns of the matrices: all labels are below it.
  int32_t columns;
  // positive[(p * columns + k) * num_vertices + v]: the weight of the positive
  // edges of vertex v to cluster k; `negative` the magnitude of the negative
  // ones.
  Sum* positive;
  Sum* negative;
  int32_t* labels;  // p * num_vertices + v
  int32_t* sizes;   // p * columns + k
  VndState* states;

  // EvaluateMoves has blocks_of_vertices * groups blocks per partition, and
  // EvaluatePairs pair_blocks. Each writes its best move in
  // best[p * num_best + block].
  int32_t blocks_of_vertices;
  int32_t groups;
  int32_t pair_blocks;
  int32_t num_best;
  VndMove* best;

  __device__ Sum* Positive(int64_t p, int64_t k) const {
    return positive + (p * columns + k) * num_vertices;
  }
  __device__ Sum* Negative(int64_t p, int64_t k) const {
    return negative + (p * columns + k) * num_vertices;
  }
  // The positive minus the negative weight of a vertex to a cluster.
  __device__ Sum Net(int64_t p, int64_t k, int32_t v) const {
    return Positive(p, k)[v] - Negative(p, k)[v];
  }
};

__device__ inline bool ComesBefore(const VndMove& a, const VndMove& b) {
  if (a.gain != b.gain) return a.gain > b.gain;
  return a.first != b.first ? a.first < b.first : a.second < b.second;
}

// The first of the moves of all threads, for every thread. `shared` has 32
// entries; it may be used again at once.
__device__ inline VndMove FirstOfBlock(VndMove move, VndMove* shared) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int num_warps = static_cast<int>(blockDim.x) / 32;
  const auto reduce = [&move](int width) {
    for (int step = width / 2; step > 0; step /= 2) {
      const VndMove other = {__shfl_xor_sync(kFullWarp, move.gain, step),
                             __shfl_xor_sync(kFullWarp, move.first, step),
                             __shfl_xor_sync(kFullWarp, move.second, step)};
      if (ComesBefore(other, move)) move = other;
    }
  };
  reduce(32);
  if (lane == 0) shared[warp] = move;
  __syncthreads();
  move = shared[lane < num_warps ? lane : 0];
  reduce(32);
  __syncthreads();
  return move;
}

// The move of a thread that found none.
__device__ inline VndMove NoMove() { return {0, INT32_MAX, INT32_MAX}; }

__device__ inline void AtomicAdd(int32_t* sum, int32_t value) {
  atomicAdd(sum, value);
}
__device__ inline void AtomicAdd(int64_t* sum, int64_t value) {
  atomicAdd(reinterpret_cast<unsigned long long*>(sum),
            static_cast<unsigned long long>(value));
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_CUDA_VND_JOB_CUH_
