// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/machine/peak_memory.h"

#include <sys/resource.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>

namespace warpclust {

int64_t PeakResidentBytes() {
  // First /proc: what getrusage says survives exec, so that under a large
  // parent (a build server, say) it is the parent's peak.
  if (std::FILE* file = std::fopen("/proc/self/status", "r")) {
    char line[256];
    int64_t kibibytes = 0;
    bool found = false;
    while (!found && std::fgets(line, sizeof(line), file) != nullptr) {
      found = std::sscanf(line, "VmHWM: %" SCNd64 " kB", &kibibytes) == 1;
    }
    std::fclose(file);
    if (found) return kibibytes * 1024;
  }
  rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return static_cast<int64_t>(usage.ru_maxrss) * 1024;  // Linux: kibibytes.
}

}  // namespace warpclust
