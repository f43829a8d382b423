# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""gpu_archive: programs packed for a machine with a GPU driver and little else."""

def _gpu_archive_impl(ctx):
    out = ctx.actions.declare_file(ctx.attr.archive)

    # "kind<TAB>place in the archive<TAB>file", one line per file.
    lines = ["script\trun\t" + ctx.file.run.path]
    inputs = [ctx.file.run]
    for script in ctx.files.scripts:
        inputs.append(script)
        lines.append("script\t{}\t{}".format(script.basename, script.path))
    programs = {}
    runfiles = []
    for kind, targets in [
        ("tests", ctx.attr.tests),
        ("benchmarks", ctx.attr.benchmarks),
        ("tools", ctx.attr.tools),
    ]:
        for target in targets:
            program = target[DefaultInfo].files_to_run.executable
            place = "{}/{}".format(kind, program.basename)
            if place in programs.values():
                fail("two members of the GPU archive are called " + place)
            programs[program] = place
            inputs.append(program)
            lines.append("{}\t{}\t{}".format(kind, place, program.path))
            runfiles.append(target[DefaultInfo].default_runfiles.files)

    # Data files are where the programs find them under Bazel.
    for file in depset(transitive = runfiles).to_list():
        if file not in programs:
            inputs.append(file)
            lines.append("data\trunfiles/{}/{}\t{}".format(
                ctx.workspace_name,
                file.short_path,
                file.path,
            ))

    for file in ctx.files.data:
        inputs.append(file)
        lines.append("data\trunfiles/{}/{}\t{}".format(
            ctx.workspace_name,
            file.short_path,
            file.path,
        ))

    manifest = ctx.actions.declare_file(ctx.label.name + ".manifest")
    ctx.actions.write(manifest, "\n".join(lines) + "\n")
    ctx.actions.run(
        executable = ctx.executable._pack,
        arguments = [manifest.path, out.path, str(ctx.attr.max_megabytes)],
        inputs = inputs + [manifest],
        outputs = [out],
        mnemonic = "GpuArchive",
        progress_message = "Packing " + out.short_path,
        use_default_shell_env = True,
    )
    return [DefaultInfo(files = depset([out]))]

gpu_archive = rule(
    implementation = _gpu_archive_impl,
    attrs = {
        "archive": attr.string(
            default = "warpclust_gpu.tar.xz",
            doc = "The file's name; xz compresses it, whatever its name.",
        ),
        "benchmarks": attr.label_list(cfg = "target"),
        "data": attr.label_list(
            allow_files = True,
            doc = "What the scripts read.",
        ),
        "max_megabytes": attr.int(
            default = 40,
            doc = "The build fails above this size.",
        ),
        "run": attr.label(allow_single_file = True, mandatory = True),
        "scripts": attr.label_list(
            allow_files = True,
            doc = "What `run` calls beside the programs.",
        ),
        "tests": attr.label_list(cfg = "target"),
        "tools": attr.label_list(cfg = "target"),
        "_pack": attr.label(
            default = Label("//third_party:gpu_archive_pack.sh"),
            allow_single_file = True,
            executable = True,
            cfg = "exec",
        ),
    },
    doc = "Makes an archive of programs, the shared libraries that they need, their " +
          "data files and the script that runs them.",
)
