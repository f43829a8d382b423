// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/local_search/kernighan_lin.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "algorithms/correlation/local_search/cluster_slots.h"
#include "base/machine/threads.h"

namespace warpclust {
namespace {

class Chains {
 public:
  Chains(const SignedGraph& graph, int patience, Labels* labels,
         const StepOptions& step)
      : graph_(graph),
        patience_(patience),
        check_(step.control),
        labels_(*labels),
        members_(graph.num_vertices()),
        slots_(graph.num_vertices()),
        degrees_(graph.num_vertices()),
        is_changed_(graph.num_vertices(), true),
        places_(graph.num_vertices()),
        vertices_(graph.num_vertices()),
        seen_from_(graph.num_vertices(), -1) {
    MakeCanonical(labels);
    for (int32_t v = 0; v < graph.num_vertices(); ++v) Enter(v, labels_[v]);
    const int threads = ResolveThreads(step.num_threads);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1024)
    for (int32_t v = 0; v < graph.num_vertices(); ++v) {
      for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
        if (labels_[graph.neighbors[i]] == labels_[v]) {
          vertices_[v].own += graph.weights[i];
        }
      }
    }
  }

  // Tries all pairs with a cluster that changed in the last round, in order of
  // label, unless stopped. Returns the gain.
  int64_t Round() {
    const std::vector<char> was_changed = is_changed_;
    std::fill(is_changed_.begin(), is_changed_.end(), false);
    int64_t gained = 0;
    std::vector<int32_t> attracted;
    for (int32_t a = 0; a < graph_.num_vertices(); ++a) {
      if (!was_changed[a]) continue;
      if (check_.After(degrees_[a])) break;
      ListAttracted(a, &attracted);
      for (const int32_t b : attracted) {
        // This pair was tried from the other side.
        if (b < a && was_changed[b]) continue;
        if (check_.After(0)) break;
        gained += Exchange(a, b);
      }
      gained += Split(a);
    }
    return gained;
  }

 private:
  // How many entries of a row ahead vertices are prefetched.
  static constexpr int64_t kAhead = 16;

  enum State : char { kUnseen, kFree, kMoved };
  // Together, since a chain reads all three at random places.
  struct Vertex {
    int64_t own = 0;   // The weight to its cluster.
    int64_t gain = 0;  // By going to the other cluster of the chain.
    State state = kUnseen;
  };
  struct Option {
    int64_t gain;
    int32_t vertex;
    bool operator<(const Option& other) const {
      return gain < other.gain || (gain == other.gain && vertex > other.vertex);
    }
  };

  bool IsEmpty(int32_t cluster) const { return members_[cluster].empty(); }

  // The clusters to which a has a positive edge, ascending. A vertex that gains
  // by going to any other could as well go to an empty one.
  void ListAttracted(int32_t a, std::vector<int32_t>* clusters) {
    clusters->clear();
    for (const int32_t v : members_[a]) {
      for (int64_t i = graph_.offsets[v]; i < graph_.offsets[v + 1]; ++i) {
        const int32_t b = labels_[graph_.neighbors[i]];
        if (b == a || graph_.weights[i] < 0 || seen_from_[b] == a) continue;
        seen_from_[b] = a;
        clusters->push_back(b);
      }
    }
    for (const int32_t b : *clusters) seen_from_[b] = -1;
    std::sort(clusters->begin(), clusters->end());
  }

  // Tries a chain between two clusters, and their join. Returns the gain.
  int64_t Exchange(int32_t a, int32_t b) {
    if (IsEmpty(a) || IsEmpty(b)) return 0;
    // The rows of b suffice: vertices of a without an edge to b do not matter.
    if (degrees_[a] < degrees_[b] || (degrees_[a] == degrees_[b] && a > b)) {
      std::swap(a, b);
    }
    int64_t between = 0;
    check_.After(degrees_[b]);
    for (const int32_t v : members_[b]) {
      See(v);
      for (int64_t i = graph_.offsets[v]; i < graph_.offsets[v + 1]; ++i) {
        const int32_t u = graph_.neighbors[i];
        if (labels_[u] != a) continue;
        See(u);
        vertices_[v].gain += graph_.weights[i];
        vertices_[u].gain += graph_.weights[i];
        between += graph_.weights[i];
      }
    }
    return RunChain(a, b, between);
  }

  // Tries a chain from a cluster to an empty one. Returns the gain.
  int64_t Split(int32_t a) {
    if (members_[a].size() < 2) return 0;
    for (const int32_t v : members_[a]) See(v);
    // There is an unused label: two vertices are together.
    return RunChain(a, slots_.SmallestUnused(), 0);
  }

  void Enter(int32_t v, int32_t cluster) {
    labels_[v] = cluster;
    places_[v] = static_cast<int32_t>(members_[cluster].size());
    members_[cluster].push_back(v);
    slots_.Add(cluster);
    degrees_[cluster] += graph_.Degree(v);
  }

  void Leave(int32_t v) {
    const int32_t cluster = labels_[v];
    std::vector<int32_t>& members = members_[cluster];
    const int32_t last = members.back();
    members[places_[v]] = last;
    places_[last] = places_[v];
    members.pop_back();
    slots_.Remove(cluster);
    degrees_[cluster] -= graph_.Degree(v);
  }

  // Sets the gain of v, if it was unseen, to what it loses by leaving its
  // cluster. Returns whether it was.
  bool See(int32_t v) {
    Vertex& vertex = vertices_[v];
    if (vertex.state != kUnseen) return false;
    vertex.state = kFree;
    vertex.gain = -vertex.own;
    seen_.push_back(v);
    return true;
  }

  // Gains of the seen vertices are set; others of a have no edge to b.
  // `between` is the gain of the join.
  int64_t RunChain(int32_t a, int32_t b, int64_t between) {
    options_.clear();
    for (const int32_t v : seen_) options_.push_back({vertices_[v].gain, v});
    std::make_heap(options_.begin(), options_.end());
    moved_.clear();
    int64_t gain = 0;
    int64_t best = 0;
    size_t best_length = 0;
    while (!options_.empty() &&
           moved_.size() < best_length + static_cast<size_t>(patience_)) {
      std::pop_heap(options_.begin(), options_.end());
      const Option option = options_.back();
      options_.pop_back();
      const int32_t v = option.vertex;
      if (vertices_[v].state != kFree) continue;
      if (vertices_[v].gain < option.gain) AddOption(v);
      if (vertices_[v].gain != option.gain) continue;
      PrefetchNextRows();
      vertices_[v].state = kMoved;
      gain += option.gain;
      moved_.push_back(v);
      Shift(v, a, b);
      if (gain > best) {
        best = gain;
        best_length = moved_.size();
      }
    }
    // Back to where they were.
    for (const int32_t v : moved_) labels_[v] = labels_[v] == a ? b : a;
    for (const int32_t v : seen_) vertices_[v].state = kUnseen;
    seen_.clear();
    if (between > best) {
      moved_ = members_[b];
      best = between;
      best_length = moved_.size();
    }
    for (size_t i = 0; i < best_length; ++i) {
      Commit(moved_[i], labels_[moved_[i]] == a ? b : a);
    }
    return best;
  }

  // Asks for the memory that the next moves read: in a large graph, a chain
  // mostly waits for it.
  void PrefetchNextRows() const {
    const size_t count = std::min<size_t>(options_.size(), 3);
    for (size_t i = 0; i < count; ++i) {
      const int64_t row = graph_.offsets[options_[i].vertex];
      __builtin_prefetch(graph_.neighbors.data() + row);
      __builtin_prefetch(graph_.weights.data() + row);
    }
  }
  void PrefetchVertex(int32_t u) const {
    __builtin_prefetch(&vertices_[u]);
    __builtin_prefetch(&labels_[u]);
  }

  // Moves v to the other of a and b, in the chain only.
  void Shift(int32_t v, int32_t a, int32_t b) {
    const int32_t from = labels_[v];
    check_.After(graph_.Degree(v));
    labels_[v] = from == a ? b : a;
    const int64_t begin = graph_.offsets[v];
    const int64_t end = graph_.offsets[v + 1];
    for (int64_t i = begin; i < std::min(begin + kAhead, end); ++i) {
      PrefetchVertex(graph_.neighbors[i]);
    }
    for (int64_t i = begin; i < end; ++i) {
      if (i + kAhead < end) PrefetchVertex(graph_.neighbors[i + kAhead]);
      const int32_t u = graph_.neighbors[i];
      if (labels_[u] != a && labels_[u] != b) continue;
      Vertex& vertex = vertices_[u];
      if (vertex.state == kMoved) continue;
      const bool is_new = See(u);
      const int64_t weight =
          labels_[u] == from ? graph_.weights[i] : -graph_.weights[i];
      vertex.gain += 2 * weight;
      if (is_new || weight > 0) AddOption(u);
    }
  }

  // Every free vertex has an option of at least its gain. One whose gain has
  // fallen is added again when it comes out.
  void AddOption(int32_t v) {
    options_.push_back({vertices_[v].gain, v});
    std::push_heap(options_.begin(), options_.end());
  }

  void Commit(int32_t v, int32_t to) {
    const int32_t from = labels_[v];
    vertices_[v].own = 0;
    for (int64_t i = graph_.offsets[v]; i < graph_.offsets[v + 1]; ++i) {
      const int32_t u = graph_.neighbors[i];
      if (labels_[u] == from) vertices_[u].own -= graph_.weights[i];
      if (labels_[u] != to) continue;
      vertices_[u].own += graph_.weights[i];
      vertices_[v].own += graph_.weights[i];
    }
    Leave(v);
    Enter(v, to);
    is_changed_[from] = true;
    is_changed_[to] = true;
  }

  const SignedGraph& graph_;
  const int patience_;
  StopCheck check_;
  Labels& labels_;
  std::vector<std::vector<int32_t>> members_;
  ClusterSlots slots_;
  // The sum of the degrees of each cluster.
  std::vector<int64_t> degrees_;
  // By cluster, in this round.
  std::vector<char> is_changed_;
  // The place of each vertex in the members of its cluster.
  std::vector<int32_t> places_;
  std::vector<Vertex> vertices_;

  std::vector<int32_t> seen_;
  std::vector<int32_t> moved_;
  std::vector<Option> options_;
  std::vector<int32_t> seen_from_;  // By cluster; -1 between calls.
};

}  // namespace

int64_t KernighanLin(const SignedGraph& graph,
                     const KernighanLinOptions& options, Labels* labels,
                     const StepOptions& step) {
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
