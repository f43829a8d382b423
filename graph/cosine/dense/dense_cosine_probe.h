// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DenseCosineProbe: CosineProbe (graph/cosine/cosine_probe.h) of dense
// documents: all pairs of a probe and another document whose cosine is at least
// β.
//
// Use it for stored rows that get new ones: the new ones are the probes, and
// the store is read once, block by block.
//
//   ASSIGN_OR_RETURN(const DenseCosineProbe probe,
//                    DenseCosineProbe::Create(new_documents, options));
//   std::vector<ProbeEdge> edges;
//   RETURN_IF_ERROR(probe.Join(block, &edges));
//
// Exact: the edges are those of CosineGraph of all these documents with
// integer_decisions = integer_arithmetic. They do not depend on the cut into
// blocks.
//
// Cost of a block on the CPU: documents · probes · dimensions multiplications
// of 16-bit digits, and a dot product in double for each pair that these do not
// exclude. A few probes are compared in double alone. Memory: 2 bytes per value
// of the probes, the edges, and per thread 128 KB and 2 bytes per value of 128
// documents. Blocks of 10^3 documents or more keep all threads busy. On a GPU,
// that of DenseCosineProbeOnDevice and the upload of block and probes
// (graph/cosine/dense/cuda).
//
// Several threads may call Join.

#ifndef WARPCLUST_GRAPH_COSINE_DENSE_DENSE_COSINE_PROBE_H_
#define WARPCLUST_GRAPH_COSINE_DENSE_DENSE_COSINE_PROBE_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/cosine/dense/dense_tile.h"
#include "kernels/device/device.h"
#include "sparse/dense/dense_documents.h"

namespace warpclust {

class DenseCosineProbe {
 public:
  // InvalidArgument if the probes or the options are not valid, or if the norm
  // of a probe is too large for integer_arithmetic; Unavailable if the device
  // is (ResolveDevice).
  static absl::StatusOr<DenseCosineProbe> Create(
      const DenseDocuments& probes, const CosineProbeOptions& options,
      Device device = Device::kCpu);

  // A good number of values in a block: some MB, or what the upload of the
  // probes to a GPU is worth.
  int64_t BlockValues() const;

  // Appends all pairs of cosine >= β by row of `block`, then probe. Values must
  // be finite, and integers for integer_arithmetic; this is not checked.
  // InvalidArgument if the block has another number of dimensions, or a
  // document with a norm too large for integer_arithmetic; ResourceExhausted if
  // not even one document and the probes fit in the memory of the GPU. On an
  // error `edges` is unchanged.
  absl::Status Join(const DenseDocuments& block,
                    std::vector<ProbeEdge>* edges) const;

 private:
  DenseCosineProbe(DenseSide probes, const CosineProbeOptions& options,
                   Device device)
      : probes_(std::move(probes)), options_(options), device_(device) {}

  // The edges of a few documents.
  absl::Status JoinRows(const DenseDocuments& rows, DenseTile* tile,
                        std::vector<DenseTile::Edge>* edges) const;

  DenseSide probes_;  // Without digits on a GPU.
  CosineProbeOptions options_;
  Device device_;  // Not kAuto.
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DENSE_DENSE_COSINE_PROBE_H_
