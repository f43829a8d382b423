// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/synthetic/generate_signed_graph.h"

#include <algorithm>
#include <string>
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

}  // namespace warpclust
