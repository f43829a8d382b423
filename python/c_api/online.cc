// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The C interface of online clustering.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/online/online_clusterer.h"
#include "algorithms/online/online_methods.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "base/machine/work_share.h"
#include "base/status/status_macros.h"
#include "python/c_api/arguments.h"
#include "python/c_api/call.h"
#include "python/c_api/result_storage.h"
#include "python/c_api/warpclust.h"
#include "sparse/matrix/append_rows.h"
#include "sparse/matrix/document_matrix.h"

struct warpclust_online {
  warpclust::OnlineClusterer clusterer;
  // Whether the end of a call ends a batch, and so decides clusters.
  bool approximate;
};

namespace warpclust {
namespace {

// Documents between two looks at a progress function.
constexpr int32_t kBlock = 1 << 14;

absl::StatusOr<OnlineOptions> ToOptions(const warpclust_online_options& from) {
  ASSIGN_OR_RETURN(const OnlineMethod method,
                   ParseOnlineMethod(TextOr(from.method, "auto")));
  OnlineOptions options = DefaultOnlineOptions(method);
  ASSIGN_OR_RETURN(options.threshold,
                   DecimalOr("threshold", from.threshold, options.threshold));
  options.terms = from.terms;
  options.expire_after = from.expire_after;
  if (from.merge_every != -1) options.merge_every = from.merge_every;
  ASSIGN_OR_RETURN(options.merge_threshold,
                   DecimalOr("merge_threshold", from.merge_threshold,
                             options.merge_threshold));
  options.truncated_mean = from.truncated_mean != 0;
  return options;
}

absl::StatusOr<OnlineMethodOptions> ToMethod(
    const warpclust_online_options& from, const CallOptions& call) {
  OnlineMethodOptions options;
  ASSIGN_OR_RETURN(options.method,
                   ParseOnlineMethod(TextOr(from.method, "auto")));
  options.batch = from.batch;
  if (from.epsilon != nullptr) {
    ASSIGN_OR_RETURN(options.epsilon, DecimalOr("epsilon", from.epsilon, {}));
  }
  options.device = call.device;
  options.num_threads = call.num_threads;
  return options;
}

absl::StatusOr<OnlineState> ToState(const warpclust_online_state& from) {
  OnlineState state;
  const int64_t clusters = from.num_clusters;
  // Sums have the shape of a sparse matrix.
  if (clusters < 0 || from.offsets == nullptr || from.offsets[0] != 0 ||
      !std::is_sorted(from.offsets, from.offsets + clusters + 1)) {
    return absl::InvalidArgumentError(
        "state: expected offsets that begin with 0 and never fall");
  }
  state.offsets.assign(from.offsets, from.offsets + clusters + 1);
  const int64_t entries = state.offsets.back();
  state.terms.assign(from.terms, from.terms + entries);
  state.sums.assign(from.sums, from.sums + entries);
  state.sizes.assign(from.sizes, from.sizes + clusters);
  state.last_times.assign(from.last_times, from.last_times + clusters);
  state.num_documents = from.num_documents;
  state.clock = from.clock;
  state.num_terms = from.num_terms;
  return state;
}

// In blocks, between which the caller can end the call. The documents are
// validated before the first is added.
absl::Status AddInBlocks(OnlineClusterer* clusterer,
                         const DocumentMatrix& documents,
                         absl::Span<const int64_t> times, WorkShare* share,
                         absl::Span<int32_t> clusters) {
  RETURN_IF_ERROR(ValidateDocuments(documents));
  const int32_t n = documents.num_documents();
  const CountedWork work(share, n);
  for (int32_t begin = 0; begin < n; begin += kBlock) {
    if (work.stopped()) {
      return absl::CancelledError("the documents after these were not added");
    }
    const int32_t end = begin + std::min(kBlock, n - begin);
    DocumentMatrix block;
    AppendRows(documents, begin, end, &block);
    block.num_terms = documents.num_terms;
    RETURN_IF_ERROR(clusterer->Add(
        block, times.empty() ? times : times.subspan(begin, end - begin),
        clusters.subspan(begin, end - begin)));
    work.Add(end - begin);
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace warpclust

using warpclust::Call;
using warpclust::CallOptions;

void warpclust_online_options_init(warpclust_online_options* options) {
  *options = warpclust_online_options();
  options->terms = warpclust::OnlineOptions().terms;
  options->merge_every = -1;
}

warpclust_status warpclust_online_create(
    const warpclust_online_options* options,
    const warpclust_online_state* state, const warpclust_run* run,
    warpclust_online** clusterer) {
  return Call(run, [&](const CallOptions& call) -> absl::Status {
    warpclust_online_options chosen;
    warpclust_online_options_init(&chosen);
    if (options != nullptr) chosen = *options;
    ASSIGN_OR_RETURN(const auto clustering, warpclust::ToOptions(chosen));
    ASSIGN_OR_RETURN(const auto method, warpclust::ToMethod(chosen, call));
    warpclust::OnlineState before;
    if (state != nullptr) {
      ASSIGN_OR_RETURN(before, warpclust::ToState(*state));
    }
    ASSIGN_OR_RETURN(auto created, warpclust::OnlineClusterer::Create(
                                       clustering, method, before));
    *clusterer = new warpclust_online{std::move(created),
                                      warpclust::IsApproximate(method.method)};
    return absl::OkStatus();
  });
}

void warpclust_online_destroy(warpclust_online* clusterer) { delete clusterer; }

warpclust_status warpclust_online_add(warpclust_online* clusterer,
                                      const warpclust_documents* documents,
                                      const int64_t* times,
                                      const warpclust_run* run,
                                      int32_t* clusters, int32_t* num_decided) {
  const int64_t before = clusterer->clusterer.num_documents();
  const warpclust_status status =
      Call(run, [&](const CallOptions& call) -> absl::Status {
        ASSIGN_OR_RETURN(const auto matrix,
                         warpclust::ToDocuments(*documents, call.num_threads));
        const int32_t n = matrix.num_documents();
        const auto all_times = absl::MakeConstSpan(times, times ? n : 0);
        const auto all_clusters = absl::MakeSpan(clusters, n);
        if (clusterer->approximate || run == nullptr ||
            run->progress == nullptr) {
          return clusterer->clusterer.Add(matrix, all_times, all_clusters);
        }
        return warpclust::AddInBlocks(&clusterer->clusterer, matrix, all_times,
                                      call.work, all_clusters);
      });
  *num_decided =
      static_cast<int32_t>(clusterer->clusterer.num_documents() - before);
  return status;
}

int32_t warpclust_online_num_clusters(const warpclust_online* clusterer) {
  return clusterer->clusterer.num_clusters();
}

int64_t warpclust_online_merges(const warpclust_online* clusterer,
                                int64_t first, int32_t* from, int32_t* into) {
  const auto merges = clusterer->clusterer.merges();
  const int64_t count = static_cast<int64_t>(merges.size());
  for (int64_t i = std::max<int64_t>(0, first); i < count; ++i) {
    if (from != nullptr) from[i - first] = merges[i].from;
    if (into != nullptr) into[i - first] = merges[i].into;
  }
  return count;
}

warpclust_status warpclust_online_get_state(warpclust_online* clusterer,
                                            warpclust_online_state* state) {
  return Call([&]() -> absl::Status {
    ASSIGN_OR_RETURN(auto known, clusterer->clusterer.State());
    auto* stored = warpclust::StoreResult(std::move(known));
    const warpclust::OnlineState& value = stored->value;
    *state = {.num_clusters = value.num_clusters(),
              .offsets = value.offsets.data(),
              .terms = value.terms.data(),
              .sums = value.sums.data(),
              .sizes = value.sizes.data(),
              .last_times = value.last_times.data(),
              .num_documents = value.num_documents,
              .clock = value.clock,
              .num_terms = value.num_terms,
              .storage = static_cast<warpclust::ResultStorage*>(stored)};
    return absl::OkStatus();
  });
}
