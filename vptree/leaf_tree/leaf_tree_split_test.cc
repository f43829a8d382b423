// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/leaf_tree/leaf_tree_split.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

struct Element {
  double unused;
  double value;
  int32_t id;
};

TEST(LeafTreeSplitTest, PartsAreThoseOfSorting) {
  const auto value = [](const Element& element) { return element.value; };
  for (uint64_t seed = 0; seed < 400; ++seed) {
    std::mt19937_64 random(seed);
    const int64_t count =
        1 + static_cast<int64_t>(random() % (seed % 10 == 0 ? 20000 : 300));
    const int64_t rank = seed % 3 == 0
                             ? count / 2
                             : static_cast<int64_t>(random() % (count / 2 + 1));
    SCOPED_TRACE(absl::StrCat("seed ", seed, ", rank ", rank, " of ", count));
    std::normal_distribution<double> normal;
    std::vector<Element> elements;
    for (int64_t i = 0; i < count; ++i) {
      double x = 0;
      switch (seed % 5) {
        case 0:
          x = normal(random);
          break;
        case 1:
          x = std::floor(2 * normal(random));
          break;
        case 2:  // Equal.
          break;
        case 3:  // In order.
          x = static_cast<double>(i);
          break;
        case 4:  // Far between, up to what points may have.
          x = std::exp(100 * normal(random)) * (i % 2 == 0 ? 1 : -1);
          x = std::clamp(x, -1e150, 1e150);
          break;
      }
      elements.push_back({0, x, static_cast<int32_t>(i)});
    }
    std::vector<int32_t> ids(count);
    for (int32_t i = 0; i < count; ++i) ids[i] = i;
    std::shuffle(ids.begin(), ids.end(), random);
    for (int64_t i = 0; i < count; ++i) elements[i].id = ids[i];
    std::vector<ValueAndId> sorted;
    for (const Element& element : elements) {
      sorted.push_back({element.value, element.id});
    }
    std::sort(sorted.begin(), sorted.end());

    // In the middle of a larger array, and with room to spare on both sides.
    std::vector<Element> all = {{0, -1e9, -7}, {0, 1e9, -8}};
    all.insert(all.begin() + 1, elements.begin(), elements.end());
    Splitter<Element> splitter(static_cast<int64_t>(all.size()));
    const SplitPivot pivot = splitter.Split(
        &all[1], count, rank, value, sorted[0].value - (seed % 4 == 0),
        sorted[count - 1].value + (seed % 4 == 1 ? 1e5 : 0),
        splitter.ScratchOf(1, count));
    ASSERT_EQ(pivot.value, sorted[rank].value);
    ASSERT_EQ(pivot.id, sorted[rank].id);
    ASSERT_EQ(pivot.is_tied, rank > 0 && sorted[rank - 1].value == pivot.value);
    ASSERT_EQ(all.front().id, -7);
    ASSERT_EQ(all.back().id, -8);
    elements.assign(all.begin() + 1, all.end() - 1);
    std::vector<ValueAndId> divided;
    for (const Element& element : elements) {
      divided.push_back({element.value, element.id});
    }
    std::sort(divided.begin(), divided.begin() + rank);
    std::sort(divided.begin() + rank, divided.end());
    for (int64_t i = 0; i < count; ++i) {
      ASSERT_EQ(divided[i].id, sorted[i].id) << "position " << i;
      ASSERT_EQ(divided[i].value, sorted[i].value) << "position " << i;
    }

    Element* const begin = &all[1];
    Element* const end = begin + count;
    const auto [first, last] =
        BringTiesTogether(begin, begin + rank, end, pivot.value, value);
    ASSERT_LE(first, begin + rank);
    ASSERT_GT(last, begin + rank);
    for (const Element* e = begin; e < end; ++e) {
      ASSERT_EQ(value(*e) < pivot.value, e < first);
      ASSERT_EQ(value(*e) > pivot.value, e >= last);
      // No element went to the other part.
      const ValueAndId item = {e->value, e->id};
      ASSERT_EQ(item < pivot, e < begin + rank);
    }
  }
}

// Ties may be split again where they are more than half on the left: the room
// is that of all elements.
TEST(LeafTreeSplitTest, TiesInTheScratchOfTheirRange) {
  // With room for half of them.
  struct Point {
    double x, y, unused;
    int32_t id;
  };
  static_assert(sizeof(Point) == 32);
  for (const int32_t count : {8, 9, 64, 333}) {
    std::vector<Point> points;
    for (int32_t i = 0; i < count; ++i) {
      // All but a few on the right are ties.
      points.push_back(
          {i % 8 == 7 ? 1.0 : 0.0, static_cast<double>(i * 5 % count), 0, i});
    }
    const auto x = [](const Point& point) { return point.x; };
    const auto y = [](const Point& point) { return point.y; };
    const int64_t half = (count + 1) / 2;
    Splitter<Point> splitter(count);
    const auto scratch = splitter.ScratchOf(0, count);
    SplitPivot pivot =
        splitter.Split(points.data(), count, half, x, 0, 1, scratch);
    ASSERT_TRUE(pivot.is_tied);
    ASSERT_EQ(pivot.value, 0);
    const auto [first, last] = BringTiesTogether(
        points.data(), points.data() + half, points.data() + count, 0, x);
    ASSERT_EQ(first, points.data());
    ASSERT_LT(last - first, 2 * half);
    pivot = splitter.Split(first, last - first, half, y, 0, count, scratch);
    for (int64_t i = 0; i < count; ++i) {
      EXPECT_EQ(points[i].x == 0 && points[i].y < pivot.value, i < half);
    }
    std::sort(points.begin(), points.end(),
              [](const Point& a, const Point& b) { return a.id < b.id; });
    for (int32_t i = 0; i < count; ++i) EXPECT_EQ(points[i].id, i);
  }
}

// One more than there is room for: what follows the room belongs to others.
TEST(LeafTreeSplitTest, KeepsToItsRoom) {
  const auto value = [](const Element& element) { return element.value; };
  for (int64_t count = 1; count < 40; ++count) {
    for (int64_t num_before = 0;
         num_before <= (count + 1) / 2 && num_before < count; ++num_before) {
      SCOPED_TRACE(absl::StrCat(num_before, " of ", count));
      std::vector<Element> elements;
      for (int64_t i = 0; i < count; ++i) {
        elements.push_back(
            {0, static_cast<double>(i * 7 % count), static_cast<int32_t>(i)});
      }
      std::vector<ValueAndId> sorted;
      for (const Element& element : elements) {
        sorted.push_back({element.value, element.id});
      }
      std::sort(sorted.begin(), sorted.end());
      const int64_t room = std::max<int64_t>(num_before - 1, 0);
      constexpr int32_t kGuard = -12345;
      std::vector<Element> scratch(room + 2, {0, 0, kGuard});
      leaf_tree_split_internal::DivideAt(sorted[num_before], num_before, value,
                                         elements.data(), count, scratch.data(),
                                         room);
      EXPECT_EQ(scratch[room].id, kGuard);
      EXPECT_EQ(scratch[room + 1].id, kGuard);
      std::vector<int32_t> ids, expected;
      for (int64_t i = 0; i < num_before; ++i) {
        ids.push_back(elements[i].id);
        expected.push_back(sorted[i].id);
      }
      std::sort(ids.begin(), ids.end());
      std::sort(expected.begin(), expected.end());
      EXPECT_EQ(ids, expected);
      for (const Element& element : elements) ids.push_back(element.id);
      std::sort(ids.begin() + num_before, ids.end());
      for (int64_t i = 0; i < count; ++i) EXPECT_EQ(ids[num_before + i], i);
    }
  }
}

// The halves of a node may differ by one either way; 27 * 2^k points have the
// larger one on the left in many nodes.
TEST(LeafTreeSplitTest, LargerHalfOnTheLeft) {
  struct Row {
    double values[3];
    int32_t id;
  };
  static_assert(sizeof(Row) == 32);
  const auto value = [](const Row& row) { return row.values[1]; };
  for (const int64_t count : {3, 7, 33, 401}) {
    std::vector<Row> rows;
    for (int64_t i = 0; i < count; ++i) {
      rows.push_back({{0, static_cast<double>(i * 5 % count), 0},
                      static_cast<int32_t>(i)});
    }
    Splitter<Row> splitter(count);
    const int64_t half = (count + 1) / 2;
    const SplitPivot pivot = splitter.Split(rows.data(), count, half, value, 0,
                                            static_cast<double>(count - 1),
                                            splitter.ScratchOf(0, count));
    EXPECT_EQ(pivot.value, static_cast<double>(half));
    for (int64_t i = 0; i < count; ++i) {
      EXPECT_EQ(value(rows[i]) < pivot.value, i < half) << i << " of " << count;
    }
  }
}

}  // namespace
}  // namespace warpclust
