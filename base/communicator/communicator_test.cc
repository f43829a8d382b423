// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/communicator/communicator.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "base/communicator/exchange_strings.h"
#include "base/communicator/thread_ranks.h"
#include "base/status/status_macros.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

constexpr int kMostRanks = 7;

// Expectations inside `run` count too.
void OnRanks(int num_ranks, absl::FunctionRef<void(Communicator&)> run) {
  SCOPED_TRACE(testing::Message() << num_ranks << " ranks");
  const absl::Status status = RunOnThreads(num_ranks, [&](Communicator& ranks) {
    run(ranks);
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
}

// The values of rank r: of another length for each, some lists empty.
std::vector<int32_t> ValuesOf(int r, uint32_t seed) {
  std::mt19937 random(100 * seed + r);
  std::vector<int32_t> values(random() % 5 == 0 ? 0 : random() % 40);
  for (int32_t& value : values) value = static_cast<int32_t>(random());
  return values;
}

TEST(CommunicatorTest, SingleRank) {
  SingleRank ranks;
  EXPECT_EQ(ranks.rank(), 0);
  EXPECT_EQ(ranks.size(), 1);
  EXPECT_EQ(ranks.Name(), "");
  EXPECT_TRUE(ranks.Barrier().ok());
  EXPECT_EQ(*ranks.AllReduce(Reduction::kSum, 3), 3);
  EXPECT_EQ(ranks.AllGather<int>({4, 5})->values, (std::vector<int>{4, 5}));
  EXPECT_EQ(ranks.AllToAll(RankLists<int>{{0, 2}, {4, 5}})->values,
            (std::vector<int>{4, 5}));
  EXPECT_EQ(ranks.SendReceiveAll<int>({4, 5}, 0, 0)->size(), 2u);
  EXPECT_EQ(ranks.Agree(absl::NotFoundError("x")), absl::NotFoundError("x"));
  EXPECT_EQ(ranks.bytes_sent(), 0);
}

TEST(CommunicatorTest, BroadcastFromEachRoot) {
  for (int p = 1; p <= kMostRanks; ++p) {
    OnRanks(p, [&](Communicator& ranks) {
      for (int root = 0; root < p; ++root) {
        int64_t value = ranks.rank();
        EXPECT_TRUE(ranks.Broadcast(absl::MakeSpan(&value, 1), root).ok());
        EXPECT_EQ(value, root);
        std::string text(ranks.rank(), 'a' + ranks.rank());
        EXPECT_TRUE(ranks.BroadcastAll(&text, root).ok());
        EXPECT_EQ(text, std::string(root, 'a' + root));
      }
    });
  }
}

template <typename T>
void ExpectReduced(size_t length) {
  for (int p = 1; p <= kMostRanks; ++p) {
    const auto value = [&](int r, size_t i) {
      return static_cast<T>((1000003 * r + i + 1) * 0x9E3779B97F4A7C15);
    };
    OnRanks(p, [&](Communicator& ranks) {
      std::vector<T> sums(length);
      for (size_t i = 0; i < length; ++i) sums[i] = value(ranks.rank(), i);
      std::vector<T> least = sums, largest = sums;
      EXPECT_TRUE(ranks.AllReduce(Reduction::kSum, absl::MakeSpan(sums)).ok());
      EXPECT_TRUE(ranks.AllReduce(Reduction::kMin, absl::MakeSpan(least)).ok());
      EXPECT_TRUE(
          ranks.AllReduce(Reduction::kMax, absl::MakeSpan(largest)).ok());
      for (size_t i = 0; i < length; ++i) {
        uint64_t sum = 0;
        T min = value(0, i), max = value(0, i);
        for (int r = 0; r < p; ++r) {
          sum += static_cast<uint64_t>(value(r, i));
          min = std::min(min, value(r, i));
          max = std::max(max, value(r, i));
        }
        EXPECT_EQ(sums[i], static_cast<T>(sum));
        EXPECT_EQ(least[i], min);
        EXPECT_EQ(largest[i], max);
      }
    });
  }
}

TEST(CommunicatorTest, AllReduce) {
  for (const size_t length : {0, 1, 7}) {
    ExpectReduced<int32_t>(length);
    ExpectReduced<uint32_t>(length);
    ExpectReduced<int64_t>(length);
    ExpectReduced<uint64_t>(length);
  }
  // Above kSmallReduction, with lengths that do not divide evenly.
  ExpectReduced<int32_t>(4999);
  ExpectReduced<uint8_t>(17001);
}

TEST(CommunicatorTest, AllReduceOf128Bits) {
  OnRanks(5, [&](Communicator& ranks) {
    const unsigned __int128 mine =
        static_cast<unsigned __int128>(10 - ranks.rank()) << 64;
    const auto largest = ranks.AllReduce(Reduction::kMax, mine);
    EXPECT_TRUE(*largest == static_cast<unsigned __int128>(10) << 64);
  });
}

TEST(CommunicatorTest, AllGather) {
  for (int p = 1; p <= kMostRanks; ++p) {
    for (uint32_t seed = 0; seed < 5; ++seed) {
      OnRanks(p, [&](Communicator& ranks) {
        const auto all = ranks.AllGather<int32_t>(ValuesOf(ranks.rank(), seed));
        ASSERT_TRUE(all.ok());
        ASSERT_EQ(all->size(), p);
        for (int r = 0; r < p; ++r) EXPECT_EQ(all->Of(r), ValuesOf(r, seed));
        const int root = seed % p;
        const auto gathered =
            ranks.Gather<int32_t>(ValuesOf(ranks.rank(), seed), root);
        ASSERT_TRUE(gathered.ok());
        EXPECT_EQ(gathered->values,
                  ranks.rank() == root ? all->values : std::vector<int32_t>());
        // Threads are on one host.
        EXPECT_EQ(ranks.local_rank(), ranks.rank());
      });
    }
  }
}

TEST(CommunicatorTest, AllToAll) {
  for (int p = 1; p <= kMostRanks; ++p) {
    for (uint32_t seed = 0; seed < 5; ++seed) {
      OnRanks(p, [&](Communicator& ranks) {
        RankLists<int32_t> out;
        for (int r = 0; r < p; ++r) {
          out.Append(ValuesOf(10 * ranks.rank() + r, seed));
        }
        const auto in = ranks.AllToAll(out);
        ASSERT_TRUE(in.ok());
        ASSERT_EQ(in->size(), p);
        for (int r = 0; r < p; ++r) {
          EXPECT_EQ(in->Of(r), ValuesOf(10 * r + ranks.rank(), seed));
        }
      });
    }
  }
}

TEST(CommunicatorTest, ExchangeStrings) {
  for (int p = 1; p <= kMostRanks; ++p) {
    OnRanks(p, [&](Communicator& ranks) {
      const auto text = [](int from, int to) {
        return std::string(3 * from % 7, static_cast<char>(to));
      };
      std::vector<std::string> texts;
      for (int r = 0; r < p; ++r) texts.push_back(text(ranks.rank(), r));
      RankLists<absl::string_view> out;
      for (int r = 0; r < p; ++r) {
        // To rank r, r copies.
        out.Append(std::vector<absl::string_view>(r, texts[r]));
      }
      const auto in = ExchangeStrings(ranks, out);
      ASSERT_TRUE(in.ok());
      for (int r = 0; r < p; ++r) {
        EXPECT_EQ(in->Of(r), std::vector<std::string>(ranks.rank(),
                                                      text(r, ranks.rank())));
      }
    });
  }
}

TEST(CommunicatorTest, SendReceiveInARing) {
  for (int p = 1; p <= kMostRanks; ++p) {
    OnRanks(p, [&](Communicator& ranks) {
      std::vector<int32_t> block = ValuesOf(ranks.rank(), 1);
      for (int step = 1; step <= p; ++step) {
        auto next = ranks.SendReceiveAll<int32_t>(block, (ranks.rank() + 1) % p,
                                                  (ranks.rank() + p - 1) % p);
        ASSERT_TRUE(next.ok());
        block = *std::move(next);
        EXPECT_EQ(block, ValuesOf((ranks.rank() + 2 * p - step) % p, 1));
      }
    });
  }
}

TEST(CommunicatorTest, NobodyPassesABarrierEarly) {
  for (int p = 1; p <= kMostRanks; ++p) {
    std::atomic<int> arrived = 0;
    OnRanks(p, [&](Communicator& ranks) {
      for (int round = 1; round <= 20; ++round) {
        ++arrived;
        EXPECT_TRUE(ranks.Barrier().ok());
        EXPECT_GE(arrived, p * round);
        EXPECT_TRUE(ranks.Barrier().ok());
      }
    });
  }
}

TEST(CommunicatorTest, OnAllWantsEveryRank) {
  for (const int p : {1, 2, 5}) {
    OnRanks(p, [p](Communicator& ranks) {
      for (int odd_one = 0; odd_one <= p; ++odd_one) {
        const absl::StatusOr<bool> all = ranks.OnAll(ranks.rank() != odd_one);
        ASSERT_TRUE(all.ok()) << all.status();
        EXPECT_EQ(*all, odd_one == p);
      }
      // Threads are.
      const absl::StatusOr<bool> on_one_host = ranks.OnOneHost();
      ASSERT_TRUE(on_one_host.ok()) << on_one_host.status();
      EXPECT_TRUE(*on_one_host);
    });
  }
}

TEST(CommunicatorTest, AfterAndBeforeGoRound) {
  for (const int p : {1, 2, 5}) {
    OnRanks(p, [p](Communicator& ranks) {
      EXPECT_EQ(ranks.After(0), ranks.rank());
      EXPECT_EQ(ranks.Before(p), ranks.rank());
      for (int step = 0; step <= p; ++step) {
        EXPECT_EQ(ranks.After(step), ranks.Before(p - step));
        // The rank that is sent to receives from this one.
        const int mine = ranks.rank();
        int theirs = -1;
        ASSERT_TRUE(ranks
                        .SendReceiveValues(
                            absl::MakeConstSpan(&mine, 1), ranks.After(step),
                            absl::MakeSpan(&theirs, 1), ranks.Before(step))
                        .ok());
        EXPECT_EQ(theirs, ranks.Before(step));
      }
    });
  }
}

TEST(CommunicatorTest, LargestOfAllRanks) {
  const double values[] = {0.0, 1e-310, 0.25, 1e300};
  for (const int p : {1, 2, 5}) {
    OnRanks(p, [&](Communicator& ranks) {
      for (int at = 0; at < p; ++at) {
        for (const double value : values) {
          const double mine = ranks.rank() == at ? value : -0.0;
          EXPECT_EQ(ranks.AllReduceLargest(mine).value(), value);
        }
      }
      const double infinity = std::numeric_limits<double>::infinity();
      const double mine = ranks.rank() == p / 2 ? infinity : ranks.rank();
      EXPECT_EQ(ranks.AllReduceLargest(mine).value(), infinity);
    });
  }
}

TEST(CommunicatorTest, AgreeOnTheFirstError) {
  OnRanks(5, [&](Communicator& ranks) {
    EXPECT_TRUE(ranks.Agree(absl::OkStatus()).ok());
    const absl::Status mine = ranks.rank() == 4   ? absl::DataLossError("later")
                              : ranks.rank() == 2 ? absl::NotFoundError("here")
                                                  : absl::OkStatus();
    const absl::Status agreed = ranks.Agree(mine);
    EXPECT_EQ(agreed.code(), absl::StatusCode::kNotFound);
    EXPECT_TRUE(Communicator::IsAgreed(agreed));
    EXPECT_FALSE(Communicator::IsAgreed(mine));
    EXPECT_EQ(agreed.message().substr(0, 15), "rank 2 of 5 on ");
    EXPECT_EQ(agreed.message().substr(agreed.message().size() - 6), ": here");
  });
}

TEST(CommunicatorTest, CountsBytes) {
  std::vector<int64_t> sent;
  const absl::Status status = RunOnThreads(
      4,
      [](Communicator& ranks) {
        std::vector<char> bytes(1000);
        const bool sends = ranks.rank() == 1;
        return ranks.SendReceive(
            sends ? bytes : absl::Span<const char>(),
            sends ? 3 : Communicator::kNobody,
            ranks.rank() == 3 ? absl::MakeSpan(bytes) : absl::Span<char>(),
            ranks.rank() == 3 ? 1 : Communicator::kNobody);
      },
      &sent);
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(sent, (std::vector<int64_t>{0, 1000, 0, 0}));
}

// A broadcast and a gathering among many ranks send what the header says.
TEST(CommunicatorTest, VolumesOfManyRanks) {
  std::vector<int64_t> sent;
  const absl::Status status = RunOnThreads(
      64,
      [](Communicator& ranks) {
        return ranks.AllGather<char>(std::vector<char>(1000)).status();
      },
      &sent);
  EXPECT_TRUE(status.ok()) << status;
  for (const int64_t bytes : sent) EXPECT_EQ(bytes, 63 * 1008);
}

TEST(CommunicatorTest, AnErrorEndsAll) {
  for (int p = 2; p <= kMostRanks; ++p) {
    for (int failing = 0; failing < p; ++failing) {
      const absl::Status status = RunOnThreads(p, [&](Communicator& ranks) {
        if (ranks.rank() == failing) return absl::DataLossError("broken");
        while (true) {
          RETURN_IF_ERROR(ranks.AllGather<int64_t>({ranks.rank()}).status());
        }
      });
      EXPECT_EQ(status, absl::DataLossError("broken"));
    }
  }
}

// Errors while large messages are on their way.
TEST(CommunicatorTest, AnErrorAtAnyTimeEndsAll) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    const absl::Status status = RunOnThreads(5, [&](Communicator& ranks) {
      for (uint32_t round = 0; ranks.rank() != 3 || round < seed % 7; ++round) {
        std::vector<int64_t> values(10000 + seed);
        RETURN_IF_ERROR(
            ranks.AllReduce(Reduction::kSum, absl::MakeSpan(values)));
        RETURN_IF_ERROR(ranks.AllGather<int64_t>(values).status());
      }
      return absl::DataLossError("broken");
    });
    EXPECT_EQ(status, absl::DataLossError("broken"));
  }
}

TEST(CommunicatorTest, ARankThatReturnsEarlyIsNotWaitedFor) {
  const absl::Status status = RunOnThreads(3, [&](Communicator& ranks) {
    return ranks.rank() == 1 ? absl::OkStatus() : ranks.Barrier();
  });
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
}

TEST(CommunicatorTest, WrongCalls) {
  EXPECT_EQ(
      RunOnThreads(0, [](Communicator&) { return absl::OkStatus(); }).code(),
      absl::StatusCode::kInvalidArgument);
  // Lengths that differ.
  absl::Status status = RunOnThreads(2, [](Communicator& ranks) {
    std::vector<char> bytes(1 + ranks.rank());
    return ranks.Broadcast(absl::MakeSpan(bytes), 0);
  });
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  SingleRank ranks;
  EXPECT_EQ(ranks.SendReceive({}, 1, {}, 1).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ranks.SendReceive({}, 0, {}, Communicator::kNobody).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ranks.AllToAll(RankLists<int>()).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace warpclust
