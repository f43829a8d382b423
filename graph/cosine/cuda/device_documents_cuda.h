// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceDocuments: a document matrix in device memory together with what every
// join over it needs: squared norms and static term lists (the transpose), of
// all documents or, for a join of some with many, of those some only.
//
// Internal to the CUDA code of the cosine graph and the cosine probe. Uploading
// costs one copy of the three arrays; the rest is computed on the device:
// O(entries + terms · log entries), one radix sort of the listed entries.
// Device memory: 20 bytes an entry, and 20 more that are freed on return; 8 and
// 4 for entries that are in no list.

#ifndef WARPCLUST_GRAPH_COSINE_CUDA_DEVICE_DOCUMENTS_CUDA_H_
#define WARPCLUST_GRAPH_COSINE_CUDA_DEVICE_DOCUMENTS_CUDA_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "kernels/device_buffer.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// What the host must know of the weights to choose the arithmetic.
struct DocumentStatistics {
  double largest_squared_norm = 0;
  float largest_weight = 0;
  int32_t longest_document = 0;
  // As HasIntegerWeights.
  bool integer_weights = false;
};

// The documents [begin, end) of a matrix on the host.
struct DocumentRange {
  const DocumentMatrix* documents;
  int32_t begin;
  int32_t end;

  int32_t num_documents() const { return end - begin; }
  int64_t num_entries() const {
    return documents->offsets[end] - documents->offsets[begin];
  }
};

struct DeviceDocuments {
  int32_t num_documents = 0;
  // The first so many documents are those in the term lists.
  int32_t num_listed = 0;
  int64_t num_listed_entries = 0;
  int32_t num_terms = 0;
  int64_t num_entries = 0;

  DeviceBuffer<int64_t> offsets;       // num_documents + 1
  DeviceBuffer<int32_t> terms;         // num_entries
  DeviceBuffer<float> weights;         // num_entries
  DeviceBuffer<double> squared_norms;  // num_documents

  // Term lists: the listed documents that hold a term, ascending, back to back.
  DeviceBuffer<uint32_t> list_offsets;    // num_terms + 1
  DeviceBuffer<uint32_t> list_documents;  // num_listed_entries
  // For each place in the term lists, the entry of the matrix it came from;
  // and the inverse, empty unless all documents are listed.
  DeviceBuffer<uint32_t> list_entries;  // num_listed_entries
  DeviceBuffer<uint32_t> entry_places;  // num_entries

  DocumentStatistics statistics;

  // That a join of them looks at: all, or of a listed with another document.
  int64_t num_pairs() const {
    const int64_t n = num_documents;
    const int64_t listed = num_listed;
    return listed == n ? n * (n - 1) / 2 : listed * (n - listed);
  }
};

// All listed. `documents` must be valid. ResourceExhausted if the device's
// memory does not hold them or there are 2^31 entries or more.
absl::StatusOr<DeviceDocuments> UploadDocuments(
    const DocumentMatrix& documents);

// One matrix of both, `listed` first; `others` are in no list. Terms of the
// others that `listed` does not know are made one, listed.num_terms, which may
// stand several times in a row: they count for norms, and match nothing. Errors
// as above. `others` holds a document at least.
absl::StatusOr<DeviceDocuments> UploadDocuments(const DocumentRange& listed,
                                                const DocumentRange& others);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CUDA_DEVICE_DOCUMENTS_CUDA_H_
