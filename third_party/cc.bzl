# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""cc_library, cc_test, cc_binary and benchmark with the project's options.

Load them from here, not from rules_cc: a target then says only what is its own.
"""

load(
    "@rules_cc//cc:defs.bzl",
    _cc_binary = "cc_binary",
    _cc_library = "cc_library",
    _cc_test = "cc_test",
)
load("//third_party:copts.bzl", "WARPCLUST_COPTS")

_OPENMP = ["-fopenmp"]

def _options(kwargs, openmp):
    kwargs["copts"] = WARPCLUST_COPTS + kwargs.pop("copts", [])
    if openmp:
        kwargs["copts"] = kwargs["copts"] + _OPENMP
        kwargs["linkopts"] = kwargs.pop("linkopts", []) + _OPENMP
    return kwargs

def cc_library(name, openmp = False, **kwargs):
    """A library; openmp: its sources use OpenMP."""
    _cc_library(name = name, **_options(kwargs, openmp))

def cc_binary(name, openmp = False, **kwargs):
    """A program."""
    _cc_binary(name = name, **_options(kwargs, openmp))

def cc_test(name, size = "small", openmp = False, **kwargs):
    """A test, small unless it says otherwise."""
    _cc_test(name = name, size = size, **_options(kwargs, openmp))

def benchmark(name, smoke_args = [], smoke_data = [], visibility = None, **kwargs):
    """A benchmark, and <name>_smoke_test, which runs it once on little data.

    Args:
      name: the program.
      smoke_args: its arguments in the test.
      smoke_data: files that these name.
      visibility: of the program.
      **kwargs: as for cc_binary.
    """
    cc_binary(
        name = name,
        testonly = True,
        tags = ["benchmark"],
        visibility = visibility,
        **kwargs
    )
    native.sh_test(
        name = name + "_smoke_test",
        size = "small",
        srcs = [":" + name],
        args = smoke_args,
        data = smoke_data,
    )
