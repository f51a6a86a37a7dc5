"""The command `hornbeam VERB DATA --target COLUMN`: results on stdout, notes on stderr, one file a verb."""
