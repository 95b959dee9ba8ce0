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

// times of one operation: elapsed, and processor time of the thread that does it, so without what other threads do for
// the garbage collector.
type times struct {
	Min    time.Duration `json:"minNanos"`
	CPUMin time.Duration `json:"cpuMinNanos"`
	CPUP10 time.Duration `json:"cpuP10Nanos"`
}

type result struct {
	Library      string `json:"library"`
	Links        int    `json:"links"`
	List         times  `json:"list"`
	ByName       times  `json:"byName"`
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
	if r.List, err = repeat(duration, list); err != nil {
		return r, err
	}
	get := func() error {
		_, err := handle.LinkByName(name)
		return err
	}
	if r.ByName, err = repeat(duration, get); err != nil {
		return r, err
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
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var elapsed, processor []time.Duration
	for start := time.Now(); time.Since(start) < duration; {
		before, cpu := time.Now(), cpuTime()
		if err := do(); err != nil {
			return times{}, err
		}
		processor = append(processor, cpuTime()-cpu)
		elapsed = append(elapsed, time.Since(before))
	}
	slices.Sort(processor)
	return times{Min: slices.Min(elapsed), CPUMin: processor[0], CPUP10: processor[len(processor)/10]}, nil
}

// cpuTime is the processor time that this thread has used.
func cpuTime() time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now); err != nil {
		panic(err) // cannot fail with these arguments
	}
	return time.Duration(now.Nano())
}
