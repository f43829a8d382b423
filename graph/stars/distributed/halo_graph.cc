// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/stars/distributed/halo_graph.h"

#include <algorithm>
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

  void AddRange(int32_t begin, int32_t end) {
    for (int32_t v = begin; v < end;) {
      const auto last = static_cast<int32_t>(
          std::min<int64_t>(end, (int64_t{v} / 64 + 1) * 64));
      words_[v / 64] |= (~uint64_t{0} >> (64 - (last - v))) << (v % 64);
      v = last;
    }
  }
  // Each thread marks in words of its own: cores that mark in the same ones
  // wait for each other most of the time. So there are no more threads than
  // these words take a byte per vertex that is added.
  void AddAll(absl::Span<const int32_t> vertices, int num_threads) {
    const auto num_words = static_cast<int64_t>(words_.size());
    const auto most = static_cast<int64_t>(vertices.size() / 8) / num_words;
    const auto threads = static_cast<int>(
        std::clamp<int64_t>(most, 1, ResolveThreads(num_threads)));
    std::vector<std::vector<uint64_t>> marks(threads);
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static, 1)
      for (int t = 0; t < threads; ++t) {
        marks[t].resize(num_words);
        const int64_t end = vertices.size() * (t + 1) / threads;
        for (int64_t e = vertices.size() * t / threads; e < end; ++e) {
          marks[t][vertices[e] / 64] |= Bit(vertices[e]);
        }
      }
#pragma omp for schedule(static)
      for (int64_t w = 0; w < num_words; ++w) {
        for (const std::vector<uint64_t>& mark : marks) words_[w] |= mark[w];
      }
    }
  }
  // To be called before Of.
  void Finish() {
    for (size_t w = 1; w < words_.size(); ++w) {
      before_[w] = before_[w - 1] + std::popcount(words_[w - 1]);
    }
  }
  int32_t Of(int32_t v) const {
    return before_[v / 64] + std::popcount(words_[v / 64] & (Bit(v) - 1));
  }
  void AppendBetween(int32_t begin, int32_t end,
                     std::vector<int32_t>* vertices) const {
    for (int64_t v = begin; v < end;) {
      const uint64_t rest = words_[v / 64] >> (v % 64);
      if (rest == 0) {
        v = (v / 64 + 1) * 64;
        continue;
      }
      v += std::countr_zero(rest);
      if (v < end) vertices->push_back(static_cast<int32_t>(v));
      ++v;
    }
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
  numbers.AddAll(neighbors, threads);
  numbers.Finish();
  stopwatch.Lap("numbers of the halo");
  for (int r = 0; r < ranks.size(); ++r) {
    if (r == ranks.rank()) {
      result.own_begin = static_cast<int32_t>(result.halo.values.size());
    } else {
      numbers.AppendBetween(share.begins[r], share.begins[r + 1],
                            &result.halo.values);
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

  stopwatch.Lap("rows by local number");
  ASSIGN_OR_RETURN(result.wanted, ranks.AllToAll(result.halo));
  for (int32_t& v : result.wanted.values) v += result.own_begin - own_first;
  stopwatch.Lap("owners of the halo");
  return result;
}

}  // namespace warpclust
