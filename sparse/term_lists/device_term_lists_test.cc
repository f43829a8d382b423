// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The device functions of dynamic_term_lists.cuh run by host threads, so that a
// machine without a GPU (and a thread sanitizer) can check them.

#include "sparse/term_lists/device_term_lists.h"

#include <atomic>
#include <numeric>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/numbers/random.h"
#include "base/numbers/shuffle.h"
#include "gtest/gtest.h"

// What nvcc defines.
#define __device__
#define __host__
namespace warpclust {
template <typename T>
T atomicAdd(T* value, T more) {
  return std::atomic_ref<T>(*value).fetch_add(more, std::memory_order_relaxed);
}
}  // namespace warpclust

#include "sparse/term_lists/dynamic_term_lists.cuh"
#include "sparse/term_lists/testing/term_list_batches.h"
#include "sparse/term_lists/testing/term_list_phases.cuh"

namespace warpclust {
namespace {

// Calls f(i) for i in [0, count) on some threads in some order.
template <typename F>
void Grid(Random* random, int64_t count, F f) {
  std::vector<int32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  Shuffle(absl::MakeSpan(order), random);
  const auto run = [&](int64_t thread, int64_t threads) {
    for (int64_t i = thread; i < count; i += threads) f(order[i]);
  };
  if (count < 64) return run(0, 1);
  std::thread other(run, 1, 2);
  run(0, 2);
  other.join();
}

class HostTermLists {
 public:
  HostTermLists(int32_t num_rows, int32_t num_terms, int64_t room,
                uint64_t seed)
      : random_(seed),
        num_terms_(num_terms),
        begins_(num_terms),
        sizes_(num_terms),
        capacities_(num_terms),
        changes_(num_terms),
        cursors_(num_terms),
        entries_(room),
        touched_(num_terms),
        moves_(num_terms),
        positions_(static_cast<size_t>(num_rows) * num_terms, -1),
        weights_(positions_.size()) {}

  int rebuilds() const { return rebuilds_; }

  void Apply(const TermListBatch& batch) {
    std::vector<int32_t> removed_positions(batch.removals.size());
    std::vector<int32_t> tickets(batch.insertions.size());
    TermListBatchView view = View();
    view.removals = batch.removals.data();
    view.removed_positions = removed_positions.data();
    view.num_removals = static_cast<int32_t>(batch.removals.size());
    view.insertions = batch.insertions.data();
    view.tickets = tickets.data();
    view.num_insertions = static_cast<int32_t>(batch.insertions.size());
    view.new_weights = batch.new_weights.data();
    view.num_new_weights = static_cast<int32_t>(batch.new_weights.size());
    Grid(&random_, view.num_removals + view.num_insertions,
         [&](int32_t i) { MarkPhase(view, i); });
    Grid(&random_, view.num_removals, [&](int32_t i) { FillPhase(view, i); });
    Grid(&random_, counters_.touched,
         [&](int32_t i) { SettleList(view.lists, i); });
    Grid(&random_, int64_t{counters_.moves} * 32,
         [&](int32_t i) { MoveEntries(view.lists, i / 32, i % 32, 32); });
    Grid(&random_, view.num_insertions + view.num_new_weights + 1,
         [&](int32_t i) { InsertPhase(view, i); });
    EXPECT_EQ(counters_.touched, 0);
    EXPECT_EQ(counters_.moves, 0);
    if (counters_.used > entries_.size()) Rebuild();
  }

  TermListsSeen Seen() const {
    TermListsSeen seen;
    for (int32_t t = 0; t < num_terms_; ++t) {
      const auto begin = entries_.begin() + begins_[t];
      seen.lists.emplace_back(begin, begin + sizes_[t]);
    }
    seen.positions = positions_;
    return seen;
  }

 private:
  TermListBatchView View() {
    TermListBatchView view = {};
    view.lists = {begins_.data(),
                  sizes_.data(),
                  capacities_.data(),
                  changes_.data(),
                  cursors_.data(),
                  entries_.data(),
                  static_cast<int64_t>(entries_.size()),
                  &counters_,
                  touched_.data(),
                  moves_.data()};
    view.owners = {num_terms_, positions_.data(), weights_.data()};
    return view;
  }

  void Rebuild() {
    ++rebuilds_;
    sizes_.assign(num_terms_, 0);
    const auto pairs = static_cast<int64_t>(positions_.size());
    TermListBatchView view = View();
    Grid(&random_, pairs, [&](int32_t i) { CountPhase(view, i); });
    Grid(&random_, num_terms_, [&](int32_t i) { CapacityPhase(view, i); });
    counters_.used = 0;
    for (int32_t t = 0; t < num_terms_; ++t) {
      begins_[t] = static_cast<int64_t>(counters_.used);
      counters_.used += static_cast<DeviceCount>(capacities_[t]);
    }
    entries_.assign(2 * counters_.used, TermListEntry());
    view = View();
    Grid(&random_, pairs, [&](int32_t i) { WritePhase(view, i); });
  }

  Random random_;
  int32_t num_terms_;
  std::vector<int64_t> begins_;
  std::vector<int32_t> sizes_;
  std::vector<int32_t> capacities_;
  std::vector<DeviceCount> changes_;
  std::vector<int32_t> cursors_;
  std::vector<TermListEntry> entries_;
  std::vector<int32_t> touched_;
  std::vector<TermListMove> moves_;
  TermListCounters counters_ = {0, 0, 0};
  std::vector<int32_t> positions_;
  std::vector<int32_t> weights_;
  int rebuilds_ = 0;
};

TEST(DeviceTermListsTest, KeepWhatTheHostsKeep) {
  int rebuilds = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const auto num_rows = static_cast<int32_t>(1 + random.Below(100));
    const auto num_terms = static_cast<int32_t>(1 + random.Below(30));
    HostTermLists lists(num_rows, num_terms,
                        static_cast<int64_t>(random.Below(200)), seed);
    TermListOracle oracle(num_rows, num_terms);
    for (int step = 0; step < 30; ++step) {
      SCOPED_TRACE(absl::StrCat("seed ", seed, ", step ", step));
      const uint64_t one_in = 1 + random.Below(8);
      // With 0 all touched entries leave; with one_in 1 all entries are
      // touched.
      const uint64_t fill = random.Below(9);
      const TermListBatch batch = oracle.RandomBatch(&random, one_in, fill);
      lists.Apply(batch);
      oracle.Apply(batch);
      ASSERT_EQ(oracle.Difference(lists.Seen()), "");
    }
    rebuilds += lists.rebuilds();
  }
  // Otherwise a pool that runs out would not be tested.
  EXPECT_GT(rebuilds, 60);
}

TEST(DeviceTermListsTest, CapacitiesArePowersOfTwoUpTo2To31) {
  EXPECT_EQ(TermListCapacity(0), 0);
  EXPECT_EQ(TermListCapacity(1), 4);
  EXPECT_EQ(TermListCapacity(4), 4);
  EXPECT_EQ(TermListCapacity(5), 8);
  EXPECT_EQ(TermListCapacity(1 << 30), 1 << 30);
  EXPECT_EQ(TermListCapacity((1 << 30) + 1), 2147483647);
}

}  // namespace
}  // namespace warpclust
