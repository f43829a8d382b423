// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/contraction/merging_graph.h"

#include <cstddef>
#include <utility>

namespace warpclust {

int32_t MergingGraph::Row::Scan(int32_t neighbor) const {
  for (size_t place = 0; place < links_.size(); ++place) {
    if (links_[place].neighbor == neighbor) return static_cast<int32_t>(place);
  }
  return -1;
}

void MergingGraph::Row::MakeIndex(const Labels& merged_into) {
  if (has_index_) return;
  has_index_ = true;
  index_.reserve(size_);
  for (const Link& link : links_) {
    if (merged_into[link.neighbor] != link.neighbor) continue;
    index_.emplace(link.neighbor, link.edge);
  }
}

void MergingGraph::Row::Add(Link link) {
  links_.push_back(link);
  ++size_;
  if (has_index_) index_.emplace(link.neighbor, link.edge);
}

void MergingGraph::Row::RemoveAt(int32_t place) {
  links_[place] = links_.back();
  links_.pop_back();
  --size_;
}

void MergingGraph::Row::Remove(int32_t neighbor) {
  if (IsScanned()) {
    RemoveAt(Scan(neighbor));
    return;
  }
  --size_;
}

void MergingGraph::Row::Clear() { *this = Row(); }

int32_t MergingGraph::Row::FindEdge(int32_t neighbor,
                                    const Labels& merged_into) {
  if (IsScanned()) {
    const int32_t place = Scan(neighbor);
    return place < 0 ? -1 : links_[place].edge;
  }
  MakeIndex(merged_into);
  const auto found = index_.find(neighbor);
  return found == index_.end() ? -1 : found->second;
}

int32_t MergingGraph::Row::Redirect(int32_t from, int32_t to,
                                    const Labels& merged_into) {
  if (IsScanned()) {
    const int32_t place = Scan(from);
    const int32_t known = Scan(to);
    if (known < 0) {
      links_[place].neighbor = to;
      return -1;
    }
    const int32_t edge = links_[known].edge;
    RemoveAt(place);
    return edge;
  }
  MakeIndex(merged_into);
  const int32_t edge = index_.find(from)->second;
  const auto [known, is_new] = index_.emplace(to, edge);
  if (!is_new) {
    --size_;
    return known->second;
  }
  links_.push_back({to, edge});
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

int32_t MergingGraph::FindEdge(int32_t u, int32_t v) {
  return rows_[u].size() < rows_[v].size() ? rows_[u].FindEdge(v, merged_into_)
                                           : rows_[v].FindEdge(u, merged_into_);
}

int32_t MergingGraph::Merge(int32_t u, int32_t v,
                            std::vector<Change>* changes) {
  if (rows_[u].size() < rows_[v].size() ||
      (rows_[u].size() == rows_[v].size() && v < u)) {
    std::swap(u, v);
  }
  rows_[u].Remove(v);
  changes->clear();
  for (const Link& link : rows_[v].links()) {
    if (link.neighbor == u || !IsAlive(link.neighbor)) continue;
    const int32_t known = rows_[link.neighbor].Redirect(v, u, merged_into_);
    if (known < 0) {
      rows_[u].Add({link.neighbor, link.edge});
      changes->push_back({link.neighbor, link.edge, -1});
    } else {
      weights_[known] += weights_[link.edge];
      changes->push_back({link.neighbor, known, link.edge});
    }
  }
  rows_[v].Clear();
  merged_into_[v] = u;
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
