// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/describe/choose_beta.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "algorithms/oclustr/oclustr_choice.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "base/text/json_text.h"
#include "tools/cli/run_report.h"

namespace warpclust {
namespace {

// Says what was chosen and why. `weighting`: that of the choice, as a flag.
void ReportChoice(const OClustRChoice& choice, absl::string_view weighting,
                  ToolRun& run) {
  const std::string setting =
      absl::StrCat("--beta=", FormatDecimal(choice.beta), weighting);
  std::string why;
  switch (choice.why) {
    case OClustRChoice::Why::kBest:
      why = absl::StrFormat(
          "has the highest expected FBCubed, %.3f, of %d settings on %s",
          choice.expected.f, choice.candidates.size(),
          Counted(choice.num_documents, {"document", "documents"}));
      break;
    case OClustRChoice::Why::kFewDocuments:
      why = "by default: fewer than 64 documents are too few to choose by";
      break;
    case OClustRChoice::Why::kNothingAboveChance:
      why = "by default: no documents are more similar than by chance";
      break;
  }
  run.Note(absl::StrCat("--beta=auto: ", setting, " ", why));
  run.report.extra = {
      {"beta_why", JsonQuote(why)},
      {"compared_documents", absl::StrCat(choice.num_documents)},
      {"compared_settings", absl::StrCat(choice.candidates.size())},
      {"expected_fbcubed", JsonDouble(choice.expected.f)},
  };
}

// Counts the time of a choice as computing, in a timer of "read".
void ReportSeconds(double seconds, ToolRun& run) {
  run.report.AddSeconds("read", -seconds);
  run.report.AddSeconds("compute", seconds);
  run.report.AddSeconds("choice", seconds);
}

}  // namespace

std::function<absl::StatusOr<Weighting>(const DocumentMatrix& counts)>
BetaChooser(const FlagSet& flags, absl::optional<Decimal>* beta,
            std::string* weighting, ToolRun* run) {
  return [&flags, beta, weighting,
          run](const DocumentMatrix& counts) -> absl::StatusOr<Weighting> {
    const Stopwatch stopwatch;
    OClustRChoiceOptions choosing;
    // For this few documents, waking threads costs more than they save.
    choosing.num_threads = 1;
    if (flags.WasGiven("weighting")) {
      ASSIGN_OR_RETURN(const Weighting given, ParseWeighting(*weighting));
      choosing.weightings = {given};
    }
    ASSIGN_OR_RETURN(const OClustRChoice choice,
                     ChooseOClustR(counts, choosing));
    *beta = choice.beta;
    *weighting = std::string(WeightingName(choice.weighting));
    run->report.options = flags.Values();
    ReportChoice(choice, absl::StrCat(" --weighting=", *weighting), *run);
    ReportSeconds(stopwatch.Seconds(), *run);
    return choice.weighting;
  };
}

absl::Status ChooseBeta(const DenseDocuments& documents, const FlagSet& flags,
                        absl::optional<Decimal>* beta, ToolRun* run) {
  const Stopwatch stopwatch;
  OClustRChoiceOptions choosing;
  choosing.num_threads = run->threads;
  ASSIGN_OR_RETURN(const OClustRChoice choice,
                   ChooseOClustR(documents, choosing));
  *beta = choice.beta;
  run->report.options = flags.Values();
  ReportChoice(choice, /*weighting=*/"", *run);
  ReportSeconds(stopwatch.Seconds(), *run);
  return absl::OkStatus();
}

}  // namespace warpclust
