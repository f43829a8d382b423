// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/state/online_state.h"

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

constexpr int64_t kOne = int64_t{1} << 30;

// Two documents in cluster 0, one in 1; 2 is merged into 0.
OnlineState Good() {
  OnlineState state;
  state.offsets = {0, 2, 3, 3};
  state.terms = {0, 2, 1};
  state.sums = {kOne, kOne, kOne};
  state.sizes = {2, 1, 0};
  state.last_times = {5, OnlineState::kNoTime, 4};
  state.num_documents = 3;
  state.clock = 5;
  state.num_terms = 3;
  return state;
}

void ExpectInvalid(const OnlineState& state, const char* part) {
  const absl::Status status = ValidateOnlineState(state);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << part;
  EXPECT_TRUE(absl::StrContains(status.message(), part))
      << "expected \"" << part << "\" in " << status;
}

TEST(OnlineStateTest, EmptyAndGoodOnesAreValid) {
  EXPECT_EQ(ValidateOnlineState(OnlineState()), absl::OkStatus());
  EXPECT_EQ(ValidateOnlineState(Good()), absl::OkStatus());
  OnlineState state = Good();
  state.sums = {2 * kOne, 1, kOne};  // As long as two can be.
  EXPECT_EQ(ValidateOnlineState(state), absl::OkStatus());
  state.clock = OnlineState::kMaxTime;
  state.last_times = {-OnlineState::kMaxTime, OnlineState::kMaxTime, 0};
  EXPECT_EQ(ValidateOnlineState(state), absl::OkStatus());
}

TEST(OnlineStateTest, EachErrorNamesWhatAndWhere) {
  OnlineState s = Good();
  s.offsets = {};
  ExpectInvalid(s, "offsets that ascend from 0");
  s = Good();
  s.offsets[0] = 1;
  ExpectInvalid(s, "offsets that ascend from 0");
  s = Good();
  s.offsets = {0, 2, 1, 3};
  ExpectInvalid(s, "offsets that ascend from 0");
  s = Good();
  s.offsets = {0, 2, 3, 4};
  ExpectInvalid(s, "expected 4 terms, found 3");
  s = Good();
  s.sums.pop_back();
  ExpectInvalid(s, "expected 3 sums, found 2");
  s = Good();
  s.sizes.push_back(0);
  ExpectInvalid(s, "expected 3 sizes, found 4");
  s = Good();
  s.last_times.pop_back();
  ExpectInvalid(s, "expected 3 last times, found 2");
  s = Good();
  s.num_documents = -1;
  ExpectInvalid(s, "0 to 2^32 documents, found -1");
  s.num_documents = OnlineState::kMaxDocuments + 1;
  ExpectInvalid(s, "0 to 2^32 documents");
  s = Good();
  s.clock = OnlineState::kMaxTime + 1;
  ExpectInvalid(s, "a clock within +-2^60");
  s.clock = -OnlineState::kMaxTime - 1;
  ExpectInvalid(s, "a clock within +-2^60");
  s = Good();
  s.num_terms = -1;
  ExpectInvalid(s, "num_terms");
  s.num_terms = 2;
  ExpectInvalid(s, "cluster 0, entry 1: expected a term below 2, found 2");
  s = Good();
  s.terms = {2, 2, 1};
  ExpectInvalid(s, "cluster 0, entry 1: expected a term above 2, found 2");
  s.terms = {0, 1, -1};
  ExpectInvalid(s, "cluster 1, entry 0: expected a term above -1, found -1");
  s = Good();
  s.sums[2] = 0;
  ExpectInvalid(s, "cluster 1, entry 0: expected a sum of 1 to 1073741824");
  s.sums[2] = kOne + 1;
  ExpectInvalid(s, "for 1 documents, found 1073741825");
  s.sums = {-1, kOne, kOne};
  ExpectInvalid(s, "cluster 0, entry 0: expected a sum");
  s.sums = {2 * kOne, kOne, kOne};  // Each could be, both cannot.
  ExpectInvalid(s, "cluster 0, entry 1: expected sums no longer than");
  s = Good();
  s.sizes = {-1, 1, 3};
  ExpectInvalid(s, "cluster 0: expected 0 to 3 documents");
  s.sizes = {2, 2, 0};
  ExpectInvalid(s, "cluster 1: expected 0 to 1 documents");
  s.sizes = {3, 0, 0};
  ExpectInvalid(
      s, "cluster 1: expected no sums in a cluster without documents, found 1");
  s = Good();
  s.num_documents = 4;
  ExpectInvalid(s, "expected 4 documents in all clusters together, found 3");
  s = Good();
  s.last_times[1] = 6;
  ExpectInvalid(s, "cluster 1: expected a last time");
  s.last_times[1] = -OnlineState::kMaxTime - 1;
  ExpectInvalid(s, "cluster 1: expected a last time");
}

TEST(OnlineStateTest, NothingOverflowsNearTheLimits) {
  // 2^32 documents of one term, and of 128.
  OnlineState s;
  s.offsets = {0, 1};
  s.terms = {0};
  s.sums = {OnlineState::kMaxDocuments * kOne};
  s.sizes = {OnlineState::kMaxDocuments};
  s.last_times = {0};
  s.num_documents = OnlineState::kMaxDocuments;
  s.clock = 0;
  s.num_terms = 128;
  EXPECT_EQ(ValidateOnlineState(s), absl::OkStatus());
  s.terms.clear();
  for (int32_t t = 0; t < 128; ++t) s.terms.push_back(t);
  s.offsets = {0, 128};
  s.sums.assign(128, OnlineState::kMaxDocuments * kOne);
  ExpectInvalid(s, "cluster 0, entry 1: expected sums no longer than");
}

}  // namespace
}  // namespace warpclust
