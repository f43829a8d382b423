// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/local_search/two_opt.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <limits>

namespace warpclust {
namespace {

constexpr int64_t kVerticesBetweenChecks = 1024;

}  // namespace

TwoOpt::TwoOpt(const SignedGraph& graph) : graph_(graph) {
  const size_t n = static_cast<size_t>(graph.num_vertices());
  u_.of_label.resize(n, 0);
  v_.of_label.resize(n, 0);
  alone_.resize(n);
  is_exact_.resize(n);
  largest_weight_.resize(n, 0);
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    for (const int64_t weight : graph.WeightsOf(v)) {
      largest_weight_[v] = std::max(largest_weight_[v], std::abs(weight));
    }
  }
}

void TwoOpt::Sum(int32_t vertex, LocalSearch* search, Sums* sums) {
  for (const LocalSearch::Join& sum : sums->listed)
    sums->of_label[sum.label] = 0;
  search->ListSums(vertex, &sums->listed);
  for (const LocalSearch::Join& sum : sums->listed) {
    sums->of_label[sum.label] = sum.sum;
  }
}

void TwoOpt::ListCandidates(int32_t u_own, int32_t v_own) {
  candidates_.clear();
  for (const Sums* sums : {&u_, &v_}) {
    for (const LocalSearch::Join& sum : sums->listed) {
      candidates_.push_back(sum.label);
    }
  }
  candidates_.push_back(u_own);
  candidates_.push_back(v_own);
  std::sort(candidates_.begin(), candidates_.end());
  candidates_.erase(std::unique(candidates_.begin(), candidates_.end()),
                    candidates_.end());
  candidates_.push_back(graph_.num_vertices());
}

TwoOpt::PairMove TwoOpt::BestMove(int32_t u, int32_t v, int64_t weight,
                                  const Labels& labels) {
  const int32_t new_label = graph_.num_vertices();
  const int32_t u_own = labels[u];
  const int32_t v_own = labels[v];
  // Sums without the pair's own edge.
  const auto u_sum = [&](int32_t label) {
    if (label >= new_label) return int64_t{0};
    return u_.of_label[label] - (label == v_own ? weight : 0);
  };
  const auto v_sum = [&](int32_t label) {
    if (label >= new_label) return int64_t{0};
    return v_.of_label[label] - (label == u_own ? weight : 0);
  };

  ListCandidates(u_own, v_own);
  // The two best labels for v, so that one remains whichever u takes.
  int64_t best_v = std::numeric_limits<int64_t>::min();
  int64_t second_v = best_v;
  int32_t best_v_label = -1;
  for (const int32_t label : candidates_) {
    const int64_t sum = v_sum(label);
    if (sum > best_v) {
      second_v = best_v;
      best_v = sum;
      best_v_label = label;
    } else {
      second_v = std::max(second_v, sum);
    }
  }

  const int64_t now =
      u_sum(u_own) + v_sum(v_own) + (u_own == v_own ? weight : 0);
  PairMove best;
  for (const int32_t label : candidates_) {
    int64_t apart = label == best_v_label ? second_v : best_v;
    if (label == new_label) apart = std::max<int64_t>(apart, 0);
    const int64_t together = v_sum(label) + weight;
    const int64_t gain = u_sum(label) + std::max(apart, together) - now;
    if (gain > best.gain) best = {gain, label, -1};
  }
  if (best.gain <= 0) return best;
  const int64_t wanted = best.gain + now - u_sum(best.u_label);
  for (const int32_t label : candidates_) {
    if (v_sum(label) + (label == best.u_label ? weight : 0) == wanted) {
      best.v_label = label;
      return best;
    }
  }
  best.v_label = new_label + 1;
  return best;
}

int64_t TwoOpt::BestGain(int32_t vertex, LocalSearch* search) {
  if (!is_exact_[vertex]) {
    is_exact_[vertex] = true;
    alone_[vertex] = search->BestGain(vertex);
  }
  return alone_[vertex];
}

bool TwoOpt::MayGain(int32_t u, int32_t v, int64_t weight,
                     LocalSearch* search) {
  const bool together = search->labels()[u] == search->labels()[v];
  int64_t most = 0;
  if (weight > 0) {
    most = together ? 2 * weight : weight;
  } else if (!together) {
    most = -2 * weight;
  }
  return alone_[u] + alone_[v] + most > 0 &&
         BestGain(u, search) + alone_[v] + most > 0 &&
         alone_[u] + BestGain(v, search) + most > 0;
}

bool TwoOpt::MayGainApart(int32_t u, int32_t v, int64_t weight,
                          const Labels& labels) const {
  const int64_t to_v = u_.of_label[labels[v]] - u_.of_label[labels[u]];
  return alone_[u] + alone_[v] - weight > 0 ||
         to_v + alone_[v] - 2 * weight > 0;
}

void TwoOpt::Make(int32_t u, int32_t v, const PairMove& move,
                  LocalSearch* search) {
  const int32_t n = graph_.num_vertices();
  const int32_t u_label =
      move.u_label < n ? move.u_label : search->SmallestUnused();
  if (u_label != search->labels()[u]) {
    search->Move(u, u_label, /*mark=*/true);
  }
  int32_t v_label = move.v_label;
  if (v_label == move.u_label) v_label = u_label;
  if (v_label >= n) v_label = search->SmallestUnused();
  if (v_label != search->labels()[v]) {
    search->Move(v, v_label, /*mark=*/true);
  }
}

TwoOpt::Pair TwoOpt::Find(int32_t first, bool most,
                          const SearchControl* control, LocalSearch* search) {
  const int32_t n = graph_.num_vertices();
  const Labels& labels = search->labels();
  search->BoundBestGains(&alone_);
  // No vertex gains alone.
  for (int64_t& gain : alone_) gain = std::min<int64_t>(gain, 0);
  std::fill(is_exact_.begin(), is_exact_.end(), false);
  Pair best;
  int32_t u = first;
  for (int32_t visited = 0; visited < n; ++visited) {
    if (visited % kVerticesBetweenChecks == 0 && control != nullptr &&
        control->ShouldStop()) {
      return Pair();
    }
    if (alone_[u] + 2 * largest_weight_[u] > 0 &&
        BestGain(u, search) + 2 * largest_weight_[u] > 0) {
      bool summed = false;
      for (int64_t i = graph_.offsets[u]; i < graph_.offsets[u + 1]; ++i) {
        const int32_t v = graph_.neighbors[i];
        const int64_t weight = graph_.weights[i];
        if (v < u || !MayGain(u, v, weight, search)) continue;
        if (!summed) Sum(u, search, &u_);
        summed = true;
        if (weight < 0 && !MayGainApart(u, v, weight, labels)) continue;
        Sum(v, search, &v_);
        const PairMove move = BestMove(u, v, weight, labels);
        if (move.gain <= best.move.gain) continue;
        best = {u, v, move};
        if (!most) return best;
      }
    }
    if (++u == n) u = 0;
  }
  return best;
}

bool TwoOpt::MakeIfAny(const Pair& pair, LocalSearch* search) {
  if (pair.move.gain > 0) Make(pair.u, pair.v, pair.move, search);
  return pair.move.gain > 0;
}

bool TwoOpt::Improve(int32_t first, const SearchControl* control,
                     LocalSearch* search) {
  return MakeIfAny(Find(first, /*most=*/false, control, search), search);
}

bool TwoOpt::ImproveMost(const SearchControl* control, LocalSearch* search) {
  return MakeIfAny(Find(/*first=*/0, /*most=*/true, control, search), search);
}

}  // namespace warpclust
