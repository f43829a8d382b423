# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""shared_system_libraries: makes a shared library of ours link those of the system.

The linkopts of system_libraries.bzl name archives (-l:libfoo.a), which are best for
programs. Debian's archives are not position-independent enough for a shared library.
This rule makes a folder of linker scripts, each named like an archive, that name the
shared library instead. Search it first:

    linkopts = ["-L$(location :shared)"],
    additional_linker_inputs = [":shared"],
"""

def _shared_system_libraries_impl(ctx):
    out = ctx.actions.declare_directory(ctx.label.name)
    ctx.actions.run_shell(
        outputs = [out],
        command = """
            folder=$(dirname "$(${CC:-gcc} -print-file-name=libc.so)")
            for shared in "$folder"/libabsl_*.so "$folder"/lib{lmdb,stemmer,z,zstd}.so; do
              [ ! -e "$shared" ] || echo "INPUT($shared)" >"$1/$(basename "$shared" .so).a"
            done
        """,
        arguments = [out.path],
        use_default_shell_env = True,
    )
    return [DefaultInfo(files = depset([out]))]

shared_system_libraries = rule(implementation = _shared_system_libraries_impl)
