// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RankBlock: the documents of a rank, joined with each other and with pieces of
// those of other ranks. On a GPU they stay in its memory; if they do not fit
// there together with a piece, both are uploaded in parts. On a CPU it keeps
// what joins sparse documents with visitors: term lists where these are cheaper
// than tiles, else the rows that tiles meet.

#ifndef WARPCLUST_GRAPH_COSINE_DISTRIBUTED_RANK_BLOCK_H_
#define WARPCLUST_GRAPH_COSINE_DISTRIBUTED_RANK_BLOCK_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "base/numbers/decimal.h"
#include "graph/cosine/cpu/cosine_list_probe.h"
#include "graph/cosine/cpu/cosine_tile_probe.h"
#include "graph/cosine/decision/cosine_block_backend.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/csr/csr_graph.h"
#include "kernels/device/device.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// Documents: DocumentMatrix or DenseDocuments.
template <typename Documents>
class RankBlock {
 public:
  // `documents` outlive the object. `device`: kCpu or kCuda.
  RankBlock(const Documents& documents, Device device, const Decimal& beta,
            int num_threads)
      : documents_(documents), device_(device) {
    options_.beta = beta;
    options_.num_threads = num_threads;
  }

  Device device() const { return device_; }
  const Documents& documents() const { return documents_; }
  int num_threads() const { return options_.num_threads; }

  // Validates the documents, and puts them on the GPU, if there are any and
  // that is the device. May be called again, to begin anew. `num_visitors`:
  // DenseCosineBlockCuda (graph/cosine/cuda/cosine_cuda_entry.h). `copied` is
  // called at most once, when the documents, or most of them, are there.
  absl::Status Start(
      int32_t num_visitors = 0, const std::function<void()>& copied = [] {});
  // Null unless they are there.
  CosineDeviceBlock* on_device() { return on_device_.get(); }

  // As CosineBlockBackend. Call Graph before Join.
  CosineBlockStatistics statistics() const;
  void SetOptions(const CosineProbeOptions& options);
  // `has_visitors`: Join follows.
  absl::StatusOr<CsrGraph> Graph(bool has_visitors);
  // After the last Join: frees what it used on the CPU.
  void EndJoins() {
    lists_.reset();
    tiles_ = nullptr;
  }
  absl::Status Join(Documents visitors, int32_t begin,
                    std::vector<ProbeEdge>* edges);

 private:
  // On the CPU, unless tiles are cheaper; else null.
  CosineListProbe* Lists();
  // Without documents that stay on a device.
  absl::Status JoinParts(Documents visitors, int32_t begin,
                         std::vector<ProbeEdge>* edges);

  const Documents& documents_;
  const Device device_;
  CosineProbeOptions options_;
  // Null on the CPU, and after memory ran out.
  std::unique_ptr<CosineBlockBackend<Documents>> on_device_;
  // What Lists returns, once it was called.
  absl::optional<std::unique_ptr<CosineListProbe>> lists_;
  // On the CPU without lists, from the first piece on.
  std::unique_ptr<CosineTileProbe> tiles_;
};

extern template class RankBlock<DocumentMatrix>;
extern template class RankBlock<DenseDocuments>;

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DISTRIBUTED_RANK_BLOCK_H_
