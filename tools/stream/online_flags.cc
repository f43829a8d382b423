// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/stream/online_flags.h"

#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "kernels/device.h"
#include "tools/cli/duration.h"
#include "tools/cli/same_file.h"
#include "tools/stream/online_store.h"

namespace warpclust {
namespace {

absl::Status CheckShareFlag(absl::string_view flag, const Decimal& value) {
  if (value.numerator >= 0 && value.numerator <= value.denominator) {
    return absl::OkStatus();
  }
  return UsageError(absl::StrCat("--", flag,
                                 ": expected a number from 0 to 1, found ",
                                 FormatDecimal(value)));
}

}  // namespace

void AddOnlineFlags(OnlineFlags* options, FlagSet* flags) {
  flags->Group("Clusters");
  flags->AddDecimal(
      "threshold", &options->threshold,
      "A document joins a cluster only if it is more similar than "
      "this, from 0 to 1, exact as written. Lower for fewer, "
      "larger clusters; 0.1 to 0.2 suits news.");
  flags->AddInt("terms", &options->terms, 1, OnlineOptions::kMaxTerms,
                "Terms kept of a document and of a cluster, the heaviest.");
  flags->AddString("expire_after", &options->expire_after, "TIME",
                   "Close a cluster when the last of its documents is older "
                   "than this (3d, 12h, 90m, seconds) by the documents' "
                   "\"time\". 0 never does.");
  flags->AddInt("merge_every", &options->merge_every, 0, INT64_MAX,
                "Merge similar clusters after every so many documents, which "
                "takes about as long as clustering all clusters; comment "
                "lines \"#merged FROM INTO\" say which. 0 never does.");
  flags->AddDecimal("merge_threshold", &options->merge_threshold,
                    "Merge clusters that are more similar than this.");
  flags->Group("Documents");
  flags->AddChoice("weighting", &options->weighting, {"tf", "tfidf"},
                   "tf is counts, or vectors as given. tfidf is tf * ln(1 + "
                   "n/df), n and df counted up to the document itself; with "
                   "--vocabulary, tf * ln(n/df) by its frequencies.");
  flags->AddReadPath("vocabulary", &options->vocabulary, "PATH",
                     "Only these terms count; a file that vectorize "
                     "--vocabulary wrote, for tfidf with --frequencies.");
  flags->AddBool("stop_words", &options->stop_words,
                 "Remove English stop words from texts.");
  flags->AddBool("stem", &options->stem, "Reduce the words of texts to stems.");
  flags->AddString("language", &options->language, "NAME",
                   "Language of the stemmer.");
  flags->Group("Method");
  flags->AddChoice(
      "method", &options->method,
      {"auto", "serial1", "serial2", "parallel1", "batched", "approximate"},
      "How clusters are found. Only approximate, where documents "
      "of a batch do not see one another, changes the result.");
  flags->AddInt("batch", &options->batch, 0, OnlineMethodOptions::kMaxBatch,
                "Documents a batch; 0 leaves it to the method.");
  flags->AddDecimal("epsilon", &options->epsilon,
                    "approximate: how much less similar than the most similar "
                    "cluster the one chosen may be.");
  flags->Group("State");
  flags->AddWritePath(
      "state", &options->state, "PATH",
      "Directory with the state: continue from there, and keep there what the "
      "next run needs to continue.");
  flags->AddBool("resume", &options->resume,
                 "The input is that of the run before: skip the documents "
                 "that it took.");
  flags->AddInt(
      "journal_bytes", &options->journal_bytes, 0, INT64_MAX,
      "Save the state when the documents taken since the last save exceed "
      "this; 0 for 64 MiB or the size of the state, whichever is more.");
}

absl::Status CheckOnlineFlags(const OnlineFlags& options, const FlagSet& flags,
                              const ToolRun& run) {
  const auto needs = [&](absl::string_view flag, bool given,
                         absl::string_view needed) {
    return flags.WasGiven(flag) && !given
               ? UsageError(absl::StrCat("--", flag, " needs ", needed))
               : absl::OkStatus();
  };
  const bool batches = options.method == "auto" ||
                       options.method == "batched" ||
                       options.method == "approximate";
  for (const absl::Status& status :
       {needs("resume", !options.state.empty(), "--state"),
        needs("journal_bytes", !options.state.empty(), "--state"),
        needs("merge_threshold", options.merge_every > 0, "--merge_every"),
        needs("epsilon", options.method == "approximate",
              "--method=approximate"),
        needs("batch", batches, "a method that works in batches")}) {
    if (!status.ok()) return status;
  }
  if (options.state.empty()) return absl::OkStatus();
  for (const auto& [flag, path] :
       {std::make_pair("output", run.options.output),
        std::make_pair("summary", run.options.summary)}) {
    for (const std::string& file : OnlineStore::Files(options.state)) {
      if (AreOneFile(path, file)) {
        return UsageError(
            absl::StrCat("--", flag, " is ", file, ", a file of the state"));
      }
    }
  }
  if (options.resume && run.options.format == "json") {
    return UsageError(
        "--resume continues lines of tsv; JSON is of one run alone");
  }
  if (absl::EndsWith(run.options.output, ".gz") &&
      run.options.format == "tsv") {
    return UsageError(
        "with --state the output is appended to: it cannot be gzip'ed");
  }
  return absl::OkStatus();
}

absl::StatusOr<OnlineOptions> ClusteringOptions(const OnlineFlags& options) {
  OnlineOptions result;
  result.threshold = options.threshold;
  result.terms = static_cast<int32_t>(options.terms);
  result.merge_every = options.merge_every;
  result.merge_threshold = options.merge_threshold;
  const absl::StatusOr<int64_t> expire_after =
      ParseDuration(options.expire_after);
  if (!expire_after.ok()) {
    return UsageError(
        absl::StrCat("--expire_after: ", expire_after.status().message()));
  }
  result.expire_after = *expire_after;
  for (const auto& [flag, share] :
       {std::make_pair("threshold", options.threshold),
        std::make_pair("merge_threshold", options.merge_threshold)}) {
    RETURN_IF_ERROR(CheckShareFlag(flag, share));
  }
  const absl::Status status = result.Validate();
  if (!status.ok()) return UsageError(status.message());
  return result;
}

absl::StatusOr<OnlineMethodOptions> MethodOptions(const OnlineFlags& options,
                                                  const ToolRun& run) {
  OnlineMethodOptions result;
  const absl::StatusOr<OnlineMethod> method = ParseOnlineMethod(options.method);
  if (!method.ok()) return UsageError(method.status().message());
  result.method = *method;
  // As asked for: with auto, a small stream stays on the CPU.
  const absl::StatusOr<Device> device = ParseDevice(run.options.device);
  if (!device.ok()) return UsageError(device.status().message());
  result.device = *device;
  result.num_threads = run.threads;
  result.batch = static_cast<int32_t>(options.batch);
  RETURN_IF_ERROR(CheckShareFlag("epsilon", options.epsilon));
  result.epsilon = options.epsilon;
  const absl::Status status = result.Validate();
  if (!status.ok()) return UsageError(status.message());
  return result;
}

}  // namespace warpclust
