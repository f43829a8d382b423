// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/reproduce/page/chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "base/text/html_text.h"
#include "tools/cli/run_report.h"

namespace warpclust {
namespace {

constexpr double kWidth = 520;
constexpr double kHeight = 300;
constexpr double kLeft = 62;
constexpr double kRight = 12;
constexpr double kTop = 30;
constexpr double kBottom = 58;
constexpr double kLegendLine = 16;

constexpr std::array<absl::string_view, 8> kColors = {
    "#1f77b4", "#d62728", "#2ca02c", "#ff7f0e",
    "#9467bd", "#17becf", "#8c564b", "#7f7f7f"};

absl::string_view ColorOf(size_t series) {
  return kColors[series % kColors.size()];
}

// A linear or logarithmic map of values to pixels, with its ticks.
class Scale {
 public:
  Scale(double least, double most, bool log, double from, double to)
      : log_(log), from_(from), to_(to) {
    if (log) {
      low_ = std::floor(std::log10(least) + 1e-9);
      high_ = std::ceil(std::log10(most) - 1e-9);
      if (high_ <= low_) high_ = low_ + 1;
      const int step = std::max(1, static_cast<int>((high_ - low_) / 6));
      for (int e = static_cast<int>(low_); e <= high_; e += step) {
        ticks_.push_back(std::pow(10.0, e));
      }
      return;
    }
    low_ = least;
    high_ = most > least ? most : least + 1;
    const double rough = (high_ - low_) / 5;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    double step = power;
    for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
      step = factor * power;
      if (step >= rough) break;
    }
    high_ = std::ceil(high_ / step - 1e-9) * step;
    for (double t = std::ceil(low_ / step) * step; t <= high_ + step / 2;
         t += step) {
      ticks_.push_back(std::abs(t) < step / 2 ? 0 : t);
    }
  }

  bool Holds(double value) const { return !log_ || value > 0; }
  double operator()(double value) const {
    const double at = log_ ? std::log10(value) : value;
    return from_ + (to_ - from_) * (at - low_) / (high_ - low_);
  }
  const std::vector<double>& ticks() const { return ticks_; }

 private:
  bool log_;
  double from_;
  double to_;
  double low_ = 0;
  double high_ = 1;
  std::vector<double> ticks_;
};

std::string Number(double value) { return absl::StrFormat("%.1f", value); }

// Long labels would cover the name of the axis.
std::string TickText(double value) {
  return std::abs(value) >= 1e6 ? absl::StrFormat("%g", value)
                                : ShortNumber(value);
}

std::string TextAt(double x, double y, absl::string_view anchor,
                   absl::string_view text) {
  return absl::StrCat("<text x=\"", Number(x), "\" y=\"", Number(y),
                      "\" text-anchor=\"", anchor, "\">", EscapeHtml(text),
                      "</text>\n");
}

std::string Line(double x1, double y1, double x2, double y2,
                 absl::string_view style) {
  return absl::StrCat("<line x1=\"", Number(x1), "\" y1=\"", Number(y1),
                      "\" x2=\"", Number(x2), "\" y2=\"", Number(y2), "\" ",
                      style, "/>\n");
}

// Draws one chart.
class Drawing {
 public:
  explicit Drawing(const Chart& chart) : chart_(chart) {
    bottom_ = kHeight - kBottom;
    numeric_ = chart.kind == Chart::Kind::kLines && !chart.categories.empty();
    for (const std::string& category : chart.categories) {
      double value = 0;
      numeric_ = numeric_ &&
                 absl::SimpleAtod(absl::StrReplaceAll(category, {{",", ""}}),
                                  &value) &&
                 (!chart.log_x || value > 0);
      places_.push_back(value);
    }
    for (size_t c = 0; c < places_.size() && !numeric_; ++c) {
      places_[c] = static_cast<double>(c) + 0.5;
    }
  }

  // False if there is nothing to draw.
  bool FindRange() {
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    std::vector<double> stacks(chart_.categories.size());
    for (const ChartSeries& series : chart_.series) {
      for (size_t c = 0; c < series.values.size(); ++c) {
        if (!series.values[c].has_value()) continue;
        double value = *series.values[c];
        if (chart_.log_y && value <= 0) continue;
        least = std::min(least, value);
        if (chart_.kind == Chart::Kind::kStackedBars) {
          value = stacks[c] += value;
        }
        most = std::max(most, value);
      }
    }
    if (!(most >= least)) return false;
    least_ = chart_.log_y ? least : std::min(0.0, least);
    most_ = most;
    return true;
  }

  std::string Svg() {
    const Scale y(least_, most_, chart_.log_y, bottom_, kTop);
    const Scale x =
        numeric_ ? Scale(*std::min_element(places_.begin(), places_.end()),
                         *std::max_element(places_.begin(), places_.end()),
                         chart_.log_x, kLeft + 8, kWidth - kRight - 8)
                 : Scale(0, static_cast<double>(places_.size()), false, kLeft,
                         kWidth - kRight);
    Axes(x, y);
    if (chart_.kind == Chart::Kind::kLines) {
      Lines(x, y);
    } else {
      Bars(y);
    }
    const double height =
        kHeight + kLegendLine * static_cast<double>(chart_.series.size());
    Legend();
    return absl::StrCat("<svg viewBox=\"0 0 ", kWidth, " ", height,
                        "\" width=\"", kWidth, "\" height=\"", height,
                        "\" role=\"img\" aria-label=\"",
                        EscapeHtml(chart_.title), "\">\n", out_, "</svg>\n");
  }

 private:
  double SlotWidth() const {
    return (kWidth - kRight - kLeft) / static_cast<double>(places_.size());
  }

  void Axes(const Scale& x, const Scale& y) {
    absl::StrAppend(&out_, "<g class=\"title\">",
                    TextAt(kLeft, 16, "start", chart_.title), "</g>\n");
    for (const double tick : y.ticks()) {
      absl::StrAppend(
          &out_,
          Line(kLeft, y(tick), kWidth - kRight, y(tick), "class=\"grid\""),
          TextAt(kLeft - 5, y(tick) + 4, "end", TickText(tick)));
    }
    absl::StrAppend(&out_, Line(kLeft, bottom_, kWidth - kRight, bottom_,
                                "class=\"axis\""));
    for (size_t c = 0; c < places_.size(); ++c) {
      const double at =
          numeric_ ? x(places_[c]) : kLeft + (places_[c]) * SlotWidth();
      // Long names of many places do not fit side by side.
      if (!numeric_ && SlotWidth() < 60) {
        absl::StrAppend(&out_, "<g transform=\"rotate(-35 ", Number(at), " ",
                        Number(bottom_ + 14), ")\">",
                        TextAt(at, bottom_ + 14, "end", chart_.categories[c]),
                        "</g>\n");
      } else {
        absl::StrAppend(
            &out_, TextAt(at, bottom_ + 16, "middle", chart_.categories[c]));
      }
    }
    absl::StrAppend(
        &out_, TextAt(kWidth - kRight, kHeight - 8, "end", chart_.x_label),
        "<g transform=\"translate(14 ", Number((kTop + bottom_) / 2),
        ") rotate(-90)\">", TextAt(0, 0, "middle", chart_.y_label), "</g>\n");
  }

  std::string Tip(size_t series, size_t category) const {
    const ChartSeries& of = chart_.series[series];
    return absl::StrCat(
        "<title>",
        EscapeHtml(absl::StrCat(of.name, ", ", chart_.categories[category],
                                ": ", ShortNumber(*of.values[category]))),
        "</title>");
  }

  void Lines(const Scale& x, const Scale& y) {
    for (size_t s = 0; s < chart_.series.size(); ++s) {
      const ChartSeries& series = chart_.series[s];
      std::string path;
      std::string dots;
      for (size_t c = 0; c < series.values.size(); ++c) {
        if (!series.values[c].has_value() || !y.Holds(*series.values[c])) {
          continue;
        }
        const double at =
            numeric_ ? x(places_[c]) : kLeft + places_[c] * SlotWidth();
        const double height = y(*series.values[c]);
        absl::StrAppend(&path, path.empty() ? "M" : "L", Number(at), " ",
                        Number(height));
        absl::StrAppend(&dots, "<circle cx=\"", Number(at), "\" cy=\"",
                        Number(height), "\" r=\"3\" fill=\"", ColorOf(s), "\">",
                        Tip(s, c), "</circle>\n");
      }
      if (path.empty()) continue;
      absl::StrAppend(&out_, "<path d=\"", path, "\" fill=\"none\" stroke=\"",
                      ColorOf(s), "\" stroke-width=\"1.5\"",
                      series.published ? " stroke-dasharray=\"5 4\"" : "",
                      "/>\n", dots);
    }
  }

  void Bars(const Scale& y) {
    const bool stacked = chart_.kind == Chart::Kind::kStackedBars;
    const double slot = SlotWidth();
    const double each =
        0.8 * slot / (stacked ? 1 : static_cast<double>(chart_.series.size()));
    std::vector<double> below(places_.size());
    for (size_t s = 0; s < chart_.series.size(); ++s) {
      const ChartSeries& series = chart_.series[s];
      for (size_t c = 0; c < series.values.size(); ++c) {
        if (!series.values[c].has_value() || !y.Holds(*series.values[c])) {
          continue;
        }
        const double from = stacked ? below[c] : 0;
        const double to = from + *series.values[c];
        if (stacked) below[c] = to;
        const double top = y(std::max(from, to));
        const double foot = chart_.log_y ? bottom_ : y(std::min(from, to));
        const double left = kLeft + (static_cast<double>(c) + 0.1) * slot +
                            (stacked ? 0 : static_cast<double>(s) * each);
        absl::StrAppend(&out_, "<rect x=\"", Number(left), "\" y=\"",
                        Number(top), "\" width=\"", Number(each - 1),
                        "\" height=\"", Number(std::max(0.5, foot - top)),
                        "\" stroke=\"", ColorOf(s), "\" fill=\"",
                        series.published ? "none" : ColorOf(s), "\">",
                        Tip(s, c), "</rect>\n");
      }
    }
  }

  void Legend() {
    for (size_t s = 0; s < chart_.series.size(); ++s) {
      const double y = kHeight + kLegendLine * static_cast<double>(s);
      const bool hollow = chart_.series[s].published;
      absl::StrAppend(
          &out_, "<rect x=\"", Number(kLeft), "\" y=\"", Number(y),
          "\" width=\"11\" height=\"11\" stroke=\"", ColorOf(s), "\" fill=\"",
          hollow ? "none" : ColorOf(s), "\"/>\n",
          TextAt(kLeft + 18, y + 10, "start", chart_.series[s].name));
    }
  }

  const Chart& chart_;
  double bottom_;
  bool numeric_;
  std::vector<double> places_;
  double least_ = 0;
  double most_ = 1;
  std::string out_;
};

}  // namespace

std::string ShortNumber(double value) {
  const double size = std::abs(value);
  if (size >= 1000 && size < 1e9) {
    const auto tenths = static_cast<int64_t>(std::llround(size * 10));
    const std::string whole =
        absl::StrCat(value < 0 ? "-" : "", GroupDigits(tenths / 10));
    return tenths % 10 == 0 || size >= 1e6
               ? whole
               : absl::StrCat(whole, ".", tenths % 10);
  }
  return absl::StrFormat("%.4g", value);
}

std::string ChartSvg(const Chart& chart) {
  Drawing drawing(chart);
  return drawing.FindRange() ? drawing.Svg() : "";
}

}  // namespace warpclust
