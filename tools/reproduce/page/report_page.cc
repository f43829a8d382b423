// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/reproduce/page/report_page.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "base/html/html_page.h"
#include "base/text/html_text.h"
#include "tools/reproduce/page/chart.h"

namespace warpclust {
namespace {

// For reading from top to bottom, not for one screen.
constexpr absl::string_view kStyle = R"(
body { display: block; max-width: 1100px; margin: 0 auto; padding: 2em 1.5em;
  background: var(--panel); font-size: 15px; }
h1 { font-size: 1.5em; margin: 0 0 .6em; } p { margin: .7em 0; }
h2 { font-size: 1.2em; margin: 2.2em 0 .6em; white-space: normal; }
.scroll { overflow-x: auto; }
table { width: auto; font-size: 13px; }
th, td { padding: 2px 8px; vertical-align: top; }
th { position: static; }
tbody tr { cursor: auto; }
td.text, th.text { white-space: nowrap; }
th:first-child:not(.text) { text-align: right; }
td.wrap { white-space: normal; min-width: 14em; text-align: left; }
td.paper { color: var(--soft); }
.stand-in { color: var(--warn); }
.note { font-size: 13px; color: var(--soft); }
.note ul, .note ol { margin: 0 0 .5em; }
code { font-size: 12px; overflow-wrap: anywhere; }
svg { max-width: 100%; height: auto; margin-right: 8px; }
svg text { font-size: 11px; fill: var(--soft); }
svg .title text { font-weight: 600; font-size: 12px; fill: var(--ink); }
svg .grid { stroke: var(--faint); } svg .axis { stroke: var(--soft); }
sup { color: var(--soft); line-height: 0; }
)";

// The different texts in order of first appearance; empty ones are left out.
class Distinct {
 public:
  // The number of the text, from 0.
  size_t Add(absl::string_view text) {
    const auto found = std::find(texts_.begin(), texts_.end(), text);
    if (found != texts_.end()) return found - texts_.begin();
    texts_.emplace_back(text);
    return texts_.size() - 1;
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::vector<std::string> texts_;
};

std::string Heading(absl::string_view column, absl::string_view unit) {
  return unit.empty() ? std::string(column)
                      : absl::StrCat(column, " (", unit, ")");
}

// The rows of an exhibit.
struct Section {
  const Exhibit* exhibit;
  std::vector<const ReportRow*> rows;
};

std::string PartChart(const Section& section, const std::string& part) {
  using Plot = Exhibit::Plot;
  const Exhibit& exhibit = *section.exhibit;
  Chart chart;
  chart.kind = exhibit.plot == Plot::kLines  ? Chart::Kind::kLines
               : exhibit.plot == Plot::kBars ? Chart::Kind::kBars
                                             : Chart::Kind::kStackedBars;
  chart.title = part.empty() ? std::string(exhibit.name)
                             : absl::StrCat(exhibit.name, ", ", part);
  chart.x_label = std::string(exhibit.row_name);
  chart.y_label = std::string(exhibit.y_label);
  chart.log_x = exhibit.log_x;
  chart.log_y = exhibit.log_y;
  // Values in another unit, such as speed-ups, are in the table only.
  const std::string unit = section.rows.front()->unit;
  Distinct places;
  Distinct columns;
  for (const ReportRow* row : section.rows) {
    if (row->part != part || row->unit != unit) continue;
    places.Add(row->row);
    columns.Add(row->column);
  }
  chart.categories = places.texts();
  for (const bool published : {false, true}) {
    for (const std::string& column : columns.texts()) {
      ChartSeries series;
      series.name = published ? column + " (paper)" : column;
      series.published = published;
      series.values.resize(chart.categories.size());
      bool any = false;
      for (const ReportRow* row : section.rows) {
        if (row->part != part || row->unit != unit || row->column != column) {
          continue;
        }
        const std::optional<double>& value = published ? row->paper : row->ours;
        series.values[places.Add(row->row)] = value;
        any = any || value.has_value();
      }
      if (any) chart.series.push_back(std::move(series));
    }
  }
  return ChartSvg(chart);
}

std::string Charts(const Section& section) {
  if (section.exhibit->plot == Exhibit::Plot::kNone) return "";
  Distinct parts;
  for (const ReportRow* row : section.rows) parts.Add(row->part);
  std::string out = "<div>\n";
  for (const std::string& part : parts.texts()) {
    absl::StrAppend(&out, PartChart(section, part));
  }
  return out + "</div>\n";
}

std::string Cell(absl::string_view kind, const std::optional<double>& value,
                 absl::string_view tip, absl::string_view mark) {
  return absl::StrCat("<td class=\"", kind, "\" title=\"", EscapeHtml(tip),
                      "\">", value.has_value() ? ShortNumber(*value) : "–",
                      mark, "</td>");
}

std::string List(absl::string_view title, absl::string_view kind,
                 const std::vector<std::string>& items) {
  if (items.empty()) return "";
  std::string out =
      absl::StrCat("<div class=\"note\">", title, "\n<", kind, ">\n");
  for (const std::string& item : items) {
    absl::StrAppend(&out, "<li>", EscapeHtml(item), "</li>\n");
  }
  return absl::StrCat(out, "</", kind, "></div>\n");
}

// What was measured on which data and devices.
std::string Origins(const Section& section) {
  Distinct sets;
  Distinct columns;
  std::vector<Distinct> devices;
  for (const ReportRow* row : section.rows) {
    if (row->data_set.empty()) continue;
    sets.Add(row->stand_in.empty()
                 ? row->data_set
                 : absl::StrCat("† for ", row->stand_in, ": ", row->data_set));
    if (row->device.empty()) continue;
    const size_t c = columns.Add(row->column);
    if (c == devices.size()) devices.emplace_back();
    devices[c].Add(row->device);
  }
  // Columns of one device on one line.
  std::map<std::string, std::string> columns_of;
  for (size_t c = 0; c < devices.size(); ++c) {
    std::string& names = columns_of[absl::StrJoin(devices[c].texts(), " and ")];
    absl::StrAppend(&names, names.empty() ? "" : ", ", columns.texts()[c]);
  }
  std::vector<std::string> lines;
  for (const auto& [device, names] : columns_of) {
    lines.push_back(absl::StrCat(device, ": ", names));
  }
  return List("Data", "ul", sets.texts()) + List("Devices", "ul", lines);
}

// Lines by part and row, columns by column; the paper's value beside ours.
std::string Table(const Section& section) {
  struct Column {
    bool paper = false;
    std::string heading;
  };
  Distinct columns;
  std::vector<Column> about;
  Distinct lines;
  std::vector<std::vector<const ReportRow*>> rows_of;
  bool parts = false;
  for (const ReportRow* row : section.rows) {
    const std::string heading = Heading(row->column, row->unit);
    const size_t c = columns.Add(heading);
    if (c == about.size()) about.push_back({false, heading});
    about[c].paper = about[c].paper || row->paper.has_value();
    const size_t l = lines.Add(absl::StrCat(row->part, "\n", row->row));
    if (l == rows_of.size()) rows_of.emplace_back();
    rows_of[l].push_back(row);
    parts = parts || !row->part.empty();
  }

  // Parts together, in order of first appearance.
  std::vector<std::vector<const ReportRow*>> grouped;
  Distinct part_names;
  for (const auto& line : rows_of) part_names.Add(line.front()->part);
  for (const std::string& part : part_names.texts()) {
    for (auto& line : rows_of) {
      if (line.front()->part == part) grouped.push_back(line);
    }
  }

  std::string out = "<div class=\"scroll\"><table>\n<thead><tr>";
  if (parts) out += "<th rowspan=\"2\" class=\"text\"></th>";
  absl::StrAppend(&out, "<th rowspan=\"2\" class=\"text\">",
                  EscapeHtml(section.exhibit->row_name), "</th>");
  std::string second;
  for (const Column& column : about) {
    absl::StrAppend(&out, "<th colspan=\"", column.paper ? 2 : 1, "\">",
                    EscapeHtml(column.heading), "</th>");
    absl::StrAppend(&second, column.paper ? "<th>paper</th>" : "",
                    "<th>ours</th>");
  }
  absl::StrAppend(&out, "</tr>\n<tr>", second, "</tr></thead>\n<tbody>\n");
  Distinct notes;
  for (const std::vector<const ReportRow*>& line : grouped) {
    out += "<tr>";
    if (parts) {
      absl::StrAppend(&out, "<td class=\"text\">",
                      EscapeHtml(line.front()->part), "</td>");
    }
    absl::StrAppend(&out, "<td class=\"text\">", EscapeHtml(line.front()->row),
                    "</td>");
    for (size_t c = 0; c < about.size(); ++c) {
      const ReportRow* found = nullptr;
      for (const ReportRow* row : line) {
        if (Heading(row->column, row->unit) == columns.texts()[c]) found = row;
      }
      if (found == nullptr) {
        out += about[c].paper ? "<td></td><td></td>" : "<td></td>";
        continue;
      }
      std::string mark;
      if (!found->stand_in.empty() && found->ours.has_value()) {
        mark = "<span class=\"stand-in\">†</span>";
      }
      if (!found->note.empty()) {
        absl::StrAppend(&mark, "<sup>", notes.Add(found->note) + 1, "</sup>");
      }
      const std::string tip = absl::StrCat(found->data_set, " ", found->device);
      if (about[c].paper) out += Cell("paper", found->paper, tip, "");
      out += Cell("ours", found->ours, tip, mark);
    }
    out += "</tr>\n";
  }
  return absl::StrCat(out, "</tbody></table></div>\n",
                      List("", "ol", notes.texts()));
}

std::string SectionHtml(const Section& section) {
  const Exhibit& exhibit = *section.exhibit;
  std::string out = absl::StrCat("<section>\n<h2>", EscapeHtml(exhibit.name),
                                 ". ", EscapeHtml(exhibit.title), "</h2>\n");
  if (!exhibit.note.empty()) {
    absl::StrAppend(&out, "<p class=\"note\">", EscapeHtml(exhibit.note),
                    "</p>\n");
  }
  if (section.rows.empty()) return out + "</section>\n";
  absl::StrAppend(&out, Charts(section), Table(section), Origins(section),
                  "<p><code>", EscapeHtml(section.rows.front()->command),
                  "</code></p>\n</section>\n");
  return out;
}

std::string FilesHtml(const std::vector<DataFile>& files) {
  if (files.empty()) return "";
  std::string out =
      "<section>\n<h2>Files of --data</h2>\n<div class=\"scroll\"><table>\n"
      "<thead><tr><th class=\"text\">file</th><th class=\"text\">state</th>"
      "<th class=\"text\">source</th><th class=\"text\">recipe</th>"
      "</tr></thead>\n<tbody>\n";
  for (const DataFile& file : files) {
    const std::string state =
        file.found_sha256.empty() ? "not at hand"
        : file.found_sha256 == file.sha256
            ? "as expected"
            : absl::StrCat("another file: sha256 ", file.found_sha256,
                           " instead of ", file.sha256);
    absl::StrAppend(&out, "<tr><td class=\"text\">", EscapeHtml(file.name),
                    "</td><td class=\"wrap\">", EscapeHtml(state),
                    "</td><td class=\"wrap\">", EscapeHtml(file.source),
                    "</td><td class=\"wrap\">", EscapeHtml(file.recipe),
                    "</td></tr>\n");
  }
  return out + "</tbody></table></div>\n</section>\n";
}

}  // namespace

std::string ReportPage(const Report& report) {
  std::string body = absl::StrCat(
      "<h1>", EscapeHtml(report.paper.citation),
      "</h1>\n<p>Each table and figure of the paper, measured by warpclust ",
      EscapeHtml(report.version), " on ", EscapeHtml(report.device),
      ". <em>Paper</em> is the published value, <em>ours</em> the measured "
      "one; – is no value, † a value on data that stand in for the "
      "paper's. The values of the paper's figures are not "
      "printed; where its text states some, they are in the tables.",
      report.quick ? " <strong>A quick run: small inputs, generated or "
                     "bundled. Its times say nothing about the paper's."
                     "</strong>"
                   : "",
      "</p>\n");
  for (const Exhibit& exhibit : report.paper.exhibits) {
    Section section = {&exhibit, {}};
    for (const ReportRow& row : report.rows) {
      if (row.exhibit == exhibit.name) section.rows.push_back(&row);
    }
    body += SectionHtml(section);
  }
  body += FilesHtml(report.files);
  std::string page;
  WriteHtmlPage(
      {.title = report.paper.key,
       .kind = "reproduced",
       .style = kStyle,
       .body = body},
      [] {}, [&page](absl::string_view text) { absl::StrAppend(&page, text); });
  return page;
}

}  // namespace warpclust
