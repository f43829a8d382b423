# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""What //:gpu_archive holds. CI checks that every target tagged gpu is here."""

GPU_ARCHIVE_TESTS = [
]

GPU_ARCHIVE_BENCHMARKS = [
]

GPU_ARCHIVE_TOOLS = [
]
