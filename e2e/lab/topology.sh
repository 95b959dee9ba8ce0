# Sourced by `run`: turns a topology file into QEMU's arguments and into what the guest has to do.

machine=()       # arguments of QEMU
accelerators=()  # arguments of fakepci.py
interfaces=()    # MAC|NAME, for the guest to rename by
guest_modules=() # kernel modules to load in the guest
guest_lines=()   # shell lines that the guest runs before the command
cpus=0 memory=0 sockets=0

nics=0 chassis=1
first_bus=16              # of the next root; below lie the host's own devices
declare -A bus_of=()      # a place's name -> QEMU's name of the bus that it offers
declare -A last_slot=()   # a place's name -> the last slot taken on it
words=()                  # of the line that is read

# The value of KEY= on the line, else $2.
option() {
  local word
  for word in "${words[@]:2}"; do
    if [[ $word == "$1="* ]]; then
      echo "${word#*=}"
      return
    fi
  done
  echo "${2:-}"
}

# root_port ID PLACE BUS : a PCIe root port, 32 GT/s x16, in the next free slot of PLACE.
root_port() {
  last_slot[$2]=$((${last_slot[$2]:--1} + 1))
  machine+=(-device "pcie-root-port,id=$1,bus=$3,chassis=$chassis,slot=0,addr=${last_slot[$2]},x-speed=32,x-width=16")
  chassis=$((chassis + 1))
}

add_node() {
  local name=$1 node_cpus node_memory
  node_cpus=${CPUS:-$(option cpus 1)}
  node_memory=${MEMORY:-$(option mem 1024)}
  machine+=(-object "memory-backend-memfd,id=m$name,size=${node_memory}M,share=on"
    -numa "node,nodeid=$name,memdev=m$name,cpus=$cpus-$((cpus + node_cpus - 1))")
  cpus=$((cpus + node_cpus)) memory=$((memory + node_memory)) sockets=$((sockets + 1))
}

add_root() {
  local name=$1 node
  node=$(option node)
  machine+=(-device "pxb-pcie,id=$name,bus=pcie.0,bus_nr=$first_bus${node:+,numa_node=$node}")
  first_bus=$((first_bus + $(option buses 24)))
  bus_of[$name]=$name
}

# A switch is an upstream port and its downstream ports; directly on a root it also needs a root port.
add_switch() {
  local name=$1 place=$2 bus=$3 ports i
  if [[ $place == r* && $place != *.* ]]; then
    root_port "$name.rp" "$place" "$bus"
    bus=$name.rp
  fi
  machine+=(-device "x3130-upstream,id=$name,bus=$bus")
  ports=$(option ports 2)
  for ((i = 0; i < ports; i++)); do
    machine+=(-device "xio3130-downstream,id=$name.$i,bus=$name,chassis=$chassis,slot=$i")
    chassis=$((chassis + 1))
    bus_of[$name.$i]=$name.$i
  done
}

# add_function NAME BUS DEFAULTS : a function that fakepci.py plays, connected through a socket.
add_function() {
  local name=$1 bus=$2 settings=$3 word
  for word in "${words[@]:2}"; do
    case $word in
      vendor=* | device=* | class=* | subvendor=* | subdevice=* | rev=* | speed=* | width=* | bar=* | serial=*)
        settings+=${settings:+,}$word
        ;;
    esac
  done
  machine+=(-device "{\"driver\":\"vfio-user-pci\",\"id\":\"$name\",\"bus\":\"$bus\",
    \"socket\":{\"type\":\"unix\",\"path\":\"$work/$name.sock\"}}")
  accelerators+=("$work/$name.sock:$settings")
}

add_nic() {
  local name=$1 bus=$2 mac model vfs link
  mac=$(printf '52:54:00:0d:a0:%02x' "$nics")
  model=$(option driver e1000e)
  [[ $model != virtio ]] || model=virtio-net-pci,disable-legacy=on
  machine+=(-netdev "hubport,id=n$nics,hubid=$(option net 0)"
    -device "$model,id=$name,bus=$bus,netdev=n$nics,mac=$mac,romfile=")
  interfaces+=("$mac|$name")
  nics=$((nics + 1))
  vfs=$(option vfs 0)
  # First of all lines: the virtual functions need their drivers and names as well.
  ((vfs == 0)) || guest_lines=("echo $vfs >/sys/class/net/$name/device/sriov_numvfs" "${guest_lines[@]}")
  link=$(option rdma)
  if [[ -n $link ]]; then
    guest_modules+=(rdma_rxe ib_uverbs)
    guest_lines+=("rdma link add $link type rxe netdev $name" "ip link set $name up")
  fi
}

add_nvme() {
  local name=$1 bus=$2
  truncate -s 64M "$work/$name.img"
  machine+=(-drive "file=$work/$name.img,format=raw,if=none,id=d$name"
    -device "nvme,id=$name,bus=$bus,drive=d$name,serial=$name")
}

# read_topology FILE
read_topology() {
  local line kind name place bus serial
  while read -r line; do
    line=${line%%#*}
    read -ra words <<<"$line"
    ((${#words[@]} > 0)) || continue
    kind=${words[0]} name=${words[1]:-}
    place=$(option on) bus=""
    if [[ -n $place ]]; then
      bus=${bus_of[$place]:-}
      [[ -n $bus ]] || die "$1: $name is on an unknown place: $place"
    fi
    case $kind in
      node) add_node "$name" ;;
      distance) machine+=(-numa "dist,src=$name,dst=${words[2]},val=${words[3]}") ;;
      root) add_root "$name" ;;
      port)
        root_port "$name" "$place" "$bus"
        bus_of[$name]=$name
        ;;
      switch) add_switch "$name" "$place" "$bus" ;;
      accel)
        serial=$(printf '48b02d%010x' "${#accelerators[@]}")
        add_function "$name" "$bus" \
          "vendor=10de,device=2330,class=030200,subdevice=16c1,speed=5,width=16,serial=$serial"
        ;;
      pci) add_function "$name" "$bus" "" ;;
      nic) add_nic "$name" "$bus" ;;
      nvme) add_nvme "$name" "$bus" ;;
      modules) guest_modules+=("${words[@]:1}") ;;
      guest) guest_lines+=("${line#*guest }") ;;
      qemu) machine+=("${words[@]:1}") ;;
      *) die "$1: unknown word $kind" ;;
    esac
  done <"$1"
}
