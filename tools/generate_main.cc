// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// generate: seeded synthetic data of each kind that the other tools read.

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
#include "tools/synthetic/generate_documents.h"
#include "tools/synthetic/generate_points.h"
#include "tools/synthetic/generate_signed_graph.h"
#include "tools/synthetic/generate_stream.h"
#include "tools/synthetic/generator.h"

namespace warpclust {
namespace {

struct Options {
  std::string kind = "documents";
  int64_t n = 1000;
  std::string truth;
  // Documents and streams.
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

// Refuses flags that have no effect on this kind.
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

int32_t OrDefault(int64_t value, int32_t otherwise) {
  return value == 0 ? otherwise : static_cast<int32_t>(value);
}

GenerateDocumentsOptions DocumentsOptions(const Options& options,
                                          const CommonOptions& common) {
  GenerateDocumentsOptions o;
  o.num_documents = options.n;
  o.vocabulary_size = OrDefault(options.vocabulary_size, o.vocabulary_size);
  o.terms_per_document =
      OrDefault(options.terms_per_document, o.terms_per_document);
  o.num_topics = static_cast<int32_t>(options.clusters);
  o.topic_share = options.topic_share;
  o.seed = static_cast<uint64_t>(common.seed);
  if (common.format == "jsonl") {
    o.format = GenerateDocumentsOptions::Format::kJsonLines;
  }
  return o;
}

GenerateStreamOptions StreamOptions(const Options& options, int64_t seed) {
  GenerateStreamOptions o;
  o.num_documents = options.n;
  o.vocabulary_size = OrDefault(options.vocabulary_size, o.vocabulary_size);
  o.words_per_document =
      OrDefault(options.terms_per_document, o.words_per_document);
  o.num_stories = static_cast<int32_t>(options.clusters);
  o.duration_hours = static_cast<int32_t>(options.hours);
  o.burst_hours = static_cast<int32_t>(options.burst_hours);
  o.seed = static_cast<uint64_t>(seed);
  return o;
}

GeneratePointsOptions PointsOptions(const Options& options, int64_t seed) {
  GeneratePointsOptions o;
  o.num_points = options.n;
  o.dimensions = static_cast<int32_t>(options.dimensions);
  o.num_blobs = OrDefault(options.clusters, o.num_blobs);
  o.deviation = options.deviation;
  o.noise = options.noise;
  o.labels = options.labels;
  o.seed = static_cast<uint64_t>(seed);
  return o;
}

GenerateSignedGraphOptions SignedGraphOptions(const Options& options,
                                              int64_t seed) {
  GenerateSignedGraphOptions o;
  o.num_vertices = static_cast<int32_t>(options.n);
  o.density = options.density;
  o.negative = options.negative;
  o.seed = static_cast<uint64_t>(seed);
  return o;
}

absl::Status WriteData(const Options& options, const TextSink& truth,
                       ToolRun& run) {
  const TextSink out = [&run](absl::string_view text) {
    run.output.Write(text);
  };
  const auto done = [&run](int64_t count) { run.progress.SetCount(count); };
  const int64_t seed = run.options.seed;
  if (options.kind == "documents") {
    const GenerateDocumentsOptions o = DocumentsOptions(options, run.options);
    RETURN_IF_ERROR(FlagError(o.Validate()));
    return GenerateDocuments(o, out, truth, run.threads, done);
  }
  if (options.kind == "stream") {
    const GenerateStreamOptions o = StreamOptions(options, seed);
    RETURN_IF_ERROR(FlagError(o.Validate()));
    return GenerateStream(o, out, truth, done);
  }
  if (options.kind == "points") {
    run.report.n_noun = {"point", "points"};
    const GeneratePointsOptions o = PointsOptions(options, seed);
    RETURN_IF_ERROR(FlagError(o.Validate()));
    return GeneratePoints(o, out, truth, done);
  }
  run.report.n_noun = {"vertex", "vertices"};
  if (options.n > std::numeric_limits<int32_t>::max()) {
    return UsageError("--n: a graph has at most 2147483647 vertices");
  }
  const GenerateSignedGraphOptions o = SignedGraphOptions(options, seed);
  RETURN_IF_ERROR(FlagError(o.Validate()));
  run.report.edges = o.num_edges();
  return GenerateSignedGraph(o, out, done);
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
  std::optional<TextWriter> truth_writer;
  TextSink truth;
  if (!options.truth.empty()) {
    ASSIGN_OR_RETURN(truth_writer, ToolRun::OpenOutput(options.truth));
    truth = [&](absl::string_view text) { truth_writer->Write(text); };
  }
  {
    ToolRun::Timer timer(&run, "compute");
    run.report.n = options.n;
    RETURN_IF_ERROR(WriteData(options, truth, run));
  }
  return truth_writer.has_value() ? truth_writer->Close() : absl::OkStatus();
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
          "topics and the word frequencies of real text; a dated stream of "
          "short documents about stories that come and go; points in Gaussian "
          "blobs; or a random signed graph. The same flags give the same bytes "
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
               "Number of documents, points or vertices.");
  flags.AddInt("clusters", &options.clusters, 0, kMaxInt32,
               "Number of topics, stories or blobs; 0 for one per 50 "
               "documents, one per 20 documents of a stream, or 15 blobs.");
  flags.AddWritePath("truth", &options.truth, "PATH",
                     "Also write the true clusters, as id<TAB>cluster.");
  flags.Group("Documents and streams");
  flags.AddInt("vocabulary_size", &options.vocabulary_size, 0, kMaxInt32,
               "Number of different terms; 0 for 100000, in a stream 20000.");
  flags.AddInt("terms_per_document", &options.terms_per_document, 0, kMaxInt32,
               "Mean number of distinct terms, in a stream of words; 0 for 76, "
               "in a stream 10.");
  flags.AddDecimal("topic_share", &options.topic_share,
                   "Share of a document's terms that come from its topic.");
  flags.AddInt("hours", &options.hours, 1, 1000000,
               "Duration of a stream in hours.");
  flags.AddInt("burst_hours", &options.burst_hours, 0, 1000000,
               "Hours from the first document of a story to its last.");
  flags.Group("Points");
  flags.AddInt("dimensions", &options.dimensions, 1, 1000000,
               "Number of coordinates of a point.");
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
