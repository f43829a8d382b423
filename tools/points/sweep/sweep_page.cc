// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/points/sweep/sweep_page.h"

#include "absl/strings/str_cat.h"
#include "base/html/html_page.h"
#include "base/text/json_text.h"
#include "tools/points/sweep/assets/page_assets.h"

namespace warpclust {

void WriteSweepPage(absl::Span<const CutoffStep> steps,
                    const SweepPageOptions& options,
                    absl::FunctionRef<void(absl::string_view)> write) {
  const auto write_data = [&] {
    WritePageJson(
        "meta",
        JsonObject({{"total", absl::StrCat(options.num_points)},
                    {"dimensions", absl::StrCat(options.num_dimensions)},
                    {"metric", JsonQuote(options.metric)},
                    {"command", JsonStrings(options.command)}}),
        write);
    std::string table;
    WriteCutoffSweep(steps, /*as_json=*/true, [&table](absl::string_view text) {
      absl::StrAppend(&table, text);
    });
    WritePageJson("sweep", table, write);
  };
  WriteHtmlPage(
      {.title = options.title,
       .kind = steps.front().neighbors > 0 ? "sweep of numbers of neighbors"
                                           : "sweep of cutoff distances",
       .style = SweepPageStyle(),
       .body = SweepPageBody(),
       .script = SweepPageScript()},
      write_data, write);
}

}  // namespace warpclust
