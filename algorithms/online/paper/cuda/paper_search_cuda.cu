// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>

#include "absl/types/span.h"
#include "algorithms/online/clusters/cuda/device_clusters.cuh"
#include "algorithms/online/paper/cuda/paper_search_cuda.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "algorithms/online/state/unit_vectors.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/primitives_cuda.h"
#include "sparse/term_lists/device_term_lists.h"

namespace warpclust {
namespace {

constexpr int kThreads = 256;
// The kernels stride over the grid.
constexpr int kMostBlocks = 8192;
constexpr uint32_t kNoPair = ~uint32_t{0};

__global__ void ClearBest(int32_t count, int32_t* nearest, int64_t* best) {
  for (int64_t i = ThreadIndex(); i < count; i += NumThreads()) {
    nearest[i] = PaperSearch::kNoCluster;
    best[i] = -1;
  }
}

// Each entry's document, and the length of its term's list.
__global__ void MeasureLists(DeviceClustersView clusters,
                             PaperDocuments documents, int32_t* entry_documents,
                             int32_t* lengths) {
  for (int64_t e = ThreadIndex(); e < documents.num_entries;
       e += NumThreads()) {
    const int64_t entry = documents.first_entry + e;
    // The first document that ends after it.
    int32_t low = 0;
    int32_t high = documents.count - 1;
    while (low < high) {
      const int32_t middle = low + (high - low) / 2;
      if (entry < documents.offsets[middle + 1]) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    entry_documents[e] = low;
    lengths[e] = clusters.lengths[documents.terms[entry]];
  }
}

// The number of products before each document, and of all.
__global__ void GatherBegins(PaperDocuments documents,
                             const int64_t* products_before, int64_t* begins) {
  for (int64_t i = ThreadIndex(); i <= documents.count; i += NumThreads()) {
    begins[i] = products_before[documents.offsets[i] - documents.first_entry];
  }
}

struct Tile {
  // Documents [first, last) of the batch; their products.
  int32_t first;
  int32_t last;
  int64_t first_product;
  int64_t num_products;
  int cluster_bits;
  // One per entry of the batch (and one more for products_before).
  const int32_t* entry_documents;
  const int64_t* products_before;
};

// Product `p` of a tile, and the pair that it belongs to.
__device__ uint32_t PartialProduct(const DeviceClustersView& clusters,
                                   const PaperDocuments& documents,
                                   const Tile& tile, int64_t p,
                                   uint64_t* product) {
  p += tile.first_product;
  // ThreadID Assignment 3: the first entry with p before its products' end.
  int64_t low = documents.offsets[tile.first] - documents.first_entry;
  int64_t high = documents.offsets[tile.last] - documents.first_entry - 1;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (p < tile.products_before[middle + 1]) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  const int64_t entry = documents.first_entry + low;
  const int32_t term = documents.terms[entry];
  const TermListEntry other =
      clusters.entries[clusters.begins[term] + (p - tile.products_before[low])];
  *product = static_cast<uint64_t>(documents.weights[entry]) *
             static_cast<uint64_t>(other.weight);
  const auto document =
      static_cast<uint32_t>(tile.entry_documents[low] - tile.first);
  // In 64 bits: cluster_bits can be 32, by which 32 bits cannot be shifted.
  return static_cast<uint32_t>(static_cast<uint64_t>(document)
                               << tile.cluster_bits) |
         static_cast<uint32_t>(other.row);
}

__global__ void WriteProducts(DeviceClustersView clusters,
                              PaperDocuments documents, Tile tile,
                              uint32_t* keys, uint64_t* products) {
  for (int64_t p = ThreadIndex(); p < tile.num_products; p += NumThreads()) {
    uint64_t product;
    keys[p] = PartialProduct(clusters, documents, tile, p, &product);
    products[p] = product;
  }
}

// The paper's AtomicAdd on Sums, in a hash table of mask + 1 slots, at least
// twice the number of products.
__global__ void AddProducts(DeviceClustersView clusters,
                            PaperDocuments documents, Tile tile, uint32_t* keys,
                            uint64_t* sums, uint64_t mask) {
  for (int64_t p = ThreadIndex(); p < tile.num_products; p += NumThreads()) {
    uint64_t product;
    const uint32_t key = PartialProduct(clusters, documents, tile, p, &product);
    uint64_t slot = (key * 0x9E3779B97F4A7C15u) >> 20;
    for (;; ++slot) {
      const uint32_t found = atomicCAS(&keys[slot & mask], kNoPair, key);
      if (found == kNoPair || found == key) break;
    }
    atomicAdd(reinterpret_cast<DeviceCount*>(&sums[slot & mask]),
              DeviceCount{product});
  }
}

// The pairs of a document of a tile and a cluster that share a term, with their
// similarities. A key is document * 2^cluster_bits + cluster.
struct Pairs {
  const uint32_t* keys;
  const uint64_t* sums;
  // Either a count on the device, or the number of slots, some of them empty.
  const int64_t* runs;
  int64_t slots;

  __device__ int64_t size() const { return runs != nullptr ? *runs : slots; }
};

// The rank of a pair, or -1 if the cluster cannot be chosen.
__device__ int64_t RankOf(const PaperSearch::Options& options,
                          const DeviceClustersView& clusters,
                          const PaperDocuments& documents, int32_t document,
                          int32_t cluster, int64_t similarity) {
  if (similarity <= options.above ||
      IsExpired(clusters.last_times[cluster], documents.clocks[document],
                options.expire_after)) {
    return -1;
  }
  return SimilarityRank(similarity, options.bucket_width);
}

// Finds the best rank of each document; with `nearest`, the smallest cluster of
// that rank, and the number of pairs.
__global__ void PickBest(PaperSearch::Options options,
                         DeviceClustersView clusters, PaperDocuments documents,
                         Tile tile, Pairs pairs, int64_t* best,
                         int32_t* nearest, int64_t* candidates) {
  const int64_t size = pairs.size();
  int32_t met = 0;
  for (int64_t i = ThreadIndex(); i < size; i += NumThreads()) {
    const uint32_t key = pairs.keys[i];
    if (key == kNoPair) continue;
    ++met;
    const auto document =
        tile.first +
        static_cast<int32_t>(static_cast<uint64_t>(key) >> tile.cluster_bits);
    const auto cluster =
        static_cast<int32_t>(key & ((uint64_t{1} << tile.cluster_bits) - 1));
    const int64_t rank = RankOf(options, clusters, documents, document, cluster,
                                static_cast<int64_t>(pairs.sums[i]));
    if (rank < 0) continue;
    if (nearest == nullptr) {
      AtomicMax(&best[document], rank);
    } else if (rank == best[document]) {
      atomicMin(&nearest[document], cluster);
    }
  }
  if (nearest == nullptr) return;
  for (int offset = 16; offset > 0; offset /= 2) {
    met += __shfl_down_sync(kFullWarp, met, offset);
  }
  if (Lane() == 0 && met > 0) AtomicAdd(candidates, met);
}

// Multiple Document Clusterer 1: a block per document, a warp per cluster, a
// lane per term of the cluster.
__global__ void __launch_bounds__(kThreads)
    CompareWithAll(PaperSearch::Options options, DeviceClustersView clusters,
                   PaperDocuments documents, int32_t num_clusters,
                   int32_t* nearest) {
  constexpr int kWarps = kThreads / 32;
  __shared__ int32_t terms[OnlineOptions::kMaxTerms];
  __shared__ int32_t weights[OnlineOptions::kMaxTerms];
  __shared__ int64_t ranks[kWarps];
  __shared__ int32_t found[kWarps];
  const int warp = static_cast<int>(threadIdx.x / 32);
  for (int64_t d = blockIdx.x; d < documents.count; d += gridDim.x) {
    const int64_t begin = documents.offsets[d];
    const auto count = static_cast<int>(documents.offsets[d + 1] - begin);
    for (int i = static_cast<int>(threadIdx.x); i < count; i += kThreads) {
      terms[i] = documents.terms[begin + i];
      weights[i] = documents.weights[begin + i];
    }
    __syncthreads();

    int64_t best = -1;
    int32_t cluster = PaperSearch::kNoCluster;
    for (int64_t c = warp; c < num_clusters; c += kWarps) {
      int64_t similarity = 0;
      for (int s = Lane(); s < clusters.counts[c]; s += 32) {
        const KeptTerm kept = clusters.kept[c * clusters.stride + s];
        // The document's terms ascend: the first at or after the cluster's.
        int low = 0;
        int high = count;
        while (low < high) {
          const int middle = (low + high) / 2;
          if (terms[middle] < kept.term) {
            low = middle + 1;
          } else {
            high = middle;
          }
        }
        if (low < count && terms[low] == kept.term) {
          similarity += int64_t{weights[low]} * kept.weight;
        }
      }
      for (int offset = 16; offset > 0; offset /= 2) {
        similarity += __shfl_xor_sync(kFullWarp, similarity, offset);
      }
      const int64_t rank =
          RankOf(options, clusters, documents, static_cast<int32_t>(d),
                 static_cast<int32_t>(c), similarity);
      // A warp's clusters ascend: of equal ranks the first stays.
      if (rank > best) {
        best = rank;
        cluster = static_cast<int32_t>(c);
      }
    }
    if (Lane() == 0) {
      ranks[warp] = best;
      found[warp] = cluster;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      for (int w = 1; w < kWarps; ++w) {
        if (ranks[w] > best || (ranks[w] == best && found[w] < cluster)) {
          best = ranks[w];
          cluster = found[w];
        }
      }
      nearest[d] = cluster;
    }
    // The next document uses the same memory.
    __syncthreads();
  }
}

}  // namespace

struct PaperSearch::Sorter {
  TemporaryStorage storage;
};

PaperSearch::PaperSearch(const Options& options)
    : options_(options), sorter_(std::make_unique<Sorter>()) {}
PaperSearch::~PaperSearch() = default;
PaperSearch::PaperSearch(PaperSearch&&) noexcept = default;
PaperSearch& PaperSearch::operator=(PaperSearch&&) noexcept = default;

absl::StatusOr<PaperSearch> PaperSearch::Create(const Options& options) {
  PaperSearch search(options);
  RETURN_IF_ERROR(AllocateInto(1, search.candidates_));
  RETURN_IF_ERROR(AllocateInto(1, search.runs_));
  RETURN_IF_ERROR(search.candidates_.FillBytes(0));
  return search;
}

absl::StatusOr<int64_t> PaperSearch::Candidates() const {
  int64_t candidates = 0;
  RETURN_IF_ERROR(candidates_.CopyToHost({&candidates, 1}));
  return candidates + compared_pairs_;
}

absl::Status PaperSearch::Find(const DeviceClustersView& clusters,
                               int32_t num_clusters,
                               const PaperDocuments& documents) {
  const int32_t count = documents.count;
  const int64_t entries = documents.num_entries;
  RETURN_IF_ERROR(MakeRoom(count, nearest_));
  RETURN_IF_ERROR(MakeRoom(count, best_));
  RETURN_IF_ERROR(MakeRoom(count + int64_t{1}, product_begins_));
  RETURN_IF_ERROR(MakeRoom(entries, lengths_));
  RETURN_IF_ERROR(MakeRoom(entries + 1, products_before_));
  RETURN_IF_ERROR(MakeRoom(entries, entry_documents_));
  ClearBest<<<BlocksFor(count, kThreads, kMostBlocks), kThreads>>>(
      count, nearest_.data(), best_.data());
  RETURN_IF_ERROR(CudaLaunchStatus("clear the nearest"));
  if (options_.exhaustive) {
    compared_pairs_ += int64_t{count} * num_clusters;
    CompareWithAll<<<BlocksFor(count, 1, kMostBlocks), kThreads>>>(
        options_, clusters, documents, num_clusters, nearest_.data());
    return CudaLaunchStatus("compare with all clusters");
  }
  if (num_clusters == 0 || entries == 0) return absl::OkStatus();

  MeasureLists<<<BlocksFor(entries, kThreads, kMostBlocks), kThreads>>>(
      clusters, documents, entry_documents_.data(), lengths_.data());
  RETURN_IF_ERROR(CudaLaunchStatus("measure term lists"));
  RETURN_IF_ERROR(OffsetsFromCounts(lengths_.data(), products_before_.data(),
                                    entries, sorter_->storage, cudaStream_t{}));
  GatherBegins<<<BlocksFor(count + int64_t{1}, kThreads, kMostBlocks),
                 kThreads>>>(documents, products_before_.data(),
                             product_begins_.data());
  RETURN_IF_ERROR(CudaLaunchStatus("gather products"));
  std::vector<int64_t>& begins = host_product_begins_;
  begins.resize(count + size_t{1});
  RETURN_IF_ERROR(product_begins_.CopyToHost(absl::MakeSpan(begins)));
  partial_products_ += begins[count];

  // The most documents whose pairs have keys of 32 bits, with one key to spare.
  const int cluster_bits =
      SignificantBits(static_cast<uint64_t>(num_clusters) - 1);
  const int64_t most =
      std::max<int64_t>(1, (int64_t{1} << (32 - cluster_bits)) - 1);
  for (int32_t first = 0; first < count;) {
    int32_t last = first + 1;
    while (last < count && last - first < most &&
           begins[last + 1] - begins[first] <= options_.tile_products) {
      ++last;
    }
    if (begins[last] > begins[first]) {
      const absl::Status status =
          FindTile(clusters, documents, first, last, begins[first],
                   begins[last] - begins[first], cluster_bits);
      if (absl::IsResourceExhausted(status) && last - first > 1) {
        // Smaller tiles from now on. This one has not begun.
        FreeTile();
        options_.tile_products = (begins[last] - begins[first]) / 2;
        continue;
      }
      RETURN_IF_ERROR(status);
    }
    first = last;
  }
  return absl::OkStatus();
}

void PaperSearch::FreeTile() {
  keys_ = DeviceBuffer<uint32_t>();
  sorted_keys_ = DeviceBuffer<uint32_t>();
  products_ = DeviceBuffer<uint64_t>();
  sorted_products_ = DeviceBuffer<uint64_t>();
  sorter_->storage = TemporaryStorage();
}

absl::Status PaperSearch::FindTile(const DeviceClustersView& clusters,
                                   const PaperDocuments& documents,
                                   int32_t first, int32_t last,
                                   int64_t first_product, int64_t num_products,
                                   int cluster_bits) {
  const Tile tile = {first,
                     last,
                     first_product,
                     num_products,
                     cluster_bits,
                     entry_documents_.data(),
                     products_before_.data()};
  const cudaStream_t stream = {};
  const unsigned blocks = BlocksFor(num_products, kThreads, kMostBlocks);
  Pairs pairs = {};
  if (options_.bucket_width == 0) {
    RETURN_IF_ERROR(MakeRoom(num_products, keys_));
    RETURN_IF_ERROR(MakeRoom(num_products, sorted_keys_));
    RETURN_IF_ERROR(MakeRoom(num_products, products_));
    RETURN_IF_ERROR(MakeRoom(num_products, sorted_products_));
    WriteProducts<<<blocks, kThreads>>>(clusters, documents, tile, keys_.data(),
                                        products_.data());
    RETURN_IF_ERROR(CudaLaunchStatus("write partial products"));
    RETURN_IF_ERROR(SortPairs(
        keys_.data(), sorted_keys_.data(), products_.data(),
        sorted_products_.data(), num_products, 0,
        cluster_bits + SignificantBits(static_cast<uint64_t>(last - first - 1)),
        sorter_->storage, stream));
    RETURN_IF_ERROR(ReduceByKey(sorted_keys_.data(), sorted_products_.data(),
                                keys_.data(), products_.data(), runs_.data(),
                                num_products, sorter_->storage, stream));
    pairs = {keys_.data(), products_.data(), runs_.data(), 0};
  } else {
    int64_t slots = 1024;
    while (slots < 2 * num_products) slots *= 2;
    RETURN_IF_ERROR(MakeRoom(slots, keys_));
    RETURN_IF_ERROR(MakeRoom(slots, products_));
    RETURN_IF_ERROR(CudaStatus(
        cudaMemsetAsync(keys_.data(), 0xFF,
                        static_cast<size_t>(slots) * sizeof(uint32_t), stream),
        "clear pairs"));
    RETURN_IF_ERROR(CudaStatus(
        cudaMemsetAsync(products_.data(), 0,
                        static_cast<size_t>(slots) * sizeof(uint64_t), stream),
        "clear sums"));
    AddProducts<<<blocks, kThreads>>>(clusters, documents, tile, keys_.data(),
                                      products_.data(),
                                      static_cast<uint64_t>(slots) - 1);
    RETURN_IF_ERROR(CudaLaunchStatus("add partial products"));
    pairs = {keys_.data(), products_.data(), nullptr, slots};
  }
  PickBest<<<blocks, kThreads>>>(options_, clusters, documents, tile, pairs,
                                 best_.data(), nullptr, candidates_.data());
  PickBest<<<blocks, kThreads>>>(options_, clusters, documents, tile, pairs,
                                 best_.data(), nearest_.data(),
                                 candidates_.data());
  return CudaLaunchStatus("pick the nearest clusters");
}

}  // namespace warpclust
