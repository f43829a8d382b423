// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/synthetic/generate_signed_graph.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "base/numbers/random.h"

namespace warpclust {
namespace {

// share · count, rounded half up.
int64_t RoundedShare(const Decimal& share, int64_t count) {
  const __int128 product = static_cast<__int128>(share.numerator) * count;
  return static_cast<int64_t>((2 * product + share.denominator) /
                              (2 * share.denominator));
}

int64_t NumPairs(int64_t n) { return n * (n - 1) / 2; }

// Selects `wanted` of `total` items in sequence, all selections equally likely
// (Knuth, The Art of Computer Programming 2, 3.4.2, algorithm S).
class Selection {
 public:
  Selection(int64_t wanted, int64_t total) : wanted_(wanted), left_(total) {}
  bool Next(Random* random) {
    const bool chosen = random->Below(left_) < static_cast<uint64_t>(wanted_);
    --left_;
    wanted_ -= chosen;
    return chosen;
  }

 private:
  int64_t wanted_;
  int64_t left_;
};

// A uniform set of `wanted` different numbers below `total`, ascending.
std::vector<int64_t> SparseSample(int64_t wanted, int64_t total,
                                  Random* random) {
  // Floyd's method (Bentley and Floyd, 1987): exactly one number per step.
  absl::flat_hash_set<int64_t> chosen;
  chosen.reserve(wanted);
  for (int64_t j = total - wanted; j < total; ++j) {
    const auto candidate = static_cast<int64_t>(random->Below(j + 1));
    if (!chosen.insert(candidate).second) chosen.insert(j);
  }
  std::vector<int64_t> sample(chosen.begin(), chosen.end());
  std::sort(sample.begin(), sample.end());
  return sample;
}

// Whether a draw of 64 bits is below `share`.
bool IsBelow(uint64_t bits, const Decimal& share) {
  return static_cast<unsigned __int128>(bits) *
             static_cast<uint64_t>(share.denominator) <
         static_cast<unsigned __int128>(share.numerator) << 64;
}

// A draw that belongs to a pair, in either order.
uint64_t DrawOfPair(int64_t u, int64_t v, uint64_t seed) {
  const auto [low, high] = std::minmax(u, v);
  Random random(seed,
                static_cast<uint64_t>(high) << 32 | static_cast<uint64_t>(low));
  return random.Next();
}

// A vertex pair of an R-MAT graph on 2^levels vertices.
std::pair<int64_t, int64_t> DrawRmat(int levels, Random* random) {
  int64_t u = 0;
  int64_t v = 0;
  for (int i = 0; i < levels; ++i) {
    const uint64_t percent = random->Below(100);
    u = 2 * u + (percent >= 76 ? 1 : 0);
    v = 2 * v + ((percent >= 57 && percent < 76) || percent >= 95 ? 1 : 0);
  }
  return {u, v};
}

}  // namespace

int64_t GenerateSignedGraphOptions::num_edges() const {
  return RoundedShare(density, NumPairs(num_vertices));
}

int64_t GenerateSignedGraphOptions::num_negative() const {
  return RoundedShare(negative, num_edges());
}

void GenerateSignedGraph(const GenerateSignedGraphOptions& options,
                         const TextSink& graph, const DoneCallback& done) {
  const int64_t n = options.num_vertices;
  const int64_t pairs = NumPairs(n);
  const int64_t edges = options.num_edges();
  const int64_t negative = options.num_negative();
  graph(absl::StrCat("# random signed graph, density ",
                     FormatDecimal(options.density), ", negative ",
                     FormatDecimal(options.negative), ", seed ", options.seed,
                     "\n# n ", n, " m ", edges, " m+ ", edges - negative,
                     " m- ", negative, "\n"));

  Random random(options.seed);
  Selection negatives(negative, edges);
  std::string line;
  int64_t written = 0;
  const auto write = [&](int64_t u, int64_t v) {
    line.clear();
    absl::StrAppend(&line, u, " ", v,
                    negatives.Next(&random) ? " -1\n" : " 1\n");
    graph(line);
    if (done != nullptr && ++written % 65536 == 0) done(written);
  };

  if (edges > pairs / 16) {
    Selection selected(edges, pairs);
    for (int64_t u = 0; u < n; ++u) {
      for (int64_t v = u + 1; v < n; ++v) {
        if (selected.Next(&random)) write(u, v);
      }
    }
    return;
  }
  // Pairs are numbered row by row; `row_end` is the first number after row u.
  int64_t u = 0;
  int64_t row_end = n - 1;
  for (int64_t pair : SparseSample(edges, pairs, &random)) {
    while (pair >= row_end) {
      ++u;
      row_end += n - 1 - u;
    }
    write(u, n - (row_end - pair));
  }
}

void GenerateLargeSignedGraph(const GenerateLargeSignedGraphOptions& options,
                              const TextSink& graph, const TextSink& truth,
                              const DoneCallback& done) {
  const int64_t n = options.num_vertices;
  const int64_t k = std::min<int64_t>(options.num_clusters, n);
  graph(absl::StrCat("# signed graph, ",
                     k > 0 ? absl::StrCat(k, " planted clusters, noise ",
                                          FormatDecimal(options.noise))
                           : "R-MAT",
                     ", negative ", FormatDecimal(options.negative), ", seed ",
                     options.seed, "\n"));
  int levels = 0;
  while (int64_t{1} << levels < n) ++levels;
  Random random(options.seed);
  // Lines are given to the sink in pieces.
  std::string text;
  const int64_t edges = n < 2 ? 0 : options.num_edges;
  for (int64_t written = 0; written < edges;) {
    std::pair<int64_t, int64_t> pair;
    bool between = false;
    if (k == 0) {
      pair = DrawRmat(levels, &random);
    } else {
      between = k == n || (k > 1 && IsBelow(random.Next(), options.negative));
      pair.first = random.Below(n);
      do {
        pair.second = random.Below(n);
      } while (between && pair.second % k == pair.first % k);
      if (!between) {
        // A uniform member of the cluster of the first.
        const int64_t cluster = pair.first % k;
        const int64_t size = (n - cluster + k - 1) / k;
        pair.second = cluster + k * static_cast<int64_t>(random.Below(size));
      }
    }
    const auto [u, v] = pair;
    if (u == v || u >= n || v >= n) continue;
    const uint64_t draw = DrawOfPair(u, v, options.seed);
    const bool negative =
        k == 0 ? IsBelow(draw, options.negative)
               : (u % k != v % k) != IsBelow(draw, options.noise);
    absl::StrAppend(&text, u, " ", v, negative ? " -1\n" : " 1\n");
    if (++written % 65536 == 0 || written == edges) {
      graph(text);
      text.clear();
      if (done != nullptr) done(written);
    }
  }
  if (truth == nullptr || k == 0) return;
  for (int64_t v = 0; v < n; ++v) truth(absl::StrCat(v, "\t", v % k, "\n"));
}

}  // namespace warpclust
