"""Studies: functions that grow several models of one table and compare them on rows held out of training."""
