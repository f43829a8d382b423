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
#include "algorithms/online/dense/dense_cluster_merging.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

DenseDocuments RowsOf(const DenseDocuments& documents, int64_t begin,
                      int64_t end) {
  DenseDocuments rows = documents;
  rows.num_rows = static_cast<int32_t>(end - begin);
  rows.values =
      documents.values.subspan(begin * documents.num_dimensions,
                               (end - begin) * documents.num_dimensions);
  return rows;
}

}  // namespace

absl::StatusOr<OnlineClusterer> OnlineClusterer::Begin(
    const OnlineOptions& options, const OnlineMethodOptions& method_options,
    OnlineDocuments kind, const OnlineState& state) {
  RETURN_IF_ERROR(options.Validate());
  RETURN_IF_ERROR(method_options.Validate());
  RETURN_IF_ERROR(ValidateOnlineState(state, kind));
  OnlineClusterer clusterer;
  clusterer.options_ = options;
  clusterer.method_options_ = method_options;
  clusterer.kind_ = kind;
  const Device asked = method_options.method == OnlineMethod::kParallel1
                           ? Device::kCuda
                           : method_options.device;
  // kAuto asks for a GPU when it pays: a short stream does not start CUDA. Of
  // several ranks, all hear whether rank 0 has one.
  if (asked == Device::kCuda && !method_options.has_ranks()) {
    RETURN_IF_ERROR(ResolveDevice(asked).status());
  }
  clusterer.has_gpu_ = asked != Device::kCpu && HasCudaCode();
  clusterer.num_documents_ = state.num_documents;
  clusterer.clock_ = state.clock;
  clusterer.num_terms_ = state.num_terms;
  return clusterer;
}

absl::StatusOr<OnlineClusterer> OnlineClusterer::Create(
    const OnlineOptions& options, const OnlineMethodOptions& method_options,
    const OnlineState& state) {
  ASSIGN_OR_RETURN(
      OnlineClusterer clusterer,
      Begin(options, method_options, OnlineDocuments::kTerms, state));
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
  const OnlineChoice choice =
      ChooseOnlineMethod(method_options, clusterer.has_gpu_, 0, 0, {});
  RETURN_IF_ERROR(clusterer.Replace(state, choice));
  return clusterer;
}

absl::StatusOr<OnlineClusterer> OnlineClusterer::CreateDense(
    const OnlineOptions& options, const OnlineMethodOptions& method_options,
    const OnlineState& state) {
  RETURN_IF_ERROR(ValidateDenseOptions(options, method_options));
  if (method_options.has_ranks()) {
    return absl::UnimplementedError(
        "online clustering on several ranks takes documents with terms only, "
        "found dense documents");
  }
  ASSIGN_OR_RETURN(
      OnlineClusterer clusterer,
      Begin(options, method_options, OnlineDocuments::kDense, state));
  const OnlineChoice choice = ChooseDenseOnlineMethod(
      method_options, clusterer.has_gpu_, 0, DenseStreamJob(), {});
  RETURN_IF_ERROR(clusterer.Replace(state, choice));
  return clusterer;
}

OnlineEngineBase& OnlineClusterer::engine() const {
  if (dense_engine_ != nullptr) return *dense_engine_;
  return *terms_engine_;
}

absl::Status OnlineClusterer::CheckCall(OnlineDocuments kind,
                                        int64_t num_documents,
                                        absl::Span<const int64_t> times,
                                        absl::Span<int32_t> clusters) const {
  if (kind != kind_) {
    return absl::InvalidArgumentError(
        kind_ == OnlineDocuments::kDense
            ? "expected dense documents, found documents with terms"
            : "expected documents with terms, found dense documents; make the "
              "clusterer by CreateDense");
  }
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
  const int threads = method_options_.preparing_threads();
  RETURN_IF_ERROR(ValidateDocuments(documents, threads));
  RETURN_IF_ERROR(CheckCall(OnlineDocuments::kTerms, documents.num_documents(),
                            times, clusters));
  ASSIGN_OR_RETURN(const UnitVectors vectors,
                   MakeUnitVectors(documents, options_.terms, threads));
  return AddValid(vectors, times, clusters);
}

absl::Status OnlineClusterer::Add(const UnitVectors& documents,
                                  absl::Span<const int64_t> times,
                                  absl::Span<int32_t> clusters) {
  RETURN_IF_ERROR(broken_);
  RETURN_IF_ERROR(ValidateUnitVectors(documents, options_.terms,
                                      method_options_.preparing_threads()));
  return AddMade(documents, times, clusters);
}

absl::Status OnlineClusterer::AddMade(const UnitVectors& documents,
                                      absl::Span<const int64_t> times,
                                      absl::Span<int32_t> clusters) {
  RETURN_IF_ERROR(broken_);
  RETURN_IF_ERROR(
      CheckCall(OnlineDocuments::kTerms, documents.size(), times, clusters));
  return AddValid(documents, times, clusters);
}

absl::Status OnlineClusterer::Add(const DenseDocuments& documents,
                                  absl::Span<const int64_t> times,
                                  absl::Span<int32_t> clusters) {
  RETURN_IF_ERROR(broken_);
  RETURN_IF_ERROR(ValidateDenseDocuments(documents));
  const int32_t count = documents.num_documents();
  RETURN_IF_ERROR(CheckCall(OnlineDocuments::kDense, count, times, clusters));
  if (count == 0) return absl::OkStatus();
  if (num_terms_ != 0 && num_terms_ != documents.num_dimensions) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected documents of ", num_terms_,
        " dimensions, as those before, found ", documents.num_dimensions));
  }
  num_terms_ = documents.num_dimensions;
  // How many clusters there will be is not known, so the device is chosen again
  // now and then.
  constexpr int64_t kUntilChosenAgain = 1 << 14;
  for (int64_t begin = 0; begin < count; begin += kUntilChosenAgain) {
    const int64_t size = std::min(kUntilChosenAgain, count - begin);
    num_entries_ += size * documents.num_dimensions;
    dense_job_.documents += size;
    dense_job_.products +=
        static_cast<double>(size * documents.num_dimensions) * num_clusters();
    const OnlineChoice choice = ChooseDenseOnlineMethod(
        method_options_, has_gpu_, size, dense_job_, choice_);
    if (choice != choice_) {
      absl::StatusOr<OnlineState> state = State();
      broken_ = state.ok() ? Replace(*state, choice) : state.status();
    }
    RETURN_IF_ERROR(AddRows(RowsOf(documents, begin, begin + size),
                            times.empty() ? times : times.subspan(begin, size),
                            clusters.subspan(begin, size)));
  }
  return absl::OkStatus();
}

absl::Status OnlineClusterer::AddRows(const DenseDocuments& documents,
                                      absl::Span<const int64_t> times,
                                      absl::Span<int32_t> clusters) {
  return AddPieces(
      documents.num_documents(), times, clusters,
      [&](int64_t begin, int64_t end, absl::Span<const int64_t> clocks,
          absl::Span<int32_t> decided) {
        return dense_engine_->Cluster(RowsOf(documents, begin, end), clocks,
                                      decided);
      });
}

absl::Status OnlineClusterer::AddValid(const UnitVectors& documents,
                                       absl::Span<const int64_t> times,
                                       absl::Span<int32_t> clusters) {
  const int64_t count = documents.size();
  if (count == 0) return absl::OkStatus();
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
  return AddPieces(
      count, times, clusters,
      [&](int64_t begin, int64_t end, absl::Span<const int64_t> clocks,
          absl::Span<int32_t> decided) {
        const bool is_whole = begin == 0 && end == count;
        return is_whole ? terms_engine_->Cluster(documents, clocks, decided)
                        : terms_engine_->Cluster(Slice(documents, begin, end),
                                                 clocks, decided);
      });
}

template <typename ClusterPiece>
absl::Status OnlineClusterer::AddPieces(int64_t count,
                                        absl::Span<const int64_t> times,
                                        absl::Span<int32_t> clusters,
                                        const ClusterPiece& cluster_piece) {
  std::vector<int64_t> clocks(count, clock_);
  for (int64_t d = 0; d < static_cast<int64_t>(times.size()); ++d) {
    const int64_t clock = d == 0 ? clock_ : clocks[d - 1];
    clocks[d] = std::max(clock, times[d]);  // kNoTime is below every time.
  }
  for (int64_t begin = 0; broken_.ok() && begin < count;) {
    int64_t end = count;
    if (options_.merge_every != 0) {
      end = std::min(end, begin + options_.merge_every -
                              num_documents_ % options_.merge_every);
    }
    broken_ = cluster_piece(
        begin, end, absl::MakeConstSpan(clocks).subspan(begin, end - begin),
        clusters.subspan(begin, end - begin));
    if (!broken_.ok()) break;
    num_documents_ += end - begin;
    clock_ = clocks[end - 1];
    if (options_.merge_every != 0 &&
        num_documents_ % options_.merge_every == 0) {
      broken_ = Merge();
    }
    begin = end;
  }
  return broken_;
}

absl::Status OnlineClusterer::Merge() {
  ASSIGN_OR_RETURN(absl::optional<std::vector<ClusterMerge>> merges,
                   engine().Merge());
  if (!merges.has_value()) {
    ASSIGN_OR_RETURN(OnlineState state, State());
    merges = kind_ == OnlineDocuments::kDense
                 ? MergeSimilarDenseClusters(options_, &state)
                 : MergeSimilarClusters(options_, &state);
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
  const bool has_engine = terms_engine_ != nullptr || dense_engine_ != nullptr;
  const OnlineCounts counts_before = has_engine ? counts() : OnlineCounts();
  absl::Status status = MakeEngine(state, choice);
  if (!status.ok() && choice.device == Device::kCuda &&
      method_options_.device == Device::kAuto &&
      choice.method != OnlineMethod::kParallel1) {
    // The GPU was not asked for: use the CPU.
    has_gpu_ = false;
    made.device = Device::kCpu;
    if (has_engine && made == choice_) return absl::OkStatus();
    status = MakeEngine(state, made);
  }
  RETURN_IF_ERROR(status);
  earlier_counts_ = counts_before;
  choice_ = made;
  return absl::OkStatus();
}

absl::Status OnlineClusterer::MakeEngine(const OnlineState& state,
                                         const OnlineChoice& choice) {
  if (kind_ == OnlineDocuments::kDense) {
    ASSIGN_OR_RETURN(
        dense_engine_,
        MakeDenseOnlineEngine(choice, options_, method_options_, state));
  } else {
    ASSIGN_OR_RETURN(terms_engine_, MakeOnlineEngine(choice, options_,
                                                     method_options_, state));
  }
  return absl::OkStatus();
}

absl::StatusOr<OnlineState> OnlineClusterer::State() {
  RETURN_IF_ERROR(broken_);
  ASSIGN_OR_RETURN(OnlineState state, engine().State());
  state.num_documents = num_documents_;
  state.clock = clock_;
  state.num_terms = num_terms_;
  return state;
}

ExpectedSeconds OnlineClusterer::Expected() const {
  return kind_ == OnlineDocuments::kDense
             ? Expect(dense_job_, method_options_.num_threads)
             : Expect(StreamJob{num_entries_}, /*num_threads=*/0);
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
  OnlineCounts counts = engine().counts();
  counts.partial_products += earlier_counts_.partial_products;
  counts.candidates += earlier_counts_.candidates;
  counts.batches += earlier_counts_.batches;
  counts.rounds += earlier_counts_.rounds;
  counts.repeated += earlier_counts_.repeated;
  return counts;
}

}  // namespace warpclust
