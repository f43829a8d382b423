// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// All of an old NCCL that is looked at.

extern "C" int ncclGetVersion(int* version) {
  *version = 2708;
  return 0;
}
