// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/local_search/kernighan_lin.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/correlation/local_search/border_chain.h"
#include "algorithms/correlation/local_search/cluster_slots.h"
#include "base/machine/threads.h"
#include "base/machine/trace.h"

namespace warpclust {
namespace {

// The most clusters that are listed and tasks that are tried at once, and about
// the most entries that are listed.
constexpr size_t kMostAtOnce = 1 << 16;
constexpr int64_t kMostEntries = 1 << 22;
// All threads list the neighbors of a cluster of at least this many entries.
constexpr int64_t kManyEntries = 1 << 18;
constexpr size_t kMembersPerPiece = 1 << 10;

// The clusters to which one has a positive edge. Each is a task: a chain
// between the two, or their join. One more task is a chain to an empty cluster.
struct Attraction {
  int32_t cluster = 0;
  std::vector<int32_t> others;  // Ascending.
  size_t next = 0;              // The first task that is to be tried.
  // If listed: the edges to others[i] are [offsets[i], offsets[i + 1]).
  bool has_edges = false;
  std::vector<CrossEdge> edges;
  std::vector<size_t> offsets;
};

// The index of an attraction and of its task.
using Task = std::pair<size_t, size_t>;

// What a task gains, and the vertices that change between a and b for it.
struct Outcome {
  int64_t gain = 0;
  int32_t a = 0;
  int32_t b = 0;
  std::vector<int32_t> moves;
};

// What a thread needs to try tasks.
struct Worker {
  BorderChain chain;
  StopCheck check;
  std::vector<CrossEdge> edges;
};

int64_t HeaviestWeight(const SignedGraph& graph, int threads) {
  int64_t heaviest = 0;
#pragma omp parallel for num_threads(threads) reduction(max : heaviest)
  for (size_t i = 0; i < graph.weights.size(); ++i) {
    heaviest = std::max(heaviest, std::abs(graph.weights[i]));
  }
  return heaviest;
}

// Tasks are in a fixed order, and most gain nothing. So threads try the next
// ones side by side; of those that gain, the first is made, and those after it
// are tried again.
class Chains {
 public:
  Chains(const SignedGraph& graph, int patience, Labels* labels,
         const StepOptions& step)
      : graph_(graph),
        threads_(ResolveThreads(step.num_threads)),
        labels_(*labels),
        members_(graph.num_vertices()),
        is_sorted_(graph.num_vertices()),
        slots_(graph.num_vertices()),
        degrees_(graph.num_vertices()),
        is_changed_(graph.num_vertices(), true),
        vertices_(graph.num_vertices()),
        least_own_(graph.num_vertices(), std::numeric_limits<int64_t>::max()),
        workers_(threads_, {BorderChain(graph, vertices_, patience,
                                        HeaviestWeight(graph, threads_)),
                            StopCheck(step.control),
                            {}}) {
    MakeCanonical(labels);
    for (int32_t v = 0; v < graph.num_vertices(); ++v) Enter(v, labels_[v]);
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 1024)
    for (int32_t v = 0; v < graph.num_vertices(); ++v) {
      for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
        if (labels_[graph.neighbors[i]] == labels_[v]) {
          vertices_[v].own += graph.weights[i];
        }
      }
    }
    for (const ClusteredVertex& vertex : vertices_) LowerLeastOwn(vertex);
  }

  // Tries all pairs with a cluster that changed in the last round, in order of
  // label, unless stopped. Returns the gain.
  int64_t Round() {
    was_changed_ = is_changed_;
    std::fill(is_changed_.begin(), is_changed_.end(), false);
    next_cluster_ = 0;
    std::vector<Attraction> pending;
    size_t wanted = threads_;
    int64_t gained = 0;
    while (!IsStopped()) {
      if (pending.empty()) ListPending(wanted, &pending);
      if (pending.empty()) break;
      const Outcome outcome = TryPending(wanted, &pending);
      gained += outcome.gain;
      for (const int32_t v : outcome.moves) {
        Move(v, labels_[v] == outcome.a ? outcome.b : outcome.a);
      }
      if (outcome.gain > 0 && !pending.empty()) {
        // Its members have changed.
        ListEdgesIfCheap(&pending.front());
      }
      wanted = outcome.gain > 0 ? threads_ : std::min(4 * wanted, kMostAtOnce);
    }
    return gained;
  }

 private:
  bool IsStopped() {
    return std::any_of(workers_.begin(), workers_.end(),
                       [](Worker& worker) { return worker.check.After(0); });
  }

  // Lists at most `wanted` clusters, the next ones.
  void ListPending(size_t wanted, std::vector<Attraction>* pending) {
    int64_t entries = 0;
    bool is_last_large = false;
    for (; next_cluster_ < graph_.num_vertices() && pending->size() < wanted &&
           entries < kMostEntries && !is_last_large;
         ++next_cluster_) {
      if (!was_changed_[next_cluster_] || members_[next_cluster_].empty()) {
        continue;
      }
      pending->emplace_back().cluster = next_cluster_;
      entries += degrees_[next_cluster_];
      is_last_large = degrees_[next_cluster_] >= kManyEntries;
    }
    workers_[0].check.After(entries);
    const auto num_small =
        static_cast<int64_t>(pending->size()) - is_last_large;
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 1)
    for (int64_t i = 0; i < num_small; ++i) {
      Attraction& attraction = (*pending)[i];
      ListOthers(attraction.cluster, 0, members_[attraction.cluster].size(),
                 &attraction.others);
      FinishList(&attraction);
    }
    if (!is_last_large) return;
    Attraction& large = pending->back();
    const size_t size = members_[large.cluster].size();
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 1)
    for (size_t begin = 0; begin < size; begin += kMembersPerPiece) {
      std::vector<int32_t> others;
      ListOthers(large.cluster, begin, std::min(begin + kMembersPerPiece, size),
                 &others);
#pragma omp critical
      large.others.insert(large.others.end(), others.begin(), others.end());
    }
    FinishList(&large);
  }

  // Appends the clusters to which members [begin, end) of a have positive
  // edges, in any order, perhaps repeatedly. A vertex that gains by going to
  // any other cluster could as well go to an empty one.
  void ListOthers(int32_t a, size_t begin, size_t end,
                  std::vector<int32_t>* others) const {
    for (size_t m = begin; m < end; ++m) {
      const int32_t v = members_[a][m];
      for (int64_t i = graph_.offsets[v]; i < graph_.offsets[v + 1]; ++i) {
        const int32_t b = labels_[graph_.neighbors[i]];
        if (b == a || graph_.weights[i] < 0) continue;
        // This pair was tried from the other side.
        if (b < a && was_changed_[b]) continue;
        others->push_back(b);
      }
    }
  }

  void FinishList(Attraction* attraction) const {
    std::vector<int32_t>& others = attraction->others;
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    ListEdgesIfCheap(attraction);
  }

  // Lists the edges to the others from the next one on, if that is less work
  // than reading, for each of them, the rows of the cluster with fewer edges.
  void ListEdgesIfCheap(Attraction* attraction) const {
    const std::vector<int32_t>& others = attraction->others;
    const int32_t a = attraction->cluster;
    int64_t work = 0;
    for (size_t k = attraction->next; k < others.size(); ++k) {
      work += std::min(degrees_[others[k]], degrees_[a]);
    }
    attraction->has_edges = work > 2 * degrees_[a];
    if (!attraction->has_edges) return;
    const auto for_all = [&](const auto& visit) {
      for (const int32_t v : members_[a]) {
        for (int64_t i = graph_.offsets[v]; i < graph_.offsets[v + 1]; ++i) {
          const int32_t b = labels_[graph_.neighbors[i]];
          if (b == a) continue;
          const auto it = std::lower_bound(others.begin() + attraction->next,
                                           others.end(), b);
          if (it != others.end() && *it == b) visit(it - others.begin(), v, i);
        }
      }
    };
    std::vector<size_t>& offsets = attraction->offsets;
    offsets.assign(others.size() + 1, 0);
    for_all([&](size_t k, int32_t, int64_t) { ++offsets[k]; });
    for (size_t k = 1; k < offsets.size(); ++k) offsets[k] += offsets[k - 1];
    attraction->edges.resize(offsets.back());
    // From the ends of the lists to their beginnings.
    for_all([&](size_t k, int32_t v, int64_t i) {
      attraction->edges[--offsets[k]] = {v, graph_.neighbors[i],
                                         graph_.weights[i]};
    });
  }

  // Tries at most `most` tasks and returns the first outcome with a gain. Then
  // the tasks after it stay pending, but those of other clusters are to be
  // listed again; without a gain, all that were not tried stay.
  Outcome TryPending(size_t most, std::vector<Attraction>* pending) {
    std::vector<Task> tasks;
    for (size_t i = 0; i < pending->size() && tasks.size() < most; ++i) {
      const Attraction& attraction = (*pending)[i];
      for (size_t k = attraction.next;
           k <= attraction.others.size() && tasks.size() < most; ++k) {
        tasks.push_back({i, k});
      }
    }
    SortMembersFor(tasks, *pending);
    const int32_t unused = slots_.SmallestUnused();
    Outcome first;
    std::atomic<size_t> first_task = tasks.size();
#pragma omp parallel num_threads(threads_)
    {
      Worker& worker = workers_[omp_get_thread_num()];
#pragma omp for schedule(dynamic, 1)
      for (size_t t = 0; t < tasks.size(); ++t) {
        if (t > first_task || worker.check.After(0)) continue;
        const auto [i, k] = tasks[t];
        Outcome outcome = Try((*pending)[i], k, unused, &worker);
        if (outcome.gain == 0) continue;
#pragma omp critical
        if (t < first_task) {
          first = std::move(outcome);
          first_task = t;
        }
      }
    }
    const bool gains = first_task < tasks.size();
    const auto [i, k] = gains ? tasks[first_task] : tasks.back();
    if (gains) {
      // Empty clusters after it, which were not listed, may have members now.
      next_cluster_ = (*pending)[i].cluster + 1;
      pending->resize(i + 1);
    }
    (*pending)[i].next = k + 1;
    const bool is_done = k == (*pending)[i].others.size();
    pending->erase(pending->begin(), pending->begin() + i + is_done);
    return first;
  }

  // The cluster of task k all of whose members may move: that with fewer edges.
  // Vertices of the other one without an edge to it do not matter.
  int32_t MovingCluster(const Attraction& attraction, size_t k) const {
    const int32_t a = attraction.cluster;
    if (k == attraction.others.size()) return a;
    const int32_t b = attraction.others[k];
    return std::make_pair(degrees_[a], b) < std::make_pair(degrees_[b], a) ? a
                                                                           : b;
  }

  void SortMembersFor(const std::vector<Task>& tasks,
                      const std::vector<Attraction>& pending) {
    std::vector<int32_t> clusters;
    for (const auto& [i, k] : tasks) {
      const int32_t c = MovingCluster(pending[i], k);
      if (is_sorted_[c]) continue;
      is_sorted_[c] = true;
      clusters.push_back(c);
    }
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 1)
    for (size_t i = 0; i < clusters.size(); ++i) {
      std::vector<int32_t>& members = members_[clusters[i]];
      std::vector<std::pair<int64_t, int32_t>> order;
      order.reserve(members.size());
      for (const int32_t v : members) order.push_back({vertices_[v].own, v});
      std::sort(order.begin(), order.end());
      for (size_t place = 0; place < order.size(); ++place) {
        members[place] = order[place].second;
        vertices_[members[place]].place = static_cast<int32_t>(place);
      }
    }
  }

  Outcome Try(const Attraction& attraction, size_t k, int32_t unused,
              Worker* worker) const {
    const bool splits = k == attraction.others.size();
    Outcome outcome;
    outcome.a = attraction.cluster;
    outcome.b = splits ? unused : attraction.others[k];
    if (splits ? members_[outcome.a].size() < 2
               : members_[outcome.a].empty() || members_[outcome.b].empty()) {
      return outcome;
    }
    const int32_t moving = MovingCluster(attraction, k);
    if (!splits && moving == outcome.a) std::swap(outcome.a, outcome.b);
    const std::vector<int32_t>& members = members_[moving];
    absl::Span<const CrossEdge> edges;
    if (!splits && attraction.has_edges) {
      const size_t begin = attraction.offsets[k];
      edges = absl::MakeConstSpan(attraction.edges)
                  .subspan(begin, attraction.offsets[k + 1] - begin);
    } else if (!splits) {
      ListEdgesOfRows(outcome.a, outcome.b, worker);
      edges = worker->edges;
    }
    outcome.gain = worker->chain.Run(
        outcome.a, outcome.b, members, edges,
        splits ? std::numeric_limits<int64_t>::max() : least_own_[outcome.a]);
    worker->check.After(worker->chain.work());
    int64_t between = 0;
    for (const CrossEdge& edge : edges) between += edge.weight;
    if (between > outcome.gain) {
      outcome.gain = between;
      outcome.moves = members;
    } else {
      const auto moves = worker->chain.moves();
      outcome.moves.assign(moves.begin(), moves.end());
    }
    return outcome;
  }

  // The edges between a and b, from the rows of b.
  void ListEdgesOfRows(int32_t a, int32_t b, Worker* worker) const {
    worker->edges.clear();
    worker->check.After(degrees_[b]);
    for (const int32_t v : members_[b]) {
      for (int64_t i = graph_.offsets[v]; i < graph_.offsets[v + 1]; ++i) {
        const int32_t u = graph_.neighbors[i];
        if (labels_[u] == a) worker->edges.push_back({v, u, graph_.weights[i]});
      }
    }
  }

  void Enter(int32_t v, int32_t cluster) {
    labels_[v] = cluster;
    vertices_[v].label = cluster;
    vertices_[v].place = static_cast<int32_t>(members_[cluster].size());
    members_[cluster].push_back(v);
    slots_.Add(cluster);
    degrees_[cluster] += graph_.Degree(v);
  }

  void Leave(int32_t v) {
    const int32_t cluster = labels_[v];
    std::vector<int32_t>& members = members_[cluster];
    const int32_t last = members.back();
    members[vertices_[v].place] = last;
    vertices_[last].place = vertices_[v].place;
    members.pop_back();
    slots_.Remove(cluster);
    degrees_[cluster] -= graph_.Degree(v);
  }

  void LowerLeastOwn(const ClusteredVertex& vertex) {
    int64_t& least = least_own_[vertex.label];
    least = std::min(least, vertex.own);
  }

  void Move(int32_t v, int32_t to) {
    const int32_t from = labels_[v];
    vertices_[v].own = 0;
    for (int64_t i = graph_.offsets[v]; i < graph_.offsets[v + 1]; ++i) {
      const int32_t u = graph_.neighbors[i];
      if (labels_[u] == from) {
        vertices_[u].own -= graph_.weights[i];
      } else if (labels_[u] == to) {
        vertices_[u].own += graph_.weights[i];
        vertices_[v].own += graph_.weights[i];
      } else {
        continue;
      }
      LowerLeastOwn(vertices_[u]);
    }
    Leave(v);
    Enter(v, to);
    LowerLeastOwn(vertices_[v]);
    is_changed_[from] = true;
    is_changed_[to] = true;
    is_sorted_[from] = false;
    is_sorted_[to] = false;
  }

  const SignedGraph& graph_;
  const int threads_;
  // Also in vertices_; for loops that need nothing else.
  Labels& labels_;
  std::vector<std::vector<int32_t>> members_;
  // By cluster: the members are in the order that chains need.
  std::vector<char> is_sorted_;
  ClusterSlots slots_;
  // The sum of the degrees of each cluster.
  std::vector<int64_t> degrees_;
  // By cluster, in this round and in the last one.
  std::vector<char> is_changed_;
  std::vector<char> was_changed_;
  int32_t next_cluster_ = 0;  // The first that is not listed.
  std::vector<ClusteredVertex> vertices_;
  // By cluster: no member has a smaller weight to it. Only ever lowered.
  std::vector<int64_t> least_own_;
  std::vector<Worker> workers_;
};

}  // namespace

int64_t KernighanLin(const SignedGraph& graph,
                     const KernighanLinOptions& options, Labels* labels,
                     const StepOptions& step) {
  const TraceSpan span("chains along borders");
  Chains chains(graph, options.patience, labels, step);
  int64_t gained = 0;
  for (int round = 0; round < options.rounds; ++round) {
    const int64_t gain = chains.Round();
    gained += gain;
    if (gain == 0 || step.IsStopped()) break;
  }
  MakeCanonical(labels);
  return -gained;
}

}  // namespace warpclust
