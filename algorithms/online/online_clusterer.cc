// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/online_clusterer.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "algorithms/online/clusters/cluster_merging.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

// Rows [begin, end).
UnitVectors Slice(const UnitVectors& documents, int64_t begin, int64_t end) {
  const int64_t first = documents.offsets[begin];
  const int64_t last = documents.offsets[end];
  UnitVectors slice;
  slice.offsets.clear();
  for (int64_t d = begin; d <= end; ++d) {
    slice.offsets.push_back(documents.offsets[d] - first);
  }
  slice.terms.assign(documents.terms.begin() + first,
                     documents.terms.begin() + last);
  slice.weights.assign(documents.weights.begin() + first,
                       documents.weights.begin() + last);
  slice.num_terms = documents.num_terms;
  return slice;
}

}  // namespace

absl::StatusOr<OnlineClusterer> OnlineClusterer::Create(
    const OnlineOptions& options, const OnlineMethodOptions& method_options,
    const OnlineState& state) {
  RETURN_IF_ERROR(options.Validate());
  RETURN_IF_ERROR(method_options.Validate());
  RETURN_IF_ERROR(ValidateOnlineState(state));
  OnlineClusterer clusterer;
  clusterer.options_ = options;
  clusterer.method_options_ = method_options;
  const Device asked = method_options.method == OnlineMethod::kParallel1
                           ? Device::kCuda
                           : method_options.device;
  // kAuto asks for a GPU when it pays: a short stream does not start CUDA.
  if (asked == Device::kCuda) RETURN_IF_ERROR(ResolveDevice(asked).status());
  clusterer.has_gpu_ = asked != Device::kCpu;
  if (options.truncated_mean &&
      (method_options.method == OnlineMethod::kAuto ||
       method_options.method == OnlineMethod::kBatched)) {
    if (method_options.device == Device::kCuda) {
      return absl::InvalidArgumentError(
          "truncated_mean: expected the device cpu or the method parallel1, "
          "mdc1, mdc2 or approximate, because batched needs full sums on a "
          "GPU; found the device cuda");
    }
    clusterer.has_gpu_ = false;
  }
  clusterer.num_documents_ = state.num_documents;
  clusterer.clock_ = state.clock;
  clusterer.num_terms_ = state.num_terms;
  const OnlineChoice choice =
      ChooseOnlineMethod(method_options, clusterer.has_gpu_, 0, 0, {});
  RETURN_IF_ERROR(clusterer.Replace(state, choice));
  return clusterer;
}

absl::Status OnlineClusterer::CheckCall(int64_t num_documents,
                                        absl::Span<const int64_t> times,
                                        absl::Span<int32_t> clusters) const {
  if (static_cast<int64_t>(clusters.size()) != num_documents) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected room for ", num_documents,
                     " cluster numbers, found ", clusters.size()));
  }
  if (!times.empty() && static_cast<int64_t>(times.size()) != num_documents) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected no times or one per document, ", num_documents,
                     ", found ", times.size()));
  }
  for (size_t d = 0; d < times.size(); ++d) {
    if (times[d] != OnlineState::kNoTime &&
        (times[d] < -OnlineState::kMaxTime ||
         times[d] > OnlineState::kMaxTime)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "document ", d, ": expected a time within +-2^60, found ", times[d]));
    }
  }
  if (num_documents > OnlineState::kMaxDocuments - num_documents_ ||
      num_documents > std::numeric_limits<int32_t>::max() - num_clusters()) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "expected at most 2^32 documents in all, in at most 2^31 - 1 clusters; "
        "found ",
        num_documents, " more than ", num_documents_, " in ", num_clusters()));
  }
  return absl::OkStatus();
}

absl::Status OnlineClusterer::Add(const DocumentMatrix& documents,
                                  absl::Span<const int64_t> times,
                                  absl::Span<int32_t> clusters) {
  RETURN_IF_ERROR(broken_);
  RETURN_IF_ERROR(ValidateDocuments(documents));
  RETURN_IF_ERROR(CheckCall(documents.num_documents(), times, clusters));
  ASSIGN_OR_RETURN(const UnitVectors vectors,
                   MakeUnitVectors(documents, options_.terms));
  return AddValid(vectors, times, clusters);
}

absl::Status OnlineClusterer::Add(const UnitVectors& documents,
                                  absl::Span<const int64_t> times,
                                  absl::Span<int32_t> clusters) {
  RETURN_IF_ERROR(broken_);
  RETURN_IF_ERROR(ValidateUnitVectors(documents, options_.terms));
  RETURN_IF_ERROR(CheckCall(documents.size(), times, clusters));
  return AddValid(documents, times, clusters);
}

absl::Status OnlineClusterer::AddValid(const UnitVectors& documents,
                                       absl::Span<const int64_t> times,
                                       absl::Span<int32_t> clusters) {
  const int64_t count = documents.size();
  if (count == 0) return absl::OkStatus();
  std::vector<int64_t> clocks(count, clock_);
  for (int64_t d = 0; d < static_cast<int64_t>(times.size()); ++d) {
    const int64_t clock = d == 0 ? clock_ : clocks[d - 1];
    clocks[d] = std::max(clock, times[d]);  // kNoTime is below every time.
  }
  num_entries_ += static_cast<int64_t>(documents.terms.size());
  // An engine gets no more documents at a time than between two merges.
  const int64_t at_once =
      options_.merge_every == 0 ? count : std::min(count, options_.merge_every);
  const OnlineChoice choice = ChooseOnlineMethod(
      method_options_, has_gpu_, at_once, num_entries_, choice_);
  if (choice != choice_) {
    absl::StatusOr<OnlineState> state = State();
    broken_ = state.ok() ? Replace(*state, choice) : state.status();
  }
  num_terms_ = std::max(num_terms_, documents.num_terms);
  for (int64_t begin = 0; broken_.ok() && begin < count;) {
    int64_t end = count;
    if (options_.merge_every != 0) {
      end = std::min(end, begin + options_.merge_every -
                              num_documents_ % options_.merge_every);
    }
    const absl::Span<const int64_t> piece_clocks =
        absl::MakeConstSpan(clocks).subspan(begin, end - begin);
    const absl::Span<int32_t> piece = clusters.subspan(begin, end - begin);
    broken_ = begin == 0 && end == count
                  ? AddPiece(documents, piece_clocks, piece)
                  : AddPiece(Slice(documents, begin, end), piece_clocks, piece);
    begin = end;
  }
  return broken_;
}

absl::Status OnlineClusterer::AddPiece(const UnitVectors& documents,
                                       absl::Span<const int64_t> clocks,
                                       absl::Span<int32_t> clusters) {
  RETURN_IF_ERROR(engine_->Cluster(documents, clocks, clusters));
  num_documents_ += documents.size();
  clock_ = clocks.back();
  if (options_.merge_every != 0 && num_documents_ % options_.merge_every == 0) {
    return Merge();
  }
  return absl::OkStatus();
}

absl::Status OnlineClusterer::Merge() {
  absl::optional<std::vector<ClusterMerge>> merges = engine_->Merge();
  if (!merges.has_value()) {
    ASSIGN_OR_RETURN(OnlineState state, State());
    merges = MergeSimilarClusters(options_, &state);
    if (!merges->empty()) RETURN_IF_ERROR(Replace(state, choice_));
  }
  for (const ClusterMerge& merge : *merges) {
    merges_.push_back({num_documents_, merge.from, merge.into});
  }
  return absl::OkStatus();
}

absl::Status OnlineClusterer::Replace(const OnlineState& state,
                                      const OnlineChoice& choice) {
  OnlineChoice made = choice;
  absl::StatusOr<std::unique_ptr<OnlineEngine>> engine =
      MakeOnlineEngine(choice, options_, method_options_, state);
  if (!engine.ok() && choice.device == Device::kCuda &&
      method_options_.device == Device::kAuto &&
      choice.method != OnlineMethod::kParallel1) {
    // The GPU was not asked for: use the CPU.
    has_gpu_ = false;
    made.device = Device::kCpu;
    if (engine_ != nullptr && made == choice_) return absl::OkStatus();
    engine = MakeOnlineEngine(made, options_, method_options_, state);
  }
  if (!engine.ok()) return engine.status();
  if (engine_ != nullptr) earlier_counts_ = counts();
  engine_ = *std::move(engine);
  choice_ = made;
  return absl::OkStatus();
}

absl::StatusOr<OnlineState> OnlineClusterer::State() {
  RETURN_IF_ERROR(broken_);
  ASSIGN_OR_RETURN(OnlineState state, engine_->State());
  state.num_documents = num_documents_;
  state.clock = clock_;
  state.num_terms = num_terms_;
  return state;
}

std::vector<int32_t> FinalClusters(const OnlineClusterer& clusterer) {
  std::vector<int32_t> home(clusterer.num_clusters());
  for (size_t c = 0; c < home.size(); ++c) home[c] = static_cast<int32_t>(c);
  for (const OnlineMerge& merge : clusterer.merges()) {
    home[merge.from] = merge.into;
  }
  // Clusters merge into smaller numbers only, so home[c] is final once the
  // smaller numbers are.
  for (size_t c = 0; c < home.size(); ++c) home[c] = home[home[c]];
  return home;
}

OnlineCounts OnlineClusterer::counts() const {
  OnlineCounts counts = engine_->counts();
  counts.partial_products += earlier_counts_.partial_products;
  counts.candidates += earlier_counts_.candidates;
  counts.batches += earlier_counts_.batches;
  counts.rounds += earlier_counts_.rounds;
  counts.repeated += earlier_counts_.repeated;
  return counts;
}

}  // namespace warpclust
