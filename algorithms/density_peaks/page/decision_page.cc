// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/page/decision_page.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/page/assets/page_assets.h"
#include "algorithms/density_peaks/page/page_points.h"
#include "algorithms/density_peaks/page/plane_coordinates.h"
#include "algorithms/density_peaks/peaks/peak_selection.h"
#include "base/html/html_page.h"
#include "base/status/status_macros.h"
#include "base/text/json_text.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

// With fewer points the page would not show much.
constexpr int32_t kMinHeld = 16;

absl::Status Check(const PointMatrix& points, const DecisionGraph& graph,
                   absl::Span<const int32_t> peaks,
                   const DecisionPageOptions& options) {
  RETURN_IF_ERROR(points.Validate());
  const int32_t n = points.num_points;
  if (n == 0) {
    return absl::InvalidArgumentError(
        "decision page: expected at least one point, found none");
  }
  if (options.max_points < kMinHeld) {
    return absl::InvalidArgumentError(
        absl::StrCat("DecisionPageOptions::max_points: expected at least ",
                     kMinHeld, ", found ", options.max_points));
  }
  // JSON has only finite numbers.
  if (options.selection.rule == PeakSelection::Rule::kThresholds &&
      !std::isfinite(options.selection.delta_min)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "PeakSelection::delta_min: expected a finite number, found ",
        options.selection.delta_min));
  }
  if (graph.num_points() != n) {
    return absl::InvalidArgumentError(
        absl::StrCat("decision page: expected a graph of ", n,
                     " points, found one of ", graph.num_points()));
  }
  RETURN_IF_ERROR(graph.Validate());
  const int64_t num_names = static_cast<int64_t>(options.names.size());
  if (num_names != 0 && num_names != n) {
    return absl::InvalidArgumentError(absl::StrCat(
        "DecisionPageOptions::names: expected none or one for each of ", n,
        " points, found ", num_names));
  }
  for (const int32_t peak : peaks) {
    if (peak < 0 || peak >= n) {
      return absl::InvalidArgumentError(absl::StrCat(
          "decision page: expected peaks from 0 to ", n - 1, ", found ", peak));
    }
  }
  return absl::OkStatus();
}

std::string AxisJson(const PlaneAxis& axis) {
  return JsonObject({{"label", JsonQuote(axis.label)},
                     {"min", JsonDouble(axis.min)},
                     {"max", JsonDouble(axis.max)}});
}

// The `meta` of data.js.
std::string MetaJson(const PointMatrix& points, const PagePoints& held,
                     const PlaneCoordinates& plane,
                     absl::Span<const int32_t> peaks,
                     const DecisionPageOptions& options) {
  const bool thresholds =
      options.selection.rule == PeakSelection::Rule::kThresholds;
  const std::string selection = JsonObject(
      {{"mode", JsonQuote(thresholds ? "thresholds" : "count")},
       {"count", absl::StrCat(peaks.size())},
       {"rhoMin", absl::StrCat(options.selection.density_min)},
       {"deltaMin", JsonDouble(thresholds ? options.selection.delta_min : 0)}});
  return JsonObject({{"title", JsonQuote(options.title)},
                     {"metric", JsonQuote(options.metric)},
                     {"cutoff", JsonQuote(options.cutoff_distance)},
                     {"cutoffOrigin", JsonQuote(options.cutoff_origin)},
                     {"command", JsonQuote(options.command)},
                     {"flags", JsonStrings(options.flags)},
                     {"total", absl::StrCat(points.num_points)},
                     {"dimensions", absl::StrCat(points.num_dimensions)},
                     {"leftOutGamma", JsonDouble(held.left_out_gamma)},
                     {"x", AxisJson(plane.x_axis)},
                     {"y", AxisJson(plane.y_axis)},
                     {"selection", selection}});
}

template <typename T>
std::vector<T> Gather(const std::vector<T>& values,
                      const std::vector<int32_t>& ids) {
  std::vector<T> out;
  out.reserve(ids.size());
  for (const int32_t id : ids) out.push_back(values[id]);
  return out;
}

}  // namespace

absl::Status WriteDecisionPage(
    const PointMatrix& points, const DecisionGraph& graph,
    absl::Span<const int32_t> peaks, const DecisionPageOptions& options,
    absl::FunctionRef<void(absl::string_view)> write) {
  RETURN_IF_ERROR(Check(points, graph, peaks, options));
  const PagePoints held = ChoosePagePoints(graph, peaks, options.max_points);
  const PlaneCoordinates plane =
      FindPlaneCoordinates(points, graph.densities, held.ids);

  const auto write_data = [&] {
    const auto array = [&write](absl::string_view name, const auto& values) {
      WritePageArray(name, absl::MakeConstSpan(values), write);
    };
    WritePageJson("meta", MetaJson(points, held, plane, peaks, options), write);
    array("rho", Gather(graph.densities, held.ids));
    array("delta", Gather(graph.dependent_distances, held.ids));
    array("dependent", held.dependents);
    array("x", plane.x);
    array("y", plane.y);
    if (!options.names.empty()) {
      WritePageJson("names", JsonStrings(Gather(options.names, held.ids)),
                    write);
    }
    if (held.ids.size() == graph.densities.size()) return;
    array("id", held.ids);
    array("weight", held.weights);
    array("first", held.firsts);
    array("left-out-rho", held.left_out_densities);
    array("left-out-delta", held.left_out_distances);
    array("left-out-level", held.left_out_levels);
    array("left-out-count", held.left_out_counts);
  };
  WriteHtmlPage({.title = options.title,
                 .kind = "decision graph",
                 .style = DecisionPageStyle(),
                 .body = DecisionPageBody(),
                 .script = DecisionPageScript()},
                write_data, write);
  return absl::OkStatus();
}

}  // namespace warpclust
