// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The help of a tool in the forms that packages install: a manual page, and
// completion for bash. A tool prints them with --help=man and --help=bash:
//
//   oclustr --help=man | man -l -
//   source <(oclustr --help=bash)
//
// Both are made from the flags, so they cannot miss one.

#ifndef WARPCLUST_TOOLS_CLI_FLAGS_TOOL_HELP_H_
#define WARPCLUST_TOOLS_CLI_FLAGS_TOOL_HELP_H_

#include <string>
#include <vector>

#include "tools/cli/flags/flag_set.h"

namespace warpclust {

struct ToolHelp {
  std::string name;
  std::string version;
  std::string summary;      // One line.
  std::string usage;        // Without the tool's name.
  std::string description;  // Paragraphs.
  std::vector<std::string> examples;
  std::vector<FlagSet::FlagHelp> flags;
};

// Section 1, in the language of man(7).
std::string ManPage(const ToolHelp& help);

// Completes names of flags, the values of choices and paths. Needs bash alone.
std::string BashCompletion(const ToolHelp& help);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_CLI_FLAGS_TOOL_HELP_H_
