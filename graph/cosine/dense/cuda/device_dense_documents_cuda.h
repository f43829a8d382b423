// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceDenseDocuments: dense documents on the GPU, as the dense cosine join
// reads them (dense_join_cuda.h): their floats for exact decisions, and 8-bit
// digits with an error bound for the filter.
//
// Digits. With s = max |a_k| / q for q = 127 (less where d q² would reach
// 2^30), A_k = round(a_k / s) and e = a - s A:
//
//   a · b = s_a s_b A · B + e_a · b + s_a A · e_b
//
// and by Cauchy-Schwarz, with r = |e| / |a| the residual of a row,
//
//   cosine <= t_a t_b A · B + r_a + r_b + r_a r_b,    t = s / |a|
//          =  t_a t_b A · B + u_a u_b - 1,            u = 1 + r.
//
// `scales` has t and u. u is rounded up; the float arithmetic of the filter is
// within 2^-20 (1 + r_a)(1 + r_b) <= 2^-18 of the right side, which
// kDenseFilterSlack covers.
//
// Device memory: 5 bytes per value and 16 per document.

#ifndef WARPCLUST_GRAPH_COSINE_DENSE_CUDA_DEVICE_DENSE_DOCUMENTS_CUDA_H_
#define WARPCLUST_GRAPH_COSINE_DENSE_CUDA_DEVICE_DENSE_DOCUMENTS_CUDA_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/memory/early_upload.h"
#include "sparse/dense/dense_documents.h"

namespace warpclust {

// |A · B| is below this for up to 2^30 - 1 dimensions.
inline constexpr int32_t kDenseMostProduct = 1 << 30;
inline constexpr float kDenseFilterSlack = 1e-5f;
// Documents are padded to a multiple of this with rows that pass no filter.
inline constexpr int kDenseRowPadding = 256;
// Rows of digits are padded with zeros to a multiple of this many bytes.
inline constexpr int kDenseDigitPadding = 64;

inline int64_t PaddedRows(int64_t num_rows) {
  return (num_rows + kDenseRowPadding - 1) / kDenseRowPadding *
         kDenseRowPadding;
}

struct DenseScale {
  float t = 0;
  float u = 0;
};

struct DeviceDenseDocuments {
  int32_t num_rows = 0;
  int32_t num_dimensions = 0;
  // num_dimensions, padded.
  int32_t digit_bytes = 0;
  // Buffers may have more room.
  DeviceBuffer<float> values;          // num_rows * num_dimensions
  DeviceBuffer<double> squared_norms;  // num_rows
  DeviceBuffer<int8_t> digits;         // padded rows * digit_bytes
  DeviceBuffer<DenseScale> scales;     // padded rows; 0 behind the last row
  // The largest t and u of each kDenseRowPadding rows.
  DeviceBuffer<DenseScale> tile_scales;
  // As HasIntegerWeights says (sparse/dense/dense_documents.h).
  bool integer_weights = true;
  double largest_squared_norm = 0;

  int32_t padded_rows() const {
    return static_cast<int32_t>(PaddedRows(num_rows));
  }
};

// The q above for this number of dimensions: products of rows of digits stay
// below kDenseMostProduct.
int MostDenseDigit(int32_t num_dimensions);

// The bytes of a row of digits, padded.
int32_t DenseDigitBytes(int32_t num_dimensions);

// Makes room for `num_rows` rows in all, and keeps those that are there.
// Appending up to `num_rows` rows then allocates only temporary memory.
absl::Status ReserveDenseDocuments(int64_t num_rows, int32_t num_dimensions,
                                   DeviceDenseDocuments* device);

// The same for an empty object, where waiting for the memory of many rows would
// keep the GPU idle: they lie apart (DeviceBuffer::AllocateApart).
absl::Status AllocateDenseDocuments(int64_t num_rows, int32_t num_dimensions,
                                    DeviceDenseDocuments* device);

// Fills `tile_scales` from `scales`, for rows that others wrote.
absl::Status FillTileScales(DeviceDenseDocuments* documents);

// InvalidArgument as ValidateDenseDocuments, or if there are too many documents
// for 32 bits with their padding; ResourceExhausted if they do not fit.
// `upload`, unless null, has begun to copy the values.
absl::StatusOr<DeviceDenseDocuments> UploadDenseDocuments(
    const DenseDocuments& documents, EarlyUpload<float>* upload = nullptr);

// The same for documents.values in the memory of the GPU, written before work
// of the default stream that follows. They are copied within it.
absl::StatusOr<DeviceDenseDocuments> CopyDenseDocumentsOfGpu(
    const DenseDocuments& documents);

// Appends rows to those on the device; buffers grow by a half at least. Errors
// as UploadDenseDocuments, and InvalidArgument if the number of dimensions is
// another; `device` then has the rows that it had.
absl::Status AppendDenseDocuments(const DenseDocuments& documents,
                                  DeviceDenseDocuments* device);

// The same for documents.values in the memory of the GPU, as
// CopyDenseDocumentsOfGpu has them. They may be written already where they
// belong in `device`, behind its rows, where there is room for them.
absl::Status AppendDenseDocumentsOfGpu(const DenseDocuments& documents,
                                       DeviceDenseDocuments* device);

// Appends rows while kernels of the default stream read the rows before them.
class DenseAppender {
 public:
  // Waits for the default stream, so that the memory for all rows is there
  // (ReserveDenseDocuments, AllocateDenseDocuments).
  static absl::StatusOr<DenseAppender> Create();
  DenseAppender(DenseAppender&&) noexcept;
  ~DenseAppender();

  // Makes `num_rows` rows of values that have been written where they belong,
  // behind whole tiles (kDenseRowPadding). Does not wait; work of the default
  // stream that follows does.
  absl::Status Append(int32_t num_rows, DeviceDenseDocuments* device);
  // Call it after the last Append: what the rows have in common.
  // InvalidArgument if some values are not finite; the rows are no use then.
  absl::Status Finish(DeviceDenseDocuments* device);

 private:
  struct Beside;
  explicit DenseAppender(std::unique_ptr<Beside> beside);
  std::unique_ptr<Beside> beside_;
};

// Drops the rows from `num_rows` on. integer_weights and largest_squared_norm
// stay as they are: those of all rows that were there.
absl::Status KeepFirstDenseDocuments(int32_t num_rows,
                                     DeviceDenseDocuments* device);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DENSE_CUDA_DEVICE_DENSE_DOCUMENTS_CUDA_H_
