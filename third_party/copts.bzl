# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""Compiler options of our own targets. They never reach a dependant's code."""

WARPCLUST_COPTS = [
    "-std=c++20",
    "-Wall",
    "-Wextra",
    # a * b + c is rounded twice unless the code says fma(a, b, c): results are the
    # same bytes on every machine and on the GPU (nvcc gets --fmad=false).
    "-ffp-contract=off",

    # Lets position-independent code inline its own functions.
    "-fno-semantic-interposition",
]
