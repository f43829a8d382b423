// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/stars/distributed/halo_graph.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>
#include <vector>

#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

// Numbers some of n vertices in their order, with 1.5 bits per vertex.
class Numbers {
 public:
  explicit Numbers(int32_t n) : words_(n / 64 + 1), before_(n / 64 + 1) {}

  // Not beside other additions.
  void AddRange(int32_t begin, int32_t end) {
    for (int32_t v = begin; v < end;) {
      const auto last = static_cast<int32_t>(
          std::min<int64_t>(end, (int64_t{v} / 64 + 1) * 64));
      words_[v / 64] |= (~uint64_t{0} >> (64 - (last - v))) << (v % 64);
      v = last;
    }
  }
  // Threads may add at the same time.
  void Add(int32_t v) {
    const std::atomic_ref<uint64_t> word(words_[v / 64]);
    // Mostly it is there.
    if ((word.load(std::memory_order_relaxed) & Bit(v)) != 0) return;
    word.fetch_or(Bit(v), std::memory_order_relaxed);
  }
  // To be called before Of.
  void Finish() {
    for (size_t w = 1; w < words_.size(); ++w) {
      before_[w] = before_[w - 1] + std::popcount(words_[w - 1]);
    }
  }
  bool Has(int32_t v) const { return (words_[v / 64] & Bit(v)) != 0; }
  int32_t Of(int32_t v) const {
    return before_[v / 64] + std::popcount(words_[v / 64] & (Bit(v) - 1));
  }

 private:
  static uint64_t Bit(int32_t v) { return uint64_t{1} << (v % 64); }

  std::vector<uint64_t> words_;
  // The vertices of earlier words.
  std::vector<int32_t> before_;
};

}  // namespace

absl::StatusOr<HaloGraph> MakeHaloGraph(Communicator& ranks, GraphShare share,
                                        int num_threads) {
  Stopwatch stopwatch;
  HaloGraph result;
  const int threads = ResolveThreads(num_threads);
  const int32_t own_first = share.begins[ranks.rank()];
  const int32_t own_last = share.begins[ranks.rank() + 1];
  result.first_vertex = own_first;
  Numbers numbers(share.num_vertices());
  numbers.AddRange(own_first, own_last);
  std::vector<int32_t>& neighbors = share.rows.neighbors;
  const auto num_entries = static_cast<int64_t>(neighbors.size());
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int64_t e = 0; e < num_entries; ++e) numbers.Add(neighbors[e]);
  numbers.Finish();
  for (int r = 0; r < ranks.size(); ++r) {
    if (r == ranks.rank()) {
      result.own_begin = static_cast<int32_t>(result.halo.values.size());
    } else {
      for (int32_t v = share.begins[r]; v < share.begins[r + 1]; ++v) {
        if (numbers.Has(v)) result.halo.values.push_back(v);
      }
    }
    result.halo.Append({});
  }
  result.own_end = result.own_begin + own_last - own_first;
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int64_t e = 0; e < num_entries; ++e) {
    neighbors[e] = numbers.Of(neighbors[e]);
  }

  const size_t num_local =
      result.halo.values.size() + static_cast<size_t>(own_last - own_first);
  std::vector<int64_t>& offsets = share.rows.offsets;
  offsets.insert(offsets.begin(), result.own_begin, 0);
  offsets.resize(num_local + 1, offsets.back());
  result.graph = std::move(share.rows);

  ASSIGN_OR_RETURN(result.wanted, ranks.AllToAll(result.halo));
  for (int32_t& v : result.wanted.values) v += result.own_begin - own_first;
  stopwatch.Lap("halo");
  return result;
}

}  // namespace warpclust
