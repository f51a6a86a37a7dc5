"""The commands, one per file; a new file is a new command.

The module of a command has `SUMMARY` (one line for the list of commands), `DOING` (completes "cannot ..." in errors),
`EXAMPLE` (a line to copy), `add_flags(parser)`, and `run(args, out)`, which returns the exit code. The modules import
the library inside functions, so that help stays fast.
"""
