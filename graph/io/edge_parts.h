// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PartsOf: a long list of values that grows by whole lists without copying
// them. Readers of blocks of lines collect edges in it.
//
// Memory: that of the values. Plain std::vectors would double theirs.

#ifndef WARPCLUST_GRAPH_IO_EDGE_PARTS_H_
#define WARPCLUST_GRAPH_IO_EDGE_PARTS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <utility>
#include <vector>

#include "absl/types/span.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace warpclust {

// Vertex ~i becomes ids[i]; others stay.
inline int32_t Renumbered(absl::Span<const int32_t> ids, int32_t vertex) {
  return vertex < 0 ? ids[~vertex] : vertex;
}

template <typename Edge>
void RenumberEdges(absl::Span<const int32_t> ids, absl::Span<Edge> edges) {
  if (ids.empty()) return;
  for (Edge& edge : edges) {
    edge.u = Renumbered(ids, edge.u);
    edge.v = Renumbered(ids, edge.v);
  }
}

template <typename T>
class PartsOf {
 public:
  // Returns the value here, which stays at its place until ShrinkToFit.
  T& Add(const T& value) {
    if (parts_.empty() || !last_is_open_ ||
        parts_.back().size() >= kMostPerPart) {
      parts_.emplace_back();
      parts_.back().reserve(kMostPerPart);
      last_is_open_ = true;
    }
    parts_.back().push_back(value);
    return parts_.back().back();
  }
  // Adds the values of `next` behind those here.
  void Append(PartsOf next) {
    parts_.insert(parts_.end(), std::make_move_iterator(next.parts_.begin()),
                  std::make_move_iterator(next.parts_.end()));
    last_is_open_ = false;
  }
  // The same for edges of a block, which are to be renumbered. That is left to
  // `*rest`, which any thread may call as long as the values are here. Unset if
  // there are no `ids`.
  void Append(PartsOf next, std::vector<int32_t> ids,
              std::function<void()>* rest) {
    if (!ids.empty()) {
      std::vector<absl::Span<T>> added(next.parts_.begin(), next.parts_.end());
      *rest = [added = std::move(added), ids = std::move(ids)] {
        for (const absl::Span<T> edges : added) RenumberEdges<T>(ids, edges);
      };
    }
    Append(std::move(next));
  }
  void Renumber(absl::Span<const int32_t> ids) {
    for (std::vector<T>& part : parts_) {
      RenumberEdges<T>(ids, absl::MakeSpan(part));
    }
  }
  // Only parts are added after it.
  void ShrinkToFit() {
    if (!parts_.empty()) parts_.back().shrink_to_fit();
    last_is_open_ = false;
  }
  // Frees the memory.
  void Clear() {
    const bool is_large = parts_.size() > 256;
    std::vector<std::vector<T>>().swap(parts_);
    last_is_open_ = false;
#ifdef __GLIBC__
    // The heap would keep what does not lie at its end.
    if (is_large) malloc_trim(0);
#else
    static_cast<void>(is_large);
#endif
  }

  bool empty() const { return parts_.empty(); }
  // None is empty. The cuts depend on the calls only, not on the values.
  std::vector<std::vector<T>>& parts() { return parts_; }
  const std::vector<std::vector<T>>& parts() const { return parts_; }
  std::vector<absl::Span<const T>> Spans() const {
    return {parts_.begin(), parts_.end()};
  }

 private:
  // Large parts that end early would leave gaps in the heap.
  static constexpr size_t kMostPerPart = 1 << 12;

  std::vector<std::vector<T>> parts_;
  // Whether Add may add to the last part, which moves it.
  bool last_is_open_ = false;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_IO_EDGE_PARTS_H_
