package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/blang/semver/v4"
	resourcev1 "k8s.io/api/resource/v1"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/dynamic-resource-allocation/cel"
)

// celBenchmark is what the CelBenchmark of JMH reads, too.
type celBenchmark struct {
	Mixed   []string  `json:"mixed"`   // selectors that match or do not
	Missing string    `json:"missing"` // one that reads what no device has
	General []string  `json:"general"` // expressions with functions and loops
	Devices []celCase `json:"devices"`
}

// cost is CPU time, which other work on the machine does not inflate as much, and
// what was allocated, per operation.
type cost struct {
	NS float64 `json:"ns"`
	B  float64 `json:"b"`
}

// cheapest runs an action that consists of some operations in rounds of about 50 ms.
func cheapest(rounds, operations int, action func()) cost {
	repeat := 1
	for {
		start := cpuTime()
		for range repeat {
			action()
		}
		if cpuTime()-start > 50*time.Millisecond {
			break
		}
		repeat *= 2
	}
	best := cost{}
	for round := range rounds {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := cpuTime()
		for range repeat {
			action()
		}
		ns := float64((cpuTime() - start).Nanoseconds()) / float64(repeat*operations)
		runtime.ReadMemStats(&after)
		if round == 0 || ns < best.NS {
			best = cost{ns, float64(after.TotalAlloc-before.TotalAlloc) / float64(repeat*operations)}
		}
	}
	return best
}

func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// activation gives a program what DeviceMatches gives it, so that it can be given
// again and again.
func activation(c *celCase) (map[string]any, error) {
	attributes := map[string]any{}
	for name, attribute := range c.Device.Attributes {
		value, err := attributeValue(attribute)
		if err != nil {
			return nil, fmt.Errorf("attribute %s: %w", name, err)
		}
		domain, id := split(name, c.Driver)
		if attributes[domain] == nil {
			attributes[domain] = map[string]any{}
		}
		attributes[domain].(map[string]any)[id] = value
	}
	capacity := map[string]any{}
	for name, one := range c.Device.Capacity {
		domain, id := split(name, c.Driver)
		if capacity[domain] == nil {
			capacity[domain] = map[string]apiservercel.Quantity{}
		}
		capacity[domain].(map[string]apiservercel.Quantity)[id] = apiservercel.Quantity{Quantity: &one.Value}
	}
	return map[string]any{"device": map[string]any{
		"driver": c.Driver, "allowMultipleAllocations": false,
		"attributes": attributes, "capacity": capacity,
	}}, nil
}

func attributeValue(attribute resourcev1.DeviceAttribute) (any, error) {
	switch {
	case attribute.StringValue != nil:
		return *attribute.StringValue, nil
	case attribute.IntValue != nil:
		return *attribute.IntValue, nil
	case attribute.BoolValue != nil:
		return *attribute.BoolValue, nil
	case attribute.StringValues != nil:
		return attribute.StringValues, nil
	case attribute.VersionValue != nil:
		version, err := semver.Parse(*attribute.VersionValue)
		return apiservercel.Semver{Version: version}, err
	}
	return nil, errors.New("unexpected kind of attribute")
}

func split(name resourcev1.QualifiedName, driver string) (domain, id string) {
	if domain, id, found := strings.Cut(string(name), "/"); found {
		return domain, id
	}
	return driver, string(name)
}

// measurePairs evaluates each expression on each device, by the module's function and
// by the program alone.
func measurePairs(rounds int, expressions []string, devices []celCase) (matches, eval cost, err error) {
	var compiled []cel.CompilationResult
	for _, expression := range expressions {
		one := compileSelector(expression, cel.Options{})
		if one.Error != nil {
			return matches, eval, fmt.Errorf("%s: %w", expression, one.Error)
		}
		compiled = append(compiled, one)
	}
	var inputs []cel.Device
	var activations []map[string]any
	for i := range devices {
		variables, err := activation(&devices[i])
		if err != nil {
			return matches, eval, err
		}
		inputs = append(inputs, devices[i].device())
		activations = append(activations, variables)
	}
	ctx := context.Background()
	pairs := len(compiled) * len(inputs)
	matches = cheapest(rounds, pairs, func() {
		for i := range compiled {
			for j := range inputs {
				compiled[i].DeviceMatches(ctx, inputs[j])
			}
		}
	})
	eval = cheapest(rounds, pairs, func() {
		for i := range compiled {
			var program celProgram = compiled[i].Program
			for j := range activations {
				program.Eval(activations[j])
			}
		}
	})
	return matches, eval, nil
}

func runBenchCELPairs(args []string) error {
	flags := flag.NewFlagSet("bench-cel-pairs", flag.ExitOnError)
	rounds := flags.Int("rounds", 10, "rounds of about 50 ms, of which the cheapest counts")
	flags.Parse(args)
	if flags.NArg() != 1 {
		return errors.New("exactly one FILE is needed")
	}
	text, err := os.ReadFile(flags.Arg(0))
	if err != nil {
		return err
	}
	var benchmark celBenchmark
	if err := json.Unmarshal(text, &benchmark); err != nil {
		return err
	}
	report := map[string]any{"go": runtime.Version()}
	add := func(name string, expressions []string) error {
		matches, eval, err := measurePairs(*rounds, expressions, benchmark.Devices)
		report[name] = map[string]cost{"deviceMatches": matches, "eval": eval}
		return err
	}
	err = errors.Join(
		add("mixed", benchmark.Mixed),
		add("missing", []string{benchmark.Missing}))
	for i, expression := range benchmark.General {
		err = errors.Join(err, add(fmt.Sprintf("general%d", i), []string{expression}))
	}
	if err != nil {
		return err
	}
	report["compile"] = cheapest(*rounds, len(benchmark.Mixed), func() {
		for _, expression := range benchmark.Mixed {
			compileSelector(expression, cel.Options{})
		}
	})
	result, err := canonicalJSON(report, true)
	os.Stdout.Write(result)
	return err
}
