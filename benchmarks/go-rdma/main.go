// Command rdma-scan measures how much processor time Go's standard library takes to read what dra4j reads of the RDMA
// devices of a host: the same folders, links and files, each brought into a number or a checked text, as dra4j does.
// It prints one line of JSON:
//
//	rdma-scan -root DIR [-scans N]
//
// DIR holds a sys folder, for example one that e2e/lab/capture --expand laid out.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"time"
)

type gid struct {
	index             int
	value, kind, link string
}

type port struct {
	number                      int
	state, physicalState, layer string
	rate                        float64
	lid, managerLid, mask       uint64
	lidMaskCount                uint64
	gids                        []gid
	keys                        []uint64
}

type device struct {
	name, path, function, parent                       string
	kind, nodeGUID, systemGUID, firmware, model, board string
	description                                        string
	ports                                              []port
}

type node struct {
	name, device string
	port         uint64
	major, minor uint64
}

type result struct {
	Devices int `json:"devices"`
	Ports   int `json:"ports"`
	GIDs    int `json:"gids"`
	Nodes   int `json:"nodes"`
	Scans   int `json:"scans"`
	// Processor time of one scan, user and system, all threads: garbage collection is in the mean.
	CPUMin  time.Duration `json:"cpuMinNanos"`
	CPUMean time.Duration `json:"cpuMeanNanos"`
}

func main() {
	root := flag.String("root", "/", "folder that holds sys")
	scans := flag.Int("scans", 1000, "how many scans to measure")
	flag.Parse()
	r := result{Scans: *scans}
	var total time.Duration
	for i := -*scans; i < *scans; i++ { // as many again to warm up
		before := cpu()
		devices, nodes := scan(*root)
		took := cpu() - before
		if r.Devices, r.Nodes = len(devices), len(nodes); r.Devices == 0 {
			fmt.Fprintf(os.Stderr, "rdma-scan: no RDMA device below %s/sys\n", *root)
			os.Exit(1)
		}
		r.Ports, r.GIDs = 0, 0
		for _, d := range devices {
			r.Ports += len(d.ports)
			for _, p := range d.ports {
				r.GIDs += len(p.gids)
			}
		}
		if i < 0 {
			continue
		}
		total += took
		if r.CPUMin == 0 || took < r.CPUMin {
			r.CPUMin = took
		}
	}
	r.CPUMean = total / time.Duration(*scans)
	if err := json.NewEncoder(os.Stdout).Encode(r); err != nil {
		os.Exit(1)
	}
}

// cpu is the processor time that this process has used.
func cpu() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // cannot fail with these arguments
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func scan(root string) ([]device, []node) {
	class := filepath.Join(root, "sys/class/infiniband")
	var devices []device
	for _, name := range list(class) {
		if d, ok := read(class, name, root); ok {
			devices = append(devices, d)
		}
	}
	return devices, nodes(root)
}

func read(class, name, root string) (device, bool) {
	target, err := os.Readlink(filepath.Join(class, name))
	if err != nil {
		return device{}, false
	}
	path := filepath.Join(class, target)
	d := device{
		name: name, path: path,
		parent:   text(path, "parent"),
		kind:     text(path, "node_type"),
		nodeGUID: guid(text(path, "node_guid"), 4), systemGUID: guid(text(path, "sys_image_guid"), 4),
		firmware: text(path, "fw_ver"), model: text(path, "hca_type"), board: text(path, "board_id"),
		description: text(path, "node_desc"),
	}
	d.function = function(target)
	if d.function == "" && d.parent != "" {
		if link, err := os.Readlink(filepath.Join(root, "sys/class/net", d.parent)); err == nil {
			d.function = function(link)
		}
	}
	for _, number := range numbers(filepath.Join(path, "ports")) {
		d.ports = append(d.ports, readPort(filepath.Join(path, "ports", strconv.Itoa(number)), number))
	}
	return d, true
}

func readPort(path string, number int) port {
	p := port{number: number, state: after(text(path, "state")), physicalState: after(text(path, "phys_state")),
		layer: text(path, "link_layer")}
	if rate, _, found := strings.Cut(text(path, "rate"), " Gb/sec"); found {
		p.rate, _ = strconv.ParseFloat(rate, 64)
	}
	p.lid, _ = strconv.ParseUint(text(path, "lid"), 0, 32)
	p.managerLid, _ = strconv.ParseUint(text(path, "sm_lid"), 0, 32)
	p.lidMaskCount, _ = strconv.ParseUint(text(path, "lid_mask_count"), 10, 8)
	p.mask, _ = strconv.ParseUint(text(path, "cap_mask"), 0, 32)
	for _, index := range numbers(filepath.Join(path, "gids")) {
		place := strconv.Itoa(index)
		value := guid(text(path, "gids/"+place), 8)
		if value == "" || strings.HasSuffix(value, ":0000:0000:0000:0000") {
			continue
		}
		p.gids = append(p.gids, gid{index, value, text(path, "gid_attrs/types/"+place), text(path, "gid_attrs/ndevs/"+place)})
	}
	for _, index := range numbers(filepath.Join(path, "pkeys")) {
		if key, err := strconv.ParseUint(text(path, "pkeys/"+strconv.Itoa(index)), 0, 16); err == nil && key&0x7fff != 0 {
			p.keys = append(p.keys, key)
		}
	}
	return p
}

func nodes(root string) []node {
	var found []node
	for _, kind := range []string{"infiniband_verbs", "infiniband_mad", "infiniband_cm"} {
		class := filepath.Join(root, "sys/class", kind)
		for _, name := range list(class) {
			if name == "abi_version" {
				continue
			}
			target, err := os.Readlink(filepath.Join(class, name))
			if err != nil {
				continue
			}
			path := filepath.Join(class, target)
			n := node{name: name, device: text(path, "ibdev")}
			n.port, _ = strconv.ParseUint(text(path, "port"), 10, 8)
			if n.numbers(text(path, "dev")) {
				found = append(found, n)
			}
		}
	}
	n := node{name: "rdma_cm"}
	if n.numbers(text(filepath.Join(root, "sys/class/misc/rdma_cm"), "dev")) {
		found = append(found, n)
	}
	return found
}

func (n *node) numbers(text string) bool {
	major, minor, found := strings.Cut(text, ":")
	var first, second error
	n.major, first = strconv.ParseUint(major, 10, 12)
	n.minor, second = strconv.ParseUint(minor, 10, 20)
	return found && first == nil && second == nil
}

func list(folder string) []string {
	file, err := os.Open(folder)
	if err != nil {
		return nil
	}
	defer file.Close()
	names, _ := file.Readdirnames(-1)
	sort.Strings(names)
	return names
}

func numbers(folder string) []int {
	var found []int
	for _, name := range list(folder) {
		if number, err := strconv.Atoi(name); err == nil && number >= 0 {
			found = append(found, number)
		}
	}
	sort.Ints(found)
	return found
}

func text(folder, name string) string {
	bytes, err := os.ReadFile(folder + "/" + name)
	if err != nil {
		return ""
	}
	return strings.TrimRight(string(bytes), "\n")
}

func after(text string) string {
	_, name, found := strings.Cut(text, ": ")
	if !found {
		return text
	}
	return name
}

// guid is the text if it is so many groups of four digits.
func guid(text string, groups int) string {
	if len(text) != groups*5-1 {
		return ""
	}
	for i := range len(text) {
		digit := text[i] >= '0' && text[i] <= '9' || text[i] >= 'a' && text[i] <= 'f'
		if i%5 == 4 && text[i] != ':' || i%5 != 4 && !digit {
			return ""
		}
	}
	return text
}

// function is the last PCI address in a path.
func function(path string) string {
	parts := strings.Split(path, "/")
	for i := len(parts) - 1; i >= 0; i-- {
		if len(parts[i]) == 12 && parts[i][4] == ':' && parts[i][7] == ':' && parts[i][10] == '.' {
			return parts[i]
		}
	}
	return ""
}
