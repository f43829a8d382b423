// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/state/online_state.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "algorithms/online/state/unit_vectors.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

absl::Status Wrong(absl::string_view where, absl::string_view expected,
                   int64_t found) {
  return absl::InvalidArgumentError(
      absl::StrCat(where, ": expected ", expected, ", found ", found));
}

absl::Status CheckShape(const OnlineState& state) {
  if (state.offsets.empty() || state.offsets.front() != 0 ||
      !std::is_sorted(state.offsets.begin(), state.offsets.end())) {
    return absl::InvalidArgumentError(
        "online state: expected offsets that ascend from 0");
  }
  const size_t clusters = state.offsets.size() - 1;
  if (clusters > size_t{std::numeric_limits<int32_t>::max()}) {
    return Wrong("online state", "at most 2^31 - 1 clusters",
                 static_cast<int64_t>(clusters));
  }
  const struct {
    const char* name;
    size_t expected;
    size_t found;
  } arrays[] = {
      {"terms", static_cast<size_t>(state.offsets.back()), state.terms.size()},
      {"sums", static_cast<size_t>(state.offsets.back()), state.sums.size()},
      {"sizes", clusters, state.sizes.size()},
      {"last times", clusters, state.last_times.size()},
  };
  for (const auto& array : arrays) {
    if (array.found != array.expected) {
      return Wrong("online state",
                   absl::StrCat(array.expected, " ", array.name),
                   static_cast<int64_t>(array.found));
    }
  }
  return absl::OkStatus();
}

bool IsTime(int64_t time) {
  return time == OnlineState::kNoTime ||
         (time >= -OnlineState::kMaxTime && time <= OnlineState::kMaxTime);
}

absl::Status CheckStream(const OnlineState& state) {
  if (state.num_documents < 0 ||
      state.num_documents > OnlineState::kMaxDocuments) {
    return Wrong("online state", "0 to 2^32 documents", state.num_documents);
  }
  if (!IsTime(state.clock)) {
    return Wrong("online state", "a clock within +-2^60", state.clock);
  }
  if (state.num_terms < 0) {
    return Wrong("online state", "num_terms of 0 or more", state.num_terms);
  }
  return absl::OkStatus();
}

absl::Status CheckSums(const OnlineState& state, OnlineDocuments documents,
                       int32_t cluster) {
  const absl::Span<const int32_t> terms = state.TermsOf(cluster);
  const absl::Span<const int64_t> sums = state.SumsOf(cluster);
  const auto where = [&](size_t i) {
    return absl::StrCat("cluster ", cluster, ", entry ", i);
  };
  const bool is_dense = documents == OnlineDocuments::kDense;
  // Rounding changes each weight by at most 1/2.
  const int64_t unit_length =
      is_dense ? (int64_t{1} << 30) + 1 +
                     static_cast<int64_t>(std::sqrt(state.num_terms) / 2)
               : kMaxUnitLength;
  // At most 2^63: its square, and a square of a sum more, fit in 128 bits.
  const unsigned __int128 most =
      static_cast<unsigned __int128>(state.sizes[cluster]) * unit_length;
  const int64_t most_sum = state.sizes[cluster] << 30;
  unsigned __int128 squares = 0;
  int32_t previous = -1;
  for (size_t i = 0; i < terms.size(); ++i) {
    if (terms[i] <= previous) {
      return Wrong(where(i), absl::StrCat("a term above ", previous), terms[i]);
    }
    previous = terms[i];
    if (terms[i] >= state.num_terms) {
      return Wrong(where(i), absl::StrCat("a term below ", state.num_terms),
                   terms[i]);
    }
    const bool in_range =
        is_dense ? sums[i] >= -most_sum && sums[i] <= most_sum && sums[i] != 0
                 : sums[i] >= 1 && sums[i] <= most_sum;
    if (!in_range) {
      return Wrong(where(i),
                   absl::StrCat("a sum of 1 to ", most_sum,
                                is_dense ? ", or its negative," : "", " for ",
                                state.sizes[cluster], " documents"),
                   sums[i]);
    }
    squares += static_cast<unsigned __int128>(static_cast<__int128>(sums[i]) *
                                              sums[i]);
    if (squares > most * most) {
      return Wrong(where(i),
                   absl::StrCat("sums no longer than ", state.sizes[cluster],
                                " unit vectors together"),
                   sums[i]);
    }
  }
  return absl::OkStatus();
}

}  // namespace

void SetClusters(OnlineState clusters, OnlineState* state) {
  clusters.num_documents = state->num_documents;
  clusters.clock = state->clock;
  clusters.num_terms = state->num_terms;
  *state = std::move(clusters);
}

absl::Status ValidateOnlineState(const OnlineState& state,
                                 OnlineDocuments documents) {
  RETURN_IF_ERROR(CheckShape(state));
  RETURN_IF_ERROR(CheckStream(state));
  int64_t counted = 0;
  for (int32_t c = 0; c < state.num_clusters(); ++c) {
    const std::string where = absl::StrCat("cluster ", c);
    const int64_t size = state.sizes[c];
    if (size < 0 || size > state.num_documents - counted) {
      return Wrong(where,
                   absl::StrCat("0 to ", state.num_documents - counted,
                                " documents, those outside earlier clusters"),
                   size);
    }
    counted += size;
    if (size == 0 && !state.TermsOf(c).empty()) {
      return Wrong(where, "no sums in a cluster without documents",
                   static_cast<int64_t>(state.TermsOf(c).size()));
    }
    if (!IsTime(state.last_times[c]) || state.last_times[c] > state.clock) {
      return Wrong(where,
                   absl::StrCat("a last time within +-2^60 and not after the "
                                "clock, ",
                                state.clock),
                   state.last_times[c]);
    }
    RETURN_IF_ERROR(CheckSums(state, documents, c));
  }
  if (counted != state.num_documents) {
    return Wrong("online state",
                 absl::StrCat(state.num_documents,
                              " documents in all clusters together"),
                 counted);
  }
  return absl::OkStatus();
}

}  // namespace warpclust
