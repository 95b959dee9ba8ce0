// Command netlink-list measures how long the library vishvananda/netlink takes to list the links of the network
// namespace it runs in and to get one of them, for the side-by-side run of dra4j's own module. It prints one line of
// JSON:
//
//	netlink-list [-for DURATION] [-name LINK]
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// times of one operation: elapsed, and the processor time of the whole process, with what other threads do for the
// garbage collector.
type times struct {
	Min time.Duration `json:"minNanos"`
	P10 time.Duration `json:"p10Nanos"`
	CPU time.Duration `json:"cpuMeanNanos"`
}

type result struct {
	Library      string `json:"library"`
	Links        int    `json:"links"`
	List         times  `json:"list"`
	ByName       times  `json:"byName"`
	ListAlone    times  `json:"listAlone"`
	ByNameAlone  times  `json:"byNameAlone"`
	BytesPerList uint64 `json:"bytesPerList"`
}

func main() {
	duration := flag.Duration("for", 2*time.Second, "how long to measure each operation")
	name := flag.String("name", "lo", "the link to get")
	flag.Parse()
	r, err := measure(*duration, *name)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(r)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "netlink-list:", err)
		os.Exit(1)
	}
}

func measure(duration time.Duration, name string) (result, error) {
	r := result{Library: "github.com/vishvananda/netlink v1.3.1"}
	handle, err := netlink.NewHandle() // one socket for all, as dra4j has it
	if err != nil {
		return r, err
	}
	defer handle.Close()
	list := func() error {
		links, err := handle.LinkList()
		r.Links = len(links)
		return err
	}
	operations := []struct {
		times *times
		do    func() error
	}{
		{&r.List, list},
		{&r.ByName, func() error { _, err := handle.LinkByName(name); return err }},
		// The functions of the package open a socket each time.
		{&r.ListAlone, func() error { _, err := netlink.LinkList(); return err }},
		{&r.ByNameAlone, func() error { _, err := netlink.LinkByName(name); return err }},
	}
	for _, o := range operations {
		if *o.times, err = repeat(duration, o.do); err != nil {
			return r, err
		}
	}
	const rounds = 10
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range rounds {
		if err := list(); err != nil {
			return r, err
		}
	}
	runtime.ReadMemStats(&after)
	r.BytesPerList = (after.TotalAlloc - before.TotalAlloc) / rounds
	return r, nil
}

// repeat does something for a time, and a tenth of that before, to warm up.
func repeat(duration time.Duration, do func() error) (times, error) {
	for start := time.Now(); time.Since(start) < duration/10; {
		if err := do(); err != nil {
			return times{}, err
		}
	}
	var elapsed []time.Duration
	cpu := cpuTime()
	for start := time.Now(); time.Since(start) < duration; {
		before := time.Now()
		if err := do(); err != nil {
			return times{}, err
		}
		elapsed = append(elapsed, time.Since(before))
	}
	cpu = (cpuTime() - cpu) / time.Duration(len(elapsed))
	slices.Sort(elapsed)
	return times{Min: elapsed[0], P10: elapsed[len(elapsed)/10], CPU: cpu}, nil
}

// cpuTime is the processor time that this process has used.
func cpuTime() time.Duration {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		panic(err) // cannot fail with these arguments
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
