// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Term lists on a GPU against those on the host, as sets, and whether all
// owners know where their entries are.

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/numbers/random.h"
#include "base/testing/case_share.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/testing/little_memory.h"
#include "sparse/term_lists/testing/term_list_batches.h"
#include "sparse/term_lists/testing/term_list_machine_cuda.h"

namespace warpclust {
namespace {

class DeviceTermListsCudaTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
  }

  // Returns how often the pool ran out.
  static int RunBatches(uint64_t seed, int32_t num_rows, int32_t num_terms,
                        int64_t room, int steps) {
    Random random(seed);
    absl::StatusOr<TermListMachine> machine =
        TermListMachine::Create(num_rows, num_terms, room);
    EXPECT_TRUE(machine.ok()) << machine.status();
    if (!machine.ok()) return 0;
    TermListOracle oracle(num_rows, num_terms);
    for (int step = 0; step < steps; ++step) {
      SCOPED_TRACE(absl::StrCat("seed ", seed, ", step ", step));
      const TermListBatch batch =
          oracle.RandomBatch(&random, 1 + random.Below(8), random.Below(9));
      const absl::Status applied = machine->Apply(batch);
      EXPECT_TRUE(applied.ok()) << applied;
      oracle.Apply(batch);
      const absl::StatusOr<TermListsSeen> seen = machine->Seen();
      EXPECT_TRUE(seen.ok()) << seen.status();
      if (!applied.ok() || !seen.ok()) break;
      EXPECT_EQ(oracle.Difference(*seen), "");
      if (HasFailure()) break;
    }
    return machine->rebuilds();
  }
};

TEST_F(DeviceTermListsCudaTest, SmallOnes) {
  int rebuilds = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    if (!TakesCase()) continue;
    Random random(seed, 1);
    const auto num_rows = static_cast<int32_t>(1 + random.Below(100));
    const auto num_terms = static_cast<int32_t>(1 + random.Below(30));
    const auto room = static_cast<int64_t>(1 + random.Below(200));
    rebuilds += RunBatches(seed, num_rows, num_terms, room, 30);
  }
  EXPECT_GT(rebuilds, 40 / CaseShare());
}

TEST_F(DeviceTermListsCudaTest, ThousandsOfThreadsInOneList) {
  RunBatches(100, 60000, 1, 1, 20);
  RunBatches(101, 60000, 1, 300000, 20);
}

TEST_F(DeviceTermListsCudaTest, ManyLists) {
  RunBatches(102, 200, 5000, 1000, 12);
  RunBatches(103, 200, 5000, 10000000, 12);
}

TEST_F(DeviceTermListsCudaTest, LittleMemory) {
  ExpectLittleMemoryHolds(
      "GPU memory", 1,
      [&]() -> absl::StatusOr<bool> {
        Random random(104);
        absl::StatusOr<TermListMachine> machine =
            TermListMachine::Create(1000, 50, 100);
        if (!machine.ok()) return machine.status();
        TermListOracle oracle(1000, 50);
        for (int step = 0; step < 5; ++step) {
          const TermListBatch batch = oracle.RandomBatch(&random, 4, 6);
          const absl::Status applied = machine->Apply(batch);
          if (!applied.ok()) return applied;
          oracle.Apply(batch);
        }
        const absl::StatusOr<TermListsSeen> seen = machine->Seen();
        if (!seen.ok()) return seen.status();
        return oracle.Difference(*seen).empty();
      },
      [](bool a, bool b) { return a && b; });
}

}  // namespace
}  // namespace warpclust
