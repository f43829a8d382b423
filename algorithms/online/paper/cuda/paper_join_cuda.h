// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PaperJoin: the second half of Multiple Document Clusterer 2 (Teitler et al.
// 2010, section 3). The documents of a batch join the clusters chosen for them,
// or found one each, and the term lists follow by atomic deletion and insertion
// (dynamic_term_lists.cuh).
//
// One warp adds a cluster's documents, one after the other. Sums are integers,
// so the result is that of one document at a time. One thread at a time.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_PAPER_CUDA_PAPER_JOIN_CUDA_H_
#define WARPCLUST_ALGORITHMS_ONLINE_PAPER_CUDA_PAPER_JOIN_CUDA_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/online/clusters/cuda/device_clusters.h"
#include "algorithms/online/paper/cuda/paper_search_cuda.h"
#include "kernels/memory/device_buffer.h"
#include "sparse/term_lists/device_term_lists.h"

namespace warpclust {

// Numbers that kernels and host share.
struct PaperJoinCounters {
  TermListCounters lists;
  // Of this batch.
  DeviceCount new_tail_keys;
  int32_t removals;
  int32_t founders;
};

class PaperJoin {
 public:
  // For `clusters`, which only this object changes from now on.
  static absl::StatusOr<PaperJoin> Create(const DeviceClusters& clusters);
  ~PaperJoin();
  PaperJoin(PaperJoin&&) noexcept;
  PaperJoin& operator=(PaperJoin&&) noexcept;

  // Adds document i to cluster nearest[i], or to a new one where that is
  // PaperSearch::kNoCluster; numbers[i] becomes its number. Both are device
  // memory. `clusters` has room for the documents' terms.
  absl::Status Join(const PaperDocuments& documents, const int32_t* nearest,
                    DeviceClusters& clusters, int32_t* numbers);

  // Removes the entries of clusters that are expired at `clock` from the lists.
  // O(clusters * K).
  absl::Status CloseExpired(int64_t clock, int64_t expire_after,
                            DeviceClusters& clusters);

 private:
  struct Sorter;

  PaperJoin();
  absl::Status Reserve(int64_t documents, int64_t entries,
                       DeviceClusters& clusters);
  absl::Status Rebuild(DeviceClusters& clusters);

  DeviceBuffer<PaperJoinCounters> counters_;
  // One per entry that can leave in a batch.
  DeviceBuffer<TermListRemoval> removals_;
  // One per document: whether it founds a cluster, the number of founders
  // before it, (cluster, document), and the same sorted.
  DeviceBuffer<int32_t> founds_;
  DeviceBuffer<int64_t> founders_before_;
  DeviceBuffer<uint32_t> keys_;
  DeviceBuffer<uint32_t> sorted_keys_;
  DeviceBuffer<uint32_t> values_;
  DeviceBuffer<uint32_t> sorted_values_;
  std::unique_ptr<Sorter> sorter_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_PAPER_CUDA_PAPER_JOIN_CUDA_H_
