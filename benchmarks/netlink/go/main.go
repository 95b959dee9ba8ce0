// The side-by-side partner of LinkDumpComparison: lists the links of the current network namespace
// with vishvananda/netlink and prints the minimum, the 10th percentile and the median in
// microseconds, and the bytes allocated per list.
//
//	list ROUNDS full|one    one: a single link by name
package main

import (
	"fmt"
	"os"
	"runtime"
	"sort"
	"strconv"
	"time"

	"github.com/vishvananda/netlink"
)

func main() {
	rounds, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	what := os.Args[2]
	handle, err := netlink.NewHandle()
	if err != nil {
		panic(err)
	}
	times := make([]float64, rounds)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range times {
		start := time.Now()
		if what == "one" {
			_, err = handle.LinkByName("lo")
		} else {
			_, err = handle.LinkList()
		}
		if err != nil {
			panic(err)
		}
		times[i] = float64(time.Since(start).Nanoseconds()) / 1e3
	}
	runtime.ReadMemStats(&after)
	sort.Float64s(times)
	fmt.Printf("%.2f %.2f %.2f %d\n", times[0], times[rounds/10], times[rounds/2],
		(after.TotalAlloc-before.TotalAlloc)/uint64(rounds))
}
