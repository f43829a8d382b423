// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/distributed/ranked_decider.h"

#include <algorithm>

#include "algorithms/online/distributed/cluster_pack.h"
#include "algorithms/online/distributed/count_words.h"
#include "algorithms/online/distributed/rank_words.h"
#include "algorithms/online/state/online_state.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

constexpr int32_t kNone = BatchDelta::kNone;

// The first word of a question.
enum What : int64_t {
  kSums,     // Of the clusters that follow.
  kNearest,  // Of a document. The numbers of clusters that changed follow.
  kEnd,      // The batch ends: an EndOfBatch follows.
};

// Lists of words.
struct EndOfBatch {
  std::vector<int32_t> changed;
  // Of the receiver's clusters: new vectors, and sums that come back.
  Words vectors;
  Words sums;
};

// Brings `share` up to date with a batch.
void Apply(int32_t num_clusters, absl::Span<const int64_t> vectors,
           absl::Span<const int64_t> sums, ClusterShare* share) {
  share->Reserve(num_clusters);
  PackedVector vector;
  for (size_t at = 0; at < vectors.size();) {
    UnpackVector(vectors, &at, &vector);
    share->SetVector(vector);
  }
  KeepAll(sums, share);
}

// Those of all ranks that no cluster, found or not, precedes.
void TakeBest(std::vector<Similar>* clusters, NearestClusters* found) {
  std::sort(
      clusters->begin(), clusters->end(),
      [](const Similar& a, const Similar& b) { return a.IsBetterThan(b); });
  found->count = 0;
  for (const Similar& similar : *clusters) {
    if (similar.similarity <= found->floor) break;
    if (found->count == NearestClusters::kMost) {
      found->floor = similar.similarity;
      break;
    }
    found->clusters[found->count] = static_cast<int32_t>(similar.cluster);
    found->similarities[found->count++] = similar.similarity;
  }
}

}  // namespace

void KeepAll(absl::Span<const int64_t> pack, ClusterShare* share) {
  for (size_t at = 0; at < pack.size();) {
    share->Keep(UnpackCluster(pack, &at));
  }
}

RankedDecider::RankedDecider(const OnlineOptions& options, int64_t most_bytes,
                             ClusterShare* share, Communicator* ranks)
    : options_(options),
      above_(SimilarityAbove(options.threshold)),
      most_bytes_(most_bytes),
      share_(*share),
      ranks_(*ranks),
      held_(options),
      delta_(options.terms),
      weights_(options.terms) {}

absl::StatusOr<DecidedBatch> RankedDecider::Decide(
    const UnitVectors& documents, absl::Span<const int64_t> clocks,
    int32_t num_clusters, int32_t num_terms) {
  num_clusters_ = num_clusters;
  num_terms_ = num_terms;
  delta_.Reserve(num_clusters, num_terms);
  RETURN_IF_ERROR(Gather(documents, clocks));
  RETURN_IF_ERROR(HoldLikely());
  DecidedBatch decided;
  for (int64_t d = 0; d < documents.size(); ++d) {
    Prefetch(documents, d);
    clock_ = clocks[d];
    ASSIGN_OR_RETURN(const int32_t cluster, Place(documents, d));
    decided.clusters.push_back(cluster);
  }
  decided.changed.assign(delta_.in_this_batch().begin(),
                         delta_.in_this_batch().end());
  counts_.partial_products += delta_.partial_products();
  counts_.repeated = repeated_;
  RETURN_IF_ERROR(End(decided.clusters));
  decided.num_clusters = num_clusters_;
  decided.counts = counts_;
  return decided;
}

absl::Status RankedDecider::Gather(const UnitVectors& documents,
                                   absl::Span<const int64_t> clocks) {
  counts_ = share_.counts();
  std::vector<Words> all(ranks_.size());
  all[ranks_.rank()] = share_.FindAll(documents, clocks);
  std::vector<size_t> at(ranks_.size());
  for (int rank = 0; rank < ranks_.size(); ++rank) {
    if (rank == ranks_.rank()) continue;
    ASSIGN_OR_RETURN(all[rank], ReceiveWords(rank, ranks_));
    AddCounts(ReadList(all[rank], &at[rank]), &counts_);
  }
  found_.assign(documents.size(), NearestClusters());
  std::vector<Similar> clusters;
  for (NearestClusters& found : found_) {
    clusters.clear();
    found.floor = 0;
    for (int rank = 0; rank < ranks_.size(); ++rank) {
      const int64_t* next = all[rank].data() + at[rank];
      found.floor = std::max(found.floor, next[0]);
      const int64_t count = next[1];
      next += 2;
      for (int64_t i = 0; i < count; ++i, next += 2) {
        clusters.push_back({next[0], next[1]});
      }
      at[rank] += 2 + 2 * count;
    }
    TakeBest(&clusters, &found);
  }
  return absl::OkStatus();
}

absl::Status RankedDecider::HoldLikely() {
  std::vector<int32_t> clusters;
  for (const NearestClusters& found : found_) {
    if (found.count > 0 && !held_.Holds(found.clusters[0])) {
      clusters.push_back(found.clusters[0]);
    }
  }
  std::sort(clusters.begin(), clusters.end());
  clusters.erase(std::unique(clusters.begin(), clusters.end()), clusters.end());
  return Hold(clusters);
}

absl::Status RankedDecider::Hold(absl::Span<const int32_t> clusters) {
  std::vector<Words> asked(ranks_.size(), Words{kSums});
  Words mine;
  for (const int32_t cluster : clusters) {
    if (share_.IsMine(cluster)) {
      share_.Lend(cluster, &mine);
    } else {
      asked[share_.OwnerOf(cluster)].push_back(cluster);
    }
  }
  for (int rank = 0; rank < ranks_.size(); ++rank) {
    if (asked[rank].size() == 1) continue;
    RETURN_IF_ERROR(SendWords(asked[rank], rank, ranks_));
  }
  for (size_t at = 0; at < mine.size();) held_.Hold(UnpackCluster(mine, &at));
  for (int rank = 0; rank < ranks_.size(); ++rank) {
    if (asked[rank].size() == 1) continue;
    ASSIGN_OR_RETURN(const Words pack, ReceiveWords(rank, ranks_));
    for (size_t at = 0; at < pack.size();) held_.Hold(UnpackCluster(pack, &at));
  }
  return absl::OkStatus();
}

void RankedDecider::Prefetch(const UnitVectors& documents, int64_t d) const {
  if (d + 2 >= documents.size()) return;
  const NearestClusters* const found = &found_[d];
  delta_.PrefetchHeads(documents.TermsOf(d + 2));
  if (found[2].count > 0) held_.Prefetch(found[2].clusters[0]);
  delta_.PrefetchLists(documents.TermsOf(d + 1));
  if (found[1].count > 0) {
    held_.PrefetchTail(found[1].clusters[0], documents.TermsOf(d + 1));
  }
}

absl::StatusOr<int32_t> RankedDecider::Place(const UnitVectors& documents,
                                             int64_t d) {
  const absl::Span<const int32_t> terms = documents.TermsOf(d);
  const absl::Span<const int32_t> weights = documents.WeightsOf(d);
  ASSIGN_OR_RETURN(int32_t cluster, Nearest(terms, weights, d));
  if (cluster == kNone) {
    cluster = num_clusters_++;
    held_.Found(cluster, terms, weights, clock_);
    delta_.Reserve(num_clusters_, num_terms_);
  } else {
    if (!held_.Holds(cluster)) RETURN_IF_ERROR(Hold({cluster}));
    held_.Join(cluster, terms, weights, clock_);
  }
  held_.Weigh(cluster, weights_.data());
  delta_.Set(cluster, held_.TermsOf(cluster), weights_);
  return cluster;
}

absl::StatusOr<int32_t> RankedDecider::Nearest(
    absl::Span<const int32_t> terms, absl::Span<const int32_t> weights,
    int64_t d) {
  const NearestNow now = FindNearestNow(
      found_[d], above_, terms, weights,
      [&](int32_t cluster) {
        return !IsExpired(held_.last_time(cluster), clock_,
                          options_.expire_after);
      },
      &delta_);
  if (now.is_certain) return now.cluster;
  ++repeated_;
  const auto untold = delta_.in_this_batch().subspan(num_told_);
  num_told_ = delta_.in_this_batch().size();
  Words question = {kNearest, d};
  question.insert(question.end(), untold.begin(), untold.end());
  for (int rank = 0; rank < ranks_.size(); ++rank) {
    if (rank == ranks_.rank()) continue;
    RETURN_IF_ERROR(SendWords(question, rank, ranks_));
  }
  // kNone is less than every number: what equals its similarity is not above
  // the threshold.
  Similar best = {now.similarity, now.cluster};
  const Similar mine = share_.FindBest(
      terms, weights, clock_,
      [&](int32_t cluster) { return delta_.Contains(cluster); });
  if (mine.cluster != kNone && mine.IsBetterThan(best)) best = mine;
  for (int rank = 0; rank < ranks_.size(); ++rank) {
    if (rank == ranks_.rank()) continue;
    ASSIGN_OR_RETURN(const Words answer, ReceiveWords(rank, ranks_));
    const Similar other = {answer[0], answer[1]};
    if (other.cluster != kNone && other.IsBetterThan(best)) best = other;
  }
  return static_cast<int32_t>(best.cluster);
}

absl::Status RankedDecider::End(const std::vector<int32_t>& clusters) {
  std::vector<EndOfBatch> ends(ranks_.size());
  const absl::Span<const int32_t> changed = delta_.in_this_batch();
  for (size_t i = 0; i < changed.size(); ++i) {
    AppendVector(changed[i], held_.last_time(changed[i]), delta_.TermsOf(i),
                 delta_.WeightsOf(i),
                 &ends[share_.OwnerOf(changed[i])].vectors);
  }
  for (const int32_t cluster : held_.Excess(most_bytes_)) {
    held_.Release(cluster, &ends[share_.OwnerOf(cluster)].sums);
  }
  Words words;
  for (int rank = 0; rank < ranks_.size(); ++rank) {
    if (rank == ranks_.rank()) continue;
    words = {kEnd, num_clusters_};
    AppendList(options_.merge_every > 0
                   ? std::vector<int32_t>(changed.begin(), changed.end())
                   : std::vector<int32_t>(),
               &words);
    AppendList(ends[rank].vectors, &words);
    AppendList(ends[rank].sums, &words);
    if (rank == 0) {
      AppendList(clusters, &words);
      AppendList(CountWords(counts_), &words);
    }
    RETURN_IF_ERROR(SendWords(words, rank, ranks_));
  }
  const EndOfBatch& mine = ends[ranks_.rank()];
  Apply(num_clusters_, mine.vectors, mine.sums, &share_);
  delta_.NextBatch();
  delta_.NextBatch();
  num_told_ = 0;
  return absl::OkStatus();
}

void RankedDecider::ReleaseAll(std::vector<std::vector<int64_t>>* by_owner) {
  for (const int32_t cluster : held_.clusters()) {
    held_.Release(cluster, &(*by_owner)[share_.OwnerOf(cluster)]);
  }
}

absl::StatusOr<DecidedBatch> AnswerDecider(const UnitVectors& documents,
                                           absl::Span<const int64_t> clocks,
                                           int decider, ClusterShare* share,
                                           Communicator* ranks) {
  Words found;
  AppendList(CountWords(share->counts()), &found);
  const Words in_share = share->FindAll(documents, clocks);
  found.insert(found.end(), in_share.begin(), in_share.end());
  RETURN_IF_ERROR(SendWords(found, decider, *ranks));
  absl::flat_hash_set<int32_t> changed;
  while (true) {
    ASSIGN_OR_RETURN(const Words words, ReceiveWords(decider, *ranks));
    switch (words[0]) {
      case kSums: {
        Words pack;
        for (const int64_t cluster : absl::MakeConstSpan(words).subspan(1)) {
          share->Lend(static_cast<int32_t>(cluster), &pack);
        }
        RETURN_IF_ERROR(SendWords(pack, decider, *ranks));
        break;
      }
      case kNearest: {
        const int64_t d = words[1];
        changed.insert(words.begin() + 2, words.end());
        const Similar best = share->FindBest(
            documents.TermsOf(d), documents.WeightsOf(d), clocks[d],
            [&](int32_t cluster) { return changed.contains(cluster); });
        RETURN_IF_ERROR(
            SendWords({best.similarity, best.cluster}, decider, *ranks));
        break;
      }
      case kEnd: {
        DecidedBatch decided;
        decided.num_clusters = static_cast<int32_t>(words[1]);
        size_t at = 2;
        const auto numbers = ReadList(words, &at);
        decided.changed.assign(numbers.begin(), numbers.end());
        const auto vectors = ReadList(words, &at);
        const auto sums = ReadList(words, &at);
        Apply(decided.num_clusters, vectors, sums, share);
        if (ranks->rank() == 0) {
          const auto clusters = ReadList(words, &at);
          decided.clusters.assign(clusters.begin(), clusters.end());
          AddCounts(ReadList(words, &at), &decided.counts);
        }
        return decided;
      }
      default:
        return absl::InternalError("expected a question of the deciding rank");
    }
  }
}

}  // namespace warpclust
