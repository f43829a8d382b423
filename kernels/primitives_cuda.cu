// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cuda/std/functional>
#include <type_traits>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"
#include "kernels/primitives_cuda.h"

namespace warpclust {
namespace {

constexpr int kThreads = 256;

__global__ void NumbersKernel(uint32_t* numbers, int64_t count) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < count) numbers[i] = static_cast<uint32_t>(i);
}

// CUB's protocol: ask for the size, then do the work. `call(pointer, bytes)`
// is the CUB call with everything else bound.
template <typename Call>
absl::Status WithStorage(TemporaryStorage& storage, absl::string_view what,
                         const Call& call) {
  size_t bytes = 0;
  RETURN_IF_ERROR(CudaStatus(call(nullptr, bytes), what));
  RETURN_IF_ERROR(storage.Reserve(bytes));
  return CudaStatus(call(storage.data(), bytes), what);
}

absl::Status CheckCount(int64_t count, absl::string_view what) {
  if (count >= 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(what, ": ", count, " elements"));
}

template <typename T>
absl::Status Clear(T* value, cudaStream_t stream, absl::string_view what) {
  return CudaStatus(cudaMemsetAsync(value, 0, sizeof(T), stream), what);
}

template <typename Key>
absl::Status CheckSort(int64_t count, int begin_bit, int end_bit) {
  constexpr int kBits = 8 * static_cast<int>(sizeof(Key));
  if (begin_bit < 0 || begin_bit > end_bit || end_bit > kBits) {
    return absl::InvalidArgumentError(
        absl::StrCat("sort: bits [", begin_bit, ", ", end_bit, ") of ", kBits));
  }
  return CheckCount(count, "sort");
}

template <typename T>
absl::Status CopyOnDevice(const T* in, T* out, int64_t count,
                          cudaStream_t stream) {
  return CudaStatus(
      cudaMemcpyAsync(out, in, static_cast<size_t>(count) * sizeof(T),
                      cudaMemcpyDeviceToDevice, stream),
      "sort");
}

}  // namespace

absl::Status TemporaryStorage::Reserve(size_t bytes) {
  // CUB takes a null pointer for the question about the size: never give it.
  const int64_t wanted = std::max<int64_t>(static_cast<int64_t>(bytes), 1);
  if (wanted <= buffer_.size()) return absl::OkStatus();
  return AllocateInto(wanted, buffer_);
}

int SignificantBits(uint64_t largest) {
  int bits = 0;
  for (; largest != 0; largest >>= 1) ++bits;
  return bits;
}

absl::Status WriteNumbers(uint32_t* numbers, int64_t count,
                          cudaStream_t stream) {
  RETURN_IF_ERROR(CheckCount(count, "numbers"));
  if (count == 0) return absl::OkStatus();
  NumbersKernel<<<BlocksFor(count, kThreads), kThreads, 0, stream>>>(numbers,
                                                                     count);
  return CudaLaunchStatus("numbers");
}

template <typename Key, typename Value>
absl::Status SortPairs(const Key* keys_in, Key* keys_out,
                       const Value* values_in, Value* values_out, int64_t count,
                       int begin_bit, int end_bit, TemporaryStorage& storage,
                       cudaStream_t stream) {
  if constexpr (std::is_same_v<Value, float>) {
    // As bits: floats are carried, not compared, and share the uint32 code.
    return SortPairs(keys_in, keys_out,
                     reinterpret_cast<const uint32_t*>(values_in),
                     reinterpret_cast<uint32_t*>(values_out), count, begin_bit,
                     end_bit, storage, stream);
  } else {
    RETURN_IF_ERROR(CheckSort<Key>(count, begin_bit, end_bit));
    if (count == 0) return absl::OkStatus();
    if (begin_bit == end_bit) {  // All keys are equal on no bits.
      RETURN_IF_ERROR(CopyOnDevice(keys_in, keys_out, count, stream));
      return CopyOnDevice(values_in, values_out, count, stream);
    }
    return WithStorage(storage, "sort pairs", [&](void* p, size_t& bytes) {
      return cub::DeviceRadixSort::SortPairs(p, bytes, keys_in, keys_out,
                                             values_in, values_out, count,
                                             begin_bit, end_bit, stream);
    });
  }
}

absl::Status SortKeys(const uint64_t* keys_in, uint64_t* keys_out,
                      int64_t count, int begin_bit, int end_bit,
                      TemporaryStorage& storage, cudaStream_t stream) {
  RETURN_IF_ERROR(CheckSort<uint64_t>(count, begin_bit, end_bit));
  if (count == 0) return absl::OkStatus();
  if (begin_bit == end_bit) {
    return CopyOnDevice(keys_in, keys_out, count, stream);
  }
  return WithStorage(storage, "sort keys", [&](void* p, size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(p, bytes, keys_in, keys_out, count,
                                          begin_bit, end_bit, stream);
  });
}

template <typename Count>
absl::Status ExclusiveSum(const Count* counts, int64_t* sums, int64_t count,
                          TemporaryStorage& storage, cudaStream_t stream) {
  RETURN_IF_ERROR(CheckCount(count, "exclusive sum"));
  if (count == 0) return absl::OkStatus();
  // Not cub::ExclusiveSum, which would add in Count; the int64 start value
  // makes the sums int64.
  return WithStorage(storage, "exclusive sum", [&](void* p, size_t& bytes) {
    return cub::DeviceScan::ExclusiveScan(
        p, bytes, counts, sums, cuda::std::plus<>{}, int64_t{0}, count, stream);
  });
}

template <typename Count>
absl::Status OffsetsFromCounts(const Count* counts, int64_t* offsets,
                               int64_t count, TemporaryStorage& storage,
                               cudaStream_t stream) {
  RETURN_IF_ERROR(CheckCount(count, "offsets"));
  RETURN_IF_ERROR(Clear(offsets, stream, "offsets"));
  if (count == 0) return absl::OkStatus();
  return WithStorage(storage, "offsets", [&](void* p, size_t& bytes) {
    return cub::DeviceScan::InclusiveScanInit(p, bytes, counts, offsets + 1,
                                              cuda::std::plus<>{}, int64_t{0},
                                              count, stream);
  });
}

absl::Status ReduceByKey(const uint32_t* keys, const uint64_t* values,
                         uint32_t* run_keys, uint64_t* run_sums, int64_t* runs,
                         int64_t count, TemporaryStorage& storage,
                         cudaStream_t stream) {
  RETURN_IF_ERROR(CheckCount(count, "reduce by key"));
  if (count == 0) return Clear(runs, stream, "reduce by key");
  return WithStorage(storage, "reduce by key", [&](void* p, size_t& bytes) {
    return cub::DeviceReduce::ReduceByKey(p, bytes, keys, run_keys, values,
                                          run_sums, runs, cuda::std::plus<>{},
                                          count, stream);
  });
}

#define WARPCLUST_SORT_PAIRS(Key, Value)                                  \
  template absl::Status SortPairs(const Key*, Key*, const Value*, Value*, \
                                  int64_t, int, int, TemporaryStorage&,   \
                                  cudaStream_t);
WARPCLUST_SORT_PAIRS(uint64_t, uint32_t)
WARPCLUST_SORT_PAIRS(uint64_t, float)
WARPCLUST_SORT_PAIRS(uint32_t, uint32_t)
WARPCLUST_SORT_PAIRS(uint32_t, uint64_t)
#undef WARPCLUST_SORT_PAIRS

#define WARPCLUST_PREFIX_SUMS(Count)                                       \
  template absl::Status ExclusiveSum(const Count*, int64_t*, int64_t,      \
                                     TemporaryStorage&, cudaStream_t);     \
  template absl::Status OffsetsFromCounts(const Count*, int64_t*, int64_t, \
                                          TemporaryStorage&, cudaStream_t);
WARPCLUST_PREFIX_SUMS(int32_t)
WARPCLUST_PREFIX_SUMS(int64_t)
#undef WARPCLUST_PREFIX_SUMS

}  // namespace warpclust
