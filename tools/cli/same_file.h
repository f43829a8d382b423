// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether what is written to one path would be written over another.

#ifndef WARPCLUST_TOOLS_CLI_SAME_FILE_H_
#define WARPCLUST_TOOLS_CLI_SAME_FILE_H_

#include <string>

namespace warpclust {

// Whether both paths lead to one plain file, which need not be there yet. What
// is no plain file, a device or a pipe, may be shared. "-" is a name like any
// other.
bool AreOneFile(const std::string& a, const std::string& b);

// Whether `path`, which need not be there yet, is where a reader of the
// directory of documents `directory` looks: below it, with the name of a text.
bool IsDocumentIn(const std::string& path, const std::string& directory);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_CLI_SAME_FILE_H_
