// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// rank_volumes: what the distributed algorithms send, on ranks that are threads
// of this process, beside the cost model of docs/scale.md. Prints one line per
// job and number of ranks: megabytes that all ranks send together, measured and
// predicted, and those of the rank that sends most.
//
//   rank_volumes [--size=1.0] [--ranks=2,4,8,16,32,64]

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "algorithms/correlation/correlation_clustering.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/distributed/density_peaks_on_ranks.h"
#include "algorithms/online/online_clusterer.h"
#include "algorithms/online/online_engine_factory.h"
#include "base/communicator/communicator.h"
#include "base/communicator/thread_ranks.h"
#include "base/io/row_share.h"
#include "base/numbers/random.h"
#include "base/status/status_macros.h"
#include "graph/cosine/distributed/cosine_graph_distributed.h"
#include "graph/signed/signed_graph.h"
#include "sparse/matrix/document_matrix.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

using Work = std::function<absl::Status(Communicator& ranks)>;

// A job, and what its model predicts that p ranks send together, in bytes.
struct RankJob {
  std::string name;
  Work work;
  std::function<double(double p)> predicted;
};

// Documents of 30 different terms, the more frequent the smaller.
DocumentMatrix MakeDocuments(int32_t count, int32_t num_terms) {
  Random random(1);
  DocumentMatrix documents;
  documents.num_terms = num_terms;
  for (int32_t d = 0; d < count; ++d) {
    std::vector<int32_t> terms;
    while (terms.size() < 30) {
      const double u = random.Unit();
      const auto term = static_cast<int32_t>(
          std::exp(u * std::log(static_cast<double>(num_terms))) - 1);
      if (std::find(terms.begin(), terms.end(), term) == terms.end()) {
        terms.push_back(term);
      }
    }
    std::sort(terms.begin(), terms.end());
    for (const int32_t term : terms) {
      documents.terms.push_back(term);
      documents.weights.push_back(std::log1p(static_cast<float>(term)) + 1);
    }
    documents.offsets.push_back(static_cast<int64_t>(documents.terms.size()));
  }
  return documents;
}

// Documents of this rank, as the ranks follow one another.
DocumentMatrix BlockOf(const DocumentMatrix& all, const Communicator& ranks) {
  const int64_t n = all.num_documents();
  const RowShare share = {ranks.rank(), ranks.size()};
  const int64_t begin = share.Begin(n);
  const int64_t end = share.End(n);
  DocumentMatrix block;
  block.num_terms = all.num_terms;
  const int64_t first = all.offsets[begin];
  for (int64_t d = begin + 1; d <= end; ++d) {
    block.offsets.push_back(all.offsets[d] - first);
  }
  block.terms.assign(all.terms.begin() + first,
                     all.terms.begin() + all.offsets[end]);
  block.weights.assign(all.weights.begin() + first,
                       all.weights.begin() + all.offsets[end]);
  return block;
}

PointMatrix BlockOf(const PointMatrix& all, const Communicator& ranks) {
  const int64_t n = all.num_points;
  const int64_t d = all.num_dimensions;
  const RowShare share = {ranks.rank(), ranks.size()};
  const int64_t begin = share.Begin(n);
  const int64_t end = share.End(n);
  PointMatrix block;
  block.num_points = static_cast<int32_t>(end - begin);
  block.num_dimensions = all.num_dimensions;
  block.values.assign(all.values.begin() + begin * d,
                      all.values.begin() + end * d);
  return block;
}

PointMatrix UniformPoints(int32_t n, int32_t d) {
  Random random(2);
  PointMatrix points;
  points.num_points = n;
  points.num_dimensions = d;
  points.values.resize(static_cast<size_t>(n) * d);
  for (double& x : points.values) x = random.Unit();
  return points;
}

RankJob CosineJob(int32_t count) {
  const DocumentMatrix documents = MakeDocuments(count, 20000);
  // Each block travels to half of the other ranks; in the last step of an even
  // number of ranks, one side sends a half. Edges are few.
  const double bytes = 8.0 * static_cast<double>(documents.num_entries());
  return {absl::StrFormat("cosine graph, %d documents", count),
          [documents](Communicator& ranks) {
            CosineGraphOptions options;
            options.beta = "0.8";
            options.num_threads = 1;
            return CosineGraphDistributed(ranks, BlockOf(documents, ranks),
                                          options, Device::kCpu)
                .status();
          },
          [bytes](double p) {
            const bool is_even = std::fmod(p, 2) == 0;
            return bytes * (is_even ? p / 2 - 0.25 : (p - 1) / 2);
          }};
}

// Uniform points in the unit cube, d_c = 0.02.
RankJob PointsJob3(int32_t n) {
  const PointMatrix points = UniformPoints(n, 3);
  constexpr double kCutoff = 0.02;
  return {absl::StrFormat("density peaks, %d points, 3 dimensions", n),
          [points](Communicator& ranks) {
            DensityPeaksOptions options;
            options.cutoff_distance = kCutoff;
            options.peaks = PeakSelection();
            options.device = Device::kCpu;
            options.num_threads = 1;
            return DensityPeaksOnRanks(BlockOf(points, ranks), options, ranks)
                .status();
          },
          [n](double p) {
            // Points within a distance of another rank's box: each of the cuts
            // of recursive bisection has two sides.
            const double cuts = std::log2(p) / 3;
            const auto halo = [&](double distance) {
              const double planes = 3 * (std::exp2(cuts) - 1);
              return std::min(p - 1, 2 * planes * distance) * n;
            };
            // The nearest point of higher density is mostly among the first.
            const double near = 0.9 * std::cbrt(1.0 / n);
            const double away = n * (p - 1) / p;
            const double sample = 512 * p * (p - 1) * 28;
            const double candidates =
                std::min(n / p, std::sqrt(n)) * p * (p - 1) * 24;
            return away * (28 + 20) + sample + halo(kCutoff) * 29 +
                   halo(near) * 64 + candidates;
          }};
}

// All blocks meet, twice.
RankJob PointsJob48(int32_t n) {
  const PointMatrix points = UniformPoints(n, 48);
  return {absl::StrFormat("density peaks, %d points, 48 dimensions", n),
          [points](Communicator& ranks) {
            DensityPeaksOptions options;
            options.cutoff_distance = 2.3;
            options.peaks = PeakSelection();
            options.index = DensityPeaksIndex::kBruteForce;
            options.device = Device::kCpu;
            options.num_threads = 1;
            return DensityPeaksOnRanks(BlockOf(points, ranks), options, ranks)
                .status();
          },
          [n](double p) {
            // Blocks go half-way round, twice, with what is asked for and
            // answered; in the last step one side sends a half. The second
            // search begins with the last block of the first.
            const double meetings = n * (p / 2 - 0.25);
            const double again = n * (p / 2 - 1);
            // Few ranks get all dependent points for labels.
            const double labels = p < 16 ? 4.0 * n * (p - 1) : 0;
            return (meetings + again) * 8 * 48 + meetings * (5 + 40) + labels +
                   n * 24 * (p - 1) / p;
          }};
}

RankJob CorrelationJob(int32_t n) {
  Random random(3);
  std::vector<SignedEdge> edges;
  for (int32_t u = 0; u < n; ++u) {
    for (int k = 0; k < 6; ++k) {
      const auto v = static_cast<int32_t>(random.Below(n));
      if (v != u) edges.push_back({u, v, random.Below(4) == 0 ? -1 : 1});
    }
  }
  const SignedGraph graph = *BuildSignedGraph(n, edges);
  return {
      absl::StrFormat("correlation clustering, %d vertices, 4 rounds", n),
      [graph](Communicator& ranks) {
        CorrelationOptions options;
        options.iterations = 4;
        options.no_improvement = 4;
        options.device = Device::kCpu;
        options.num_threads = 1;
        return CorrelationClustering(graph, options, nullptr, &ranks).status();
      },
      [n](double p) {
        // Rounds of 1, 4, 16 and 64 chains, 4 greedy starts, and about as
        // many improved candidates as chains.
        return 4.0 * n * (2 * 85 + 4) * (p - 1);
      }};
}

RankJob OnlineJob(int32_t count) {
  const DocumentMatrix documents = MakeDocuments(count, 20000);
  return {absl::StrFormat("online clustering, %d documents", count),
          [documents](Communicator& ranks) -> absl::Status {
            if (ranks.rank() > 0) return FollowOnlineClusterer(ranks);
            OnlineMethodOptions method;
            method.method = OnlineMethod::kBatched;
            method.ranks = &ranks;
            method.device = Device::kCpu;
            method.num_threads = 1;
            OnlineOptions options;
            options.threshold = "0.5";
            options.merge_every = 0;
            ASSIGN_OR_RETURN(OnlineClusterer clusterer,
                             OnlineClusterer::Create(options, method));
            std::vector<int32_t> clusters(documents.num_documents());
            return clusterer.Add(documents, {}, absl::MakeSpan(clusters));
          },
          [count](double p) {
            // 20 terms of each document are kept: 8 bytes each, and 16 for its
            // place and its time. These documents are unlike: hardly any finds
            // a cluster, which a rank says in 16 bytes; each founds one, whose
            // number goes to rank 0 and whose vector to the owner. A batch of
            // 1,024 has 200 bytes more per rank. At first all ranks learn the
            // lengths of what each sends to each.
            return (p - 1) * (count * (20 * 8 + 16 + 16 + 8 * (3 + 20) / p) +
                              count / 1024.0 * 200 + 8 * p * p) +
                   8.0 * count;
          }};
}

absl::Status Run(double size, const std::vector<int>& rank_counts) {
  const auto scaled = [size](int32_t count) {
    return std::max(64, static_cast<int32_t>(count * size));
  };
  const std::vector<RankJob> jobs = {
      CosineJob(scaled(20000)), PointsJob3(scaled(400000)),
      PointsJob48(scaled(6000)), CorrelationJob(scaled(3000)),
      OnlineJob(scaled(8000))};
  std::cout << "job\tranks\tmeasured MB\tpredicted MB\tmeasured / predicted\t"
               "most of a rank, MB\n";
  for (const RankJob& job : jobs) {
    for (const int p : rank_counts) {
      std::vector<int64_t> sent;
      RETURN_IF_ERROR(RunOnThreads(p, job.work, &sent));
      const double all = 1e-6 * static_cast<double>(std::accumulate(
                                    sent.begin(), sent.end(), int64_t{0}));
      const double most = 1e-6 * static_cast<double>(*std::max_element(
                                     sent.begin(), sent.end()));
      const double predicted = 1e-6 * job.predicted(p);
      std::cout << absl::StrFormat("%s\t%d\t%.2f\t%.2f\t%.2f\t%.2f\n", job.name,
                                   p, all, predicted, all / predicted, most)
                << std::flush;
    }
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) {
  double size = 1;
  std::vector<int> ranks = {2, 4, 8, 16, 32, 64};
  for (int i = 1; i < argc; ++i) {
    absl::string_view argument = argv[i];
    bool is_known = false;
    if (absl::ConsumePrefix(&argument, "--size=")) {
      is_known = absl::SimpleAtod(argument, &size);
    } else if (absl::ConsumePrefix(&argument, "--ranks=")) {
      ranks.clear();
      is_known = true;
      for (const absl::string_view count : absl::StrSplit(argument, ',')) {
        is_known = is_known && absl::SimpleAtoi(count, &ranks.emplace_back());
      }
    }
    if (!is_known) {
      std::cerr << "usage: rank_volumes [--size=1.0] [--ranks=2,4,8]\n";
      return 1;
    }
  }
  const absl::Status status = warpclust::Run(size, ranks);
  if (status.ok()) return 0;
  std::cerr << "rank_volumes: " << status.message() << "\n";
  return 1;
}
