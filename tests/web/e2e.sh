#!/usr/bin/env bash
# e2e.sh PAGE FOLDER [SCRIPT]: drives the explorer of the folder PAGE in a real browser by e2e.mjs or another script.
# playwright-core, which passes clicks to Chromium, is installed into FOLDER by npm once. Skipped, with exit code 77, if
# Chromium, node or npm is missing, or npm cannot reach its registry; in CI that is a failure.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
page=$(readlink -f "$1") folder=$2 script=${3-e2e.mjs}

skip() { echo "skipped: $*" && { [[ ${CI-} == true ]] && exit 1 || exit 77; }; }

chromium=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
[[ -n $chromium ]] || skip "Chromium not found: apt-get install chromium"
command -v node >/dev/null || skip "node not found: apt-get install nodejs"
mkdir -p "$folder"
cd "$folder"
exec 9>lock && flock 9  # several scripts may start at once
cp --update "$here"/{package.json,package-lock.json} "$here"/*.mjs .
if ! cmp -s package-lock.json node_modules/.of-lock; then
  command -v npm >/dev/null || skip "npm not found: apt-get install npm"
  npm ci --no-audit --no-fund --loglevel=error || skip "npm could not install playwright-core"
  cp package-lock.json node_modules/.of-lock
fi
exec 9>&-
LESSONS=$(readlink -f "$here/../../lessons") exec node "$script" "$page" "$chromium"
