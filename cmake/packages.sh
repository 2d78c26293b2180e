# shellcheck shell=bash
# Functions that read packages.txt and install missing packages with apt. They print messages on stderr only.
package_list="$(dirname "${BASH_SOURCE[0]}")/packages.txt"

# packages_in SECTION...: prints the lines "name  reason" of the sections.
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

# missing_packages SECTION...: prints the lines of packages_in for packages that are not installed.
missing_packages() {
  local names installed name reason
  mapfile -t names < <(packages_in "$@" | cut -d ' ' -f 1)
  # dpkg-query fails if it does not know one of the packages, but still prints the others
  installed=" $(dpkg-query -W -f '${Package}:${db:Status-Status} ' "${names[@]}" 2>/dev/null || true)"
  packages_in "$@" | while read -r name reason; do
    [[ $installed == *" $name:installed "* ]] || printf '%-20s %s\n' "$name" "$reason"
  done
}

# repository_address: prints the URL of the host of this tree, without user or password; nothing if git has none.
repository_address() {
  local root remote
  root=$(dirname "$(dirname "$(readlink -f "$package_list")")")
  [[ -e $root/.git ]] || return 0  # otherwise git would report on a tree around this one
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

# ways_without_building: prints alternatives for users who cannot install packages.
ways_without_building() {
  local address
  address=$(repository_address)
  echo "without packages: flashscope.html opens in any browser, flashscope-*-linux-x86_64.tar.xz runs on any Linux on" \
    "x86-64; both are ${address:+among the releases of }${address:-where you got this}"
}

# install_packages SECTION...: installs missing packages; apt's output goes to the file $package_log. If that is impossible,
# prints the list and the command to install it, and returns 3.
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

# True if sudo exists, and either needs no password or can ask for one.
may_use_sudo() { command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 ]]; }; }

# say_size PACKAGE...: prints the download size as apt states it.
say_size() {
  local plan number size
  plan=$(LC_ALL=C apt-get -o Debug::NoLocking=true install --no-install-recommends --assume-no "$@" 2>/dev/null || true)
  number=$(sed -n 's/^.* \([0-9]*\) newly installed.*/\1/p' <<<"$plan")
  size=$(sed -n 's/^Need to get \(.*\) of archives\.$/\1/p' <<<"$plan")
  echo "flashscope: installing ${number:-them} packages with apt-get, ${size:-some MB} to download; log in $package_log" >&2
}

# apt_get [sudo] VERB...: runs apt-get without questions and without reading the user's stdin, with its output in the log,
# and on a terminal a progress line. Log and progress share its standard output: sudo closes other descriptors.
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
    elif [[ -t 2 && ${TERM:-dumb} != dumb ]]; then
      printf 'flashscope: packages: %s %%, %.60s\e[K\r' "${BASH_REMATCH[2]}" "${BASH_REMATCH[3]}" >&2
    fi
  done
  [[ ! -t 2 || ${TERM:-dumb} == dumb ]] || printf '\e[K' >&2
}
