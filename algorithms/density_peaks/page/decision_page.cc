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
#include "algorithms/density_peaks/page/page_text.h"
#include "algorithms/density_peaks/page/plane_coordinates.h"
#include "algorithms/density_peaks/peaks/peak_selection.h"
#include "base/status/status_macros.h"
#include "base/text/html_text.h"
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
  return absl::StrCat("{\"label\":", JsonString(axis.label),
                      ",\"min\":", JsonNumber(axis.min),
                      ",\"max\":", JsonNumber(axis.max), "}");
}

// The `meta` of data.js.
std::string MetaJson(const PointMatrix& points, const PagePoints& held,
                     const PlaneCoordinates& plane,
                     absl::Span<const int32_t> peaks,
                     const DecisionPageOptions& options) {
  const bool thresholds =
      options.selection.rule == PeakSelection::Rule::kThresholds;
  std::string flags;
  for (const std::string& flag : options.flags) {
    absl::StrAppend(&flags, flags.empty() ? "" : ",", JsonString(flag));
  }
  return absl::StrCat(
      "{\"title\":", JsonString(options.title),
      ",\"metric\":", JsonString(options.metric),
      ",\"cutoff\":", JsonString(options.cutoff_distance),
      ",\"cutoffOrigin\":", JsonString(options.cutoff_origin),
      ",\"command\":", JsonString(options.command), ",\"flags\":[", flags,
      "],\"total\":", points.num_points,
      ",\"dimensions\":", points.num_dimensions,
      ",\"leftOutGamma\":", JsonNumber(held.left_out_gamma),
      ",\"x\":", AxisJson(plane.x_axis), ",\"y\":", AxisJson(plane.y_axis),
      ",\"selection\":{\"mode\":\"", thresholds ? "thresholds" : "count",
      "\",\"count\":", peaks.size(),
      ",\"rhoMin\":", options.selection.density_min, ",\"deltaMin\":",
      JsonNumber(thresholds ? options.selection.delta_min : 0), "}}");
}

// Writes one array of the page, as the text of an element that the browser does
// not interpret.
template <typename T>
void WriteArray(absl::string_view name, const std::vector<T>& values,
                absl::FunctionRef<void(absl::string_view)> write) {
  write(absl::StrCat("<script type=\"text/plain\" id=\"data-", name, "\">"));
  WriteBase64(absl::string_view(reinterpret_cast<const char*>(values.data()),
                                values.size() * sizeof(T)),
              write);
  write("</script>\n");
}

// The names of the points that the page holds, as a JSON array.
void WriteNames(const std::vector<std::string>& names,
                const std::vector<int32_t>& ids,
                absl::FunctionRef<void(absl::string_view)> write) {
  write("<script type=\"application/json\" id=\"data-names\">");
  const char* before = "[";
  for (const int32_t id : ids) {
    write(absl::StrCat(before, JsonString(names[id])));
    before = ",";
  }
  write("]</script>\n");
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
    write(absl::StrCat("<script type=\"application/json\" id=\"meta\">",
                       MetaJson(points, held, plane, peaks, options),
                       "</script>\n"));
    WriteArray("rho", Gather(graph.densities, held.ids), write);
    WriteArray("delta", Gather(graph.dependent_distances, held.ids), write);
    WriteArray("dependent", held.dependents, write);
    WriteArray("x", plane.x, write);
    WriteArray("y", plane.y, write);
    if (!options.names.empty()) WriteNames(options.names, held.ids, write);
    if (held.ids.size() == graph.densities.size()) return;
    WriteArray("id", held.ids, write);
    WriteArray("weight", held.weights, write);
    WriteArray("first", held.firsts, write);
    WriteArray("left-out-rho", held.left_out_densities, write);
    WriteArray("left-out-delta", held.left_out_distances, write);
    WriteArray("left-out-level", held.left_out_levels, write);
    WriteArray("left-out-count", held.left_out_counts, write);
  };

  absl::string_view rest = PageHtml();
  while (true) {
    const size_t begin = rest.find("{{");
    const size_t end = rest.find("}}");
    if (begin == rest.npos || end == rest.npos) break;
    write(rest.substr(0, begin));
    const absl::string_view name = rest.substr(begin + 2, end - begin - 2);
    rest.remove_prefix(end + 2);
    if (name == "title") write(EscapeHtml(options.title));
    if (name == "style") write(PageStyle());
    if (name == "data") write_data();
    if (name == "library_license") write(PageLibraryLicense());
    if (name == "library") write(PageLibrary());
    if (name == "script") write(PageScript());
  }
  write(rest);
  return absl::OkStatus();
}

}  // namespace warpclust
