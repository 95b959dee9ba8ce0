# Sourced by netlink, rdma and driver, after common.sh: runs JUnit tests of modules in machines. Takes --out DIR from the command
# line. What goes into the machines is in $libraries, what comes out of them in $out, which is gone afterwards without --out.

checkout=$(cd "$LAB_DIR/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/dra4j-lab.XXXXXX")
trap 'rm -rf "$work"' EXIT
out=$work/out libraries=$work/libraries
if [[ ${1:-} == --out ]]; then
  (($# > 1)) || die "--out wants a folder"
  mkdir -p "$2"
  out=$(cd "$2" && pwd)
  shift 2
fi
mkdir -p "$out" "$libraries"

# prepare MODULE [MODULE]... : compiles, and copies the tests of the first module and all that they and the other modules need
# into $libraries; $path is the class path then.
prepare() {
  local entry version="" count=0 modules
  modules=$(IFS=, && echo "$*")
  (cd "$checkout" && mvn -B -ntp -q -Dstyle.color=never -pl "$modules" -am test-compile dependency:build-classpath \
    -Dmdep.outputFile=target/test-classpath -Dmdep.includeScope=test >&2) || die "the tests do not compile"
  cp -r "$checkout/$1/target/test-classes" "$libraries/tests"
  while read -r entry; do
    case ${entry##*/} in
      classes) cp -r "$entry" "$libraries/classes$((count += 1))" ;;
      junit-platform-commons-*)
        version=${entry##*-}
        version=${version%.jar}
        ;;
      junit-* | opentest4j-* | apiguardian-*) ;; # the console has its own
      ?*) cp "$entry" "$libraries/" ;;
    esac
  done < <(for entry in "$@"; do
    echo "$checkout/$entry/target/classes"
    tr : '\n' <"$checkout/$entry/target/test-classpath"
    echo
  done | awk '!seen[$0]++')
  (cd "$checkout" && mvn -B -ntp -q -Dstyle.color=never -pl "$1" dependency:copy -DoutputDirectory="$libraries" \
    "-Dartifact=org.junit.platform:junit-platform-console-standalone:$version" >&2) || die "JUnit's console is not there"
  path=$libraries/tests$(printf ':%s' "$libraries"/classes*):$libraries/*
}
