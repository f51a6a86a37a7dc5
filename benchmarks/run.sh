#!/bin/sh
# Measures hornbeam beside its peers. Arguments go to race.py: --quick, --only exact,depth, --threads 1,2, --peers sklearn.
#   PYTHON            makes the peers' environment (default python3)
#   HORNBEAM_PEERS    where that environment is (default benchmarks/.peers); hornbeam is never installed there
#   HORNBEAM_PYTHON   an interpreter for hornbeam's side, with src/ on its path (default .venv/bin/python as installed)
set -eu
unset PYTHONDONTWRITEBYTECODE PYTHONPATH
cd "$(dirname "$0")/.."
peers="${HORNBEAM_PEERS:-$PWD/benchmarks/.peers}"

# One line of peers.txt is one peer; several words on it are builds to try in turn. A peer that cannot be had is left out.
install_peers() {
    [ -x "$peers/bin/python" ] || "${PYTHON:-python3}" -m venv "$peers"
    while read -r builds; do
        for build in $builds; do
            "$peers/bin/python" -m pip install --quiet --disable-pip-version-check "$build" \
                </dev/null >"$peers/install.log" 2>&1 && continue 2
        done
        echo "peer left out, it cannot be installed here: $builds ($(tail -n 1 "$peers/install.log"))" >&2
    done <benchmarks/peers.txt
    cp benchmarks/peers.txt "$peers/peers.txt"
}

cmp -s benchmarks/peers.txt "$peers/peers.txt" || install_peers
exec "$peers/bin/python" -m benchmarks.race "$@"
