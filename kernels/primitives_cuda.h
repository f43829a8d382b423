// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Sort, scan and reduce on the GPU: concrete wrappers over CUB that share one
// growing block of temporary storage.
//
// All pointers are device pointers. `count` >= 0 is the number of input
// elements; 0 launches nothing, but still writes outputs that have a defined
// value, such as a count of 0. Inputs and outputs must not overlap unless a
// comment allows it. Functions return when the work is queued on `stream`, not
// when it is done: read results after Stream::Synchronize or by
// DeviceBuffer::CopyToHost.
//
// Sorts are stable; sums are over integers, so their order does not matter.
//
// Errors: InvalidArgument for a negative count or a bad range of bits;
// ResourceExhausted if the temporary storage does not fit; CUDA errors as in
// kernels/device/cuda_status.h.

#ifndef WARPCLUST_KERNELS_PRIMITIVES_CUDA_H_
#define WARPCLUST_KERNELS_PRIMITIVES_CUDA_H_

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {

// Device memory that calls use one after another, for one stream at a time. It
// grows to the largest need and may be destroyed while the work still runs (see
// DeviceBuffer).
class TemporaryStorage {
 public:
  // At least `bytes`, which may be 0; the pointer is never null.
  absl::Status Reserve(size_t bytes);
  void* data() { return buffer_.data(); }
  int64_t bytes() const { return buffer_.bytes(); }

 private:
  DeviceBuffer<unsigned char> buffer_;
};

// --- Stable radix sort, ascending -------------------------------------------
// By the bits [begin_bit, end_bit) of the keys, 8 bits per pass. Temporary
// storage: about one more copy of keys and values.

// Key and Value: uint64_t and float, uint64_t and uint32_t, uint32_t and
// uint32_t, or uint32_t and uint64_t.
template <typename Key, typename Value>
absl::Status SortPairs(const Key* keys_in, Key* keys_out,
                       const Value* values_in, Value* values_out, int64_t count,
                       int begin_bit, int end_bit, TemporaryStorage& storage,
                       cudaStream_t stream);
absl::Status SortKeys(const uint64_t* keys_in, uint64_t* keys_out,
                      int64_t count, int begin_bit, int end_bit,
                      TemporaryStorage& storage, cudaStream_t stream);

// The number of bits of `largest`, 0 for 0: the end_bit for keys up to it.
int SignificantBits(uint64_t largest);

// numbers[i] = i, for sorts that tell where keys came from. Up to 2^32.
absl::Status WriteNumbers(uint32_t* numbers, int64_t count,
                          cudaStream_t stream);

// --- Prefix sums -------------------------------------------------------------
// Count: int32_t or int64_t. Sums are int64.

// sums[i] = counts[0] + … + counts[i - 1]. `counts` and `sums` may be the same
// array.
template <typename Count>
absl::Status ExclusiveSum(const Count* counts, int64_t* sums, int64_t count,
                          TemporaryStorage& storage, cudaStream_t stream);

// The offsets of rows of these sizes: count + 1 values; offsets[0] is 0 and
// offsets[count] the total.
template <typename Count>
absl::Status OffsetsFromCounts(const Count* counts, int64_t* offsets,
                               int64_t count, TemporaryStorage& storage,
                               cudaStream_t stream);

// --- Reductions of runs of equal keys ----------------------------------------
// For each maximal run of equal neighbors, its key and the sum of its values
// modulo 2^64. *runs is the number of runs.

absl::Status ReduceByKey(const uint32_t* keys, const uint64_t* values,
                         uint32_t* run_keys, uint64_t* run_sums, int64_t* runs,
                         int64_t count, TemporaryStorage& storage,
                         cudaStream_t stream);

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_PRIMITIVES_CUDA_H_
