# shellcheck shell=bash
# Functions that read packages.txt and install what is missing with apt. They speak on stderr only.
package_list="$(dirname "${BASH_SOURCE[0]}")/packages.txt"

# packages_in SECTION...: the lines "name  reason" of the sections.
packages_in() {
  local name reason section=
  while read -r name reason; do
    case $name in
      '' | '#'*) ;;
      '['*) section=${name//[\[\]]/} ;;
      *) if [[ " $* " == *" $section "* ]]; then printf '%-20s %s\n' "$name" "$reason"; fi ;;
    esac
  done <"$package_list"
}

# missing_packages SECTION...: the same lines, for the packages that are not installed.
missing_packages() {
  local names installed name reason
  mapfile -t names < <(packages_in "$@" | cut -d ' ' -f 1)
  # dpkg-query fails when it does not know one of the packages, and still answers for the others
  installed=" $(dpkg-query -W -f '${Package}:${db:Status-Status} ' "${names[@]}" 2>/dev/null || true)"
  packages_in "$@" | while read -r name reason; do
    [[ $installed == *" $name:installed "* ]] || printf '%-20s %s\n' "$name" "$reason"
  done
}

# repository_address: where this tree is hosted, without a name or a password; nothing if git knows no such place.
repository_address() {
  local root remote
  root=$(dirname "$(dirname "$(readlink -f "$package_list")")")
  [[ -e $root/.git ]] || return 0  # else git would answer for a tree around this one
  remote=$(git -C "$root" remote get-url origin 2>/dev/null) || return 0
  if [[ $remote =~ ^(https?|ssh|git)://([^/]*@)?([^/:]+)(:[0-9]+)?/(.+)$ ]]; then
    remote=${BASH_REMATCH[3]}/${BASH_REMATCH[5]}
  elif [[ $remote =~ ^[^/:]+@([^/:]+):(.+)$ ]]; then
    remote=${BASH_REMATCH[1]}/${BASH_REMATCH[2]}
  else
    return 0
  fi
  echo "https://${remote%.git}"
}

# ways_without_building: what is left to people who cannot install packages.
ways_without_building() {
  local address
  address=$(repository_address)
  echo "without packages: flashscope.html opens in any browser, flashscope-*-linux-x86_64.tar.xz runs on any Linux on" \
    "x86-64; both are ${address:+among the releases of }${address:-where you got this}"
}

# install_packages SECTION...: installs what is missing, with what apt says in the file $package_log. Returns 3, with the
# list and the command that brings it, where that is impossible.
install_packages() {
  local missing names command sudo=()
  missing=$(missing_packages "$@")
  [[ -n $missing ]] || return 0
  names=$(cut -d ' ' -f 1 <<<"$missing" | paste -s -d ' ')
  command="apt-get install --no-install-recommends $names"
  printf 'flashscope: these packages are missing:\n%s\n' "$missing" >&2

  [[ $(id -u) == 0 ]] || sudo=(sudo)
  if ! command -v apt-get >/dev/null; then
    printf 'flashscope: %s\n' "there is no apt-get here to install them" "$(ways_without_building)" \
      "or install them by the names of this system, then: cmake --preset release && cmake --build --preset release" >&2
    return 3
  elif [[ -n ${sudo[*]} ]] && ! may_use_sudo; then
    printf 'flashscope: %s\n' "installing them needs root: run as root: $command" "$(ways_without_building)" >&2
    return 3
  fi
  # shellcheck disable=SC2086  # the names are words
  if ! { apt_get "${sudo[@]}" update && say_size $names && apt_get "${sudo[@]}" install --no-install-recommends $names; }; then
    [[ $package_log == /dev/stderr ]] || tail -n 20 "$package_log" >&2
    echo "flashscope: they could not be installed; run as root: $command" >&2
    return 3
  fi
}

# There is sudo, and it asks for no password or can ask for it.
may_use_sudo() { command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 ]]; }; }

# say_size PACKAGE...: how much is downloaded, in apt's words.
say_size() {
  local plan number size
  plan=$(LC_ALL=C apt-get -o Debug::NoLocking=true install --no-install-recommends --assume-no "$@" 2>/dev/null || true)
  number=$(sed -n 's/^.* \([0-9]*\) newly installed.*/\1/p' <<<"$plan")
  size=$(sed -n 's/^Need to get \(.*\) of archives\.$/\1/p' <<<"$plan")
  echo "flashscope: installing ${number:-them} packages with apt-get, ${size:-some MB} to download; log in $package_log" >&2
}

# apt_get [sudo] VERB...: apt-get without questions, its chatter in the log, the user's stdin untouched; on a terminal a
# line says how far it is. Both come on its standard output: sudo hands on no other.
package_log=/dev/stderr
apt_get() {
  local sudo=()
  if [[ $1 == sudo ]]; then sudo=(sudo) && shift; fi
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -y -q -o DPkg::Lock::Timeout=300 -o APT::Status-Fd=1 "$@" \
    </dev/null 2>&1 | show_packages >>"$package_log"
  return "${PIPESTATUS[0]}"
}

# Shows apt's status lines "pmstatus:NAME:PERCENT:WORDS" on a terminal, and passes its other lines on.
show_packages() {
  local line
  while IFS= read -r line; do
    if [[ ! $line =~ ^(dl|pm)status:[^:]*:([0-9]*)[^:]*:(.*) ]]; then
      echo "$line"
    elif [[ -t 2 ]]; then
      printf 'flashscope: packages: %s %%, %.60s\e[K\r' "${BASH_REMATCH[2]}" "${BASH_REMATCH[3]}" >&2
    fi
  done
  [[ ! -t 2 ]] || printf '\e[K' >&2
}
