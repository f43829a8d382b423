# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""A repository of files that the operating system has installed.

If one is missing, its label still exists; building it fails with a sentence that
says what to install. Targets that do not need it are not affected.
"""

_HEADER = """\
# Generated from the system's files.
package(default_visibility = ["//visibility:public"])
"""

_PRESENT = """
exports_files(["{name}"])
"""

_MISSING = """
genrule(
    name = "missing_{name}",
    outs = ["{name}"],
    cmd = "echo '{name} is not installed: apt-get install {package}' >&2; exit 1",
)
"""

def _system_files_repository_impl(repository_ctx):
    build = [_HEADER]
    for name, places in repository_ctx.attr.files.items():
        form = _MISSING
        for place in places:
            path = repository_ctx.path(place)
            if path.exists:
                repository_ctx.symlink(path, name)
                form = _PRESENT
                break
        build.append(form.format(
            name = name,
            package = repository_ctx.attr.debian_package,
        ))
    repository_ctx.file("BUILD", "".join(build))

system_files_repository = repository_rule(
    implementation = _system_files_repository_impl,
    attrs = {
        "debian_package": attr.string(
            mandatory = True,
            doc = "What to install when a file is missing.",
        ),
        "files": attr.string_list_dict(
            mandatory = True,
            doc = "Label to the places to look for the file, first found first taken.",
        ),
    },
    # Evaluated again at each server start: packages come and go.
    local = True,
)
