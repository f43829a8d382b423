// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether an output would overwrite an input.

#ifndef WARPCLUST_TOOLS_CLI_FLAGS_SAME_FILE_H_
#define WARPCLUST_TOOLS_CLI_FLAGS_SAME_FILE_H_

#include <string>

namespace warpclust {

// Whether both paths name the same regular file, which need not exist yet.
// Devices and pipes may be shared. "-" is a name like any other.
bool AreOneFile(const std::string& a, const std::string& b);

// Whether a reader of the documents in `directory` would read `path`, which
// need not exist yet: it is below the directory and has the extension of a
// text.
bool IsDocumentIn(const std::string& path, const std::string& directory);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_CLI_FLAGS_SAME_FILE_H_
