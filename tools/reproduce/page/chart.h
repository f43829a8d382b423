// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ChartSvg: a chart of lines or bars as an <svg> element, without scripts.

#ifndef WARPCLUST_TOOLS_REPRODUCE_PAGE_CHART_H_
#define WARPCLUST_TOOLS_REPRODUCE_PAGE_CHART_H_

#include <optional>
#include <string>
#include <vector>

namespace warpclust {

struct ChartSeries {
  std::string name;
  // One per category; empty where there is no value.
  std::vector<std::optional<double>> values;
  // Of the paper: lines are dashed, bars are hollow.
  bool published = false;
};

struct Chart {
  enum class Kind { kLines, kBars, kStackedBars };

  Kind kind = Kind::kLines;
  std::string title;
  std::string x_label;
  std::string y_label;
  // The places on the x axis. Lines: if all are numbers, they are placed by
  // value.
  std::vector<std::string> categories;
  std::vector<ChartSeries> series;
  // Values that are not positive are left out on a logarithmic axis.
  bool log_x = false;
  bool log_y = false;
};

// The element. Empty if there is no value to draw.
std::string ChartSvg(const Chart& chart);

// "0.25", "1,204", "2.24e+09": at most four significant digits below 1,000.
std::string ShortNumber(double value);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_REPRODUCE_PAGE_CHART_H_
