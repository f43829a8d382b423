// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/status/status_macros.h"
#include "graph/cosine/dense/cuda/device_dense_documents_cuda.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/stream.h"

namespace warpclust {
namespace {

constexpr int kWarps = 4;
constexpr int kRowsPerWarp = 32;
// Largest row number such that its padding fits in 32 bits.
constexpr int64_t kMostRows = INT32_MAX - kDenseRowPadding;

// What all rows have in common.
struct Findings {
  unsigned long long largest_norm_bits;
  int has_other_than_finite;
  int has_other_than_integers;
};

struct Preparation {
  int32_t num_rows;
  int32_t num_dimensions;
  int32_t digit_bytes;
  int most_digit;
  const float* values;
  double* squared_norms;
  int8_t* digits;
  DenseScale* scales;
  Findings* findings;
};

// A warp takes 32 rows. First each lane adds the squares of one row, in order;
// the values come through shared memory, where the warp has read them together.
// Then the warp writes the digits row by row.
__global__ void __launch_bounds__(32 * kWarps)
    PrepareKernel(const Preparation p) {
  __shared__ float tiles[kWarps][kRowsPerWarp][33];
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  float(&tile)[kRowsPerWarp][33] = tiles[warp];
  const int64_t first =
      (static_cast<int64_t>(blockIdx.x) * kWarps + warp) * kRowsPerWarp;
  if (first >= p.num_rows) return;
  const int rows =
      static_cast<int>(min(int64_t{kRowsPerWarp}, p.num_rows - first));
  const float* const values = p.values + first * p.num_dimensions;

  double norm = 0;
  float largest = 0;
  bool finite = true;
  bool integers = true;
  for (int32_t begin = 0; begin < p.num_dimensions; begin += 32) {
    const bool is_there = begin + lane < p.num_dimensions;
    __syncwarp();
#pragma unroll 8
    for (int row = 0; row < kRowsPerWarp; ++row) {
      const int64_t at = int64_t{row} * p.num_dimensions + begin + lane;
      tile[row][lane] = is_there && row < rows ? values[at] : 0.0f;
    }
    __syncwarp();
    // What is not there is 0 and changes nothing, so that no step branches.
#pragma unroll
    for (int k = 0; k < 32; ++k) {
      const float value = tile[lane][k];
      const float size = fabsf(value);
      norm += static_cast<double>(value) * static_cast<double>(value);
      largest = fmaxf(largest, size);
      finite &= size <= 3.402823466e38f;
      integers &= (size < 16777216.0f) & (rintf(value) == value);
    }
  }
  integers = integers && norm < 9007199254740992.0;
  if (lane < rows) {
    p.squared_norms[first + lane] = norm;
    if (!finite) p.findings->has_other_than_finite = 1;
    if (!integers) p.findings->has_other_than_integers = 1;
  }
  // Doubles of at least 0 are ordered as their bits. One of a warp, since all
  // rows meet at one place.
  auto most = static_cast<unsigned long long>(__double_as_longlong(norm));
  for (int step = 16; step > 0; step /= 2) {
    most = max(most, __shfl_xor_sync(kFullWarp, most, step));
  }
  if (lane == 0) atomicMax(&p.findings->largest_norm_bits, most);

  const double my_step = static_cast<double>(largest) / p.most_digit;
  double my_square = 0;  // Of the residual.
  for (int row = 0; row < rows; ++row) {
    const double step = __shfl_sync(kFullWarp, my_step, row);
    // Steps of floats are far from underflow. A product may round to another
    // digit than a quotient, which is as good: the residual is its own.
    const double per_step = step > 0 ? 1 / step : 0;
    int8_t* const digits =
        p.digits + (first + row) * static_cast<int64_t>(p.digit_bytes);
    double square = 0;
    for (int32_t k = lane; k < p.num_dimensions; k += 32) {
      const double value =
          values[static_cast<int64_t>(row) * p.num_dimensions + k];
      const double digit = rint(value * per_step);
      const double residual = value - step * digit;
      square += residual * residual;
      digits[k] = static_cast<int8_t>(digit);
    }
    for (int offset = 16; offset > 0; offset /= 2) {
      square += __shfl_xor_sync(kFullWarp, square, offset);
    }
    if (lane == row) my_square = square;
  }
  // Other rows pass no filter.
  if (lane < rows && norm > 0 && finite) {
    const double length = sqrt(norm);
    DenseScale scale;
    scale.t = static_cast<float>(my_step / length);
    // The order of the squares' sum and these roots change r by less.
    scale.u = __double2float_ru(1 + sqrt(my_square) / length * (1 + 1e-9));
    p.scales[first + lane] = scale;
  }
}

// A block per tile of rows, a thread per row.
__global__ void __launch_bounds__(kDenseRowPadding)
    TileScalesKernel(const DenseScale* scales, DenseScale* tile_scales) {
  __shared__ DenseScale of_warps[kDenseRowPadding / 32];
  DenseScale largest = scales[blockIdx.x * kDenseRowPadding + threadIdx.x];
  for (int step = 16; step > 0; step /= 2) {
    largest.t = fmaxf(largest.t, __shfl_xor_sync(kFullWarp, largest.t, step));
    largest.u = fmaxf(largest.u, __shfl_xor_sync(kFullWarp, largest.u, step));
  }
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = largest;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (const DenseScale& other : of_warps) {
    largest.t = fmaxf(largest.t, other.t);
    largest.u = fmaxf(largest.u, other.u);
  }
  tile_scales[blockIdx.x] = largest;
}

// A thread per row of the tiles [begin, end), on `stream`.
absl::Status LaunchTileScales(int32_t begin, int32_t end, cudaStream_t stream,
                              DeviceDenseDocuments* device) {
  if (begin == end) return absl::OkStatus();
  TileScalesKernel<<<end - begin, kDenseRowPadding, 0, stream>>>(
      device->scales.data() + int64_t{begin} * kDenseRowPadding,
      device->tile_scales.data() + begin);
  return CudaLaunchStatus("scales of dense documents");
}

// The same for the tiles of the rows [first, end), of which there are some.
absl::Status LaunchTileScalesOfRows(int64_t first, int64_t end,
                                    cudaStream_t stream,
                                    DeviceDenseDocuments* device) {
  return LaunchTileScales(
      static_cast<int32_t>(first / kDenseRowPadding),
      static_cast<int32_t>((end - 1) / kDenseRowPadding) + 1, stream, device);
}

constexpr absl::string_view kPreparing = "digits of dense documents";

// Makes `num_rows` rows of the values that lie behind those of `device`, on
// `stream`.
absl::Status LaunchPreparation(int32_t num_rows, cudaStream_t stream,
                               Findings* findings,
                               DeviceDenseDocuments* device) {
  const int32_t first = device->num_rows;
  Preparation preparation = {};
  preparation.num_rows = num_rows;
  preparation.num_dimensions = device->num_dimensions;
  preparation.digit_bytes = device->digit_bytes;
  preparation.most_digit = MostDenseDigit(device->num_dimensions);
  preparation.values =
      device->values.data() + int64_t{first} * device->num_dimensions;
  preparation.squared_norms = device->squared_norms.data() + first;
  preparation.digits =
      device->digits.data() + int64_t{first} * device->digit_bytes;
  preparation.scales = device->scales.data() + first;
  preparation.findings = findings;
  PrepareKernel<<<BlocksFor(num_rows, kWarps * kRowsPerWarp), 32 * kWarps, 0,
                  stream>>>(preparation);
  RETURN_IF_ERROR(CudaLaunchStatus(kPreparing));
  return LaunchTileScalesOfRows(first, first + num_rows, stream, device);
}

// Waits for `stream`.
absl::StatusOr<Findings> ReadFindings(const Findings* findings,
                                      cudaStream_t stream) {
  // A copy to the host that waits for kernels keeps other threads from CUDA.
  RETURN_IF_ERROR(CudaStatus(cudaStreamSynchronize(stream), kPreparing));
  Findings found;
  RETURN_IF_ERROR(CudaStatus(cudaMemcpyAsync(&found, findings, sizeof(found),
                                             cudaMemcpyDeviceToHost, stream),
                             kPreparing));
  RETURN_IF_ERROR(CudaStatus(cudaStreamSynchronize(stream), kPreparing));
  return found;
}

void AddFindings(const Findings& found, DeviceDenseDocuments* device) {
  device->integer_weights =
      device->integer_weights && found.has_other_than_integers == 0;
  double largest = 0;
  std::memcpy(&largest, &found.largest_norm_bits, sizeof(double));
  device->largest_squared_norm =
      std::max(device->largest_squared_norm, largest);
}

// With `on_gpu`, documents.values lie in the memory of the GPU, maybe where
// they belong already. `upload` is null unless these are the first rows.
absl::Status Append(const DenseDocuments& documents, bool on_gpu,
                    EarlyUpload<float>* upload, DeviceDenseDocuments* device) {
  const int64_t first = device->num_rows;
  const int64_t rows = first + documents.num_rows;
  const int64_t dimensions = documents.num_dimensions;
  if (upload != nullptr) {
    ASSIGN_OR_RETURN(device->values, upload->Finish(documents.values));
  }
  RETURN_IF_ERROR(
      ReserveDenseDocuments(rows, documents.num_dimensions, device));
  float* const values = device->values.data() + first * dimensions;
  if (upload == nullptr && documents.values.data() != values) {
    RETURN_IF_ERROR(on_gpu ? internal::CopyWithinDevice(
                                 documents.values.data(), values,
                                 static_cast<int64_t>(documents.values.size()) *
                                     static_cast<int64_t>(sizeof(float)))
                           : device->values.CopyFromHost(documents.values,
                                                         first * dimensions));
  }
  if (documents.num_rows == 0) return absl::OkStatus();
  ASSIGN_OR_RETURN(DeviceBuffer<Findings> findings,
                   DeviceBuffer<Findings>::Allocate(1));
  RETURN_IF_ERROR(findings.FillBytes(0));
  RETURN_IF_ERROR(LaunchPreparation(documents.num_rows, /*stream=*/nullptr,
                                    findings.data(), device));
  ASSIGN_OR_RETURN(const Findings found,
                   ReadFindings(findings.data(), /*stream=*/nullptr));
  if (found.has_other_than_finite != 0) {
    // The rows that are not there pass no filter.
    RETURN_IF_ERROR(
        internal::FillDeviceMemory(device->scales.data() + first,
                                   documents.num_rows * sizeof(DenseScale), 0));
    RETURN_IF_ERROR(
        LaunchTileScalesOfRows(first, rows, /*stream=*/nullptr, device));
    // The host says where.
    if (!on_gpu) return ValidateDenseDocuments(documents);
    std::vector<float> host_values(documents.values.size());
    RETURN_IF_ERROR(device->values.CopyToHost(absl::MakeSpan(host_values),
                                              first * dimensions));
    return ValidateDenseDocuments(
        MakeDenseDocuments(std::move(host_values), documents.num_rows));
  }
  device->num_rows = static_cast<int32_t>(rows);
  AddFindings(found, device);
  return absl::OkStatus();
}

absl::Status CheckAndAppend(const DenseDocuments& documents, bool on_gpu,
                            EarlyUpload<float>* upload,
                            DeviceDenseDocuments* device) {
  if (documents.num_rows < 0 || documents.num_dimensions < 0 ||
      static_cast<int64_t>(documents.values.size()) !=
          int64_t{documents.num_rows} * documents.num_dimensions) {
    return ValidateDenseDocuments(documents);  // Reads no values.
  }
  if (device->num_rows > 0 &&
      documents.num_dimensions != device->num_dimensions) {
    return absl::InvalidArgumentError(absl::StrCat(
        "dense documents: expected ", device->num_dimensions,
        " dimensions as those before, found ", documents.num_dimensions));
  }
  const int64_t rows = int64_t{device->num_rows} + documents.num_rows;
  if (rows > kMostRows) {
    return absl::InvalidArgumentError(
        absl::StrCat("dense documents: expected at most ", kMostRows,
                     " on a GPU, found ", rows));
  }
  return NameWhatDidNotFit(
      Append(documents, on_gpu, upload, device),
      absl::StrCat(rows, " documents of ", documents.num_dimensions,
                   " dimensions on the GPU"));
}

}  // namespace

int MostDenseDigit(int32_t num_dimensions) {
  int digit = 127;
  while (digit > 1 &&
         int64_t{digit} * digit * num_dimensions >= kDenseMostProduct) {
    --digit;
  }
  return digit;
}

int32_t DenseDigitBytes(int32_t num_dimensions) {
  const int64_t pieces =
      (int64_t{num_dimensions} + kDenseDigitPadding - 1) / kDenseDigitPadding;
  return static_cast<int32_t>(std::max<int64_t>(1, pieces) *
                              kDenseDigitPadding);
}

absl::Status AllocateDenseDocuments(int64_t num_rows, int32_t num_dimensions,
                                    DeviceDenseDocuments* device) {
  const int64_t digits = PaddedRows(num_rows) * DenseDigitBytes(num_dimensions);
  ASSIGN_OR_RETURN(device->values, DeviceBuffer<float>::AllocateApart(
                                       num_rows * num_dimensions));
  ASSIGN_OR_RETURN(device->digits, DeviceBuffer<int8_t>::AllocateApart(digits));
  RETURN_IF_ERROR(device->digits.FillBytes(0));
  return ReserveDenseDocuments(num_rows, num_dimensions, device);
}

absl::Status ReserveDenseDocuments(int64_t num_rows, int32_t num_dimensions,
                                   DeviceDenseDocuments* device) {
  const int64_t digit_bytes = DenseDigitBytes(num_dimensions);
  const int64_t padded = PaddedRows(num_rows);
  RETURN_IF_ERROR(ReserveInto(num_rows * num_dimensions, device->values));
  RETURN_IF_ERROR(ReserveInto(num_rows, device->squared_norms));
  RETURN_IF_ERROR(ReserveZeroed(padded * digit_bytes, device->digits));
  RETURN_IF_ERROR(ReserveZeroed(padded, device->scales));
  RETURN_IF_ERROR(ReserveInto(padded / kDenseRowPadding, device->tile_scales));
  device->num_dimensions = num_dimensions;
  device->digit_bytes = static_cast<int32_t>(digit_bytes);
  return absl::OkStatus();
}

absl::Status FillTileScales(DeviceDenseDocuments* documents) {
  const int32_t tiles = documents->padded_rows() / kDenseRowPadding;
  RETURN_IF_ERROR(MakeRoom(tiles, documents->tile_scales));
  return LaunchTileScales(0, tiles, /*stream=*/nullptr, documents);
}

absl::Status AppendDenseDocuments(const DenseDocuments& documents,
                                  DeviceDenseDocuments* device) {
  return CheckAndAppend(documents, /*on_gpu=*/false, nullptr, device);
}

absl::Status AppendDenseDocumentsOfGpu(const DenseDocuments& documents,
                                       DeviceDenseDocuments* device) {
  return CheckAndAppend(documents, /*on_gpu=*/true, nullptr, device);
}

struct DenseAppender::Beside {
  // Rows are not freed while they are written.
  ~Beside() {
    if (cudaStreamSynchronize(stream.get()) != cudaSuccess) cudaGetLastError();
  }

  Stream stream;
  Event prepared;
  DeviceBuffer<Findings> findings;
};

absl::StatusOr<DenseAppender> DenseAppender::Create() {
  ASSIGN_OR_RETURN(Stream stream, Stream::CreateBeside());
  ASSIGN_OR_RETURN(Event prepared, Event::Create());
  ASSIGN_OR_RETURN(DeviceBuffer<Findings> findings,
                   DeviceBuffer<Findings>::Allocate(1));
  RETURN_IF_ERROR(findings.FillBytes(0));
  RETURN_IF_ERROR(CudaStatus(cudaStreamSynchronize(nullptr), kPreparing));
  return DenseAppender(std::unique_ptr<Beside>(
      new Beside{std::move(stream), std::move(prepared), std::move(findings)}));
}

DenseAppender::DenseAppender(std::unique_ptr<Beside> beside)
    : beside_(std::move(beside)) {}
DenseAppender::DenseAppender(DenseAppender&&) noexcept = default;
DenseAppender::~DenseAppender() = default;

absl::Status DenseAppender::Append(int32_t num_rows,
                                   DeviceDenseDocuments* device) {
  RETURN_IF_ERROR(LaunchPreparation(num_rows, beside_->stream.get(),
                                    beside_->findings.data(), device));
  RETURN_IF_ERROR(beside_->prepared.Record(beside_->stream));
  RETURN_IF_ERROR(CudaStatus(
      cudaStreamWaitEvent(nullptr, beside_->prepared.get(), 0), kPreparing));
  device->num_rows += num_rows;
  return absl::OkStatus();
}

absl::Status DenseAppender::Finish(DeviceDenseDocuments* device) {
  ASSIGN_OR_RETURN(const Findings found, ReadFindings(beside_->findings.data(),
                                                      beside_->stream.get()));
  if (found.has_other_than_finite != 0) {
    return absl::InvalidArgumentError(
        "dense documents: expected finite values, found others");
  }
  AddFindings(found, device);
  return absl::OkStatus();
}

absl::Status KeepFirstDenseDocuments(int32_t num_rows,
                                     DeviceDenseDocuments* device) {
  device->num_rows = num_rows;
  // Rows that are not there pass no filter.
  RETURN_IF_ERROR(
      internal::FillDeviceMemory(device->scales.data() + num_rows,
                                 (device->scales.size() - num_rows) *
                                     static_cast<int64_t>(sizeof(DenseScale)),
                                 0));
  return FillTileScales(device);
}

absl::StatusOr<DeviceDenseDocuments> UploadDenseDocuments(
    const DenseDocuments& documents, EarlyUpload<float>* upload) {
  DeviceDenseDocuments device;
  RETURN_IF_ERROR(CheckAndAppend(documents, /*on_gpu=*/false, upload, &device));
  return device;
}

absl::StatusOr<DeviceDenseDocuments> CopyDenseDocumentsOfGpu(
    const DenseDocuments& documents) {
  DeviceDenseDocuments device;
  RETURN_IF_ERROR(CheckAndAppend(documents, /*on_gpu=*/true, nullptr, &device));
  return device;
}

}  // namespace warpclust
