"""The command line `hornbeam COMMAND ...`: results on stdout, notes on stderr, one file per command."""
