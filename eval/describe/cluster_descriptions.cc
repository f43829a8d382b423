// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/describe/cluster_descriptions.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "graph/cosine/exact_cosines.h"

namespace warpclust {
namespace {

// Weights of documents of length 1 are added in units of 2^-28: 2^35
// memberships fit in 64 bits.
constexpr double kUnit = 1 << 28;

// Cosines with a sum that are closer are ties: more than rounding explains.
constexpr double kTie = 1.0 / (1 << 20);

// The first of the members whose cosine is the largest.
int32_t Nearest(absl::Span<const int32_t> members,
                absl::Span<const double> cosines) {
  const double largest = *std::max_element(cosines.begin(), cosines.end());
  const auto nearest =
      std::find_if(cosines.begin(), cosines.end(),
                   [=](double cosine) { return cosine >= largest - kTie; });
  return members[nearest - cosines.begin()];
}

absl::Status Validate(const Cover& cover, absl::Span<const int32_t> centers,
                      const DescribedDocuments& described,
                      const DocumentMatrix& documents,
                      const DescribeOptions& options) {
  RETURN_IF_ERROR(ValidateNumThreads(options.num_threads));
  if (options.terms < 0 || options.neighbors < 0 || options.exemplars < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("describe: expected numbers of at least 0, found ",
                     options.terms, " terms, ", options.neighbors,
                     " neighbors, ", options.exemplars, " exemplars"));
  }
  RETURN_IF_ERROR(described.dense != nullptr
                      ? ValidateDenseDocuments(*described.dense)
                      : ValidateDocuments(documents));
  if (described.dense != nullptr && centers.empty() &&
      cover.num_clusters() > 0) {
    return absl::InvalidArgumentError(
        "describe: expected centers for clusters of dense documents");
  }
  RETURN_IF_ERROR(ValidateCover(cover, documents.num_documents()));
  const auto check = [](absl::string_view what, size_t found, int64_t expected,
                        bool may_be_empty) {
    if (static_cast<int64_t>(found) == expected ||
        (may_be_empty && found == 0)) {
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError(absl::StrCat(
        "describe: expected ", expected, " ", what, ", found ", found));
  };
  RETURN_IF_ERROR(
      check("words", described.words.size(), documents.num_terms, true));
  RETURN_IF_ERROR(check("titles", described.titles.size(),
                        documents.num_documents(), true));
  RETURN_IF_ERROR(check("centers", centers.size(), cover.num_clusters(), true));
  for (size_t c = 0; c < centers.size(); ++c) {
    const absl::Span<const int32_t> members =
        cover.MembersOf(static_cast<int32_t>(c));
    if (!std::binary_search(members.begin(), members.end(), centers[c])) {
      return absl::InvalidArgumentError(
          absl::StrCat("describe: expected a center that is in cluster ", c,
                       ", found ", centers[c]));
    }
  }
  return absl::OkStatus();
}

// The first `most` of `items` in their order, ascending by `less`.
template <class Item, class Less>
void KeepFirst(int32_t most, Less less, std::vector<Item>* items) {
  const size_t kept = std::min<size_t>(most, items->size());
  std::partial_sort(items->begin(), items->begin() + kept, items->end(), less);
  items->resize(kept);
}

// What all clusters share.
struct Collection {
  const Cover& cover;
  absl::Span<const int32_t> centers;
  const DescribedDocuments& described;
  const DescribeOptions& options;
  const DocumentMatrix& documents;
  // Those of ExactCosines or ExactDenseCosines.
  std::function<void(int32_t, absl::Span<const int32_t>, std::vector<double>*,
                     absl::Span<double>)>
      exact = nullptr;
  std::vector<double> norms = {};
  // kUnit / norms; 0 for a document without terms.
  std::vector<double> scales = {};
  // The clusters of each document, ascending.
  std::vector<int64_t> cluster_offsets = {};
  std::vector<int32_t> clusters = {};
  // f(t), and A in the same units.
  std::vector<int64_t> column_sums = {};
  double mean_sum = 0;

  absl::Span<const int32_t> ClustersOf(int32_t document) const {
    return absl::MakeConstSpan(clusters).subspan(
        cluster_offsets[document],
        cluster_offsets[document + 1] - cluster_offsets[document]);
  }
  // An entry of a document of length 1.
  int64_t Scaled(int32_t document, float weight) const {
    return static_cast<int64_t>(
        std::floor(static_cast<double>(weight) * scales[document] + 0.5));
  }
};

void FindClusters(Collection* collection) {
  const Cover& cover = collection->cover;
  std::vector<int64_t>& offsets = collection->cluster_offsets;
  offsets.assign(int64_t{collection->documents.num_documents()} + 1, 0);
  for (const int32_t d : cover.members) ++offsets[d + 1];
  for (size_t d = 1; d < offsets.size(); ++d) offsets[d] += offsets[d - 1];
  std::vector<int64_t> next(offsets.begin(), offsets.end() - 1);
  collection->clusters.resize(cover.members.size());
  for (int32_t c = 0; c < cover.num_clusters(); ++c) {
    for (const int32_t d : cover.MembersOf(c)) {
      collection->clusters[next[d]++] = c;
    }
  }
}

void AddColumns(Collection* collection) {
  const DocumentMatrix& documents = collection->documents;
  collection->column_sums.assign(documents.num_terms, 0);
  int64_t sum = 0;
  for (int32_t d = 0; d < documents.num_documents(); ++d) {
    const auto times = static_cast<int64_t>(collection->ClustersOf(d).size());
    for (int64_t e = documents.offsets[d]; e < documents.offsets[d + 1]; ++e) {
      const int64_t scaled =
          times * collection->Scaled(d, documents.weights[e]);
      collection->column_sums[documents.terms[e]] += scaled;
      sum += scaled;
    }
  }
  collection->mean_sum = static_cast<double>(sum) /
                         std::max<double>(1, collection->cover.num_clusters());
}

// Describes one cluster after the other, in one thread.
class Describer {
 public:
  explicit Describer(const Collection& collection)
      : collection_(collection),
        column_sums_(collection.documents.num_terms),
        shared_(collection.cover.num_clusters()) {}

  // `cosines` has one place per member.
  void Describe(int32_t cluster, absl::Span<double> cosines,
                ClusterDescription* result) {
    const absl::Span<const int32_t> members =
        collection_.cover.MembersOf(cluster);
    result->size = static_cast<int64_t>(members.size());
    if (members.empty()) return;
    AddMembers(members);
    if (collection_.centers.empty()) {
      CompareWithSum(members, cosines);
      result->center = Nearest(members, cosines);
    } else {
      result->center = collection_.centers[cluster];
      CompareWithCenter(members, result->center, cosines);
    }
    if (!collection_.described.titles.empty()) {
      result->title = collection_.described.titles[result->center];
    }
    result->inner_cosine = InnerCosine(members, result->center, cosines);
    FindExemplars(members, cosines, result);
    FindTerms(result);
    FindNeighbors(cluster, members, result);
    for (const int32_t column : columns_) column_sums_[column] = 0;
    columns_.clear();
  }

 private:
  // f(t, c) of this cluster, in the order in which the terms appear.
  void AddMembers(absl::Span<const int32_t> members) {
    const DocumentMatrix& documents = collection_.documents;
    for (const int32_t d : members) {
      for (int64_t e = documents.offsets[d]; e < documents.offsets[d + 1];
           ++e) {
        const int64_t scaled = collection_.Scaled(d, documents.weights[e]);
        // A weight far below the others of its document.
        if (scaled == 0) continue;
        int64_t& sum = column_sums_[documents.terms[e]];
        if (sum == 0) columns_.push_back(documents.terms[e]);
        sum += scaled;
      }
    }
  }

  void CompareWithSum(absl::Span<const int32_t> members,
                      absl::Span<double> cosines) const {
    double squared = 0;
    for (const int32_t column : columns_) {
      const auto sum = static_cast<double>(column_sums_[column]);
      squared += sum * sum;
    }
    const double norm = std::sqrt(squared);
    for (size_t i = 0; i < members.size(); ++i) {
      const int32_t d = members[i];
      const absl::Span<const int32_t> terms = collection_.documents.TermsOf(d);
      const absl::Span<const float> weights =
          collection_.documents.WeightsOf(d);
      double dot = 0;
      for (size_t e = 0; e < terms.size(); ++e) {
        dot += static_cast<double>(weights[e]) *
               static_cast<double>(column_sums_[terms[e]]);
      }
      cosines[i] =
          dot > 0 ? std::min(1.0, dot / norm / collection_.norms[d]) : 0;
    }
  }

  void CompareWithCenter(absl::Span<const int32_t> members, int32_t center,
                         absl::Span<double> cosines) {
    collection_.exact(center, members, &dense_, cosines);
    for (size_t i = 0; i < members.size(); ++i) {
      if (members[i] == center) {
        cosines[i] = 1;
      } else if (collection_.norms[members[i]] == 0 ||
                 collection_.norms[center] == 0) {
        cosines[i] = 0;
      }
    }
  }

  double InnerCosine(absl::Span<const int32_t> members, int32_t center,
                     absl::Span<const double> cosines) const {
    if (members.size() == 1) return 1;
    double sum = 0;
    for (size_t i = 0; i < members.size(); ++i) {
      if (collection_.centers.empty() || members[i] != center) {
        sum += cosines[i];
      }
    }
    return sum / static_cast<double>(members.size() -
                                     (collection_.centers.empty() ? 0 : 1));
  }

  void FindExemplars(absl::Span<const int32_t> members,
                     absl::Span<const double> cosines,
                     ClusterDescription* result) const {
    for (size_t i = 0; i < members.size(); ++i) {
      if (members[i] != result->center) {
        result->exemplars.push_back({members[i], cosines[i]});
      }
    }
    KeepFirst(
        collection_.options.exemplars,
        [](const ClusterExemplar& a, const ClusterExemplar& b) {
          return a.cosine != b.cosine ? a.cosine > b.cosine
                                      : a.document < b.document;
        },
        &result->exemplars);
  }

  void FindTerms(ClusterDescription* result) {
    if (collection_.described.words.empty()) return;
    double sum = 0;
    for (const int32_t column : columns_) {
      sum += static_cast<double>(column_sums_[column]);
    }
    weights_.clear();
    for (const int32_t column : columns_) {
      if (collection_.described.words[column].empty()) continue;
      const double weight =
          static_cast<double>(column_sums_[column]) / sum *
          std::log(1 +
                   collection_.mean_sum /
                       static_cast<double>(collection_.column_sums[column]));
      weights_.emplace_back(-weight, column);
    }
    KeepFirst(collection_.options.terms, std::less<>(), &weights_);
    for (const auto& [weight, column] : weights_) {
      result->terms.push_back(
          {column, collection_.described.words[column], -weight});
    }
  }

  void FindNeighbors(int32_t cluster, absl::Span<const int32_t> members,
                     ClusterDescription* result) {
    for (const int32_t d : members) {
      for (const int32_t other : collection_.ClustersOf(d)) {
        if (other == cluster) continue;
        if (shared_[other]++ == 0) others_.push_back(other);
      }
    }
    result->num_neighbors = static_cast<int32_t>(others_.size());
    for (const int32_t other : others_) {
      result->neighbors.push_back({other, shared_[other]});
      shared_[other] = 0;
    }
    others_.clear();
    KeepFirst(
        collection_.options.neighbors,
        [](const ClusterNeighbor& a, const ClusterNeighbor& b) {
          return a.shared != b.shared ? a.shared > b.shared
                                      : a.cluster < b.cluster;
        },
        &result->neighbors);
    result->neighbors.shrink_to_fit();
    result->exemplars.shrink_to_fit();
  }

  const Collection& collection_;
  // 0 outside of Describe, as are the columns in use.
  std::vector<int64_t> column_sums_;
  std::vector<int32_t> columns_;
  std::vector<int64_t> shared_;
  std::vector<int32_t> others_;
  std::vector<double> dense_;
  std::vector<std::pair<double, int32_t>> weights_;
};

}  // namespace

absl::StatusOr<ClusterDescriptions> DescribeClusters(
    const Cover& cover, absl::Span<const int32_t> centers,
    const DescribedDocuments& described, const DescribeOptions& options) {
  // Dense documents are rows without terms to all but their cosines.
  DocumentMatrix rows;
  if (described.dense != nullptr) {
    rows.offsets.resize(int64_t{described.dense->num_documents()} + 1);
  }
  const DocumentMatrix& documents =
      described.dense != nullptr ? rows : *described.documents;
  RETURN_IF_ERROR(Validate(cover, centers, described, documents, options));
  Collection collection = {cover, centers, described, options, documents};
  if (described.dense != nullptr) {
    collection.exact = ExactDenseCosines(*described.dense, options.num_threads);
    collection.norms = SquaredNorms(*described.dense, options.num_threads);
  } else {
    collection.exact = ExactCosines(documents);
    collection.norms = SquaredNorms(documents);
  }
  for (double& norm : collection.norms) {
    norm = std::sqrt(norm);
    collection.scales.push_back(norm > 0 ? kUnit / norm : 0);
  }
  FindClusters(&collection);
  AddColumns(&collection);

  ClusterDescriptions result;
  result.clusters.resize(cover.num_clusters());
  result.cosines.resize(cover.members.size());
  const int threads =
      std::clamp(cover.num_clusters(), 1, ResolveThreads(options.num_threads));
#pragma omp parallel num_threads(threads) if (threads > 1)
  {
    Describer describer(collection);
#pragma omp for schedule(dynamic, 16)
    for (int32_t c = 0; c < cover.num_clusters(); ++c) {
      describer.Describe(c,
                         absl::MakeSpan(result.cosines)
                             .subspan(cover.offsets[c],
                                      cover.offsets[c + 1] - cover.offsets[c]),
                         &result.clusters[c]);
    }
  }
  return result;
}

}  // namespace warpclust
