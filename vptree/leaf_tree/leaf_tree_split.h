// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Splits the points of a node at a rank of (value, id), for building trees on
// the CPU. std::nth_element mispredicts every other comparison. Split branches
// on none: a pass counts values in buckets, the bucket of the wanted
// rank is kept, and one pass divides the points.
//
// The two parts are sets that depend on the points only. Threads may split
// distinct ranges at once.
//
//   Splitter<ValueAndId> splitter(elements.size());
//   const SplitPivot pivot = splitter.Split(
//       &elements[begin], count, count / 2, value, low, high,
//       splitter.ScratchOf(begin, count));
//   if (pivot.is_tied) {
//     // These can be split by another value.
//     BringTiesTogether(begin, begin + count / 2, end, pivot.value, value);
//   }

#ifndef WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_SPLIT_H_
#define WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_SPLIT_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

namespace warpclust {

struct ValueAndId {
  double value;
  int32_t id;

  friend bool operator<(const ValueAndId& a, const ValueAndId& b) {
    return a.value < b.value || (a.value == b.value && a.id < b.id);
  }
};

// The first element of the right part.
struct SplitPivot : ValueAndId {
  // Whether an element of the left part has the same value.
  bool is_tied;
};

namespace leaf_tree_split_internal {

inline constexpr int kMaxBuckets = 1024;

// The item of this rank among `count` items, which it may overwrite.
SplitPivot SelectAmong(ValueAndId* items, int64_t count, int64_t rank);

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

  // Of a range that no other thread splits at the same time.
  struct Scratch {
    unsigned char* bytes;
    int64_t size;
  };
  Scratch ScratchOf(int64_t begin, int64_t count) {
    return {bytes_.get() + begin * kBytes, count * kBytes};
  }

  // Moves the num_before smallest of the `count` elements, by (value(element),
  // id), to the front. They are less than `count`, and at most half, rounded
  // up, of the elements of `scratch`, whose range contains these elements. All
  // values are in [low, high].
  template <class Value>
  static SplitPivot Split(Element* elements, int64_t count, int64_t num_before,
                          Value value, double low, double high,
                          Scratch scratch) {
    namespace internal = leaf_tree_split_internal;
    ValueAndId* const kept = reinterpret_cast<ValueAndId*>(scratch.bytes);
    int64_t below;
    const int64_t num_kept = internal::KeepBucket(
        elements, count, num_before, value, low, high, kept, &below);
    const SplitPivot pivot =
        internal::SelectAmong(kept, num_kept, num_before - below);
    internal::DivideAt(pivot, num_before, value, elements, count,
                       reinterpret_cast<Element*>(scratch.bytes),
                       scratch.size / static_cast<int64_t>(sizeof(Element)));
    return pivot;
  }

 private:
  // An item, or half an element.
  static constexpr int64_t kHalf = (sizeof(Element) / 2 + 7) / 8 * 8;
  static constexpr int64_t kItem = sizeof(ValueAndId);
  static constexpr int64_t kBytes = kHalf > kItem ? kHalf : kItem;

  std::unique_ptr<unsigned char[]> bytes_;
};

// After a split of [begin, end) into two parts at `middle`: moves the elements
// with the value of the pivot to the end of the left part and to the front of
// the right one. Returns the range that has them.
template <class Element, class Value>
std::pair<Element*, Element*> BringTiesTogether(Element* begin, Element* middle,
                                                Element* end, double pivot,
                                                Value value) {
  return {std::partition(
              begin, middle,
              [&](const Element& element) { return value(element) < pivot; }),
          std::partition(middle, end, [&](const Element& element) {
            return !(pivot < value(element));
          })};
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_SPLIT_H_
