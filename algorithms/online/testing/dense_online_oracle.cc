// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/testing/dense_online_oracle.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "base/numbers/decimal.h"

namespace warpclust {
namespace {

using Vector = std::vector<int64_t>;

// Ends the test program if `weight` is not the rounded entry of a unit vector.
void Check(int64_t weight, long double entry, long double most) {
  const long double error = std::abs(entry * 1073741824.0L - weight);
  if (error < most) return;
  std::fprintf(stderr, "weight %lld is off by %Lf\n",
               static_cast<long long>(weight), error);
  std::abort();
}

Vector DocumentVector(absl::Span<const float> document) {
  double squares = 0;
  long double length = 0;
  for (const float v : document) {
    squares += static_cast<double>(v) * static_cast<double>(v);
    length += static_cast<long double>(v) * static_cast<long double>(v);
  }
  length = std::sqrt(length);
  Vector vector(document.size());
  if (squares == 0) return vector;
  const double scale = 1073741824.0 / std::sqrt(squares);
  for (size_t k = 0; k < document.size(); ++k) {
    const double size = std::fabs(static_cast<double>(document[k]));
    const double rounded = std::floor(size * scale + 0.5);
    vector[k] = static_cast<int64_t>(document[k] < 0 ? -rounded : rounded);
    Check(vector[k], document[k] / length, 0.501L);
  }
  return vector;
}

Vector ClusterVector(const Vector& sums) {
  unsigned __int128 squares = 0;
  long double length = 0;
  for (const int64_t sum : sums) {
    const __int128 square = static_cast<__int128>(sum) * sum;
    squares += static_cast<unsigned __int128>(square);
    length += static_cast<long double>(sum) * sum;
  }
  length = std::sqrt(length);
  Vector vector(sums.size());
  if (squares == 0) return vector;
  const double high = static_cast<double>(static_cast<uint64_t>(squares >> 64));
  const double low = static_cast<double>(static_cast<uint64_t>(squares));
  const double scale =
      1073741824.0 / std::sqrt(high * 18446744073709551616.0 + low);
  for (size_t k = 0; k < sums.size(); ++k) {
    if (sums[k] == 0) continue;
    const double size = static_cast<double>(sums[k] < 0 ? -sums[k] : sums[k]);
    const double rounded = std::max(1.0, std::floor(size * scale + 0.5));
    vector[k] = static_cast<int64_t>(sums[k] < 0 ? -rounded : rounded);
    Check(vector[k], sums[k] / length, rounded == 1 ? 1.0L : 0.501L);
  }
  return vector;
}

__int128 Similarity(const Vector& a, const Vector& b) {
  __int128 sum = 0;
  for (size_t k = 0; k < a.size(); ++k) {
    sum += static_cast<__int128>(a[k]) * b[k];
  }
  return sum;
}

// similarity / 2^60 > threshold, without rounding; at 1 nothing is.
bool IsAbove(__int128 similarity, const Decimal& threshold) {
  if (threshold.numerator == threshold.denominator) return false;
  return similarity * threshold.denominator >
         static_cast<__int128>(threshold.numerator) * (int64_t{1} << 60);
}

void AddTo(const Vector& added, Vector* sums) {
  for (size_t k = 0; k < added.size(); ++k) (*sums)[k] += added[k];
}

}  // namespace

bool DenseOnlineOracle::IsOpen(const Cluster& cluster) const {
  return options_.expire_after == 0 ||
         cluster.last_time == OnlineState::kNoTime ||
         static_cast<__int128>(clock_) - cluster.last_time <=
             options_.expire_after;
}

int32_t DenseOnlineOracle::Nearest(const Vector& vector, size_t end,
                                   const Decimal& threshold) const {
  int32_t best = -1;
  __int128 most = 0;
  for (size_t c = 0; c < end; ++c) {
    if (!IsOpen(clusters_[c])) continue;
    const __int128 similarity =
        Similarity(vector, ClusterVector(clusters_[c].sums));
    if (IsAbove(similarity, threshold) && similarity > most) {
      most = similarity;
      best = static_cast<int32_t>(c);
    }
  }
  return best;
}

int32_t DenseOnlineOracle::Add(absl::Span<const float> document, int64_t time) {
  num_dimensions_ = static_cast<int32_t>(document.size());
  clock_ = std::max(clock_, time);
  ++num_documents_;
  const Vector vector = DocumentVector(document);
  int32_t best = Nearest(vector, clusters_.size(), options_.threshold);
  if (best < 0) {
    best = static_cast<int32_t>(clusters_.size());
    clusters_.emplace_back();
    clusters_.back().sums.resize(document.size());
  }
  Cluster& cluster = clusters_[best];
  AddTo(vector, &cluster.sums);
  ++cluster.size;
  cluster.last_time = clock_;
  if (options_.merge_every != 0 && num_documents_ % options_.merge_every == 0) {
    Merge();
  }
  return best;
}

void DenseOnlineOracle::Merge() {
  for (size_t c = 0; c < clusters_.size(); ++c) {
    if (!IsOpen(clusters_[c])) continue;
    const int32_t best =
        Nearest(ClusterVector(clusters_[c].sums), c, options_.merge_threshold);
    if (best < 0) continue;
    Cluster& into = clusters_[best];
    Cluster& from = clusters_[c];
    AddTo(from.sums, &into.sums);
    into.size += from.size;
    into.last_time = std::max(into.last_time, from.last_time);
    std::fill(from.sums.begin(), from.sums.end(), 0);
    from.size = 0;
    merges_.emplace_back(static_cast<int32_t>(c), best);
  }
}

OnlineState DenseOnlineOracle::State() const {
  OnlineState state;
  for (const Cluster& cluster : clusters_) {
    for (size_t k = 0; IsOpen(cluster) && k < cluster.sums.size(); ++k) {
      if (cluster.sums[k] == 0) continue;
      state.terms.push_back(static_cast<int32_t>(k));
      state.sums.push_back(cluster.sums[k]);
    }
    state.offsets.push_back(static_cast<int64_t>(state.terms.size()));
    state.sizes.push_back(cluster.size);
    state.last_times.push_back(cluster.last_time);
  }
  state.num_documents = num_documents_;
  state.clock = clock_;
  state.num_terms = num_dimensions_;
  return state;
}

}  // namespace warpclust
