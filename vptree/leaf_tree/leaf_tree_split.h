// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Splits the points of a node at a rank of (value, id), for building trees on
// the CPU. std::nth_element mispredicts every other comparison. Here nothing
// branches on one: a pass counts values in buckets, the bucket of the wanted
// rank is kept, and one pass divides the points.
//
// The two parts are sets that depend on the points only. Threads may split
// distinct ranges at once.

#ifndef WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_SPLIT_H_
#define WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_SPLIT_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>

namespace warpclust {

struct ValueAndId {
  double value;
  int32_t id;

  friend bool operator<(const ValueAndId& a, const ValueAndId& b) {
    return a.value < b.value || (a.value == b.value && a.id < b.id);
  }
};

namespace leaf_tree_split_internal {

inline constexpr int kMaxBuckets = 1024;

// Returns the item of this rank among `count` items, which it may overwrite.
ValueAndId SelectAmong(ValueAndId* items, int64_t count, int64_t rank);

// Divides [low, high], which contains all values, into equal intervals. Copies
// to `kept` the elements in the interval of the element of this rank and
// returns their number; *below is the number of elements in lower intervals.
template <class Element, class Value>
int64_t KeepBucket(const Element* elements, int64_t count, int64_t rank,
                   Value value, double low, double high, ValueAndId* kept,
                   int64_t* below) {
  const int num_buckets = count < 2048 ? 64 : count < 65536 ? 256 : kMaxBuckets;
  // Halves, so that no difference is infinite. The last bucket is a sliver. If
  // the scale is not finite, all values go to the first bucket.
  const double scale = num_buckets / (high / 2 - low / 2);
  const double factor = scale < 1e300 ? scale : 0;
  const double half_low = low / 2;
  // Rounding keeps the order of the values.
  const auto bucket_of = [=](double x) {
    return static_cast<int>((x / 2 - half_low) * factor);
  };
  int32_t sizes[kMaxBuckets + 1];
  std::fill_n(sizes, num_buckets + 1, 0);
  for (int64_t i = 0; i < count; ++i) ++sizes[bucket_of(value(elements[i]))];
  int bucket = 0;
  int64_t before = 0;
  while (before + sizes[bucket] <= rank) before += sizes[bucket++];
  *below = before;
  const int64_t size = sizes[bucket];
  int64_t num_kept = 0;
  for (int64_t i = 0; num_kept < size; ++i) {
    const double x = value(elements[i]);
    kept[num_kept] = {x, elements[i].id};
    num_kept += static_cast<int>(bucket_of(x) == bucket);
  }
  return size;
}

// Moves the `num_before` elements whose (value, id) comes before `pivot` to the
// front. They are at most one more than `scratch` has `room` for; nothing is
// written beyond that room, because other threads work behind it.
template <class Element, class Value>
void DivideAt(const ValueAndId& pivot, int64_t num_before, Value value,
              Element* elements, int64_t count, Element* scratch,
              int64_t room) {
  static_assert(std::is_trivially_copyable_v<Element>);
  // From the end on, the others move up in place; the elements before `pivot`
  // wait in `scratch`.
  Element last = elements[0];
  const auto place = [&](int64_t waiting) {
    return waiting < room ? scratch + waiting : &last;
  };
  int64_t waiting = 0;
  int64_t end = count;
  int64_t i = count;
  while (waiting < num_before) {
    const Element element = elements[--i];
    const double x = value(element);
    // Without ==, which is a branch for the sake of NaN.
    const int64_t before = static_cast<int64_t>(x < pivot.value) |
                           (static_cast<int64_t>(!(pivot.value < x)) &
                            static_cast<int64_t>(element.id < pivot.id));
    *place(waiting) = element;
    elements[end - 1] = element;
    waiting += before;
    end -= 1 - before;
  }
  std::memmove(static_cast<void*>(elements + (end - i)), elements,
               i * sizeof(Element));
  for (int64_t w = 0; w < waiting; ++w) {
    elements[w] = *place(waiting - 1 - w);
  }
}

}  // namespace leaf_tree_split_internal

// Splits ranges of an array of trivially copyable elements with a member `id`.
template <class Element>
class Splitter {
 public:
  explicit Splitter(int64_t num_elements)
      : bytes_(new unsigned char[num_elements * kBytes]) {}

  // Moves the num_before smallest of the `count` elements from `begin` on, by
  // (value(element), id), to the front and returns the item of rank num_before.
  // num_before is at most half, rounded up, and less than `count`. All values
  // are in [low, high].
  template <class Value>
  ValueAndId Split(Element* elements, int64_t begin, int64_t count,
                   int64_t num_before, Value value, double low, double high) {
    namespace internal = leaf_tree_split_internal;
    unsigned char* const scratch = bytes_.get() + begin * kBytes;
    ValueAndId* const kept = reinterpret_cast<ValueAndId*>(scratch);
    int64_t below;
    const int64_t num_kept = internal::KeepBucket(
        elements + begin, count, num_before, value, low, high, kept, &below);
    const ValueAndId pivot =
        internal::SelectAmong(kept, num_kept, num_before - below);
    internal::DivideAt(pivot, num_before, value, elements + begin, count,
                       reinterpret_cast<Element*>(scratch),
                       count * kBytes / static_cast<int64_t>(sizeof(Element)));
    return pivot;
  }

 private:
  // An item, or half an element.
  static constexpr int64_t kHalf = (sizeof(Element) / 2 + 7) / 8 * 8;
  static constexpr int64_t kItem = sizeof(ValueAndId);
  static constexpr int64_t kBytes = kHalf > kItem ? kHalf : kItem;

  std::unique_ptr<unsigned char[]> bytes_;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_SPLIT_H_
