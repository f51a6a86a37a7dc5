"""What can be asked for?  One verb a file; a new file is a new verb.

A verb's module has `WORDS` (one line for the list of verbs), `DOING` (completes "cannot ..." when it fails), `EXAMPLE`
(a line to copy), `add_flags(parser)` and `run(args, out)`, which gives the exit code. Modules here import nothing heavy
at the top, so that asking for help stays quick.
"""
