// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/stream/online_flags.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "kernels/device/device.h"
#include "tools/cli/flags/duration.h"
#include "tools/cli/flags/same_file.h"

namespace warpclust {
namespace {

// `status` as a UsageError.
absl::Status Usage(const absl::Status& status) {
  return status.ok() ? status : UsageError(status.message());
}

absl::Status CheckShareFlag(absl::string_view flag, const Decimal& value) {
  const absl::Status status = CheckShare("a number", value);
  return status.ok()
             ? status
             : UsageError(absl::StrCat("--", flag, ": ", status.message()));
}

// The most documents and bytes of a block.
DocumentStream::Limits BlockLimits(const OnlineMethodOptions& method) {
  DocumentStream::Limits limits;
  if (IsApproximate(method.method)) {
    // A block begins a batch, and batches decide the result: all blocks have
    // the same size.
    limits.documents = DocumentsAtATime(method.method, method).batch;
    limits.fill = true;
  } else if (method.batch > 0) {
    limits.documents = std::min<int64_t>(limits.documents, method.batch * 16);
    limits.documents = std::max<int64_t>(limits.documents, method.batch);
  }
  return limits;
}

// With smaller blocks, --device=auto may stay on the CPU, and a GPU is not
// busy.
constexpr int64_t kGpuBlock = 16384;

int64_t LeastBlock(const DocumentStream::Limits& limits, const ToolRun& run) {
  if (limits.fill) return limits.documents;
  return HasCudaCode() && run.StartsCuda()
             ? std::min(kGpuBlock, limits.documents)
             : 1;
}

// The part of the method that decides the result. Exact methods are one, and so
// are approximate ones with the same batch and epsilon.
std::string MethodIdentity(const OnlineMethodOptions& method) {
  if (!IsApproximate(method.method)) return "exact";
  const MultipleDocumentOptions options =
      DocumentsAtATime(method.method, method);
  return absl::StrCat("approximate (--batch=", options.batch,
                      " --epsilon=", FormatDecimal(options.epsilon), ")");
}

}  // namespace

void AddOnlineFlags(OnlineFlags* options, FlagSet* flags) {
  flags->Group("Clusters");
  flags->AddDecimal("threshold", &options->threshold,
                    "A document joins a cluster only if their similarity is "
                    "above this, from 0 to 1, exactly as written. A lower "
                    "value gives fewer, larger clusters; 0.1 to 0.2 suits "
                    "news, 0.7 to 0.9 embeddings. Unless given, it is 0.1 with "
                    "mdc1 and mdc2, and 0.7 for embeddings.");
  flags->AddBool(
      "suggest", &options->suggest,
      "Instead of clusters, write a table of values of --threshold and "
      "--terms, judged by the first 2,048 documents. The best is first: it "
      "has the highest expected FBCubed, estimated by comparing documents "
      "with shuffled ones. All other flags count.");
  flags->AddInt("terms", &options->terms, 1, OnlineOptions::kMaxTerms,
                "Keep this many terms of each document and each cluster, the "
                "heaviest. Of embeddings all dimensions are kept.");
  flags->AddString("expire_after", &options->expire_after, "TIME",
                   "Close a cluster when its last document is older than this "
                   "(3d, 12h, 90m, or seconds) by the documents' \"time\". 0: "
                   "never.");
  flags->AddInt(
      "merge_every", &options->merge_every, 0, INT64_MAX,
      "Merge similar clusters after every N documents. Comment lines "
      "`#merged<TAB>FROM<TAB>INTO` are part of the output: from there "
      "on, FROM is INTO. 0: never. Unless given, it is 0 with mdc1, mdc2 and "
      "embeddings.");
  flags->AddDecimal("merge_threshold", &options->merge_threshold,
                    "Merge clusters whose similarity is above this.");
  flags->AddBool("truncated_mean", &options->truncated_mean,
                 "A cluster forgets terms that fall out of its heaviest, as "
                 "the running mean of the paper does; terms that return begin "
                 "again. Other clusters, usually worse.");
  flags->Group("Documents");
  flags->AddChoice("weighting", &options->weighting, {"tf", "tfidf"},
                   "tf: counts, or vectors as given. tfidf: tf * ln(1 + n/df), "
                   "where n and df count the documents up to and including "
                   "this one; with --vocabulary, tf * ln(n/df) by its "
                   "frequencies.");
  flags->AddReadPath("vocabulary", &options->vocabulary, "PATH",
                     "Count only the terms in this file, which vectorize "
                     "--vocabulary writes; for tfidf with --frequencies too.");
  flags->AddBool("stop_words", &options->stop_words,
                 "Remove English stop words from texts.");
  flags->AddBool("stem", &options->stem, "Reduce the words of texts to stems.");
  flags->AddString("language", &options->language, "NAME",
                   "Language of the stemmer.");
  AddJsonFlags(flags, &options->json, /*times=*/true);
  AddCsvFlags(flags, &options->csv, /*times=*/true);
  AddDenseFlags(flags, &options->dense);
  flags->Group("Method");
  flags->AddChoice(
      "method", &options->method,
      {"auto", "serial1", "serial2", "parallel1", "batched", "mdc1", "mdc2",
       "approximate", "sc1", "sc2", "pc1"},
      "How clusters are found. Only mdc1, mdc2 and approximate change the "
      "result: the documents of a batch do not see one another. mdc1 and mdc2 "
      "are the paper's Multiple Document Clusterers, with its 1,024 documents "
      "per batch and 16 buckets; approximate is mdc2 without buckets. sc1, sc2 "
      "and pc1 are serial1, serial2 and parallel1.");
  flags->AddInt("batch", &options->batch, 0, OnlineMethodOptions::kMaxBatch,
                "Documents per batch. 0: the method decides.");
  flags->AddString("epsilon", &options->epsilon, "E",
                   "For mdc1, mdc2 and approximate: how much less similar than "
                   "the most similar cluster the chosen one may be, from 0 to "
                   "1. By default 0.0625 for mdc1 and mdc2, and 0 for "
                   "approximate.");
  flags->Group("State");
  flags->AddWritePath("state", &options->state, "DIR",
                      "Continue from the state in this directory, and save "
                      "the state there for the next run.");
  flags->AddBool("resume", &options->resume,
                 "The input is the same as in the run before: skip the "
                 "documents that it took.");
  flags->AddInt("journal_bytes", &options->journal_bytes, 0, INT64_MAX,
                "Save the state when the documents taken since the last save "
                "exceed this many bytes. 0: 64 MiB or the size of the state, "
                "whichever is larger.");
}

void AddFinalFlag(OnlineFlags* options, FlagSet* flags) {
  flags->AddBool(
      "final", &options->final,
      "Write the lines at the end, with the clusters that merged as "
      "one, instead of as documents come. The file has the documents "
      "of this run only.");
}

void SetPaperDefaults(const FlagSet& flags, OnlineFlags* options) {
  if (options->method != "mdc1" && options->method != "mdc2") return;
  if (!flags.WasGiven("threshold")) options->threshold = "0.1";
  if (!flags.WasGiven("merge_every")) {
    options->merge_every = OnlineOptions::Paper().merge_every;
  }
}

void SetEmbeddingDefaults(const FlagSet& flags, OnlineFlags* options) {
  const OnlineOptions defaults = OnlineOptions::Embeddings();
  if (!flags.WasGiven("threshold")) options->threshold = defaults.threshold;
  if (!flags.WasGiven("merge_every")) {
    options->merge_every = defaults.merge_every;
  }
  if (!flags.WasGiven("merge_threshold")) {
    options->merge_threshold = defaults.merge_threshold;
  }
}

absl::Status CheckOnlineFlags(const OnlineFlags& options, const FlagSet& flags,
                              const ToolRun& run) {
  const auto needs = [&](absl::string_view flag, bool given,
                         absl::string_view needed) {
    return flags.WasGiven(flag) && !given
               ? UsageError(absl::StrCat("--", flag, " needs ", needed))
               : absl::OkStatus();
  };
  const bool approximate = IsApproximate(
      ParseOnlineMethod(options.method).value_or(OnlineMethod::kAuto));
  const bool batches =
      approximate || options.method == "auto" || options.method == "batched";
  for (const absl::Status& status :
       {needs("resume", !options.state.empty(), "--state"),
        needs("journal_bytes", !options.state.empty(), "--state"),
        needs("merge_threshold", options.merge_every > 0,
              "a --merge_every above 0"),
        needs("epsilon", approximate, "--method=mdc1, mdc2 or approximate"),
        needs("batch", batches, "a method that works in batches")}) {
    RETURN_IF_ERROR(status);
  }
  if (options.suggest) {
    RETURN_IF_ERROR(RefuseFlags(flags, {"threshold", "terms"},
                                "is not for --suggest, which tries many"));
    RETURN_IF_ERROR(
        RefuseFlags(flags,
                    {"state", "resume", "journal_bytes", "final", "titles",
                     "report", "method", "batch", "epsilon"},
                    "is not for --suggest, which writes no clusters"));
    if (options.weighting != "tf") {
      return UsageError(
          "--suggest compares term counts: expected --weighting=tf, found "
          "tfidf");
    }
  }
  if (options.final && run.options.format != "tsv") {
    return UsageError("--final is for --format=tsv; JSON has merged clusters");
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
        "--resume: expected --format=tsv; JSON describes a single run");
  }
  if (options.resume && options.final) {
    return UsageError(
        "--resume: expected no --final, which is about a single run");
  }
  if (absl::EndsWith(run.options.output, ".gz") &&
      run.options.format == "tsv" && !options.final) {
    return UsageError(
        "--output: with --state the output is appended to, so it cannot be "
        "gzip'ed");
  }
  return absl::OkStatus();
}

absl::Status CheckDenseOnlineFlags(const OnlineFlags& options,
                                   const FlagSet& flags, InputFormat format) {
  RETURN_IF_ERROR(CheckDenseFlags(options.dense, options.json, format));
  if (!IsDense(format)) return absl::OkStatus();
  const std::string found =
      absl::StrCat(", and the input is ", InputFormatName(format));
  RETURN_IF_ERROR(RefuseFlags(
      flags,
      {"weighting", "terms", "truncated_mean", "vocabulary", "stop_words",
       "stem", "language", "text_field", "titles", "report", "suggest"},
      absl::StrCat("is for texts and term vectors", found)));
  if (!flags.WasGiven("merge_every")) {
    RETURN_IF_ERROR(RefuseFlags(
        flags, {"merge_threshold"},
        "needs --merge_every, which is 0 for embeddings unless given"));
  }
  if (format == InputFormat::kJsonVectors) return absl::OkStatus();
  return RefuseFlags(flags, {"id_field", "time_field", "skip_bad_lines"},
                     absl::StrCat("is for JSON Lines", found));
}

absl::StatusOr<OnlineOptions> ClusteringOptions(const OnlineFlags& options) {
  OnlineOptions result;
  result.threshold = options.threshold;
  result.merge_every = options.merge_every;
  result.merge_threshold = options.merge_threshold;
  result.terms = static_cast<int32_t>(options.terms);
  result.truncated_mean = options.truncated_mean;
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
  RETURN_IF_ERROR(Usage(result.Validate()));
  return result;
}

absl::StatusOr<OnlineMethodOptions> MethodOptions(const OnlineFlags& options,
                                                  const ToolRun& run) {
  OnlineMethodOptions result;
  const absl::StatusOr<OnlineMethod> method = ParseOnlineMethod(options.method);
  RETURN_IF_ERROR(Usage(method.status()));
  result.method = *method;
  result.batch = static_cast<int32_t>(options.batch);
  if (!options.epsilon.empty()) {
    const absl::StatusOr<Decimal> epsilon = ParseDecimal(options.epsilon);
    if (!epsilon.ok()) {
      return UsageError(
          absl::StrCat("--epsilon: ", epsilon.status().message()));
    }
    RETURN_IF_ERROR(CheckShareFlag("epsilon", *epsilon));
    result.epsilon = *epsilon;
  }
  result.ranks = &run.ranks;
  // As given: with auto, a short stream stays on the CPU.
  result.device = run.requested;
  result.num_threads = run.threads;
  RETURN_IF_ERROR(Usage(result.Validate()));
  return result;
}

OnlineSessionOptions SessionOptions(const OnlineFlags& options,
                                    const OnlineMethodOptions& method,
                                    const ToolRun& run) {
  OnlineSessionOptions result;
  result.limits = BlockLimits(method);
  result.least_documents = LeastBlock(result.limits, run);
  result.lines = run.options.format == "tsv" && !options.final;
  result.members = !result.lines;
  result.resume = options.resume;
  // Another rank may decide, and this one has time.
  result.read_ahead = run.threads > 1 || run.ranks.size() > 1;
  result.save_after_bytes = options.journal_bytes;
  return result;
}

OnlineSnapshot::Options DecidingFlags(const OnlineFlags& options,
                                      const OnlineOptions& clustering,
                                      const OnlineMethodOptions& method,
                                      InputFormat format,
                                      absl::string_view vocabulary) {
  OnlineSnapshot::Options result = {
      {OnlineSnapshot::kInput, IsDense(format)  ? OnlineSnapshot::kEmbeddings
                               : IsText(format) ? "texts"
                                                : "vectors"},
      {"--threshold", FormatDecimal(clustering.threshold)},
      {"--expire_after", absl::StrCat(clustering.expire_after, "s")},
      {"--merge_every", absl::StrCat(clustering.merge_every)},
      {"--merge_threshold", FormatDecimal(clustering.merge_threshold)},
      {"--method", MethodIdentity(method)},
  };
  if (!IsDense(format)) {
    result.emplace_back("--terms", absl::StrCat(clustering.terms));
    result.emplace_back("--truncated_mean",
                        clustering.truncated_mean ? "true" : "false");
    result.emplace_back("--weighting", options.weighting);
    result.emplace_back("--vocabulary", vocabulary);
  }
  if (IsText(format)) {
    result.emplace_back("--stop_words", options.stop_words ? "true" : "false");
    result.emplace_back("--stem", options.stem ? "true" : "false");
    result.emplace_back("--language", options.language);
  }
  return result;
}

absl::Status CheckSameFlags(absl::string_view state,
                            const OnlineSnapshot::Options& saved,
                            const OnlineSnapshot::Options& now) {
  for (const auto& [name, value] : now) {
    for (const auto& [saved_name, saved_value] : saved) {
      if (name == saved_name && value != saved_value) {
        return UsageError(
            absl::StrCat(state, ": expected ", name, " to be ", saved_value,
                         ", as when this state was made, found ", value));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust
