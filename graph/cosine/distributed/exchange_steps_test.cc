// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/distributed/exchange_steps.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "absl/status/status.h"
#include "base/communicator/communicator.h"
#include "base/communicator/thread_ranks.h"
#include "base/status/status_macros.h"
#include "graph/cosine/distributed/document_pieces.h"
#include "gtest/gtest.h"
#include "sparse/dense/dense_documents.h"

namespace warpclust {
namespace {

// How often each pair of documents of different ranks is joined.
class Meetings {
 public:
  explicit Meetings(const std::vector<int32_t>& begins)
      : begins_(begins), counts_(int64_t{size()} * size()) {}

  int32_t size() const { return begins_.back(); }
  void Add(int rank, const ExchangeStep& step) {
    for (const Piece& piece : step.received) {
      for (int32_t v = piece.begin; v < piece.begin + piece.num_rows; ++v) {
        const int32_t visitor = begins_[step.from] + v;
        for (int32_t own = begins_[rank] + piece.own_begin;
             own < begins_[rank + 1]; ++own) {
          ++counts_[int64_t{size()} * std::min(own, visitor) +
                    std::max(own, visitor)];
        }
      }
    }
  }
  void ExpectOneEach() const {
    for (size_t r = 0; r + 1 < begins_.size(); ++r) {
      for (int32_t a = begins_[r]; a < begins_[r + 1]; ++a) {
        for (int32_t b = a + 1; b < size(); ++b) {
          ASSERT_EQ(counts_[int64_t{size()} * a + b],
                    b < begins_[r + 1] ? 0 : 1)
              << a << " and " << b;
        }
      }
    }
  }

 private:
  const std::vector<int32_t> begins_;
  std::vector<int> counts_;
};

TEST(ExchangeStepsTest, EachPairMeetsOnce) {
  int with_corner = 0;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    const int p = 1 + static_cast<int>(random() % 5);
    const int32_t tile = seed % 3 == 0 ? 1 : 1 + random() % 20;
    PieceLimits limits;
    limits.rows = 1 + static_cast<int32_t>(random() % 80);
    limits.words = 1 << 20;
    std::vector<int32_t> begins = {0};
    for (int r = 0; r < p; ++r) {
      begins.push_back(begins.back() + static_cast<int32_t>(random() % 70));
    }
    std::vector<std::vector<ExchangeStep>> steps(p);
    const absl::Status status =
        RunOnThreads(p, [&](Communicator& ranks) -> absl::Status {
          const int r = ranks.rank();
          const int32_t rows = begins[r + 1] - begins[r];
          const DenseDocuments documents =
              MakeDenseDocuments(std::vector<float>(2 * rows), rows);
          ASSIGN_OR_RETURN(
              steps[r], PlanExchange(ranks, documents, begins, tile, limits));
          return absl::OkStatus();
        });
    ASSERT_TRUE(status.ok()) << status;
    Meetings meetings(begins);
    for (int r = 0; r < p; ++r) {
      for (const ExchangeStep& step : steps[r]) {
        meetings.Add(r, step);
        for (const Piece& piece : step.sent) {
          EXPECT_LE(piece.num_rows, limits.rows);
          EXPECT_EQ(piece.num_words, 2 * piece.num_rows);
        }
        // Edges are kept in the order of the pieces.
        for (size_t k = 1; k < step.received.size(); ++k) {
          const Piece& before = step.received[k - 1];
          EXPECT_EQ(step.received[k].begin, before.begin + before.num_rows);
          with_corner += step.received[k].own_begin != before.own_begin;
        }
      }
    }
    meetings.ExpectOneEach();
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(with_corner, 0);
}

TEST(ExchangeStepsTest, RanksSharePairs) {
  const struct {
    int32_t lower_rows, upper_rows, tile;
    SharedPairs expected;
  } kCases[] = {
      {1000, 1000, 1, {0, 500}},
      {7, 5, 1, {0, 3}},
      {0, 0, 100, {0, 0}},
      {0, 70, 100, {0, 70}},
      {150, 150, 100, {0, 75}},
      {500, 500, 50, {0, 250}},
      // The lower rank joins 10 tiles, of 11.
      {510, 510, 50, {10, 261}},
      {500'000, 500'000, 49024, {9760, 256'503}},
      // As a piece, the rows in the last tile would cost more.
      {545, 500, 50, {0, 250}},
  };
  for (const auto& c : kCases) {
    const SharedPairs shared = SharePairs(c.lower_rows, c.upper_rows, c.tile);
    EXPECT_EQ(shared.lower_begin, c.expected.lower_begin) << c.lower_rows;
    EXPECT_EQ(shared.upper_begin, c.expected.upper_begin) << c.lower_rows;
  }
}

// Two CPUs share the pairs of their blocks: one gets half of the rows for all
// of its own, the other all rows for half of its own. Each waits for the other
// one after each piece.
TEST(ExchangeStepsTest, BothGetAsManyPieces) {
  const std::vector<int32_t> begins = {0, 1000, 2000};
  // By rows, and by words.
  for (const PieceLimits limits : {PieceLimits{.rows = 100, .words = 1 << 20},
                                   PieceLimits{.rows = 1000, .words = 200}}) {
    std::vector<size_t> received(2);
    ASSERT_TRUE(RunOnThreads(2, [&](Communicator& ranks) -> absl::Status {
                  const DenseDocuments documents =
                      MakeDenseDocuments(std::vector<float>(2000), 1000);
                  ASSIGN_OR_RETURN(const std::vector<ExchangeStep> steps,
                                   PlanExchange(ranks, documents, begins,
                                                /*tile=*/1, limits));
                  received[ranks.rank()] = steps[0].received.size();
                  return absl::OkStatus();
                }).ok());
    EXPECT_EQ(received[0], 10);
    EXPECT_EQ(received[1], 10);
  }
}

}  // namespace
}  // namespace warpclust
