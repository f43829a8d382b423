// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/dense/dense_digits.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warpclust {

double DigitScale(int32_t num_dimensions) {
  return std::min(32767.0, std::floor(46338.0 - std::sqrt(num_dimensions) / 2));
}

DenseDigits MakeDenseDigits(const DenseDocuments& documents,
                            absl::Span<const double> squared_norms,
                            int panel_rows, int num_threads) {
  const int32_t n = documents.num_documents();
  const int32_t d = documents.num_dimensions;
  const double scale = DigitScale(d);
  DenseDigits result;
  result.num_pairs = d / 2 + d % 2;
  result.panel_stride = int64_t{2} * result.num_pairs * panel_rows;
  const int64_t num_panels = (int64_t{n} + panel_rows - 1) / panel_rows;
  const int64_t size = num_panels * result.panel_stride;
  ResizeInHugePages(size, &result.digits);
#pragma omp parallel for num_threads(num_threads)
  for (int64_t panel = 0; panel < num_panels; ++panel) {
    int16_t* digits = result.digits.data() + panel * result.panel_stride;
    for (int r = 0; r < panel_rows; ++r) {
      const int64_t i = panel * panel_rows + r;
      if (i >= n || squared_norms[i] == 0) continue;
      const double factor = scale / std::sqrt(squared_norms[i]);
      const float* row = documents.Row(static_cast<int32_t>(i)).data();
      for (int32_t k = 0; k < d; ++k) {
        digits[(int64_t{k / 2} * panel_rows + r) * 2 + k % 2] =
            static_cast<int16_t>(std::lrint(row[k] * factor));
      }
    }
  }
  return result;
}

int32_t LeastDigitProduct(int32_t num_dimensions, double beta) {
  const double scale = DigitScale(num_dimensions);
  const double rounding = (num_dimensions + 4.0) * 0x1p-53;
  const double residual = std::sqrt(num_dimensions) / (2 * scale) + rounding;
  const double cosine =
      beta - 2 * residual - residual * residual - 4 * rounding;
  // One less than the floor allows for the roundings of these lines, since the
  // product is below 2^31.
  return static_cast<int32_t>(
      std::max(std::floor(scale * scale * cosine) - 1,
               static_cast<double>(std::numeric_limits<int32_t>::min())));
}

}  // namespace warpclust
