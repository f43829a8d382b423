// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/local_search/best_improvement.h"

#include <algorithm>

namespace warpclust {
namespace {

constexpr int32_t kNone = -1;
constexpr int64_t kMovesBetweenChecks = 64;

}  // namespace

BestImprovement::BestImprovement(const SignedGraph& graph, int neighborhood)
    : graph_(graph),
      two_opt_(neighborhood >= 2 ? std::make_unique<TwoOpt>(graph) : nullptr) {
  while (leaves_ < graph.num_vertices()) leaves_ *= 2;
  tree_.resize(2 * leaves_, kNone);
}

int32_t BestImprovement::Better(int32_t a, int32_t b) const {
  // `a` is to the left: it is the smaller vertex, or both are kNone.
  return b == kNone || gains_[a] >= gains_[b] ? a : b;
}

void BestImprovement::Begin(LocalSearch* search) {
  const int32_t n = graph_.num_vertices();
  search->BoundBestGains(&gains_);
  for (int32_t v = 0; v < n; ++v) {
    if (gains_[v] > 0) gains_[v] = search->BestGain(v);
    tree_[leaves_ + v] = v;
  }
  for (int64_t i = leaves_ - 1; i >= 1; --i) {
    tree_[i] = Better(tree_[2 * i], tree_[2 * i + 1]);
  }
}

void BestImprovement::SetGain(int32_t vertex, int64_t gain) {
  if (gains_[vertex] == gain) return;
  gains_[vertex] = gain;
  for (int64_t i = (leaves_ + vertex) / 2; i >= 1; i /= 2) {
    tree_[i] = Better(tree_[2 * i], tree_[2 * i + 1]);
  }
}

int32_t BestImprovement::Next(int32_t moved, LocalSearch* search) {
  if (search->BoundsAreGains()) {
    search->BoundBestGains(&gains_);
    return static_cast<int32_t>(std::max_element(gains_.begin(), gains_.end()) -
                                gains_.begin());
  }
  if (moved < 0) {
    Begin(search);
  } else {
    SetGain(moved, search->BestGain(moved));
    for (const int32_t u : graph_.NeighborsOf(moved)) {
      SetGain(u, search->BestGain(u));
    }
  }
  return tree_[1];
}

bool BestImprovement::DescendSingly(const SearchControl* control,
                                    LocalSearch* search) {
  int32_t vertex = Next(/*moved=*/-1, search);
  for (int64_t moves = 1; gains_[vertex] > 0; ++moves) {
    if (moves % kMovesBetweenChecks == 0 && control != nullptr &&
        control->ShouldStop()) {
      return false;
    }
    search->Move(vertex, search->BestCluster(vertex), /*mark=*/false);
    vertex = Next(vertex, search);
  }
  return true;
}

bool BestImprovement::Descend(const SearchControl* control,
                              LocalSearch* search) {
  if (graph_.num_vertices() == 0) return true;
  while (DescendSingly(control, search)) {
    if (two_opt_ == nullptr) return true;
    if (!two_opt_->ImproveMost(control, search)) {
      return control == nullptr || !control->ShouldStop();
    }
  }
  return false;
}

}  // namespace warpclust
