// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/distributed/row_parts.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "base/communicator/thread_ranks.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// By row, its neighbors and weights.
using Rows = std::map<int32_t, std::vector<std::pair<int32_t, float>>>;

void AddRows(const RowPart& part, Rows* rows) {
  ASSERT_EQ(part.neighbors.size(), part.weights.size());
  size_t next = 0;
  int32_t last = -1;
  for (const RowPart::Row& row : part.rows) {
    ASSERT_GT(row.row, last);
    ASSERT_GT(row.count, 0);
    ASSERT_LE(next + row.count, part.neighbors.size());
    last = row.row;
    for (int32_t i = 0; i < row.count; ++i, ++next) {
      (*rows)[row.row].emplace_back(part.neighbors[next], part.weights[next]);
    }
  }
  ASSERT_EQ(next, part.neighbors.size());
}

Rows RowsOf(const RowPart& part) {
  Rows rows;
  AddRows(part, &rows);
  return rows;
}

// Different pairs, `mean_edges` per row. As a join of pieces: pieces ascend by
// probe; within one the rows of a probe and the probes of a row ascend.
std::vector<ProbeEdge> RandomEdges(int32_t num_rows, int32_t num_probes,
                                   int32_t mean_edges, uint64_t seed) {
  Random random(seed);
  std::vector<ProbeEdge> edges;
  const int32_t piece = 1 + static_cast<int32_t>(random.Below(num_probes));
  for (int32_t row = 0; row < num_rows; ++row) {
    // Every fourth row has no edges.
    if (random.Below(4) == 0) continue;
    for (int32_t probe = 0; probe < num_probes; ++probe) {
      if (random.Below(num_probes) >= static_cast<uint64_t>(mean_edges)) {
        continue;
      }
      edges.push_back(
          {row, probe, static_cast<float>(1 + random.Below(1000)) / 1000});
    }
  }
  const bool by_probe = seed % 2 == 0;
  std::sort(
      edges.begin(), edges.end(), [&](const ProbeEdge& a, const ProbeEdge& b) {
        const auto key = [&](const ProbeEdge& e) {
          return by_probe ? std::make_tuple(e.probe / piece, e.probe, e.row)
                          : std::make_tuple(e.probe / piece, e.row, e.probe);
        };
        return key(a) < key(b);
      });
  return edges;
}

void ExpectGrouped(const std::vector<ProbeEdge>& edges, int32_t num_rows,
                   int32_t num_probes) {
  constexpr int32_t kFirstProbe = 1000, kFirstRow = 7;
  Rows by_row, by_probe;
  for (const ProbeEdge& e : edges) {
    by_row[e.row].emplace_back(kFirstProbe + e.probe, e.cosine);
    by_probe[e.probe].emplace_back(kFirstRow + e.row, e.cosine);
  }
  for (Rows* rows : {&by_row, &by_probe}) {
    for (auto& [row, entries] : *rows)
      std::sort(entries.begin(), entries.end());
  }
  for (const int num_threads : {1, 2, 3, 8}) {
    SCOPED_TRACE(num_threads);
    EXPECT_EQ(RowsOf(GroupByRow(edges, num_rows, kFirstProbe, num_threads)),
              by_row);
    EXPECT_EQ(RowsOf(GroupByProbe(edges, num_probes, kFirstRow, num_threads)),
              by_probe);
  }
}

TEST(RowPartsTest, GroupsAsSorting) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    ExpectGrouped(RandomEdges(40, 30, 5, seed), 40, 30);
  }
  ExpectGrouped({}, 0, 0);
  ExpectGrouped({}, 3, 2);
}

// Enough edges for several threads.
TEST(RowPartsTest, GroupsManyEdgesAsSorting) {
  for (uint64_t seed = 0; seed < 2; ++seed) {
    const auto edges = RandomEdges(900, 1000, 600, seed);
    ASSERT_GT(edges.size(), 5u << 16);
    ExpectGrouped(edges, 900, 1000);
  }
}

// Rows of three blocks: the own one in the middle, and two parts of the last.
void ExpectConcatenated(int32_t size, int32_t mean_edges) {
  CsrGraph own;
  std::vector<std::vector<RowPart>> parts(3);
  Rows expected;
  const auto add = [&](int block, uint64_t seed) {
    const auto edges = RandomEdges(size, size, mean_edges, seed);
    const auto first = static_cast<int32_t>(size * (block + seed));
    RowPart part = GroupByRow(edges, size, first, 1);
    AddRows(part, &expected);
    parts[block].push_back(std::move(part));
  };
  add(0, 0);
  for (int32_t v = 0; v < size; ++v) {
    // A path; the last vertex has no edges.
    for (const int32_t u : {v - 1, v + 1}) {
      if (u < 0 || std::max(u, v) > size - 2) continue;
      own.neighbors.push_back(u);
      own.weights.push_back(0.5f);
      expected[v].emplace_back(size + u, 0.5f);
    }
    own.offsets.push_back(static_cast<int64_t>(own.neighbors.size()));
  }
  parts[1].push_back(PartOf(std::move(own), size));
  add(2, 1);
  add(2, 2);
  for (const int num_threads : {1, 2, 3, 8}) {
    SCOPED_TRACE(num_threads);
    const CsrGraph rows = Concatenate(parts, size, num_threads);
    ASSERT_EQ(rows.num_vertices(), size);
    Rows found;
    for (int32_t v = 0; v < size; ++v) {
      for (int64_t i = rows.offsets[v]; i < rows.offsets[v + 1]; ++i) {
        found[v].emplace_back(rows.neighbors[i], rows.weights[i]);
      }
    }
    EXPECT_EQ(found, expected);
  }
}

TEST(RowPartsTest, Concatenates) {
  ExpectConcatenated(20, 4);
  ExpectConcatenated(700, 500);
}

TEST(RowPartsTest, PartsGoAround) {
  constexpr int kRanks = 3;
  const auto part_of = [](int rank) {
    return GroupByRow(RandomEdges(9, 9, 3, rank), 9, 9 * rank, 1);
  };
  const absl::Status status = RunOnThreads(kRanks, [&](Communicator& ranks) {
    const int to = (ranks.rank() + 1) % kRanks;
    const int from = (ranks.rank() + 2) % kRanks;
    const auto part = SwapParts(ranks, part_of(ranks.rank()), to, from);
    if (!part.ok()) return part.status();
    EXPECT_EQ(RowsOf(*part), RowsOf(part_of(from)));
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
}

}  // namespace
}  // namespace warpclust
