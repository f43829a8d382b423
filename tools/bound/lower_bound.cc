// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/bound/lower_bound.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "algorithms/correlation/constraints/constrained_graph.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"

namespace warpclust {

void AddLowerBoundFlags(LowerBoundFlags* flags, FlagSet* set) {
  set->Group("Lower bound");
  set->AddBool("bound", &flags->bound,
               "After the search, prove a lower bound of I(P) over all "
               "partitions (with constraints: over those that meet them), and "
               "report the gap to the result. --time_limit does not limit it; "
               "Ctrl-C ends it.");
  set->AddWritePath("certificate", &flags->certificate, "PATH",
                    "Also write the proof, which evaluate --certificate "
                    "verifies. Implies --bound.");
}

absl::StatusOr<LowerBound> LowerBound::Open(const LowerBoundFlags& flags) {
  LowerBound bound;
  bound.wanted_ = flags.bound || !flags.certificate.empty();
  ASSIGN_OR_RETURN(bound.certificate_, ReportFile::Open(flags.certificate));
  return bound;
}

absl::Status LowerBound::Prove(const SignedGraph& graph,
                               const CorrelationOptions& options,
                               const SearchControl& control,
                               CorrelationResult* result, ToolRun& run) {
  if (!wanted_) return absl::OkStatus();
  const ToolRun::Timer compute(&run, "compute");
  const ToolRun::Timer bound(&run, "bound");
  if (options.constraints.empty()) {
    ASSIGN_OR_RETURN(proof_, BoundImbalance(graph, result->labels, &control,
                                            run.threads, run.requested));
  } else {
    ASSIGN_OR_RETURN(const ConstrainedGraph constrained,
                     Constrain(graph, options.initial, options.constraints));
    ASSIGN_OR_RETURN(proof_,
                     BoundImbalance(constrained.graph,
                                    LabelsOfGroups(constrained, result->labels),
                                    &control, run.threads, run.requested));
  }
  if (proof_.bound == result->imbalance) result->proven_optimal = true;
  return absl::OkStatus();
}

void LowerBound::Report(const SignedGraph& graph,
                        const CorrelationResult& result,
                        RunReport* report) const {
  if (!wanted_) return;
  const int64_t bound = proof_.bound;
  report->extra.push_back(
      {"lower_bound", FormatDecimal({bound, graph.units_per_one})});
  const double gap = 100.0 * static_cast<double>(result.imbalance - bound) /
                     static_cast<double>(bound > 0 ? bound : 1);
  report->objective_note = result.imbalance == bound ? "optimal"
                           : bound <= 0              ? "no lower bound above 0"
                                        : absl::StrFormat("gap %.2f %%", gap);
}

absl::Status LowerBound::Write(const SignedGraph& graph) {
  if (!certificate_.wanted()) return absl::OkStatus();
  const auto write = certificate_.sink();
  std::string line = absl::StrCat("lower_bound ", proof_.bound,
                                  " units_per_one ", graph.units_per_one);
  const SemidefiniteBound& semidefinite = proof_.semidefinite;
  const CyclePacking& packing = proof_.packing;
  if (!semidefinite.diagonal.empty()) {
    write(absl::StrCat(line, " parts ", semidefinite.parts, " semidefinite\n"));
    for (size_t v = 0; v < semidefinite.diagonal.size(); ++v) {
      line = absl::StrCat(semidefinite.diagonal[v]);
      for (int64_t i = semidefinite.offsets[v]; i < semidefinite.offsets[v + 1];
           ++i) {
        absl::StrAppend(&line, " ", semidefinite.vertices[i], " ",
                        semidefinite.repulsion[i]);
      }
      line += '\n';
      write(line);
    }
    return certificate_.Close();
  }
  if (packing.parts > 1) absl::StrAppend(&line, " parts ", packing.parts);
  line += '\n';
  write(line);
  for (size_t c = 0; c < packing.weights.size(); ++c) {
    line = absl::StrCat(packing.weights[c]);
    for (int64_t i = packing.offsets[c]; i < packing.offsets[c + 1]; ++i) {
      absl::StrAppend(&line, " ", packing.vertices[i]);
    }
    line += '\n';
    write(line);
  }
  for (size_t b = 0; b + 1 < packing.block_offsets.size(); ++b) {
    line = "exact";
    for (int64_t i = packing.block_offsets[b]; i < packing.block_offsets[b + 1];
         ++i) {
      absl::StrAppend(&line, " ", packing.block_vertices[i]);
    }
    line += '\n';
    write(line);
  }
  return certificate_.Close();
}

}  // namespace warpclust
