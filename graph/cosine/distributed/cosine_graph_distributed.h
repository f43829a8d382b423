// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CosineGraphDistributed: CosineGraph (graph/cosine/cosine_graph.h) of
// documents that are dealt to the ranks of a job in blocks. No rank holds all
// documents or all edges.
//
//   // The documents of all ranks, in order of the ranks, are the collection.
//   ASSIGN_OR_RETURN(const GraphShare share,
//                    CosineGraphDistributed(ranks, my_documents, options));
//
// The rows of all ranks together are those of CosineGraph of the collection, to
// the bit: the same code decides each pair.
//
// Each pair of blocks meets once. In step s of floor(p / 2), rank r sends its
// block to rank r + s, in pieces, and joins its own block with the pieces of
// rank r - s; the last step of an even number p of ranks is shared by both
// sides. Edges found for the documents of another rank go back to it. The next
// piece travels while one is joined.
//
// Cost: 1/p of the pairs per rank. A rank sends its documents floor(p / 2)
// times, as 8 bytes per entry or 4 per dense value, and 8 bytes per entry of
// its rows. Memory beside the documents: that of CosineGraph of the block, two
// pieces of up to 32 MiB (512 MiB for a GPU) with an index of one, 12 bytes per
// entry of the rows, and 30 per edge of a step; on a CPU that joins by term
// lists 38 more per entry of the documents, until all pieces are joined.
//
// Each rank computes on the CPU or on its GPU (kernels/device/rank_device.h),
// where its block stays: 20 bytes per entry, or 5 per dense value, a piece, and
// what joining them takes (graph/cosine/cuda). Without room for that it uploads
// block and pieces in parts.
//
// If all ranks compute on GPUs of one host, documents and edges travel from GPU
// to GPU (kernels/nccl/device_exchange.h), and a rank's rows are built on its
// GPU, where they stay if the exchange says so. On several hosts the same goes
// by NCCL, if each rank has it and a GPU of its own, and one sends 4 GiB or
// more. Memory of the GPU beside the above: three pieces, mostly whole blocks,
// but at most a 16th of what is free, and 16 bytes per entry of the rows. If
// that is too much for one GPU, all ranks begin anew, through the hosts. On one
// host, up to an eighth of what is free, but at most 2 GiB of each GPU, stay
// with the process for later graphs; SetDeviceMemoryLimit does not count them.

#ifndef WARPCLUST_GRAPH_COSINE_DISTRIBUTED_COSINE_GRAPH_DISTRIBUTED_H_
#define WARPCLUST_GRAPH_COSINE_DISTRIBUTED_COSINE_GRAPH_DISTRIBUTED_H_

#include <string>

#include "absl/status/statusor.h"
#include "base/communicator/communicator.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/distributed/document_pieces.h"
#include "graph/csr/graph_share.h"
#include "kernels/device/device.h"
#include "kernels/device/device_choice.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// A collective call. `documents` are those of this rank; a rank may have none.
// The options are the same on all ranks, except num_threads; options.work is
// not used. Ranks may compute on different devices; kAuto is the one that
// ExpectCosineGraph expects to be faster, if all ranks ask for it. The errors
// are those of CosineGraph, the same on all ranks for documents that are not
// valid; also if the documents of all ranks are more than 2^31 - 1 or their
// numbers of dimensions differ. `way`, unless null, becomes how pieces
// travelled: "host memory", maybe with the reason, "CUDA IPC" from GPU to GPU
// ("one process" if the ranks are threads), or "NCCL" and its version.
absl::StatusOr<GraphShare> CosineGraphDistributed(
    Communicator& ranks, const DocumentMatrix& documents,
    const CosineGraphOptions& options, Device device = Device::kAuto,
    const CosineExchange& exchange = {}, std::string* way = nullptr);

// The same for dense documents.
absl::StatusOr<GraphShare> CosineGraphDistributed(
    Communicator& ranks, const DenseDocuments& documents,
    const CosineGraphOptions& options, Device device = Device::kAuto,
    const CosineExchange& exchange = {}, std::string* way = nullptr);

// The seconds that a rank will compute: a collective call, for choosing a
// device. The model is that of one process (kernels/device/device_choice.h),
// for a share of the pairs. Errors as above.
absl::StatusOr<ExpectedSeconds> ExpectCosineGraph(
    Communicator& ranks, const DocumentMatrix& documents,
    const CosineGraphOptions& options);
absl::StatusOr<ExpectedSeconds> ExpectCosineGraph(
    Communicator& ranks, const DenseDocuments& documents,
    const CosineGraphOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DISTRIBUTED_COSINE_GRAPH_DISTRIBUTED_H_
