# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""mpi_sh_test: an sh_test that calls mpirun, skipped without --config=mpi."""

load("@rules_shell//shell:sh_test.bzl", "sh_test")

def mpi_sh_test(name, **kwargs):
    sh_test(
        name = name,
        # Has up to four processes, on two cores.
        tags = ["exclusive"],
        target_compatible_with = select({
            "//:mpi_enabled": [],
            "//conditions:default": ["//:mpi_required"],
        }),
        **kwargs
    )
