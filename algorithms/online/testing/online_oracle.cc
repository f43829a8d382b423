// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/testing/online_oracle.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "base/numbers/decimal.h"

namespace warpclust {
namespace {

using Vector = OnlineOracle::Vector;

__int128 Similarity(const Vector& a, const Vector& b) {
  __int128 sum = 0;
  for (const auto& [term, weight] : a) {
    const auto other = b.find(term);
    if (other != b.end()) sum += static_cast<__int128>(weight) * other->second;
  }
  return sum;
}

// similarity / 2^60 > threshold, without rounding; at 1 nothing is.
bool IsAbove(__int128 similarity, const Decimal& threshold) {
  if (threshold.numerator == threshold.denominator) return false;
  return similarity * threshold.denominator >
         static_cast<__int128>(threshold.numerator) * (int64_t{1} << 60);
}

}  // namespace

Vector OnlineOracle::UnitVector(const Vector& sums, int32_t terms) {
  std::vector<std::pair<int64_t, int32_t>> ranked;
  for (const auto& [term, sum] : sums) ranked.emplace_back(-sum, term);
  std::sort(ranked.begin(), ranked.end());
  if (ranked.size() > static_cast<size_t>(terms)) ranked.resize(terms);
  unsigned __int128 squares = 0;
  long double length = 0;
  for (const auto& [negated, term] : ranked) {
    squares += static_cast<unsigned __int128>(-negated) * -negated;
    length += static_cast<long double>(negated) * negated;
  }
  length = std::sqrt(length);
  // As specified: the high and the low half rounded, added, rounded.
  const double high = static_cast<double>(static_cast<uint64_t>(squares >> 64));
  const double low = static_cast<double>(static_cast<uint64_t>(squares));
  const double scale =
      1073741824.0 / std::sqrt(high * 18446744073709551616.0 + low);
  Vector vector;
  for (const auto& [negated, term] : ranked) {
    const double exact =
        std::floor(static_cast<double>(-negated) * scale + 0.5);
    const int64_t weight = std::max<int64_t>(1, static_cast<int64_t>(exact));
    const long double real = -negated * 1073741824.0L / length;
    if (std::abs(real - weight) > (weight == 1 ? 1.0L : 0.50001L)) {
      std::fprintf(stderr, "term %d: weight %lld is not %Lf\n", term,
                   static_cast<long long>(weight), real);
      std::abort();
    }
    vector[term] = weight;
  }
  return vector;
}

bool OnlineOracle::IsOpen(const Cluster& cluster) const {
  return options_.expire_after == 0 ||
         cluster.last_time == OnlineState::kNoTime ||
         static_cast<__int128>(clock_) - cluster.last_time <=
             options_.expire_after;
}

void OnlineOracle::UpdateVector(Cluster* cluster) const {
  cluster->vector = UnitVector(cluster->sums, options_.terms);
  if (!options_.truncated_mean) return;
  Vector kept;
  for (const auto& [term, weight] : cluster->vector) {
    kept[term] = cluster->sums[term];
  }
  cluster->sums = kept;
}

int32_t OnlineOracle::Add(const UnitVectors& documents, int64_t document,
                          int64_t time) {
  num_terms_ = std::max(num_terms_, documents.num_terms);
  clock_ = std::max(clock_, time);
  ++num_documents_;
  Vector vector;
  for (int64_t i = documents.offsets[document];
       i < documents.offsets[document + 1]; ++i) {
    vector[documents.terms[i]] = documents.weights[i];
  }
  int32_t best = -1;
  __int128 most = 0;
  for (size_t c = 0; c < clusters_.size(); ++c) {
    if (!IsOpen(clusters_[c])) continue;
    const __int128 similarity = Similarity(vector, clusters_[c].vector);
    if (IsAbove(similarity, options_.threshold) && similarity > most) {
      most = similarity;
      best = static_cast<int32_t>(c);
    }
  }
  if (best < 0) {
    best = static_cast<int32_t>(clusters_.size());
    clusters_.emplace_back();
  }
  Cluster& cluster = clusters_[best];
  for (const auto& [term, weight] : vector) cluster.sums[term] += weight;
  UpdateVector(&cluster);
  ++cluster.size;
  cluster.last_time = clock_;
  if (options_.merge_every != 0 && num_documents_ % options_.merge_every == 0) {
    Merge();
  }
  return best;
}

void OnlineOracle::Merge() {
  for (size_t c = 0; c < clusters_.size(); ++c) {
    if (!IsOpen(clusters_[c])) continue;
    int32_t best = -1;
    __int128 most = 0;
    for (size_t b = 0; b < c; ++b) {
      if (!IsOpen(clusters_[b])) continue;
      const __int128 similarity =
          Similarity(clusters_[b].vector, clusters_[c].vector);
      if (IsAbove(similarity, options_.merge_threshold) && similarity > most) {
        most = similarity;
        best = static_cast<int32_t>(b);
      }
    }
    if (best < 0) continue;
    Cluster& into = clusters_[best];
    Cluster& from = clusters_[c];
    for (const auto& [term, sum] : from.sums) into.sums[term] += sum;
    UpdateVector(&into);
    into.size += from.size;
    into.last_time = std::max(into.last_time, from.last_time);
    from.sums.clear();
    from.vector.clear();
    from.size = 0;
    merges_.emplace_back(static_cast<int32_t>(c), best);
  }
}

OnlineState OnlineOracle::State() const {
  OnlineState state;
  for (const Cluster& cluster : clusters_) {
    if (IsOpen(cluster)) {
      for (const auto& [term, sum] : cluster.sums) {
        state.terms.push_back(term);
        state.sums.push_back(sum);
      }
    }
    state.offsets.push_back(static_cast<int64_t>(state.terms.size()));
    state.sizes.push_back(cluster.size);
    state.last_times.push_back(cluster.last_time);
  }
  state.num_documents = num_documents_;
  state.clock = clock_;
  state.num_terms = num_terms_;
  return state;
}

}  // namespace warpclust
