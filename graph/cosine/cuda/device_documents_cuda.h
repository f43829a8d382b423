// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceDocuments: a document matrix in GPU memory with what every join over it
// needs: squared norms and static term lists (the transpose). The lists hold
// all documents or, for a join of a few documents with many, only the few.
//
// Upload them once for repeated joins over one collection
// (graph/cosine/cuda/cosine_graph_cuda.h). Uploading copies the three arrays;
// the GPU computes the rest: O(entries + terms · log entries), one radix sort
// of the listed entries. Device memory: 20 bytes per entry, and 20 more that
// are freed on return; 8 and 4 for entries in no list.

#ifndef WARPCLUST_GRAPH_COSINE_CUDA_DEVICE_DOCUMENTS_CUDA_H_
#define WARPCLUST_GRAPH_COSINE_CUDA_DEVICE_DOCUMENTS_CUDA_H_

#include <cstdint>
#include <functional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "kernels/memory/device_buffer.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// What the host needs to know to choose the arithmetic.
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
  // The first num_listed documents are in the term lists.
  int32_t num_listed = 0;
  // A join may leave out listed documents before this one.
  int32_t first_listed = 0;
  int64_t num_listed_entries = 0;
  int32_t num_terms = 0;
  int64_t num_entries = 0;

  DeviceBuffer<int64_t> offsets;       // num_documents + 1
  DeviceBuffer<int32_t> terms;         // num_entries
  DeviceBuffer<float> weights;         // num_entries
  DeviceBuffer<double> squared_norms;  // num_documents

  // Term lists: the listed documents with a term, ascending, back to back.
  DeviceBuffer<uint32_t> list_offsets;    // num_terms + 1
  DeviceBuffer<uint32_t> list_documents;  // num_listed_entries
  // The entry of the matrix at each place of the term lists; and the inverse,
  // empty unless all documents are listed.
  DeviceBuffer<uint32_t> list_entries;  // num_listed_entries
  DeviceBuffer<uint32_t> entry_places;  // num_entries

  DocumentStatistics statistics;

  // The pairs that a join compares: all, or those of a listed document with
  // another one.
  int64_t num_pairs() const {
    const int64_t n = num_documents;
    const int64_t listed = num_listed;
    return listed == n ? n * (n - 1) / 2 : listed * (n - listed);
  }
};

// All documents are listed. `documents` must be valid. ResourceExhausted if
// they do not fit in the memory of the GPU, or have 2^31 entries or more.
absl::StatusOr<DeviceDocuments> UploadDocuments(
    const DocumentMatrix& documents);

// One matrix of both, `listed` first; `others` are in no list. Terms of
// `others` from the num_terms of `listed` on become that one term, which may
// occur several times in a row: they count for norms and match nothing. Errors
// as above.
absl::StatusOr<DeviceDocuments> UploadDocuments(const DocumentRange& listed,
                                                const DocumentRange& others);

// The listed documents, to meet one set of others after the other
// (ReplaceOthers). `check` is called after the arrays were copied and before
// they are read: whether the documents are valid. Until then only their sizes
// need to match.
absl::StatusOr<DeviceDocuments> UploadListed(
    const DocumentMatrix& listed, const std::function<absl::Status()>& check);

// Makes the others of `docs`, which UploadListed made, these, as
// UploadDocuments of both does; what the listed documents need is kept. The
// statistics are of all documents that were there. Errors as above; then the
// documents may be replaced again, but not joined.
absl::Status ReplaceOthers(const DocumentRange& others, DeviceDocuments* docs);

// Documents on the device as 32-bit words: their number, their lengths, all
// terms, all weights (graph/cosine/distributed/document_pieces.h).

// Writes the documents [begin, end), with the entries from first_entry on, of
// which there are num_entries. Does not wait for it.
absl::Status PackDocuments(const DeviceDocuments& docs, int32_t begin,
                           int32_t end, int64_t first_entry,
                           int64_t num_entries, uint32_t* words);
// ReplaceOthers by `num_documents` in this form.
absl::Status ReplaceOthersByPacked(const uint32_t* words, int64_t num_words,
                                   int32_t num_documents,
                                   DeviceDocuments* docs);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CUDA_DEVICE_DOCUMENTS_CUDA_H_
