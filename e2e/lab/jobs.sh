# Sourced by selftest and compare: runs something for many topologies, several machines at once.

# for_each_topology COMMAND [TOPOLOGY]... : runs COMMAND NAME for each (default: all); fails when one of them fails.
for_each_topology() {
  local what=$1 start=$SECONDS failed=0 running=0 names name
  shift
  names=("$@")
  ((${#names[@]} > 0)) || mapfile -t names < <(topology_names)
  for name in "${names[@]}"; do
    if ((running == ${LAB_JOBS:-2})); then
      wait -n || failed=$((failed + 1))
      running=$((running - 1))
    fi
    "$what" "$name" &
    running=$((running + 1))
  done
  for ((; running > 0; running--)); do
    wait -n || failed=$((failed + 1))
  done
  say "${#names[@]} topologies, $failed failed, $((SECONDS - start)) s"
  ((failed == 0))
}
