#!/bin/sh
# Records every program on every committed table: tests/peers/record/run.sh WORK_FOLDER WEKA_3_6_JAR WEKA_3_9_CLASSPATH
# Run it from the top of the repository, in an environment where hornbeam and scikit-learn are installed.
set -eu
work=$1 old_weka=$2 new_weka=$3
here=tests/peers/record
python=${PYTHON:-.venv/bin/python}

$python -m tests.peers.record.tables tests/data/peers/data
$python -m tests.peers.record.collect "$work/tables"
mkdir -p "$work/raw/weka"
for program in rpart ctree forests roc; do
    Rscript "$here/$program.R" "$here" "$work/tables" "$work/raw"
done
names=$(cd "$work/tables" && ls ./*.arff | sed 's/\.arff$//; s/^\.\///')
java -cp "$old_weka" "$here/WekaTrees.java" 3.6 "$work/tables" "$work/raw/weka" $names
java -cp "$new_weka" "$here/WekaTrees.java" 3.9 "$work/tables" "$work/raw/weka" $names
$python -m tests.peers.record.scikit_learn "$work/tables" "$work/raw"
$python -m tests.peers.record.scikit_learn_measures "$work/raw"
$python -m tests.peers.record.pack "$work/raw"
