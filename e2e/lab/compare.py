"""Compares what dra4j says of a machine with what other programs said there.

    compare.py FOLDER      the folder has the files that the script `compare` collects

dra4j reads links and small files of sysfs. The expected answers come from elsewhere: hwloc and pciutils decode the
configuration spaces, where bridges say which buses are behind them and SR-IOV says which functions are virtual;
iproute2 asks the kernel through netlink. The classes of paths are derived here from hwloc's tree.
"""

import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from itertools import combinations
from pathlib import Path

NETWORK, OPENFABRICS = "2", "3"  # osdev_type of hwloc
SWITCH_LIMIT = 1  # bridges between a device and the bridge where two meet, when that is one switch

problems = []
compared = 0


def same(what, ours, theirs):
    global compared
    compared += 1
    if ours != theirs:
        problems.append(f"{what}: dra4j says {ours!r}, expected {theirs!r}")


def same_set(what, ours, theirs):
    global compared
    compared += 1
    ours, theirs = set(ours), set(theirs)
    for missing in sorted(theirs - ours):
        problems.append(f"{what}: dra4j lacks {missing}")
    for extra in sorted(ours - theirs):
        problems.append(f"{what}: only dra4j has {extra}")


# ---- hwloc ----


class Hwloc:
    """Where every PCI function is in hwloc's tree."""

    def __init__(self, file):
        root = ElementTree.parse(file).getroot()
        self.above = {}  # address -> the I/O objects above it, the host bridge first
        self.numa = {}  # address -> its NUMA node, or None
        self.names = {}  # address -> interfaces and other objects of the operating system
        self.classes = {}  # address -> class and subclass in 4 hexadecimal digits
        self.nodes = {int(o.get("os_index")) for o in root.iter("object") if o.get("type") == "NUMANode"}
        for machine in root.findall("object"):
            self.walk(machine, [], None)

    def walk(self, thing, above, nodeset):
        nodeset = thing.get("nodeset", nodeset)  # I/O objects have none: they are where their parent is
        address = thing.get("pci_busid")
        if address:
            self.above[address] = above
            self.numa[address] = only_bit(nodeset)
            self.names[address] = {}
            self.classes[address] = thing.get("pci_type").split()[0]
        if thing.get("type") == "Bridge":
            above = above + [thing]
        elif thing.get("type") == "PCIDev":
            self.names[address] = {o.get("name"): o.get("osdev_type") for o in thing.iter("object") if o is not thing}
        for child in thing.findall("object"):
            self.walk(child, above, nodeset)

    def bridges(self, address):
        return [bridge.get("pci_busid") for bridge in self.above[address][1:]]

    def root(self, address):
        domain, bus = re.match(r"(\w+):\[(\w+)-", self.above[address][0].get("bridge_pci")).groups()
        return f"pci{domain}:{bus}"

    def path(self, a, b):
        """The class of a path between functions of two cards, from the place where they meet."""
        met = 0
        for x, y in zip(self.above[a], self.above[b]):
            if x is not y:
                break
            met += 1
        if met == 0:
            if self.numa[a] is None or self.numa[b] is None:
                return "NUMA_NODE" if len(self.nodes) <= 1 else "UNKNOWN"
            return "NUMA_NODE" if self.numa[a] == self.numa[b] else "SYSTEM"
        if met == 1:
            return "HOST_BRIDGE"
        between = max(len(self.above[a]), len(self.above[b])) - met
        return "SWITCH" if between <= SWITCH_LIMIT else "MULTI_SWITCH"


def only_bit(nodeset):
    """The number of the one bit of a set such as 0x00000002; None if there are more, or none."""
    bits = int(nodeset.replace(",", "").replace("0x", "") or "0", 16) if nodeset else 0
    return bits.bit_length() - 1 if bits and bits & (bits - 1) == 0 else None


# ---- pciutils ----


class Lspci:
    """What lspci decoded."""

    def __init__(self, folder):
        self.chain = {}  # address -> addresses from the root's bus to the function itself
        for line in (folder / "paths.txt").read_text().splitlines():
            first, *others = line.split(" ", 1)[0].split("/")
            domain = first.rsplit(":", 2)[0]
            chain = [first] + [f"{domain}:{other}" for other in others]
            self.chain[chain[-1]] = chain
        self.facts = {}
        for record in (folder / "functions.txt").read_text().strip().split("\n\n"):
            facts = dict(line.split(":\t", 1) for line in record.splitlines())
            self.facts[facts["Slot"]] = facts
        self.physical = {}  # a virtual function -> its physical one
        self.switched_on = {}  # a physical function -> how many virtual ones are on
        self.links = {}  # address -> GT/s and lanes that its port can
        for record in (folder / "details.txt").read_text().strip().split("\n\n"):
            self.read_details(record.split(" ", 1)[0], record)

    def read_details(self, address, record):
        link = re.search(r"LnkCap:.* Speed ([\d.]+)GT/s, Width x(\d+)", record)
        if link:
            self.links[address] = float(link.group(1)), int(link.group(2))
        sriov = re.search(r"Number of VFs: (\d+).*\n\s*VF offset: (\d+), stride: (\d+)", record)
        if not sriov:
            return
        count, offset, stride = map(int, sriov.groups())
        self.switched_on[address] = count
        domain, bus, device, function = re.match(r"(\w+):(\w+):(\w+)\.(\w)", address).groups()
        routing = int(bus, 16) << 8 | int(device, 16) << 3 | int(function, 16)
        for number in range(count):
            at = routing + offset + number * stride
            self.physical[f"{domain}:{at >> 8:02x}:{at >> 3 & 31:02x}.{at & 7}"] = address

    def number(self, address, key):
        return re.search(r"\[(\w+)\]$", self.facts[address][key]).group(1)

    def name(self, address, key):
        """None when lspci itself knows only the number; it then writes a word of its own."""
        name = self.facts[address][key].rsplit(" [", 1)[0]
        return None if name in ("Device", "Vendor") else name

    def numa(self, address):
        node = self.facts[address].get("NUMANode")
        return None if node is None else int(node)

    def same_card(self, a, b):
        return self.card(a) == self.card(b)

    def card(self, address):
        return self.physical.get(address, address).rsplit(".", 1)[0]

    def usable_link(self, address):
        """What both ends of the link to a function can."""
        ends = [self.links[end] for end in self.chain[address][-2:] if end in self.links]
        if address not in self.links:
            return None
        return f"{min(end[0] for end in ends):g} GT/s x{min(end[1] for end in ends)}"


# ---- The comparison ----


def kind(number, names):
    """What a device is for, from its class; whatever carries an interface is a NIC."""
    if number == "0108":
        return "nvme"
    if number in ("0b40", "0c06"):
        return {"0b40": "accelerator", "0c06": "nic"}[number]
    by_base = {"02": "nic", "03": "gpu", "06": "bridge", "12": "accelerator"}.get(number[:2], "other")
    return "nic" if names and by_base == "other" else by_base


class Machine:
    """Everything that was said in one machine."""

    def __init__(self, folder):
        self.hwloc, self.lspci = Hwloc(folder / "lstopo.xml"), Lspci(folder)
        self.host = (folder / "hostname.txt").read_text().strip()
        topology = json.loads((folder / "topology.json").read_text())
        self.devices = {device["bdf"]: device for device in topology["devices"]}
        self.pairs = topology["pairs"]
        self.slices = json.loads((folder / "discover.json").read_text())["items"]

        self.interfaces, self.rdma = {}, {}  # address -> names, as the kernel says through netlink
        addresses = {}
        for link in json.loads((folder / "link.json").read_text()):
            if link.get("parentbus") == "pci":
                addresses[link["ifname"]] = link["parentdev"]
                self.interfaces.setdefault(link["parentdev"], set()).add(link["ifname"])
        for link in json.loads((folder / "rdma.json").read_text()):
            if link.get("netdev") in addresses:  # a software device has no function: it belongs to its interface's
                self.rdma.setdefault(addresses[link["netdev"]], set()).add(link["ifname"])

    def names(self, address):
        return self.interfaces.get(address, set()) | self.rdma.get(address, set()) | self.drives(address)

    def drives(self, address):
        """The NVMe controllers of a function, which hwloc knows by the namespaces that they have."""
        found = (re.match(r"nvme[0-9]+", name) for name in self.hwloc.names[address])
        return {controller.group() for controller in found if controller}

    def kind(self, address):
        return kind(self.lspci.number(address, "Class"), self.names(address))

    def endpoints(self):
        return sorted(address for address in self.devices if self.kind(address) in ("nic", "gpu", "accelerator"))

    def root(self, address):
        return "pci" + self.lspci.chain[address][0].rsplit(":", 1)[0]


def compare_devices(machine):
    hwloc, lspci = machine.hwloc, machine.lspci
    # A machine of one node is that node to hwloc, whether or not the firmware says where a function is.
    node = (lambda number: number or 0) if len(hwloc.nodes) <= 1 else (lambda number: number)
    for address, device in machine.devices.items():
        same(f"{address} class", device["class"][:6], "0x" + lspci.number(address, "Class"))
        same(f"{address} class, by hwloc", device["class"][2:6], hwloc.classes[address])
        same(f"{address} vendor", device["vendor"], "0x" + lspci.number(address, "Vendor"))
        same(f"{address} device", device["device"], "0x" + lspci.number(address, "Device"))
        same(f"{address} kind", device["kind"], machine.kind(address))
        same(f"{address} bridges, by hwloc", device["bridges"], hwloc.bridges(address))
        same(f"{address} bridges, by lspci", device["bridges"], lspci.chain[address][:-1])
        same(f"{address} root, by hwloc", device["pcieRoot"], hwloc.root(address))
        same(f"{address} root, by lspci", device["pcieRoot"], machine.root(address))
        same(f"{address} NUMA node, by hwloc", node(device["numaNode"]), node(hwloc.numa[address]))
        same(f"{address} NUMA node, by lspci", device["numaNode"], lspci.numa(address))
        same(f"{address} physical function", device.get("physicalFunction"), lspci.physical.get(address))
        same(f"{address} names", sorted(device["names"]), sorted(machine.names(address)))
        theirs = {name for name, type in hwloc.names[address].items() if type in (NETWORK, OPENFABRICS)}
        same(f"{address} names that only hwloc has", sorted(theirs - set(device["names"])), [])
        # The registers of a virtual function are zero, and ports have a link on one side only.
        if address not in lspci.physical and machine.kind(address) != "bridge":
            same(f"{address} link", device.get("link"), lspci.usable_link(address))


def compare_paths(machine):
    endpoints = machine.endpoints()
    if len(endpoints) < 2:
        problems.append(f"only {len(endpoints)} endpoints, so no paths were compared")
    expected = set(combinations(endpoints, 2))
    types = {tuple(sorted((pair["a"], pair["b"]))): pair["type"] for pair in machine.pairs}
    same_set("pairs", types, expected)
    same("number of pairs", len(machine.pairs), len(expected))
    for a, b in sorted(expected & set(types)):
        same(f"path of {a} and {b}", types[a, b],
             "SAME_CARD" if machine.lspci.same_card(a, b) else machine.hwloc.path(a, b))


def compare_slices(machine):
    published = {}
    for item in machine.slices:
        same("nodeName", item["spec"]["nodeName"], machine.host)
        for device in item["spec"]["devices"]:
            attributes = {name: next(iter(value.values())) for name, value in device["attributes"].items()}
            published[attributes["resource.kubernetes.io/pciBusID"]] = attributes
    offered = machine.endpoints() + [address for address in machine.devices if machine.kind(address) == "nvme"]
    same_set("published devices", published, offered)
    for address in sorted(set(published) & set(offered)):
        for name, value in expected_attributes(machine, address).items():
            same(f"published {address} {name}", published[address].get(name), value)


def expected_attributes(machine, address):
    lspci = machine.lspci
    attributes = {
        "kind": machine.kind(address),
        "resource.kubernetes.io/pcieRoot": machine.root(address),
        "resource.kubernetes.io/numaNode": lspci.numa(address),
        "vendorID": "0x" + lspci.number(address, "Vendor"),
        "deviceID": "0x" + lspci.number(address, "Device"),
        "vendor": lspci.name(address, "Vendor"),
        "product": lspci.name(address, "Device"),
        "driver": lspci.facts[address].get("Driver"),
        "physicalFunction": lspci.physical.get(address),
        "ifName": only(machine.interfaces.get(address, set())),
        "rdmaDevice": only(machine.rdma.get(address, set())),
        # Drivers may allow fewer virtual functions than the card has (igb: 7 of 8), so their total is not compared.
        "sriovVfs": lspci.switched_on.get(address),
    }
    if address not in lspci.physical:
        attributes["link"] = lspci.usable_link(address)
    return attributes


def only(names):
    return next(iter(names)) if len(names) == 1 else sorted(names) or None


def main(folder):
    machine = Machine(folder)
    same("warnings of discover", (folder / "warnings.txt").read_text(), "")
    same_set("functions, by lspci", machine.devices, machine.lspci.chain)
    same_set("functions, by hwloc", machine.devices, machine.hwloc.above)
    if not problems:  # what follows looks up each function on both sides
        compare_devices(machine)
        compare_paths(machine)
        compare_slices(machine)
    for problem in problems[:50]:
        print(f"{folder.name}: {problem}")
    if len(problems) > 50:
        print(f"{folder.name}: and {len(problems) - 50} more")
    if problems:
        return 1
    print(f"{folder.name}: {len(machine.devices)} functions and {len(machine.pairs)} paths agree with hwloc, lspci, ip "
          f"and rdma in {compared} facts")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1])))
