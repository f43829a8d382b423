// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// generate: seeded synthetic data of each kind the other tools read.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/io/text_writer.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "tools/cli/cli.h"
#include "tools/cli/flag_set.h"
#include "tools/cli/text_sink.h"
#include "tools/synthetic/generate_documents.h"
#include "tools/synthetic/generate_points.h"
#include "tools/synthetic/generate_signed_graph.h"
#include "tools/synthetic/generate_stream.h"

namespace warpclust {
namespace {

struct Options {
  std::string kind = "documents";
  int64_t n = 1000;
  std::string truth;
  // Documents, streams.
  int64_t vocabulary_size = 0;
  int64_t terms_per_document = 0;
  int64_t clusters = 0;
  Decimal topic_share = "0.5";
  int64_t hours = 720;
  int64_t burst_hours = 48;
  // Points.
  int64_t dimensions = 2;
  Decimal deviation = "20";
  Decimal noise = "0";
  bool labels = false;
  // Signed graphs.
  Decimal density = "0.01";
  Decimal negative = "0.5";
};

// Flags that mean nothing for some kinds: a flag that is not heeded would be
// taken for one that is.
absl::Status CheckFlagsOfKind(const std::string& kind, const FlagSet& flags) {
  constexpr struct {
    absl::string_view flag;
    absl::string_view kinds;
  } kFlags[] = {
      {"clusters", "documents stream points"},
      {"truth", "documents stream points"},
      {"vocabulary_size", "documents stream"},
      {"terms_per_document", "documents stream"},
      {"topic_share", "documents"},
      {"hours", "stream"},
      {"burst_hours", "stream"},
      {"dimensions", "points"},
      {"deviation", "points"},
      {"noise", "points"},
      {"labels", "points"},
      {"density", "signed"},
      {"negative", "signed"},
  };
  for (const auto& [flag, kinds] : kFlags) {
    if (flags.WasGiven(flag) && !absl::StrContains(kinds, kind)) {
      return UsageError(absl::StrCat("--kind=", kind, " has no --", flag));
    }
  }
  return absl::OkStatus();
}

absl::Status Generate(const Options& options, const FlagSet& flags,
                      ToolRun& run) {
  const std::string& format = run.options.format;
  if (format != "auto" && options.kind != "documents" &&
      !(options.kind == "stream" && format == "jsonl")) {
    return UsageError(
        absl::StrCat("--kind=", options.kind, " has no --format=", format));
  }
  RETURN_IF_ERROR(CheckFlagsOfKind(options.kind, flags));
  TextWriterSink out(&run.output);
  std::optional<TextWriter> truth_writer;
  std::optional<TextWriterSink> truth_sink;
  if (!options.truth.empty()) {
    ASSIGN_OR_RETURN(TextWriter opened, run.OpenOutput(options.truth));
    truth_writer = std::move(opened);
    truth_sink.emplace(&*truth_writer);
  }
  TextSink* truth = truth_sink.has_value() ? &*truth_sink : nullptr;
  const auto done = [&run](int64_t count) { run.progress.SetCount(count); };
  const auto or_default = [](int64_t value, int32_t otherwise) {
    return value == 0 ? otherwise : static_cast<int32_t>(value);
  };
  const auto seed = static_cast<uint64_t>(run.options.seed);

  absl::Status status;
  {
    ToolRun::Timer timer(&run, "compute");
    run.report.n = options.n;
    if (options.kind == "documents") {
      GenerateDocumentsOptions o;
      o.num_documents = options.n;
      o.vocabulary_size =
          or_default(options.vocabulary_size, o.vocabulary_size);
      o.terms_per_document =
          or_default(options.terms_per_document, o.terms_per_document);
      o.num_topics = static_cast<int32_t>(options.clusters);
      o.topic_share = options.topic_share;
      o.seed = seed;
      if (format == "jsonl") {
        o.format = GenerateDocumentsOptions::Format::kJsonLines;
      }
      status = o.Validate();
      if (!status.ok()) {
        return UsageError(absl::StrCat("--", status.message()));
      }
      status = GenerateDocuments(o, &out, truth, run.threads, done);
    } else if (options.kind == "stream") {
      GenerateStreamOptions o;
      o.num_documents = options.n;
      o.vocabulary_size =
          or_default(options.vocabulary_size, o.vocabulary_size);
      o.words_per_document =
          or_default(options.terms_per_document, o.words_per_document);
      o.num_stories = static_cast<int32_t>(options.clusters);
      o.duration_hours = static_cast<int32_t>(options.hours);
      o.burst_hours = static_cast<int32_t>(options.burst_hours);
      o.seed = seed;
      status = o.Validate();
      if (!status.ok()) {
        return UsageError(absl::StrCat("--", status.message()));
      }
      status = GenerateStream(o, &out, truth, done);
    } else if (options.kind == "points") {
      run.report.n_noun = {"point", "points"};
      GeneratePointsOptions o;
      o.num_points = options.n;
      o.dimensions = static_cast<int32_t>(options.dimensions);
      o.num_blobs = or_default(options.clusters, o.num_blobs);
      o.deviation = options.deviation;
      o.noise = options.noise;
      o.labels = options.labels;
      o.seed = seed;
      status = o.Validate();
      if (!status.ok()) {
        return UsageError(absl::StrCat("--", status.message()));
      }
      status = GeneratePoints(o, &out, truth, done);
    } else {
      run.report.n_noun = {"vertex", "vertices"};
      GenerateSignedGraphOptions o;
      if (options.n > std::numeric_limits<int32_t>::max()) {
        return UsageError("--n: a graph has at most 2147483647 vertices");
      }
      o.num_vertices = static_cast<int32_t>(options.n);
      o.density = options.density;
      o.negative = options.negative;
      o.seed = seed;
      status = o.Validate();
      if (!status.ok()) {
        return UsageError(absl::StrCat("--", status.message()));
      }
      run.report.edges = o.num_edges();
      status = GenerateSignedGraph(o, &out, done);
    }
  }
  if (status.ok() && truth_writer.has_value()) status = truth_writer->Close();
  return status;
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) {
  warpclust::Tool tool({
      .name = "generate",
      .summary = "seeded synthetic data",
      .usage = "[--kind=documents|stream|points|signed] [--n=N] [flags]",
      .description =
          "Writes data to try the other tools on: documents with planted "
          "topics and the word frequencies of real text, a dated stream of "
          "short documents about stories that come and go, points in Gaussian "
          "blobs, or a random signed graph. The same flags give the same bytes "
          "on every machine.",
      .examples = {"generate --n=20000 --truth=topics.tsv | oclustr --input=-",
                   "generate --kind=stream --n=5000 --output=stream.jsonl",
                   "generate --kind=points --n=100000 --clusters=20 "
                   "--output=points.csv",
                   "generate --kind=signed --n=400 --density=0.1 "
                   "--negative=0.5"},
  });
  warpclust::Options options;
  warpclust::FlagSet& flags = tool.flags();
  constexpr int64_t kMaxInt32 = std::numeric_limits<int32_t>::max();
  flags.Group("Data");
  flags.AddChoice("kind", &options.kind,
                  {"documents", "stream", "points", "signed"},
                  "What to generate.");
  flags.AddInt("n", &options.n, 0, int64_t{1} << 40,
               "How many documents, points or vertices.");
  flags.AddInt("clusters", &options.clusters, 0, kMaxInt32,
               "Topics, stories or blobs; 0: one for 50 documents, one for 20 "
               "of a stream, 15 blobs.");
  flags.AddWritePath("truth", &options.truth, "PATH",
                     "Also write what belongs where, as id<TAB>cluster.");
  flags.Group("Documents and streams");
  flags.AddInt("vocabulary_size", &options.vocabulary_size, 0, kMaxInt32,
               "Different terms; 0: 100000, in streams 20000.");
  flags.AddInt("terms_per_document", &options.terms_per_document, 0, kMaxInt32,
               "Mean number of distinct terms, in streams of words; 0: 76, in "
               "streams 10.");
  flags.AddDecimal("topic_share", &options.topic_share,
                   "Share of a document's terms that its topic gives.");
  flags.AddInt("hours", &options.hours, 1, 1000000,
               "Hours that a stream lasts.");
  flags.AddInt("burst_hours", &options.burst_hours, 0, 1000000,
               "Hours from a story's first document to its last.");
  flags.Group("Points");
  flags.AddInt("dimensions", &options.dimensions, 1, 1000000,
               "Coordinates of a point.");
  flags.AddDecimal("deviation", &options.deviation,
                   "Standard deviation of a blob; centers are in [0, 1000].");
  flags.AddDecimal("noise", &options.noise,
                   "Share of points that are uniform noise.");
  flags.AddBool("labels", &options.labels, "Add the blob as a last column.");
  flags.Group("Signed graphs");
  flags.AddDecimal("density", &options.density,
                   "Share of all pairs that are edges.");
  flags.AddDecimal("negative", &options.negative,
                   "Share of the edges that are negative.");
  tool.AddOutputFlags({"auto", "svmlight", "jsonl"});
  tool.AddRunFlags();
  return tool.Run(argc, argv, [&](warpclust::ToolRun& run) {
    return warpclust::Generate(options, flags, run);
  });
}
