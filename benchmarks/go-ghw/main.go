// Command ghw-scan measures how much processor time the library ghw takes to scan the PCI functions of a host,
// for the side-by-side run of dra4j's own scan. It prints one line of JSON:
//
//	ghw-scan -root DIR [-scans N] [-pci-ids FILE]
//
// DIR holds a sys folder, for example one that e2e/lab/capture --expand laid out. Every scan reads the names of vendors
// and devices anew: ghw has an option to keep them, pkg/option.WithPCIDB, which pkg/pci does not look at.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/jaypipes/ghw"
)

type result struct {
	Library string `json:"library"`
	Devices int    `json:"devices"`
	Scans   int    `json:"scans"`
	// Processor time of one scan, user and system, all threads: garbage collection is in the mean.
	CPUMin  time.Duration `json:"cpuMinNanos"`
	CPUMean time.Duration `json:"cpuMeanNanos"`
}

func main() {
	root := flag.String("root", "/", "folder that holds sys")
	scans := flag.Int("scans", 200, "how many scans to measure")
	ids := flag.String("pci-ids", "", "names of vendors and devices (default: the system's file)")
	flag.Parse()
	r, err := measure(*root, *scans, *ids)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(r)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "ghw-scan:", err)
		os.Exit(1)
	}
}

func measure(root string, scans int, ids string) (result, error) {
	r := result{Library: "github.com/jaypipes/ghw v0.25.0", Scans: scans}
	if scans < 1 {
		return r, fmt.Errorf("-scans must be at least 1, found %d", scans)
	}
	if ids != "" {
		if err := os.Setenv("PCIDB_PATH", ids); err != nil { // the variable that ghw looks at
			return r, err
		}
	}
	options := []any{ghw.WithChroot(root), ghw.WithDisableTools(), ghw.WithDisableWarnings()}
	var total time.Duration
	for i := -scans / 10; i < scans; i++ { // the first tenth more is to warm up
		before := cpu()
		info, err := ghw.PCI(options...)
		took := cpu() - before
		if err != nil {
			return r, err
		}
		if r.Devices = len(info.Devices); r.Devices == 0 {
			return r, fmt.Errorf("no PCI function below %s/sys", root)
		}
		if i < 0 {
			continue
		}
		total += took
		if r.CPUMin == 0 || took < r.CPUMin {
			r.CPUMin = took
		}
	}
	r.CPUMean = total / time.Duration(scans)
	return r, nil
}

// cpu is the processor time that this process has used.
func cpu() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // cannot fail with these arguments
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
