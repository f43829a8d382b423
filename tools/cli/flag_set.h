// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FlagSet: the flags of one tool, bound to plain variables. A value, not a
// global registry: a tool has exactly the flags it adds, --help shows exactly
// those in the order they were added, and a test can parse in process.
//
//   double-dash or single-dash   --name=value, --name value, --bool, --nobool
//
// Flags that name files say what the tool does with them, so that no tool
// writes over what it reads.
//
// Every value is checked as it is read; an error names the flag, what was
// given and what is allowed, and for an unknown flag the nearest known one.
//
// Thread-safety: none needed; parse once at start.

#ifndef WARPCLUST_TOOLS_CLI_FLAG_SET_H_
#define WARPCLUST_TOOLS_CLI_FLAG_SET_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/numbers/decimal.h"

namespace warpclust {

class FlagSet {
 public:
  // A flag as it stands: its value as JSON (a string in quotes, a number, true
  // or false).
  struct Value {
    std::string name;
    std::string json;
  };

  // Starts a group of the help; the flags added next belong to it.
  void Group(absl::string_view title);

  // Each binds a flag to `target`, whose value at this moment is the default.
  // `target` must outlive the set. `help` is one or two plain sentences;
  // `placeholder` stands for the value in the help ("PATH").
  void AddString(absl::string_view name, std::string* target,
                 absl::string_view placeholder, absl::string_view help);
  // The path of a file that the tool reads, or writes. An empty one is refused:
  // mostly it is a shell's variable that was never set.
  void AddReadPath(absl::string_view name, std::string* target,
                   absl::string_view placeholder, absl::string_view help);
  void AddWritePath(absl::string_view name, std::string* target,
                    absl::string_view placeholder, absl::string_view help);
  void AddBool(absl::string_view name, bool* target, absl::string_view help);
  // Accepts integers in [least, most].
  void AddInt(absl::string_view name, int64_t* target, int64_t least,
              int64_t most, absl::string_view help);
  // A number of bytes of at least 0: an integer, alone or with KiB, MiB, GiB or
  // TiB behind it.
  void AddBytes(absl::string_view name, int64_t* target,
                absl::string_view help);
  // An exact decimal number; ranges are for the caller to check.
  void AddDecimal(absl::string_view name, Decimal* target,
                  absl::string_view help);
  // A number of any length and size: the double nearest to the decimal as
  // written, as coordinates are read, so that the shortest form of any double
  // means that double. At least 0 and finite.
  void AddNumber(absl::string_view name, double* target,
                 absl::string_view help);
  // Accepts one of `choices`, which the help lists.
  void AddChoice(absl::string_view name, std::string* target,
                 absl::Span<const absl::string_view> choices,
                 absl::string_view help);

  // Reads the arguments after the program's name. Sets help_requested or
  // version_requested and stops at --help, -h or --version. InvalidArgument
  // for anything else that is not a flag of this set with a legal value. A
  // later flag overrides an earlier one, but a file to read is one: of two, the
  // first would be left out without a word.
  absl::Status Parse(absl::Span<const absl::string_view> arguments);

  // InvalidArgument if a file to write is also one to read, by whatever name or
  // as standard input, a text in a directory to read, or the file of another
  // flag to write; and if two flags read standard input, of which the second
  // would find nothing. Devices may be shared. To be asked where relative paths
  // are what the caller meant.
  absl::Status CheckPaths() const;

  bool help_requested() const { return help_requested_; }
  bool version_requested() const { return version_requested_; }
  // Whether the command line named the flag.
  bool WasGiven(absl::string_view name) const;

  // The groups with their flags, ready to print; lines of at most 80 columns.
  std::string Help() const;

  // All flags in the order they were added.
  std::vector<Value> Values() const;

 private:
  struct Flag {
    std::string name;
    std::string group;
    std::string shown;  // "--name=VALUE", "--[no]name"
    std::string help;
    std::string default_text;
    bool is_bool = false;
    const std::string* read_path = nullptr;
    const std::string* write_path = nullptr;
    bool given = false;
    std::function<absl::Status(absl::string_view)> set;
    std::function<std::string()> json;
  };

  Flag& Add(absl::string_view name, absl::string_view help);
  Flag& AddPath(absl::string_view name, std::string* target,
                absl::string_view placeholder, absl::string_view help);
  Flag* Find(absl::string_view name);
  absl::Status UnknownFlag(absl::string_view name) const;

  std::string group_;
  std::vector<Flag> flags_;
  bool help_requested_ = false;
  bool version_requested_ = false;
};

// `text` broken into lines of at most `width` columns, each after `indent`
// blanks and ended by a newline; newlines in `text` are kept.
std::string WrapText(absl::string_view text, int indent, int width);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_CLI_FLAG_SET_H_
