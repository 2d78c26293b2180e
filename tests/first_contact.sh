#!/usr/bin/env bash
# first_contact.sh SUITE [nvcc] [user] [test] [docker] [python]: a newcomer's experience on a fresh machine. Creates a root
# of the Debian release SUITE (bookworm, trixie) with debootstrap, copies the tree there and runs the README's first
# command, with `test` also the second. Prints the cost of each: packages, download, disk, seconds and CPU seconds.
#   nvcc   the CUDA toolkit of this machine is available, ccache is not
#   docker runs the RUN and ENTRYPOINT lines of the Dockerfile instead
#   python runs the commands of docs/python.md instead, then the first table and figure of docs/flashscope.ipynb
#   user   runs as a user without sudo, after root installed only the packages of the simulator
# FIRST_CONTACT_ROOTS keeps the bare roots for the next run, FIRST_CONTACT_KEEP the final root. Skips if it is not root or
# there is no debootstrap.
set -euo pipefail
tree=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/..")
suite=$1 && shift
# shellcheck source=tests/support/roots.sh
source "$tree/tests/support/roots.sh"
[[ " $* " != *" nvcc "* || -x /usr/local/cuda/bin/nvcc ]] || skip "no CUDA toolkit in /usr/local/cuda"
make_root "$suite"
mkdir "$root/flashscope"
(cd "$tree" && git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$root/flashscope")
if [[ " $* " == *" nvcc "* ]]; then
  mkdir -p "$root/usr/local/cuda"
  mount --bind -o ro /usr/local/cuda "$root/usr/local/cuda"
  path=$path:/usr/local/cuda/bin
fi
as=()
if [[ " $* " == *" user "* ]]; then
  # shellcheck source=cmake/packages.sh
  source "$tree/cmake/packages.sh"
  # shellcheck disable=SC2046  # the names are words
  apt_in_root $(packages_in flashscope | cut -d ' ' -f 1)
  in_root useradd --create-home newcomer
  chown -R newcomer: "$root/flashscope" 2>/dev/null || in_root chown -R newcomer: /flashscope
  as=(runuser -u newcomer --) home=/home/newcomer
fi

megabytes() { du -xsm "$root" | cut -f 1; }

# typed COMMAND...: runs what the newcomer types; the time to the command's first line of output is measured.
typed() {
  local before=$SECONDS disk log=$root/typed.log status=0 times_file=$root/times
  disk=$(megabytes)
  (TIMEFORMAT='%U %S'; time in_root "${as[@]}" bash -c 'cd /flashscope && "$@"' - "$@" >"$log" 2>"$log.err") 2>"$times_file" || status=$?
  if ((status != 0)); then
    echo "FAILED: $* (exit code $status) on $suite ${options[*]-}"
    sed -n '/FAILED:$/,/^=\{60,\}/p' "$log" | head -n 200  # the output of failed tests
    tail -n 40 "$log" "$log.err"
    exit 1
  fi
  printf '%-10s %-12s %-18.60s %5s s  %6.0f CPU s  %5s MB disk  %s\n' "$suite" "${options[*]-}" "$*" $((SECONDS - before)) \
    "$(awk '{ print $1 + $2 }' "$times_file")" $(($(megabytes) - disk)) \
    "$(sed -n 's/^flashscope: installing \(.*\) with apt-get, \(.*\) to download.*/\1, \2;/p; s/^flashscope: built \([a-z-]*\) in \(.*\)/\1 \2;/p' "$log.err" | paste -s -d ' ')"
}
options=("$@")
if [[ " $* " == *" docker "* ]]; then
  mapfile -t lines < <(sed -n 's/^RUN //p' "$root/flashscope/Dockerfile")
  for line in "${lines[@]}"; do typed bash -c "$line"; done
  program=$(sed -n 's/^ENTRYPOINT \["\(.*\)"\]$/\1/p' "$root/flashscope/Dockerfile")
  typed "$program" simulate --seqlen 64
  typed "$program" verify --seqlen 64
  typed "$program" screenshot /figure.png
  exit
fi
if [[ " $* " == *" python "* ]]; then
  echo 'APT::Get::Assume-Yes "true";' >"$root/etc/apt/apt.conf.d/answers"
  apt_in_root
  # shellcheck disable=SC2162  # a \ continues on the next line
  while read line; do typed bash -c "${line#sudo }"; done < \
    <(sed -n '/^## Installing/,/^## /{/^```$/,/^```$/{/^```$/!p}}' "$tree/docs/python.md")
  typed env/bin/python tests/python/first_cell.py
  exit
fi
typed ./flashscope demo
grep -q 'tile traffic' "$root/typed.log" || { echo "FAILED: the demo printed no table" && exit 1; }
[[ ! -e $root/flashscope/build/release/viz/flashscope-kernels ]] || { echo "FAILED: the demo built kernels" && exit 1; }
[[ " $* " != *" test "* ]] || { typed ./flashscope test && tail -n 3 "$root/typed.log"; }
