// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "graph/benchmarks/cuda_library_loader.h"
#include "graph/benchmarks/library_baseline_kernels_cuda.h"
#include "graph/benchmarks/library_baselines_cuda.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/stream.h"

namespace warpclust {
namespace {

constexpr int kThreads = 256;

// cublasGemmEx, written out because the header overloads it in C++.
using CublasGemmEx = cublasStatus_t(cublasHandle_t, cublasOperation_t,
                                    cublasOperation_t, int, int, int,
                                    const void*, const void*, cudaDataType, int,
                                    const void*, cudaDataType, int, const void*,
                                    void*, cudaDataType, int,
                                    cublasComputeType_t, cublasGemmAlgo_t);

class CuBlas {
 public:
  static absl::StatusOr<CuBlas> Open() {
    ASSIGN_OR_RETURN(const SharedLibrary library,
                     SharedLibrary::Open(
                         {"libcublas.so.13", "libcublas.so.12", "libcublas.so"},
                         {"libcublasLt.so.13", "libcublasLt.so.12"}));
    cublasStatus_t (*create)(cublasHandle_t*) = nullptr;
    cublasStatus_t (*set_stream)(cublasHandle_t, cudaStream_t) = nullptr;
    ASSIGN_OR_RETURN(Stream stream, Stream::Create());
    CuBlas blas(std::move(stream));
    RETURN_IF_ERROR(library.Find("cublasCreate_v2", &create));
    RETURN_IF_ERROR(library.Find("cublasSetStream_v2", &set_stream));
    RETURN_IF_ERROR(library.Find("cublasDestroy_v2", &blas.destroy_));
    RETURN_IF_ERROR(library.Find("cublasGemmEx", &blas.gemm_));
    RETURN_IF_ERROR(ToStatus(create(&blas.handle_), "cublasCreate"));
    RETURN_IF_ERROR(ToStatus(set_stream(blas.handle_, blas.stream_.get()),
                             "cublasSetStream"));
    return blas;
  }

  CuBlas(CuBlas&& other) noexcept
      : stream_(std::move(other.stream_)),
        handle_(std::exchange(other.handle_, nullptr)),
        destroy_(other.destroy_),
        gemm_(other.gemm_) {}
  ~CuBlas() {
    if (handle_ != nullptr) destroy_(handle_);
  }

  const Stream& stream() const { return stream_; }

  // c (rows_a × rows_b, dense rows) = a · bᵀ + (add ? c : 0), a and b in rows
  // of `terms` numbers.
  absl::Status Product(int rows_a, int rows_b, int terms,
                       const __nv_bfloat16* a, const __nv_bfloat16* b, bool add,
                       float* c) const {
    const float one = 1;
    const float beta = add ? 1 : 0;
    // The library's matrices are in columns: c there is b · aᵀ.
    return ToStatus(
        gemm_(handle_, CUBLAS_OP_T, CUBLAS_OP_N, rows_b, rows_a, terms, &one, b,
              CUDA_R_16BF, terms, a, CUDA_R_16BF, terms, &beta, c, CUDA_R_32F,
              rows_b, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
        "cublasGemmEx");
  }

 private:
  explicit CuBlas(Stream stream) : stream_(std::move(stream)) {}

  static absl::Status ToStatus(cublasStatus_t status, const char* what) {
    if (status == CUBLAS_STATUS_SUCCESS) return absl::OkStatus();
    return absl::InternalError(
        absl::StrCat(what, ": status ", static_cast<int>(status)));
  }

  Stream stream_;
  cublasHandle_t handle_ = nullptr;
  cublasStatus_t (*destroy_)(cublasHandle_t) = nullptr;
  CublasGemmEx* gemm_ = nullptr;
};

// A warp per document: writes its entries with terms in [first_term, first_term
// + terms) into a row of zeros.
__global__ void DensifyKernel(int32_t first_row, int32_t rows,
                              int32_t first_term, int32_t terms,
                              const int64_t* offsets, const int32_t* ids,
                              const float* values, __nv_bfloat16* dense) {
  const int64_t row = (int64_t{blockIdx.x} * kThreads + threadIdx.x) / 32;
  if (row >= rows) return;
  const int64_t end = offsets[first_row + row + 1];
  for (int64_t e = offsets[first_row + row] + (threadIdx.x & 31); e < end;
       e += 32) {
    const int32_t term = ids[e] - first_term;
    if (term >= 0 && term < terms) {
      dense[row * terms + term] = __float2bfloat16(values[e]);
    }
  }
}

// Counts cells of the tile right of the diagonal that reach beta.
__global__ void CountEdgesKernel(int32_t first_row, int32_t first_column,
                                 int32_t rows, int32_t columns,
                                 const float* tile, float beta,
                                 unsigned long long* num_edges) {
  unsigned int count = 0;
  for (int32_t row = blockIdx.x; row < rows; row += gridDim.x) {
    const float* cells = tile + int64_t{row} * columns;
    for (int32_t column = threadIdx.x; column < columns; column += kThreads) {
      count += cells[column] >= beta && first_column + column > first_row + row;
    }
  }
  for (int step = 16; step > 0; step /= 2) {
    count += __shfl_xor_sync(kFullWarp, count, step);
  }
  if ((threadIdx.x & 31) == 0 && count > 0) atomicAdd(num_edges, count);
}

__global__ void RandomKernel(int64_t count, uint32_t seed,
                             __nv_bfloat16* values) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  uint32_t x = static_cast<uint32_t>(i) * 2654435761u + seed;
  x ^= x >> 16;
  x *= 2246822519u;
  x ^= x >> 13;
  values[i] = __float2bfloat16(static_cast<float>(x) * 0x1p-31f - 1.0f);
}

int32_t RoundUp(int32_t value, int32_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// The product of one collection, tile by tile.
class TiledGemm {
 public:
  TiledGemm(const CuBlas& blas, const DeviceDocuments& documents,
            const LibraryBaselineOptions& options)
      : blas_(blas), documents_(documents), half_(options.half) {
    // Panels and chunks of equal size; rows of whole 16 bytes.
    const int32_t n = documents.num_documents;
    const int32_t panels = (n - 1) / options.panel_rows + 1;
    rows_ = std::min(n, RoundUp((n - 1) / panels + 1, 8));
    const int32_t chunks = (documents.num_terms - 1) / options.chunk_terms + 1;
    terms_ = RoundUp((documents.num_terms - 1) / chunks + 1, 8);
  }

  absl::Status Prepare() {
    ASSIGN_OR_RETURN(values_, NormalisedWeights(documents_));
    RETURN_IF_ERROR(GrowTo(int64_t{rows_} * terms_, a_));
    RETURN_IF_ERROR(GrowTo(int64_t{rows_} * terms_, b_));
    RETURN_IF_ERROR(GrowTo(int64_t{rows_} * rows_, tile_));
    return GrowTo(1, num_edges_);
  }

  // Seconds for the first `limit` tiles; counts them in num_tiles().
  absl::StatusOr<double> Run(float beta, int64_t limit) {
    ASSIGN_OR_RETURN(Event begin, Event::Create());
    ASSIGN_OR_RETURN(Event end, Event::Create());
    RETURN_IF_ERROR(num_edges_.FillBytes(0));
    RETURN_IF_ERROR(begin.Record(blas_.stream()));
    num_tiles_ = 0;
    const int32_t n = documents_.num_documents;
    for (int32_t row = 0; row < n; row += rows_) {
      for (int32_t column = half_ ? row : 0; column < n; column += rows_) {
        if (num_tiles_ == limit) break;
        ++num_tiles_;
        RETURN_IF_ERROR(Tile(row, column, beta));
      }
    }
    RETURN_IF_ERROR(end.Record(blas_.stream()));
    return end.SecondsSince(begin);
  }

  int64_t num_tiles() const { return num_tiles_; }

  absl::StatusOr<int64_t> NumEdges() const {
    unsigned long long count = 0;
    RETURN_IF_ERROR(num_edges_.CopyToHost(absl::MakeSpan(&count, 1)));
    return static_cast<int64_t>(count);
  }

 private:
  absl::Status Densify(int32_t row, int32_t rows, int32_t term, int32_t terms,
                       DeviceBuffer<__nv_bfloat16>& dense) {
    const cudaStream_t queue = blas_.stream().get();
    const size_t bytes =
        static_cast<size_t>(rows) * terms * sizeof(__nv_bfloat16);
    RETURN_IF_ERROR(CudaStatus(cudaMemsetAsync(dense.data(), 0, bytes, queue),
                               "clear a panel"));
    const unsigned blocks = BlocksFor(int64_t{rows} * 32, kThreads);
    DensifyKernel<<<blocks, kThreads, 0, queue>>>(
        row, rows, term, terms, documents_.offsets.data(),
        documents_.terms.data(), values_.data(), dense.data());
    return CudaLaunchStatus("fill a panel");
  }

  absl::Status Tile(int32_t row, int32_t column, float beta) {
    const int32_t n = documents_.num_documents;
    const int32_t rows_a = std::min(rows_, n - row);
    const int32_t rows_b = std::min(rows_, n - column);
    for (int32_t term = 0; term < documents_.num_terms; term += terms_) {
      const int32_t terms =
          std::min(terms_, RoundUp(documents_.num_terms - term, 8));
      RETURN_IF_ERROR(Densify(row, rows_a, term, terms, a_));
      if (column != row) {
        RETURN_IF_ERROR(Densify(column, rows_b, term, terms, b_));
      }
      RETURN_IF_ERROR(blas_.Product(rows_a, rows_b, terms, a_.data(),
                                    column == row ? a_.data() : b_.data(),
                                    term > 0, tile_.data()));
    }
    const cudaStream_t queue = blas_.stream().get();
    CountEdgesKernel<<<std::min(rows_a, 4096), kThreads, 0, queue>>>(
        row, column, rows_a, rows_b, tile_.data(), beta, num_edges_.data());
    return CudaLaunchStatus("count edges of a tile");
  }

  const CuBlas& blas_;
  const DeviceDocuments& documents_;
  const bool half_;
  int32_t rows_;
  int32_t terms_;
  int64_t num_tiles_ = 0;
  DeviceBuffer<float> values_;
  DeviceBuffer<__nv_bfloat16> a_;
  DeviceBuffer<__nv_bfloat16> b_;
  DeviceBuffer<float> tile_;
  DeviceBuffer<unsigned long long> num_edges_;
};

}  // namespace

absl::StatusOr<LibraryBaselineResult> GemmBaseline(
    const DeviceDocuments& documents, const LibraryBaselineOptions& options) {
  ASSIGN_OR_RETURN(const CuBlas blas, CuBlas::Open());
  LibraryBaselineResult result;
  if (documents.num_entries == 0) return result;
  ResetDeviceMemoryPeak();
  TiledGemm product(blas, documents, options);
  RETURN_IF_ERROR(product.Prepare());
  const auto beta = static_cast<float>(options.beta);
  RETURN_IF_ERROR(product.Run(beta, 1).status());  // warm-up
  ASSIGN_OR_RETURN(result.seconds, product.Run(beta, INT64_MAX));
  ASSIGN_OR_RETURN(result.num_edges, product.NumEdges());
  result.num_panels = product.num_tiles();
  result.peak_bytes = DeviceMemoryPeakBytes();
  return result;
}

absl::StatusOr<double> MeasureGemmRate() {
  ASSIGN_OR_RETURN(const CuBlas blas, CuBlas::Open());
  constexpr int kSize = 8192;
  constexpr int64_t kCells = int64_t{kSize} * kSize;
  ASSIGN_OR_RETURN(auto a, DeviceBuffer<__nv_bfloat16>::Allocate(kCells));
  ASSIGN_OR_RETURN(auto b, DeviceBuffer<__nv_bfloat16>::Allocate(kCells));
  ASSIGN_OR_RETURN(auto c, DeviceBuffer<float>::Allocate(kCells));
  RandomKernel<<<kCells / kThreads, kThreads>>>(kCells, 1, a.data());
  RandomKernel<<<kCells / kThreads, kThreads>>>(kCells, 2, b.data());
  RETURN_IF_ERROR(CudaLaunchStatus("random matrices"));
  ASSIGN_OR_RETURN(Event begin, Event::Create());
  ASSIGN_OR_RETURN(Event end, Event::Create());
  constexpr int kProducts = 10;
  double best = 0;
  for (int run = 0; run < 4; ++run) {  // the first one warms up
    RETURN_IF_ERROR(begin.Record(blas.stream()));
    for (int product = 0; product < kProducts; ++product) {
      RETURN_IF_ERROR(blas.Product(kSize, kSize, kSize, a.data(), b.data(),
                                   false, c.data()));
    }
    RETURN_IF_ERROR(end.Record(blas.stream()));
    ASSIGN_OR_RETURN(const double seconds, end.SecondsSince(begin));
    if (run > 0) {
      best = std::max(best, 2.0 * kSize * kCells * kProducts / seconds);
    }
  }
  return best;
}

}  // namespace warpclust
