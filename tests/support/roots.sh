# shellcheck shell=bash
# Bare systems for tests. make_root SUITE creates $root, a copy of the Debian release SUITE (bookworm, trixie) that is deleted
# when the script ends; in_root COMMAND... runs a command there, with $path and $home. FIRST_CONTACT_ROOTS is a folder that
# keeps the bare systems for the next run, FIRST_CONTACT_KEEP keeps the copy. Skips unless it is root and debootstrap exists.
path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin home=/root
skip() { echo "skipped: $*" && exit 77; }

# Creates a bare root once, from the mirror that apt uses here.
debootstrapped() {  # suite
  bare=${FIRST_CONTACT_ROOTS:-$(mktemp -d)}/$1
  [[ ! -e $bare/etc/debian_version ]] || return 0
  local mirror
  # shellcheck disable=SC2016  # apt fills it in
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | head -n 1)
  mkdir -p "$bare"
  debootstrap --variant=minbase "$1" "$bare" "$mirror" >"$bare.log" 2>&1 || skip "debootstrap of $1: $(tail -n 1 "$bare.log")"
}

make_root() {  # suite
  [[ $(id -u) == 0 ]] || skip "making a root needs root"
  command -v debootstrap >/dev/null || skip "no debootstrap"
  debootstrapped "$1"
  root=$(mktemp -d)
  chmod 755 "$root"
  trap remove_root EXIT
  cp -a "$bare/." "$root"
  mount -t proc proc "$root/proc" || skip "mounting is not allowed here"
  mount --bind /dev "$root/dev"
  ! mountpoint -q /dev/pts || mount --bind /dev/pts "$root/dev/pts"  # the terminals of tests
  [[ ! -e /etc/apt/apt.conf.d ]] || cp -n /etc/apt/apt.conf.d/*proxy* "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
}

remove_root() {
  [[ -z ${FIRST_CONTACT_KEEP-} ]] || { echo "kept: $root" && return; }
  local place
  for place in usr/local/cuda dev/pts dev proc; do ! mountpoint -q "$root/$place" || umount "$root/$place"; done
  rm -rf --one-file-system "$root"
  [[ -n ${FIRST_CONTACT_ROOTS-} ]] || rm -rf --one-file-system "${bare%/*}"
}

in_root() { chroot "$root" /usr/bin/env -i PATH="$path" HOME="$home" LANG=C.UTF-8 "$@"; }
# apt_in_root PACKAGE...: installs packages there.
apt_in_root() {
  in_root apt-get -q update >/dev/null
  in_root env DEBIAN_FRONTEND=noninteractive apt-get -y -q install --no-install-recommends "$@" >/dev/null
}
