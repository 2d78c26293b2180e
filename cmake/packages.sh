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

# install_packages SECTION...: installs what is missing. Returns 3, with the list, where that is impossible.
install_packages() {
  local missing names sudo=()
  missing=$(missing_packages "$@")
  [[ -n $missing ]] || return 0
  names=$(cut -d ' ' -f 1 <<<"$missing" | paste -s -d ' ')
  printf 'flashscope: these packages are missing:\n%s\n' "$missing" >&2

  [[ $(id -u) == 0 ]] || sudo=(sudo)
  if ! command -v apt-get >/dev/null; then
    echo "flashscope: there is no apt-get here to install them: install $names by hand" >&2
    return 3
  elif [[ -n ${sudo[*]} ]] && ! command -v sudo >/dev/null; then
    echo "flashscope: installing them needs root and there is no sudo: run as root: apt-get install $names" >&2
    return 3
  fi
  echo "flashscope: installing them with ${sudo:+sudo }apt-get" >&2
  # shellcheck disable=SC2086  # the names are words
  if ! { apt "${sudo[@]}" update && apt "${sudo[@]}" install --no-install-recommends $names; }; then
    echo "flashscope: they could not be installed; run as root: apt-get install $names" >&2
    return 3
  fi
}

# apt [sudo] VERB...: apt-get without questions, its chatter on stderr, the user's stdin untouched.
apt() {
  local sudo=()
  if [[ $1 == sudo ]]; then sudo=(sudo) && shift; fi
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -y -q -o DPkg::Lock::Timeout=300 "$@" </dev/null >&2
}
