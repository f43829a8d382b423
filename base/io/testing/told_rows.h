// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ToldRows: what a reader tells a RowWatch, against what it returns.

#ifndef WARPCLUST_BASE_IO_TESTING_TOLD_ROWS_H_
#define WARPCLUST_BASE_IO_TESTING_TOLD_ROWS_H_

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

#include "absl/types/span.h"
#include "base/io/row_watch.h"
#include "gtest/gtest.h"

namespace warpclust {

template <typename T>
class ToldRows {
 public:
  RowWatch<T> Watch() {
    return [this](const RowsRead<T>& read) {
      const std::lock_guard<std::mutex> lock(mutex_);
      told_.push_back(read);
      copies_.emplace_back(read.values.begin(), read.values.end());
    };
  }

  // Expects that the parts are those of `values`, each told once. Returns how
  // many values were told.
  int64_t ExpectParts(absl::Span<const T> values, int64_t num_rows,
                      int64_t num_columns) const {
    std::vector<int> times(values.size());
    int64_t count = 0;
    for (size_t p = 0; p < told_.size(); ++p) {
      const RowsRead<T>& part = told_[p];
      const auto size = static_cast<int64_t>(copies_[p].size());
      count += size;
      EXPECT_EQ(part.num_columns, num_columns);
      EXPECT_TRUE(part.num_rows == 0 || part.num_rows == num_rows);
      EXPECT_LE(part.least_rows(), num_rows);
      if (part.first < 0 ||
          part.first + size > static_cast<int64_t>(values.size())) {
        ADD_FAILURE() << "values " << part.first << " + " << size;
        continue;
      }
      EXPECT_TRUE(absl::MakeConstSpan(copies_[p]) ==
                  values.subspan(part.first, size));
      for (int64_t i = 0; i < size; ++i) ++times[part.first + i];
    }
    EXPECT_TRUE(std::all_of(times.begin(), times.end(),
                            [](int told) { return told <= 1; }));
    return count;
  }

 private:
  std::mutex mutex_;
  std::vector<RowsRead<T>> told_;  // Without values.
  std::vector<std::vector<T>> copies_;
};

}  // namespace warpclust

#endif  // WARPCLUST_BASE_IO_TESTING_TOLD_ROWS_H_
