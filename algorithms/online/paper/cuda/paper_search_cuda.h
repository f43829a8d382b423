// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PaperSearch: the most similar cluster of each document of a batch, as Teitler
// et al. 2010 find it on a GPU (sections 2 to 4). One thread per partial
// product finds its list by a binary search in the prefix sums of list lengths
// (ThreadID Assignment 3). The products of a document and a cluster are brought
// together by sorting and added, or, with buckets, added by atomics. They are
// integers, so the order of additions does not show.
//
// Multiple Document Clusterer 1 (Options::exhaustive) compares each document
// with every cluster instead: a block per document, a warp per cluster.
//
// The paper's atomics add to one number per document and cluster; here they add
// to a hash table of the pairs that meet. Batches with more products than
// kTileProducts are divided into tiles.
//
// Memory: 24 bytes per partial product of a tile for sorting, and as much again
// while it sorts; 24 to 48 for the hash table. One thread at a time.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_PAPER_CUDA_PAPER_SEARCH_CUDA_H_
#define WARPCLUST_ALGORITHMS_ONLINE_PAPER_CUDA_PAPER_SEARCH_CUDA_H_

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/online/clusters/cuda/device_clusters_view.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {

// The documents of a batch, in device memory: document i has entries
// offsets[i] to offsets[i + 1] - 1 of `terms` and `weights`.
struct PaperDocuments {
  const int64_t* offsets;
  const int32_t* terms;
  const int32_t* weights;
  const int64_t* clocks;
  int32_t count;
  // offsets[0], and offsets[count] - offsets[0].
  int64_t first_entry;
  int64_t num_entries;
};

class PaperSearch {
 public:
  // The answer if no cluster is above the threshold.
  static constexpr int32_t kNoCluster = std::numeric_limits<int32_t>::max();
  // The most products of a tile, except for a single document.
  static constexpr int64_t kTileProducts = int64_t{1} << 23;

  struct Options {
    int64_t above;         // SimilarityAbove
    int64_t bucket_width;  // BucketWidth
    int64_t expire_after;
    bool exhaustive = false;
    int64_t tile_products = kTileProducts;
  };

  static absl::StatusOr<PaperSearch> Create(const Options& options);
  ~PaperSearch();
  PaperSearch(PaperSearch&&) noexcept;
  PaperSearch& operator=(PaperSearch&&) noexcept;

  // Searches for all documents among clusters [0, num_clusters).
  absl::Status Find(const DeviceClustersView& clusters, int32_t num_clusters,
                    const PaperDocuments& documents);

  // Per document its cluster, or kNoCluster; on the device, until the next
  // Find.
  const int32_t* nearest() const { return nearest_.data(); }

  // Over all calls.
  int64_t partial_products() const { return partial_products_; }
  // Pairs of a document and a cluster that share a term; all pairs if
  // exhaustive.
  absl::StatusOr<int64_t> Candidates() const;

 private:
  struct Sorter;

  explicit PaperSearch(const Options& options);
  absl::Status FindTile(const DeviceClustersView& clusters,
                        const PaperDocuments& documents, int32_t first,
                        int32_t last, int64_t first_product,
                        int64_t num_products, int cluster_bits);
  // Frees the room that FindTile makes.
  void FreeTile();

  Options options_;
  int64_t partial_products_ = 0;
  int64_t compared_pairs_ = 0;  // if exhaustive
  DeviceBuffer<int64_t> candidates_;

  // One per document.
  DeviceBuffer<int32_t> nearest_;
  DeviceBuffer<int64_t> best_;
  DeviceBuffer<int64_t> product_begins_;
  std::vector<int64_t> host_product_begins_;
  // One per entry of a document: the length of its term's list, the number of
  // products before it, its document.
  DeviceBuffer<int32_t> lengths_;
  DeviceBuffer<int64_t> products_before_;
  DeviceBuffer<int32_t> entry_documents_;
  // One per partial product, or per slot of the hash table.
  DeviceBuffer<uint32_t> keys_;
  DeviceBuffer<uint32_t> sorted_keys_;
  DeviceBuffer<uint64_t> products_;
  DeviceBuffer<uint64_t> sorted_products_;
  DeviceBuffer<int64_t> runs_;
  // Temporary storage of sorts and sums.
  std::unique_ptr<Sorter> sorter_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_PAPER_CUDA_PAPER_SEARCH_CUDA_H_
