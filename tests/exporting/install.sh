#!/bin/sh
# Installs the programs that `make test-exports` runs: by apt-get where it can, otherwise it names what is missing.
missing=""
for pair in gcc:gcc javac:default-jdk-headless node:nodejs psql:postgresql mariadbd:mariadb-server dot:graphviz; do
    command -v "${pair%%:*}" >/dev/null || missing="$missing ${pair##*:}"
done
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || missing="$missing postgresql"
if [ -z "$missing" ]; then
    exit 0
fi
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    echo "installing:$missing"
    # shellcheck disable=SC2086
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing; } >/dev/null && exit 0
fi
echo "not installed (Debian: apt install$missing); their targets are skipped"
