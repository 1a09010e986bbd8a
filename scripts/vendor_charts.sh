#!/bin/sh
# Makes the libraries of the report's pages anew from npm's registry: src/html_report/assets/vendor/*.min.js, with their
# licences. Needs node, npm and the network; a build needs none of them, as what this writes is checked in. The versions
# are those of package.json and package-lock.json there: equal versions give equal bytes.
#
#   scripts/vendor_charts.sh            # as the lock file says
#   scripts/vendor_charts.sh --update   # write the lock file anew, after a change of package.json
set -eu
folder=$(cd "$(dirname "$0")/../src/html_report/assets/vendor" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$folder"/*.json "$folder"/*.entry.js "$work"
cd "$work"
if [ "${1:-}" = --update ]; then
  npm install --package-lock-only
  cp package-lock.json "$folder"
fi
npm ci --ignore-scripts
bundle() { # NAME, what stands before its text: pages hold no other word of whose it is
  node_modules/.bin/esbuild "$1.entry.js" --bundle --minify --format=iife --target=es2020 --legal-comments=none \
    "--banner:js=/* $2 */" --outfile="$folder/$1.min.js"
}
version() { node -p "require('$1/package.json').version"; }
bundle echarts "Apache ECharts $(version echarts), Copyright The Apache Software Foundation, Apache License 2.0,
https://www.apache.org/licenses/LICENSE-2.0, with zrender, BSD 3-Clause, Copyright Baidu Inc., and tslib, 0BSD */ /*
cut down and minified by warpfork's scripts/vendor_charts.sh; the whole licences are in its sources, beside this file"
bundle dagre "dagre $(version @dagrejs/dagre)
$(cat node_modules/@dagrejs/dagre/LICENSE)"
cp node_modules/echarts/LICENSE "$folder/echarts.LICENSE"
cp node_modules/echarts/NOTICE "$folder/echarts.NOTICE"
cp node_modules/echarts/licenses/LICENSE-d3 "$folder/echarts.LICENSE-d3"
cp node_modules/zrender/LICENSE "$folder/zrender.LICENSE"
cp node_modules/tslib/LICENSE.txt "$folder/tslib.LICENSE"
cp node_modules/@dagrejs/dagre/LICENSE "$folder/dagre.LICENSE"
