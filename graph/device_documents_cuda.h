// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceDocuments: a document matrix in device memory together with what every
// join over it needs: squared norms and static term lists (the transpose).
//
// Internal to the cosine graph's CUDA code. Uploading costs one copy of the
// three arrays; the rest is computed on the device: O(entries), one radix sort.
// Device memory: 20 bytes an entry, and 20 more that are freed on return.

#ifndef WARPCLUST_GRAPH_DEVICE_DOCUMENTS_CUDA_H_
#define WARPCLUST_GRAPH_DEVICE_DOCUMENTS_CUDA_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "kernels/device_buffer.h"
#include "sparse/document_matrix.h"

namespace warpclust {

// What the host must know of the weights to choose the arithmetic.
struct DocumentStatistics {
  double largest_squared_norm = 0;
  float largest_weight = 0;
  int32_t longest_document = 0;
  // As HasIntegerWeights.
  bool integer_weights = false;
};

struct DeviceDocuments {
  int32_t num_documents = 0;
  int32_t num_terms = 0;
  int64_t num_entries = 0;

  DeviceBuffer<int64_t> offsets;       // num_documents + 1
  DeviceBuffer<int32_t> terms;         // num_entries
  DeviceBuffer<float> weights;         // num_entries
  DeviceBuffer<double> squared_norms;  // num_documents

  // Term lists: the documents that hold a term, ascending, back to back.
  DeviceBuffer<uint32_t> list_offsets;    // num_terms + 1
  DeviceBuffer<uint32_t> list_documents;  // num_entries
  // For each place in the term lists, the entry of the matrix it came from;
  // and the inverse.
  DeviceBuffer<uint32_t> list_entries;  // num_entries
  DeviceBuffer<uint32_t> entry_places;  // num_entries

  DocumentStatistics statistics;
};

// `documents` must be valid. ResourceExhausted if the device's memory does not
// hold them or there are 2^31 entries or more.
absl::StatusOr<DeviceDocuments> UploadDocuments(
    const DocumentMatrix& documents);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_DEVICE_DOCUMENTS_CUDA_H_
