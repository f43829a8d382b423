# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""cc_library, cc_test, cc_binary and benchmark with the project's options.

Load them from here instead of rules_cc, so that a target names only its own options.
"""

load(
    "@rules_cc//cc:defs.bzl",
    _cc_binary = "cc_binary",
    _cc_library = "cc_library",
    _cc_test = "cc_test",
)
load("@rules_shell//shell:sh_test.bzl", "sh_test")
load("//third_party:copts.bzl", "WARPCLUST_COPTS")

_OPENMP = ["-fopenmp"]

def _options(kwargs, openmp, headers = "library_headers", copts = []):
    """Adds the project's options to those of a target.

    headers: the target of precompiled_headers.bzl that its files begin with.
    """
    srcs = kwargs.pop("srcs", [])
    options = WARPCLUST_COPTS + copts + kwargs.pop("copts", [])
    if openmp:
        options = options + _OPENMP
        kwargs["linkopts"] = kwargs.pop("linkopts", []) + _OPENMP
    if srcs:
        precompiled = str(Label("//:precompiled_headers_enabled"))
        srcs = srcs + select({
            precompiled: [str(Label("//third_party:" + headers))],
            "//conditions:default": [],
        })
        root = Label("//third_party").workspace_root
        options = options + select({
            precompiled: ["-include", (root + "/third_party/{}.h".format(headers)).lstrip("/")],
            "//conditions:default": [],
        })
    kwargs["srcs"] = srcs
    kwargs["copts"] = options
    return kwargs

def cc_library(name, openmp = False, **kwargs):
    """A library; openmp: its sources use OpenMP."""
    _cc_library(name = name, **_options(kwargs, openmp))

def cc_binary(name, openmp = False, **kwargs):
    """A program."""
    _cc_binary(name = name, **_options(kwargs, openmp))

def cc_test(name, size = "small", openmp = False, headers = "test_headers", **kwargs):
    """A test, small unless it says otherwise.

    Its own files are compiled with -O1, which saves time; no test runs longer.

    Args:
      name: the test.
      size: as for cc_test.
      openmp: its sources use OpenMP.
      headers: what its files begin with; see precompiled_headers.bzl.
      **kwargs: as for cc_test.
    """
    copts = select({
        str(Label("//third_party:optimized")): ["-O1"],
        "//conditions:default": [],
    })
    _cc_test(name = name, size = size, **_options(kwargs, openmp, headers, copts))

def benchmark(name, smoke_args = [], smoke_data = [], visibility = None, **kwargs):
    """A benchmark, and <name>_smoke_test, which runs it once on little data.

    Args:
      name: the program.
      smoke_args: its arguments in the test.
      smoke_data: files that smoke_args name.
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
    sh_test(
        name = name + "_smoke_test",
        size = "small",
        srcs = [":" + name],
        args = smoke_args,
        data = smoke_data,
    )
