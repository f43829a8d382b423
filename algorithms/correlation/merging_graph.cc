// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/merging_graph.h"

#include <cstddef>
#include <utility>

namespace warpclust {
namespace {

// Up to here to look through the list is faster than to hash.
constexpr size_t kMostWithoutIndex = 32;

}  // namespace

int32_t MergingGraph::Row::Find(int32_t neighbor) const {
  if (!places_.empty()) {
    const auto found = places_.find(neighbor);
    return found == places_.end() ? -1 : found->second;
  }
  for (size_t place = 0; place < links_.size(); ++place) {
    if (links_[place].neighbor == neighbor) return static_cast<int32_t>(place);
  }
  return -1;
}

void MergingGraph::Row::Add(Link link) {
  if (!places_.empty()) {
    places_[link.neighbor] = size();
  } else if (links_.size() == kMostWithoutIndex) {
    places_.reserve(2 * kMostWithoutIndex);
    for (int32_t place = 0; place < size(); ++place) {
      places_[links_[place].neighbor] = place;
    }
    places_[link.neighbor] = size();
  }
  links_.push_back(link);
}

void MergingGraph::Row::RemoveAt(int32_t place) {
  // An index that becomes empty is for an empty list, which needs none.
  if (!places_.empty()) {
    places_.erase(links_[place].neighbor);
    if (place + 1 < size()) places_[links_.back().neighbor] = place;
  }
  links_[place] = links_.back();
  links_.pop_back();
}

void MergingGraph::Row::Remove(int32_t neighbor) { RemoveAt(Find(neighbor)); }

void MergingGraph::Row::Clear() {
  std::vector<Link>().swap(links_);
  places_ = {};
}

int32_t MergingGraph::Row::Redirect(int32_t from, int32_t to) {
  const int32_t place = Find(from);
  const int32_t known = Find(to);
  if (known >= 0) {
    const int32_t edge = links_[known].edge;
    RemoveAt(place);
    return edge;
  }
  if (!places_.empty()) {
    places_.erase(from);
    places_[to] = place;
  }
  links_[place].neighbor = to;
  return -1;
}

MergingGraph::MergingGraph(const SignedGraph& graph)
    : rows_(graph.num_vertices()), merged_into_(graph.num_vertices()) {
  weights_.reserve(graph.neighbors.size() / 2);
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    merged_into_[v] = v;
    rows_[v].Reserve(graph.Degree(v));
  }
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
      const int32_t u = graph.neighbors[i];
      if (u < v) continue;
      const int32_t edge = num_edges();
      weights_.push_back(graph.weights[i]);
      rows_[v].Add({u, edge});
      rows_[u].Add({v, edge});
    }
  }
}

int32_t MergingGraph::Merge(int32_t u, int32_t v,
                            std::vector<Change>* changes) {
  if (rows_[u].size() < rows_[v].size() ||
      (rows_[u].size() == rows_[v].size() && v < u)) {
    std::swap(u, v);
  }
  merged_into_[v] = u;
  rows_[u].Remove(v);
  changes->clear();
  for (const Link& link : rows_[v].links()) {
    if (link.neighbor == u) continue;
    const int32_t known = rows_[link.neighbor].Redirect(v, u);
    if (known < 0) {
      rows_[u].Add({link.neighbor, link.edge});
      changes->push_back({link.neighbor, link.edge, -1});
    } else {
      weights_[known] += weights_[link.edge];
      changes->push_back({link.neighbor, known, link.edge});
    }
  }
  rows_[v].Clear();
  return u;
}

Labels MergingGraph::Vertices() {
  Labels vertices(merged_into_.size());
  for (size_t v = 0; v < vertices.size(); ++v) {
    int32_t root = static_cast<int32_t>(v);
    while (merged_into_[root] != root) {
      root = merged_into_[root] = merged_into_[merged_into_[root]];
    }
    vertices[v] = root;
  }
  return vertices;
}

}  // namespace warpclust
