// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/grasp_ils/starts/construction.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "graph/signed/signed_graph.h"

namespace warpclust {
namespace {

constexpr int64_t kChoicesBetweenChecks = 1024;

// The smallest cluster to which the sum of `vertex` is 0, or the number of
// clusters. During the construction these are numbered without gaps.
int32_t FirstNeutralCluster(int32_t vertex, LocalSearch* search) {
  std::vector<LocalSearch::Join> sums;
  search->ListSums(vertex, &sums);
  int32_t label = 0;
  for (const LocalSearch::Join& sum : sums) {
    if (sum.label != label) break;
    ++label;
  }
  return label;
}

void PutAtBestPlace(int32_t vertex, LocalSearch* search) {
  int32_t label = search->BestClusterToJoin(vertex).label;
  if (label < 0) label = FirstNeutralCluster(vertex, search);
  search->Move(vertex, label, /*mark=*/false);
}

void PutRemaining(LocalSearch* search) {
  for (int32_t v = 0; v < search->graph().num_vertices(); ++v) {
    if (search->labels()[v] < 0) PutAtBestPlace(v, search);
  }
}

void ConstructUniformly(Random* random, const SearchControl* control,
                        LocalSearch* search) {
  std::vector<int32_t> remaining(search->graph().num_vertices());
  std::iota(remaining.begin(), remaining.end(), 0);
  while (!remaining.empty()) {
    if (remaining.size() % kChoicesBetweenChecks == 0 && control != nullptr &&
        control->ShouldStop()) {
      PutRemaining(search);
      return;
    }
    const size_t k = random->Below(remaining.size());
    const int32_t vertex = remaining[k];
    remaining[k] = remaining.back();
    remaining.pop_back();
    PutAtBestPlace(vertex, search);
  }
}

// A candidate and the increase of I(P) when it is put at its best place.
struct Candidate {
  int64_t cost;
  int32_t vertex;

  friend bool operator<(const Candidate& a, const Candidate& b) {
    return a.cost != b.cost ? a.cost < b.cost : a.vertex < b.vertex;
  }
};

void ConstructFromList(double alpha, Random* random,
                       const SearchControl* control, LocalSearch* search) {
  const SignedGraph& graph = search->graph();
  const int32_t n = graph.num_vertices();
  // The positive weight of each vertex to clustered ones. All of it is cut,
  // except the weight to the cluster that the vertex joins.
  std::vector<int64_t> clustered_positive(n, 0);
  std::vector<int64_t> cost(n, 0);
  std::vector<Candidate> candidates(n);
  for (int32_t v = 0; v < n; ++v) candidates[v] = {0, v};

  while (!candidates.empty()) {
    if (control != nullptr && control->ShouldStop()) {
      PutRemaining(search);
      return;
    }
    for (Candidate& candidate : candidates) {
      candidate.cost = cost[candidate.vertex];
    }
    size_t k = 0;
    if (alpha > 0) {
      const double share = alpha * static_cast<double>(candidates.size());
      const size_t limit = static_cast<size_t>(share + 0.5);
      k = random->Below(std::max<size_t>(1, limit));
    }
    std::nth_element(candidates.begin(), candidates.begin() + k,
                     candidates.end());
    const int32_t vertex = candidates[k].vertex;
    candidates[k] = candidates.back();
    candidates.pop_back();
    PutAtBestPlace(vertex, search);

    for (int64_t i = graph.offsets[vertex]; i < graph.offsets[vertex + 1];
         ++i) {
      const int32_t u = graph.neighbors[i];
      if (search->labels()[u] >= 0) continue;
      clustered_positive[u] += std::max<int64_t>(0, graph.weights[i]);
      cost[u] = clustered_positive[u] - search->BestClusterToJoin(u).sum;
    }
  }
}

}  // namespace

void Construct(double alpha, Random* random, const SearchControl* control,
               LocalSearch* search) {
  search->Clear();
  if (alpha >= 1) {
    ConstructUniformly(random, control, search);
  } else {
    ConstructFromList(alpha, random, control, search);
  }
  search->Keep();
}

}  // namespace warpclust
