// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/determinism/run_table.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/communicator/communicator.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "tools/determinism/digest.h"

namespace warpclust {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

TableRun ARun(const std::string& setting, const std::string& threads,
              uint64_t digest) {
  TableRun run;
  run.group = {"oclustr", "a.jsonl (9)", setting};
  run.method = "graph";
  run.backend = "cpu";
  run.threads = threads;
  run.digest = digest;
  return run;
}

TEST(RunTable, EqualGroupsAreEqual) {
  RunTable table;
  table.Add(ARun("tf", "1", 7));
  table.Add(ARun("tfidf", "1", 8));
  table.Add(ARun("tf", "2", 7));
  EXPECT_EQ(table.num_runs(), 3);
  EXPECT_EQ(table.num_groups(), 2);
  EXPECT_EQ(table.num_different(), 0);
  EXPECT_THAT(table.Text(), EndsWith("\n3 runs in 2 groups: all equal\n"));
  EXPECT_THAT(table.Text(), Not(HasSubstr("DIFFERENT")));
}

TEST(RunTable, GroupsStandTogether) {
  RunTable table;
  table.Add(ARun("tf", "1", 7));
  table.Add(ARun("tfidf", "1", 8));
  table.Add(ARun("tf", "2", 7));
  EXPECT_EQ(table.Text(),
            "algorithm  data         setting  method  backend  threads  ranks  "
            "batch  "
            "digest            seconds\n"
            "oclustr    a.jsonl (9)  tf       graph   cpu      1        -      "
            "-      "
            "0000000000000007  0.000\n"
            "oclustr    a.jsonl (9)  tf       graph   cpu      2        -      "
            "-      "
            "0000000000000007  0.000\n"
            "\n"
            "oclustr    a.jsonl (9)  tfidf    graph   cpu      1        -      "
            "-      "
            "0000000000000008  0.000\n"
            "\n"
            "3 runs in 2 groups: all equal\n");
}

TEST(RunTable, ADifferenceIsNamed) {
  RunTable table;
  table.Add(ARun("tf", "1", 7));
  table.Add(ARun("tf", "2", 7));
  table.Add(ARun("tf", "3", 9));
  table.Add(ARun("tfidf", "1", 8));
  EXPECT_EQ(table.num_different(), 1);
  EXPECT_THAT(
      table.Text(),
      EndsWith("\nDIFFERENT: oclustr, a.jsonl (9), tf: 0000000000000007 by "
               "graph/cpu/1/-/-, graph/cpu/2/-/-\n"
               "DIFFERENT: oclustr, a.jsonl (9), tf: 0000000000000009 by "
               "graph/cpu/3/-/-\n"
               "4 runs in 2 groups: 1 group differs\n"));
}

TEST(DeterminismRunner, HasALinePerNumberOfRanks) {
  RunTable table;
  DeterminismRunner runner(
      {Device::kCpu}, {1}, [](absl::string_view) {}, &table);
  const absl::Status status = runner.RunOnRanks(
      {"oclustr", "a", "tf"}, {.method = "shares"},
      [](Device, Communicator& ranks) -> absl::StatusOr<uint64_t> {
        // What the other ranks return is not used.
        return ranks.rank() > 0 ? ranks.rank() : ranks.size() < 3 ? 90 : 91;
      });
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_THAT(table.Text(),
              EndsWith("DIFFERENT: oclustr, a, tf: 000000000000005a by "
                       "shares/cpu/1/1/-, shares/cpu/1/2/-\n"
                       "DIFFERENT: oclustr, a, tf: 000000000000005b by "
                       "shares/cpu/1/3/-, shares/cpu/1/7/-\n"
                       "4 runs in 1 groups: 1 group differs\n"));
  EXPECT_EQ(
      runner
          .RunOnRanks(
              {}, {},
              [](Device, Communicator& ranks) -> absl::StatusOr<uint64_t> {
                if (ranks.rank() + 1 < ranks.size()) return 0;
                return absl::DataLossError("x");
              })
          .code(),
      absl::StatusCode::kDataLoss);
}

TEST(RunTable, RanksRunOnTheDevicesOfTheirWay) {
  RunTable table;
  DeterminismRunner runner(
      {Device::kCpu, Device::kCuda}, {1}, [](absl::string_view) {}, &table);
  for (const RunWay::Devices devices :
       {RunWay::Devices::kAll, RunWay::Devices::kCpu, RunWay::Devices::kCuda}) {
    const absl::Status status = runner.RunOnRanks(
        {"oclustr", absl::StrCat(static_cast<int>(devices)), "tf"},
        {.devices = devices},
        [](Device device, Communicator&) -> absl::StatusOr<uint64_t> {
          return device == Device::kCpu ? 90 : 91;
        });
    ASSERT_TRUE(status.ok()) << status;
  }
  EXPECT_THAT(table.Text(), EndsWith("16 runs in 3 groups: 1 group differs\n"));
}

TEST(RunTable, AnotherAlgorithmOrDataIsAnotherGroup) {
  RunTable table;
  table.Add(ARun("tf", "1", 7));
  TableRun other = ARun("tf", "1", 8);
  other.group.data = "b.jsonl (9)";
  table.Add(other);
  other.group.algorithm = "dclustr";
  other.digest = 9;
  table.Add(other);
  EXPECT_EQ(table.num_groups(), 3);
  EXPECT_EQ(table.num_different(), 0);
}

uint64_t Of(const std::vector<double>& numbers) {
  Digest digest;
  digest.Array(numbers);
  return digest.value();
}

uint64_t Mixed(uint64_t value) {
  value = (value ^ (value >> 33)) * 0xff51afd7ed558ccdu;
  value = (value ^ (value >> 33)) * 0xc4ceb9fe1a85ec53u;
  return value ^ (value >> 33);
}

TEST(Digest, KnowsBitPatterns) {
  EXPECT_EQ(Of({1.0, 2.0}), Of({1.0, 2.0}));
  EXPECT_NE(Of({0.0}), Of({-0.0}));
  EXPECT_NE(Of({1.0}), Of({1.0 + 0x1p-52}));
  EXPECT_NE(Of({1.0, 2.0}), Of({2.0, 1.0}));
  EXPECT_NE(Of({}), Of({0.0}));
}

TEST(Digest, DoesNotKnowPieces) {
  Digest pieces;
  pieces.Text("foo");
  pieces.Text("");
  pieces.Text("bar");
  Digest whole;
  whole.Text("foobar");
  EXPECT_EQ(pieces.value(), whole.value());
  // FNV-1a, mixed: the same on every machine.
  EXPECT_EQ(whole.value(), Mixed(0x85944171f73967e8u));
}

}  // namespace
}  // namespace warpclust
