// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FlagSet: the flags of one tool, bound to plain variables.
//
//   warpclust::Decimal beta = "0.25";
//   warpclust::FlagSet flags;
//   flags.Group("Clustering");
//   flags.AddDecimal("beta", &beta, "Smallest cosine of an edge.");
//   RETURN_IF_ERROR(flags.Parse({argv + 1, argv + argc}));
//
// One or two dashes: --name=value, --name value, --bool, --nobool. A value is
// checked as it is read. README.md says why this is not absl::flags.

#ifndef WARPCLUST_TOOLS_CLI_FLAGS_FLAG_SET_H_
#define WARPCLUST_TOOLS_CLI_FLAGS_FLAG_SET_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "base/numbers/decimal.h"
#include "base/text/json_text.h"

namespace warpclust {

class FlagSet {
 public:
  // Starts a group of the help. Flags added from now on belong to it.
  void Group(absl::string_view title);

  // Each binds a flag to `target`, whose present value is the default and which
  // must outlive the set. `placeholder` stands for the value in the help
  // ("PATH"); `help` is one or two sentences.
  void AddString(absl::string_view name, std::string* target,
                 absl::string_view placeholder, absl::string_view help);
  // A string that may be left out: --name is --name= (only an equals sign gives
  // it a value).
  void AddOptionalString(absl::string_view name, std::string* target,
                         absl::string_view placeholder, absl::string_view help);
  // The path of a file that the tool reads, or writes. An empty value is an
  // error: usually a shell variable was not set.
  void AddReadPath(absl::string_view name, std::string* target,
                   absl::string_view placeholder, absl::string_view help);
  void AddWritePath(absl::string_view name, std::string* target,
                    absl::string_view placeholder, absl::string_view help);
  void AddBool(absl::string_view name, bool* target, absl::string_view help);
  // An integer in [least, most].
  void AddInt(absl::string_view name, int64_t* target, int64_t least,
              int64_t most, absl::string_view help);
  void AddInt(absl::string_view name, int32_t* target, int32_t least,
              int32_t most, absl::string_view help);
  // A number of bytes: an integer of at least 0, with an optional suffix KiB,
  // MiB, GiB or TiB.
  void AddBytes(absl::string_view name, int64_t* target,
                absl::string_view help);
  // An exact decimal number. With kAny the caller checks its range.
  enum class Range { kAny, kAtLeastZero, kZeroToOne };
  void AddDecimal(absl::string_view name, Decimal* target,
                  absl::string_view help, Range range = Range::kAny);
  // An exact decimal number, or "auto": the target then has no value.
  void AddDecimalOrAuto(absl::string_view name, absl::optional<Decimal>* target,
                        absl::string_view help);
  // A finite number of at least 0: the double nearest to the text, so that the
  // shortest form of a double means that double.
  void AddNumber(absl::string_view name, double* target,
                 absl::string_view help);
  // One of `choices`, which the help lists.
  void AddChoice(absl::string_view name, std::string* target,
                 absl::Span<const absl::string_view> choices,
                 absl::string_view help);

  // Reads the arguments after the program's name. --help, -h and --version end
  // it and set help_requested or version_requested. If a flag is repeated, the
  // last value wins; a file to read may be given only once. InvalidArgument
  // naming the flag, what was expected and what was found; for an unknown flag,
  // the nearest known one.
  absl::Status Parse(absl::Span<const absl::string_view> arguments);

  // InvalidArgument if an output would overwrite an input or another output, by
  // any name of the file; would become a document of an input directory; or if
  // two flags read standard input. Call it in the caller's directory, where
  // relative paths mean what they say.
  absl::Status CheckPaths() const;

  // The size of all files to read, in bytes of text: of a gzip'ed file, four
  // times its size. Directories, pipes and files that are missing count as 0.
  int64_t InputBytes() const;

  bool help_requested() const { return help_requested_; }
  // The value of --help=FORMAT, or empty.
  const std::string& help_format() const { return help_format_; }
  bool version_requested() const { return version_requested_; }
  // Whether the command line named the flag.
  bool WasGiven(absl::string_view name) const;

  // The arguments of Parse.
  const std::vector<std::string>& arguments() const { return arguments_; }

  // The groups with their flags, in lines of at most 80 columns.
  std::string Help() const;

  // What the help says of each flag, in the order they were added.
  struct FlagHelp {
    std::string name;
    std::string group;
    std::string shown;  // "--name=VALUE", "--[no]name".
    std::string help;
    std::string default_text;  // May be empty.
    std::vector<std::string> choices;
    bool is_bool = false;
    bool is_path = false;
  };
  std::vector<FlagHelp> Flags() const;

  // All flags in the order they were added, with their present values.
  std::vector<JsonField> Values() const;

 private:
  struct Flag {
    std::string name;
    std::string group;
    std::string shown;  // "--name=VALUE", "--[no]name".
    std::string help;
    std::string default_text;
    std::vector<std::string> choices;
    std::string expected;  // "an integer from 0 to 9", for the error message.
    bool is_bool = false;
    bool value_optional = false;
    bool given = false;
    const std::string* read_path = nullptr;
    const std::string* write_path = nullptr;
    std::function<bool(absl::string_view)> set;  // False: not a legal value.
    std::function<std::string()> json;
  };

  // A flag --name=placeholder whose JSON is its default in the help.
  Flag& Add(absl::string_view name, absl::string_view placeholder,
            absl::string_view help, absl::string_view expected,
            std::function<bool(absl::string_view)> set,
            std::function<std::string()> json);
  Flag& AddText(absl::string_view name, std::string* target,
                absl::string_view placeholder, absl::string_view help,
                absl::string_view expected,
                std::function<bool(absl::string_view)> is_legal);
  template <typename Int>
  void AddInteger(absl::string_view name, Int* target, Int least, Int most,
                  absl::string_view help);
  Flag* Find(absl::string_view name);
  absl::Status UnknownFlag(absl::string_view name) const;
  // " (flags that read files: --a, --b)", for tools without --input.
  std::string ReadingFlags() const;

  std::string group_;
  std::vector<Flag> flags_;
  std::vector<std::string> arguments_;
  bool help_requested_ = false;
  std::string help_format_;
  bool version_requested_ = false;
};

// `text` broken into lines of at most `width` columns, each indented by
// `indent` blanks and ended by a newline. Newlines in `text` are kept.
std::string WrapText(absl::string_view text, int indent, int width);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_CLI_FLAGS_FLAG_SET_H_
