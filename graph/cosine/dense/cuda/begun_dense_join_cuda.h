// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// BegunDenseJoin: the join of dense documents begins while they are uploaded.
// While a part of them comes, the one before is joined with all until then, and
// the last one while the host does other work. EndJoin decides what was found.
//
//   BegunDenseJoin begun;
//   ASSIGN_OR_RETURN(const DeviceDenseDocuments on_device,
//                    UploadAndBeginJoin(documents, options.beta, &begun));
//   ...
//   ASSIGN_OR_RETURN(DeviceGraph graph,
//                    EndJoin(on_device, options, std::move(begun)));
//
// Cost: that of UploadDenseDocuments and DenseCosineGraphOnDevice, less most of
// the upload. The pairs are joined on the default stream, where other work
// waits for them.

#ifndef WARPCLUST_GRAPH_COSINE_DENSE_CUDA_BEGUN_DENSE_JOIN_CUDA_H_
#define WARPCLUST_GRAPH_COSINE_DENSE_CUDA_BEGUN_DENSE_JOIN_CUDA_H_

#include <cstdint>
#include <functional>

#include "absl/status/statusor.h"
#include "base/numbers/decimal.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/dense/cuda/dense_cosine_graph_cuda.h"
#include "graph/cosine/dense/cuda/device_dense_documents_cuda.h"
#include "graph/csr/device_graph.h"
#include "kernels/memory/device_buffer.h"
#include "sparse/dense/dense_documents.h"

namespace warpclust {

struct BegunDenseJoin {
  // Of the last part. 0: nothing has begun.
  int32_t first_row = 0;
  double beta = 0;
  // Of all pairs (row, column), row > column, once the GPU has done its work,
  // as DenseCandidates writes them.
  DeviceBuffer<uint64_t> candidates;
  DeviceBuffer<unsigned long long> count;
};

// As UploadDenseDocuments. Nothing begins with few documents, with millions,
// which are joined in parts, and if memory is short. `copied` is called
// while a long join runs, once all rows are on the GPU. If the join begins,
// `more_rows` can be appended without a copy of those before, unless they take
// a large part of the free memory. `most_candidates`: for tests.
absl::StatusOr<DeviceDenseDocuments> UploadAndBeginJoin(
    const DenseDocuments& documents, const Decimal& beta, BegunDenseJoin* begun,
    const std::function<void()>& copied = [] {}, int32_t more_rows = 0,
    int64_t most_candidates = kMostDenseCandidates);

// As DenseCosineGraphOnDevice, for what UploadAndBeginJoin returned. If `begun`
// is of another β, or found too many candidates, or if memory is short, all is
// joined anew. `launched` may be called when the GPU has what is left to
// decide.
absl::StatusOr<DeviceGraph> EndJoin(
    const DeviceDenseDocuments& documents, const CosineGraphOptions& options,
    BegunDenseJoin begun, const std::function<void()>& launched = [] {});

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DENSE_CUDA_BEGUN_DENSE_JOIN_CUDA_H_
