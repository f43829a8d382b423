// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/lent_memory.h"

#include <unistd.h>

#include <fstream>
#include <string>

namespace warpclust {

HostMark MarkOfHost() {
  HostMark mark = {};
  std::string boot;
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::getline(file, boot);
  std::array<char, 64> space = {};
  if (boot.empty() ||
      readlink("/proc/self/ns/pid", space.data(), space.size() - 1) <= 0) {
    return mark;
  }
  const std::string text = boot + space.data();
  text.copy(mark.data(), mark.size());
  return mark;
}

}  // namespace warpclust
