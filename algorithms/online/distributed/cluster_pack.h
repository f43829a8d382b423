// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Clusters as words, to be sent to other ranks: all sums of a cluster, or its
// vector.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_CLUSTER_PACK_H_
#define WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_CLUSTER_PACK_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/online/clusters/cluster_sums.h"

namespace warpclust {

// Number, documents, last time, number of sums, then terms and sums.
struct PackedCluster {
  int32_t number = 0;
  int64_t num_documents = 0;
  int64_t last_time = 0;
  std::vector<int32_t> terms;
  std::vector<int64_t> sums;
};

inline void AppendPacked(int32_t number, int64_t num_documents,
                         int64_t last_time, absl::Span<const int32_t> terms,
                         absl::Span<const int64_t> sums,
                         std::vector<int64_t>* pack) {
  pack->insert(pack->end(), {number, num_documents, last_time,
                             static_cast<int64_t>(terms.size())});
  for (size_t i = 0; i < terms.size(); ++i) {
    pack->push_back(terms[i]);
    pack->push_back(sums[i]);
  }
}

// Appends cluster `place` of `sums`, whose number is `number`.
inline void PackCluster(const ClusterSums& sums, int32_t place, int32_t number,
                        std::vector<int64_t>* pack) {
  std::vector<std::pair<int32_t, int64_t>> entries;
  sums.AppendSums(place, &entries);
  pack->insert(pack->end(),
               {number, sums.num_documents(place), sums.last_time(place),
                static_cast<int64_t>(entries.size())});
  for (const auto& [term, sum] : entries) {
    pack->push_back(term);
    pack->push_back(sum);
  }
}

// Reads the cluster that begins at *at, and moves *at behind it.
inline PackedCluster UnpackCluster(absl::Span<const int64_t> pack, size_t* at) {
  PackedCluster cluster;
  const int64_t* next = pack.data() + *at;
  cluster.number = static_cast<int32_t>(*next++);
  cluster.num_documents = *next++;
  cluster.last_time = *next++;
  for (int64_t left = *next++; left > 0; --left) {
    cluster.terms.push_back(static_cast<int32_t>(*next++));
    cluster.sums.push_back(*next++);
  }
  *at = next - pack.data();
  return cluster;
}

// Number, last time, number of terms, then a word per term and weight.
struct PackedVector {
  int32_t number = 0;
  int64_t last_time = 0;
  std::vector<int32_t> terms;
  std::vector<int32_t> weights;
};

inline void AppendVector(int32_t number, int64_t last_time,
                         absl::Span<const int32_t> terms,
                         absl::Span<const int32_t> weights,
                         std::vector<int64_t>* pack) {
  pack->insert(pack->end(),
               {number, last_time, static_cast<int64_t>(terms.size())});
  for (size_t i = 0; i < terms.size(); ++i) {
    pack->push_back(int64_t{weights[i]} << 32 | terms[i]);
  }
}

// Sets *vector to the one that begins at *at, and moves *at behind it.
inline void UnpackVector(absl::Span<const int64_t> pack, size_t* at,
                         PackedVector* vector) {
  vector->number = static_cast<int32_t>(pack[*at]);
  vector->last_time = pack[*at + 1];
  const size_t size = pack[*at + 2];
  *at += 3;
  vector->terms.clear();
  vector->weights.clear();
  for (const int64_t word : pack.subspan(*at, size)) {
    vector->terms.push_back(static_cast<int32_t>(word));
    vector->weights.push_back(static_cast<int32_t>(word >> 32));
  }
  *at += size;
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_CLUSTER_PACK_H_
