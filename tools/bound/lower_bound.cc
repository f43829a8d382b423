// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/bound/lower_bound.h"

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "algorithms/correlation/bound/cycle_packing.h"
#include "base/io/text_writer.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

absl::Status WriteCertificate(const CyclePacking& packing,
                              const SignedGraph& graph, TextWriter& writer) {
  writer.Write(absl::StrCat("lower_bound ", packing.bound, " units_per_one ",
                            graph.units_per_one, "\n"));
  std::string line;
  for (size_t c = 0; c < packing.weights.size(); ++c) {
    line = absl::StrCat(packing.weights[c]);
    for (int64_t i = packing.offsets[c]; i < packing.offsets[c + 1]; ++i) {
      absl::StrAppend(&line, " ", packing.vertices[i]);
    }
    line += '\n';
    writer.Write(line);
  }
  return writer.Close();
}

}  // namespace

void AddLowerBoundFlags(LowerBoundFlags* options, FlagSet* flags) {
  flags->Group("Lower bound");
  flags->AddBool("bound", &options->bound,
                 "After the search, prove a lower bound of I(P) over all "
                 "partitions, and report the gap to the result.");
  flags->AddWritePath("certificate", &options->certificate, "PATH",
                      "Also write the proof, which evaluate --certificate "
                      "verifies. Implies --bound.");
}

absl::Status ReportLowerBound(const LowerBoundFlags& options,
                              const SignedGraph& graph,
                              absl::Span<const int32_t> labels,
                              int64_t imbalance, ToolRun& run) {
  if (!options.bound && options.certificate.empty()) return absl::OkStatus();
  CyclePacking packing;
  {
    const ToolRun::Timer compute(&run, "compute");
    const ToolRun::Timer bound(&run, "bound");
    ASSIGN_OR_RETURN(packing, PackConflictedCycles(graph, labels));
  }
  run.report.extra.push_back(
      {"lower_bound", FormatDecimal({packing.bound, graph.units_per_one})});
  const double gap = 100.0 * static_cast<double>(imbalance - packing.bound) /
                     static_cast<double>(packing.bound > 0 ? packing.bound : 1);
  run.report.objective_note = imbalance == packing.bound ? "optimal"
                              : packing.bound <= 0
                                  ? "no lower bound above 0"
                                  : absl::StrFormat("gap %.2f %%", gap);
  if (options.certificate.empty()) return absl::OkStatus();
  const ToolRun::Timer write(&run, "write");
  ASSIGN_OR_RETURN(TextWriter writer, ToolRun::OpenOutput(options.certificate));
  return WriteCertificate(packing, graph, writer);
}

}  // namespace warpclust
