#!/bin/sh
# Bundles the report's page into the Python package (page.js, page.css): `npm ci` first, then this. With an argument,
# writes into that folder instead.
set -eu
cd "$(dirname "$0")"
out="${1:-../src/hornbeam/drawing/report}"
node_modules/.bin/tsc --noEmit
node_modules/.bin/esbuild src/report/main.tsx --bundle --minify --format=iife --target=es2020 --charset=ascii \
    --legal-comments=none --jsx=automatic --jsx-import-source=preact --log-level=warning --outfile="$out/page.js"
