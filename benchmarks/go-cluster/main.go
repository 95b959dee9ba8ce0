// Command cluster-follow follows the ResourceSlices of a cluster with client-go's informer, as benchmarks/cluster asks it to.
//
//	cluster-follow snapshot          prints the time to the first complete cache and the memory in use afterwards
//	cluster-follow rate SECONDS      prints the part of a processor that following takes, after a pause of 10 s
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

func main() {
	begin := time.Now()
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	check(err)
	config.QPS, config.Burst = 1000, 1000
	client, err := kubernetes.NewForConfig(config)
	check(err)
	factory := informers.NewSharedInformerFactory(client, 0)
	slices := factory.Resource().V1().ResourceSlices()
	var changes atomic.Int64
	_, err = slices.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(_, now any) { _ = now.(*resourceapi.ResourceSlice); changes.Add(1) },
	})
	check(err)
	// What the inventory follows besides.
	factory.Resource().V1().DeviceClasses().Informer()
	factory.Resource().V1().ResourceClaims().Informer()
	factory.Core().V1().Nodes().Informer()
	stop := make(chan struct{})
	factory.Start(stop)
	factory.WaitForCacheSync(stop)
	synced := time.Since(begin)
	answer := map[string]any{"ms": synced.Milliseconds(), "slices": len(slices.Informer().GetStore().ListKeys())}
	if os.Args[1] == "rate" {
		seconds, err := strconv.Atoi(os.Args[2])
		check(err)
		time.Sleep(10 * time.Second)
		cpu, seen := processor(), changes.Load()
		time.Sleep(time.Duration(seconds) * time.Second)
		answer["percent"] = 100 * (processor() - cpu).Seconds() / float64(seconds)
		answer["changes"] = changes.Load() - seen
	}
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	answer["heapMb"] = memory.HeapAlloc >> 20
	check(json.NewEncoder(os.Stdout).Encode(answer))
}

func processor() time.Duration {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "cluster-follow:", err)
		os.Exit(1)
	}
}
