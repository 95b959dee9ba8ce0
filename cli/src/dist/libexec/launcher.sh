# Starts the dra4j command: read by bin/dra4j of the ZIP and by dra4j of a checkout, which set
#
#   jar       dra4j-cli.jar, with lib/ beside it
#   example   a manifest to rehearse with
#   cache     the directory for what makes the start faster; it need not exist, and empty is none
#
# and call find_java, then launch with the command line.
# shellcheck shell=bash

# The next file that is opened gets the number of a stream that is closed, and would be read or written as if it were that one.
{ true 3<&0; } 2>/dev/null || exec </dev/null
{ true 3>&1; } 2>/dev/null || exec 1</dev/null # what is written to it fails
{ true 3>&2; } 2>/dev/null || exec 2>/dev/null

die() {
  printf 'dra4j: %s\n' "$1" >&2
  exit 69
}

# Which Java, and which version of it: sets java, version and major.
find_java() {
  local release
  if [[ -n ${JAVA_HOME:-} ]]; then
    java=$JAVA_HOME/bin/java
    [[ -x $java ]] || die "JAVA_HOME has no bin/java: $JAVA_HOME"
  else
    java=$(command -v java) || die "needs Java 17 or newer: set JAVA_HOME or put java on PATH"
  fi
  release=$(readlink -f "$java")
  release=${release%/bin/*}/release
  if [[ -r $release && $(<"$release") =~ JAVA_RUNTIME_VERSION=\"([^\"]+)\" ]]; then
    version=${BASH_REMATCH[1]}
  elif [[ $("$java" -XshowSettings:properties -version 2>&1) =~ java\.runtime\.version\ =\ ([^[:space:]]+) ]]; then
    version=${BASH_REMATCH[1]}
  else
    die "cannot tell the version of $java"
  fi
  major=${version%%[!0-9]*}
  ((${major:-0} >= 17)) || die "needs Java 17 or newer, but $java is $version"
}

# Runs "$@" while no other process builds or trains.
locked() {
  if command -v flock >/dev/null; then
    (flock 9 && "$@") 9>"$cache/dra4j.lock"
  else
    "$@"
  fi
}

is_untrained() {
  local file
  [[ -e $archive ]] || return 0
  for file in "$jar" "${jar%/*}"/lib "${jar%/*}"/lib/*; do
    [[ ! $file -nt $archive ]] || return 0
  done
  return 1
}

# Writes the archive, from a run that does some of what each command does. JDK 25 notes what it
# learned in such a run (JEP 514, 515); older ones only share the classes. Their archive is a
# static one: a dynamic one leaves out picocli, because its classes are of Java 5.
train() {
  is_untrained || return 0
  rm -f "$archive".* # of runs that were killed
  local new=$archive.$$ rehearsal=(-cp "$jar" io.dra4j.cli.ClassDataWarmup)
  [[ ! -f $example ]] || rehearsal+=("$example")
  if ((major >= 25)); then
    "$java" "${options[@]}" -XX:AOTCacheOutput="$new" "${rehearsal[@]}" </dev/null >/dev/null 2>&1 9>&- || true
  else
    "$java" "${options[@]}" -XX:DumpLoadedClassList="$new.list" "${rehearsal[@]}" </dev/null >/dev/null 2>&1 9>&- || true
    "$java" "${options[@]}" -Xshare:dump -XX:SharedClassListFile="$new.list" \
      -XX:SharedArchiveFile="$new" -cp "$jar" </dev/null >/dev/null 2>&1 9>&- || true
  fi
  [[ -e $new ]] || : >"$new"
  mv -f "$new" "$archive"
  rm -f "$new".*
}

# What can keep a JVM from starting is not the command's own: options from outside, a working directory that is gone, a limit
# of memory. Such a JVM ends with 1, which also says that a claim does not fit; so it is started once before, without the command.
is_at_risk() {
  [[ -n ${DRA4J_JAVA_OPTS:-}${JAVA_TOOL_OPTIONS:-}${JDK_JAVA_OPTIONS:-}${_JAVA_OPTIONS:-} ]] && return 0
  [[ $PWD -ef . ]] || return 0
  [[ $(ulimit -v) == unlimited && $(ulimit -d) == unlimited ]] || return 0
  [[ ! -r /proc/sys/vm/overcommit_memory || $(</proc/sys/vm/overcommit_memory) != 2 ]] || return 0
  return 1
}

# The first two lines of the input that say something, as one; the shell alone, for there may be no other program.
first_words() {
  local line kept=()
  while IFS= read -r line; do
    [[ -z ${line//[[:space:]]/} || $line =~ ^(NOTE: )?Picked\ up\  ]] && continue
    [[ $line =~ ^Error:\ (Could\ not\ create\ the\ Java|A\ fatal\ exception) ]] || kept+=("$line")
  done
  echo "${kept[*]:0:2}"
}

# Ends with 69 if the JVM does not start with the options "$@", and says why.
check_start() {
  local said hint='' name
  ! said=$("$java" "$@" -cp "$jar" -version 2>&1) || return 0 # an archive of classes holds for this class path
  said=$(first_words <<<"$said")
  for name in DRA4J_JAVA_OPTS JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS; do
    [[ -z ${!name:-} ]] || hint+=" $name=${!name}"
  done
  if [[ ! $PWD -ef . ]]; then
    die "Java does not start: the working directory is gone or cannot be read: $PWD"
  elif [[ -n $hint ]]; then
    die "Java does not start with$hint: ${said:-it says nothing}"
  fi
  die "Java does not start: ${said:-it says nothing}"
}

# Becomes the command with the arguments "$@".
launch() {
  # JVM messages go to stderr, and only errors: stdout belongs to the command. A short run calls most
  # methods less often than pays for their compilation.
  local place options=(-Xlog:disable -Xlog:all=error:stderr -XX:TieredStopAtLevel=1 -XX:CompileThresholdScaling=3)
  ((major < 23)) || options+=(--sun-misc-unsafe-memory-access=allow) # protobuf still uses Unsafe
  [[ ${DRA4J_JAVA_OPTS:-} == *-XX:+Use*GC* ]] || options+=(-XX:+UseSerialGC)

  # An archive of the loaded classes halves the start. It holds for one JVM and one place of the jar.
  place=$(cksum <<<"$java $jar")
  archive=$cache/dra4j-$version-${place%% *}.jsa # empty: this JVM makes none
  if [[ -n $cache ]] && is_untrained && { [[ -d $cache ]] || mkdir -p "$cache" 2>/dev/null; } && [[ -w $cache ]]; then
    locked train 2>/dev/null || true # without an archive the start is slower, no more
  fi
  if [[ -n $cache && -s $archive ]]; then
    if ((major >= 25)); then # a cache that other options make useless is no error
      options+=(-XX:AOTCache="$archive" -Xlog:aot*=off:stderr)
    else
      options+=(-XX:SharedArchiveFile="$archive")
    fi
  fi

  [[ ! -t 2 ]] || export DRA4J_TERMINAL=1 # progress is for people
  if [[ -t 1 ]]; then
    export DRA4J_OUTPUT_TERMINAL=1 # colour is for people, and so are lines of the terminal's width
    shopt -s checkwinsize
    (:) # after a command Bash sets COLUMNS
    [[ -z ${COLUMNS:-} ]] || export COLUMNS
  fi

  # Without a locale (cron, containers) a JVM takes names of files beyond ASCII for none.
  case ${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} in
    C | POSIX) export LC_ALL=C.UTF-8 ;;
  esac

  [[ -r $jar ]] || die "no file $jar"
  # shellcheck disable=SC2086 # options are words
  ! is_at_risk || check_start "${options[@]}" ${DRA4J_JAVA_OPTS:-}
  # shellcheck disable=SC2086
  exec "$java" "${options[@]}" ${DRA4J_JAVA_OPTS:-} -jar "$jar" "$@"
}
