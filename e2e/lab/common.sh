# Shared by the scripts of this folder, which source it. Nothing here installs anything on the host: every
# package is downloaded into LAB_HOME and unpacked there.

set -euo pipefail

LAB_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
LAB_HOME=${LAB_HOME:-${XDG_CACHE_HOME:-$HOME/.cache}/dra4j-lab}
LAB_SUITE=${LAB_SUITE:-trixie}                # Debian suite of the guest's programs
LAB_NEWER=${LAB_NEWER:-trixie-backports}      # suite of kernel, QEMU and hwloc; "none" to do without
LAB_TRIPLET=x86_64-linux-gnu

lab_failed=125 # exit status that says: the lab itself, not what ran in it

die() {
  echo "lab: $*" >&2
  exit "$lab_failed"
}

say() {
  echo "lab: $*" >&2
}

# Where packages come from: LAB_MIRROR, or where the host's own do.
debian_mirror() {
  local mirror
  mirror=${LAB_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null \
    | grep -v security | head -n 1)} || true
  [[ -n $mirror ]] || die "no apt mirror is set up on this host; set LAB_MIRROR"
  echo "$mirror"
}

topology_names() {
  local file
  for file in "$LAB_DIR"/topologies/*.topo; do
    file=${file##*/}
    echo "${file%.topo}"
  done
}

# A program unpacked in LAB_HOME/host runs with its own loader and libraries, so that the host's libc does not
# matter. The command line goes into the array HOSTED: started from there it is a direct child.
hosted_line() {
  local home=$LAB_HOME/host program=$1
  shift
  HOSTED=("$home/lib64/ld-linux-x86-64.so.2" --argv0 "${ARGV0:-${program##*/}}"
    --library-path "$home/usr/lib/$LAB_TRIPLET" "$home/$program" "$@")
}

hosted() {
  local HOSTED
  hosted_line "$@"
  "${HOSTED[@]}"
}
