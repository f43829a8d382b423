// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Tool: the command line that all tools share. A main adds its flags and calls
// Run with the body of the tool.
//
//   int main(int argc, char** argv) {
//     warpclust::Tool tool({.name = "oclustr", ...});
//     warpclust::Decimal beta = "0.25";
//     tool.AddInputFlags({"auto", "jsonl"});
//     tool.flags().AddDecimal("beta", &beta, "...");
//     tool.AddOutputFlags({"tsv", "json"});
//     tool.AddRunFlags();
//     return tool.Run(argc, argv, [&](warpclust::ToolRun& run) { ... });
//   }
//
// Standard output carries data only. Notes, progress and the summary line go to
// standard error. Exit codes: 0 success, 1 usage, 2 bad input, 3 unavailable
// (no GPU, not enough memory, an output that cannot be written).
//
// A tool that uses_ranks may be started as several processes, by mpirun. Then
// rank 0 alone prints notes and the summary line, and writes --output, unless
// that has %r, which becomes the number of the rank. Outputs appear once all
// ranks have written theirs. The first error of a rank ends all ranks; its
// message names the rank and the host. With --gpus=N the ranks are threads of
// one process, which all run the body: it must not write to what it captures,
// except on rank 0.

#ifndef WARPCLUST_TOOLS_CLI_CLI_H_
#define WARPCLUST_TOOLS_CLI_CLI_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/communicator/communicator.h"
#include "base/io/text_writer.h"
#include "base/machine/stopwatch.h"
#include "kernels/device/device.h"
#include "kernels/device/device_choice.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/cli/flags/tool_help.h"
#include "tools/cli/process/device_start.h"
#include "tools/cli/progress.h"
#include "tools/cli/run_report.h"

namespace warpclust {

// Starts CUDA; if this process has several ranks, on the GPU of rank `rank`.
// Unavailable if it cannot be used.
absl::Status StartGpu(int rank, int gpus);

// What --help says before and after the flags.
struct ToolDescription {
  std::string name = {};
  std::string summary = {};      // A phrase, shown after name and version.
  std::string usage = {};        // Follows the name: "[--input=PATH] [flags]".
  std::string description = {};  // Paragraphs, wrapped for the screen.
  std::vector<std::string> examples = {};  // Command lines.
  bool uses_gpu = false;                   // If not, --device=cuda is refused.
  bool opens_output = false;               // The body opens --output itself.
  bool uses_ranks = false;  // If not, several processes are refused.
  bool uses_gpus = false;   // Of tools that use ranks: whether it has --gpus.
  // Starts CUDA on the GPU of rank `rank` of `gpus` ranks of this process.
  // Tests replace it.
  std::function<absl::Status(int rank, int gpus)> start_cuda = StartGpu;
};

// The flags that tools have in common, as given.
struct CommonOptions {
  std::string input;  // Empty: the bundled example.
  std::string input_format = "auto";
  std::string output = "-";
  std::string format;
  std::string device = "auto";
  int64_t device_memory = 0;  // Bytes; 0: all that is free.
  int64_t gpus = 1;
  int64_t threads = 0;
  int64_t seed = 1;
  int64_t rank_timeout = 3600;  // Seconds; 0: none.
  std::string summary;
  std::string trace;
  bool progress = false;
  bool quiet = false;
};

// An error in the command line (exit code 1), as opposed to one in the input.
absl::Status UsageError(absl::string_view message);

// The same for an error of a library whose message begins with the name of a
// field that is a flag: "--beta: expected ...". OK stays OK.
absl::Status FlagError(const absl::Status& status);

// UsageError "--name why" for the first of these flags that was given.
absl::Status RefuseFlags(const FlagSet& flags,
                         absl::Span<const absl::string_view> names,
                         absl::string_view why);

// 0, 1, 2 or 3, as above.
int ExitCode(const absl::Status& status);

// Begins the message of an error with the name of the rank, unless it has one
// or the command line is wrong.
absl::Status NamingRank(const absl::Status& status, const Communicator& ranks);

// One run, as the body of a tool sees it.
class ToolRun {
 public:
  // Adds the seconds of its own life to a phase of the report, and shows the
  // phase in the progress line and the trace. The parts of "compute" may be
  // nested in it.
  class Timer {
   public:
    Timer(ToolRun* run, absl::string_view phase);
    ~Timer();
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

   private:
    ToolRun* const run_;
    const std::string phase_;
    Stopwatch stopwatch_;
  };

  // The result of `work`, a phase of the report as with Timer.
  template <typename Work>
  auto Timed(absl::string_view phase, const Work& work) {
    const Timer timer(this, phase);
    return work();
  }

  ToolRun(const CommonOptions& options, RunReport& report, TextWriter& output,
          Progress& progress, Communicator& ranks, Device requested,
          DeviceStart& start, int threads)
      : options(options),
        report(report),
        output(output),
        progress(progress),
        ranks(ranks),
        requested(requested),
        threads(threads),
        start_(start) {}

  // Where to compute: kCpu or kCuda. Call it after reading: CUDA starts
  // meanwhile, and this waits for it. With --device=auto it is the device that
  // is expected to end first, and the report says why. Unavailable if
  // --device=cuda and there is no usable GPU.
  absl::StatusOr<Device> ChooseDevice(const ExpectedSeconds& expected);
  // The same for work without a model: auto is the GPU if one answers.
  absl::StatusOr<Device> ResolveDevice();

  // Whether ChooseDevice will say kCuda for this work and for any larger job of
  // its kind, provided that CUDA starts: work there may begin during reading.
  // Any number of threads may ask.
  bool WillUseCuda(const ExpectedSeconds& expected) const;

  // Whether CUDA is starting, or runs.
  bool StartsCuda() const {
    return start_.begun() && start_.WaitFor(/*seconds=*/0).ok();
  }

  // If CUDA is starting, or runs: gets memory for the arrays of the host, which
  // take about `bytes` in all, while it starts, but at most 4 GiB. Call it
  // after reading. From then on the process keeps what it frees
  // (base/machine/heap_growth.h). Nothing on ranks that share a process with
  // one before them: memory that is kept serves large arrays of its first
  // thread.
  void FetchMemoryWhileCudaStarts(int64_t bytes) const;

  // Opens a further output, such as a vocabulary; the body closes it.
  // Unavailable naming the path if it cannot be written.
  static absl::StatusOr<TextWriter> OpenOutput(absl::string_view path);

  // Writes to --output, for functions that hand over text.
  auto sink() {
    return [this](absl::string_view text) { output.Write(text); };
  }

  // False on ranks that share a process with one before them.
  bool IsFirstOfProcess() const {
    return options.gpus == 1 || ranks.rank() == 0;
  }

  // Whether --output is a part per rank.
  bool WritesParts() const;

  // Prints "tool: message" on standard error, unless --quiet; rank 0 alone.
  void Note(absl::string_view message) const;

  // Note, for messages about --input. Empty if there is no --input: what the
  // bundled example is need not be said.
  std::function<void(absl::string_view)> InputNotes() const;

  const CommonOptions& options;
  RunReport& report;
  TextWriter& output;  // --output. Closed after the body succeeds.
  Progress& progress;
  Communicator& ranks;     // One rank, unless the tool uses_ranks.
  const Device requested;  // --device.
  const int threads;       // At least 1.

 private:
  DeviceStart& start_;
};

// --input, or the path of the bundled example of that name ("points.csv"),
// which a note names. NotFound if the example is missing.
absl::StatusOr<std::string> InputOrExample(const ToolRun& run,
                                           absl::string_view example);

// The same for `path`, the value of --`flag`.
absl::StatusOr<std::string> PathOrExample(absl::string_view path,
                                          absl::string_view flag,
                                          absl::string_view example,
                                          const ToolRun& run);

class Tool {
 public:
  explicit Tool(ToolDescription description);
  Tool(const Tool&) = delete;
  Tool& operator=(const Tool&) = delete;

  FlagSet& flags() { return flags_; }
  const CommonOptions& options() const { return options_; }

  // --input and --input_format. The first format is the default.
  void AddInputFlags(absl::Span<const absl::string_view> formats);
  // --output, and --format unless `formats` is empty. The first is the default.
  void AddOutputFlags(absl::Span<const absl::string_view> formats);
  // --device, --device_memory (of tools that use a GPU), --gpus, --threads,
  // --seed,
  // --summary, --trace, --progress, --quiet.
  void AddRunFlags();

  // Parses the command line, answers --help and --version, opens the output,
  // runs `body`, closes the output and writes the summary. Returns the exit
  // code; if CUDA is still starting, ends the process with it.
  int Run(int argc, char** argv,
          const std::function<absl::Status(ToolRun&)>& body);

 private:
  std::string Help() const;
  ToolHelp HelpParts() const;
  // Prints the error; returns its exit code.
  int Fail(const absl::Status& status) const;
  // The same before ranks are started; the first one alone prints.
  int FailAsLaunched(const absl::Status& status) const;
  // The same on several ranks; ends all of them.
  [[noreturn]] void FailOnRanks(const absl::Status& status,
                                const Communicator& ranks) const;
  absl::Status RunBody(const std::function<absl::Status(ToolRun&)>& body,
                       Communicator& ranks, DeviceStart& start);
  // A rank on a thread for each of --gpus.
  int RunRanksOnGpus(const std::function<absl::Status(ToolRun&)>& body);

  const ToolDescription description_;
  CommonOptions options_;
  FlagSet flags_;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_CLI_CLI_H_
