#!/bin/sh
# Benchmarks hornbeam and other libraries. Arguments are passed to race.py: --quick, --only exact,depth, --threads 1,2,
# --peers sklearn. "exports" or "scale" as the first argument runs exports.py or scale.py instead.
#   PYTHON            creates the environment of the other libraries (default python3)
#   HORNBEAM_PEERS    folder of that environment (default benchmarks/.peers); hornbeam is never installed there
#   HORNBEAM_PYTHON   interpreter for hornbeam, with src/ on its path (default .venv/bin/python as installed)
set -eu
unset PYTHONDONTWRITEBYTECODE PYTHONPATH
cd "$(dirname "$0")/.."
peers="${HORNBEAM_PEERS:-$PWD/benchmarks/.peers}"

# Each line of peers.txt is one library; several names are alternatives, tried in order. A library that cannot be installed
# is skipped.
install_peers() {
    [ -x "$peers/bin/python" ] || "${PYTHON:-python3}" -m venv "$peers"
    while read -r builds; do
        for build in $builds; do
            "$peers/bin/python" -m pip install --quiet --disable-pip-version-check "$build" \
                </dev/null >"$peers/install.log" 2>&1 && continue 2
        done
        echo "skipped, cannot be installed: $builds ($(tail -n 1 "$peers/install.log"))" >&2
    done <benchmarks/peers.txt
    cp benchmarks/peers.txt "$peers/peers.txt"
}

cmp -s benchmarks/peers.txt "$peers/peers.txt" || install_peers
if [ "${1:-}" = exports ]; then
    shift
    HORNBEAM_PEERS="$peers" PYTHONPATH="${HORNBEAM_PYTHON:+src}" exec "${HORNBEAM_PYTHON:-.venv/bin/python}" -m benchmarks.exports "$@"
fi
if [ "${1:-}" = scale ]; then
    shift
    HORNBEAM_PEERS="$peers" exec "$peers/bin/python" -m benchmarks.scale "$@"
fi
exec "$peers/bin/python" -m benchmarks.race "$@"
