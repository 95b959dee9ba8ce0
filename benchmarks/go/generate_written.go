package main

import (
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"

	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// The profile "written": small snapshots in which equal amounts and versions are
// written in many ways, and whose selectors look at how they are written.

const scratch = `device.capacity["gpu.example.com"].scratch`

// closeLooks tell quantities apart that are equal, or come near to it.
var closeLooks = []string{
	scratch + `.isInteger()`,
	`!` + scratch + `.isInteger()`,
	scratch + `.asInteger() >= 1`,
	scratch + `.isInteger() ? ` + scratch + `.asInteger() % 2 == 0 : sign(` + scratch + `) == 1`,
	`sign(` + scratch + `) > 0`,
	scratch + `.asApproximateFloat() == 109951162777600.0`,
	scratch + `.asApproximateFloat() <= 1.5`,
	scratch + `.add(quantity("1")).isInteger()`,
	scratch + `.add(1).isInteger()`,
	scratch + `.sub(quantity("500m")).isInteger()`,
	scratch + `.sub(0).isInteger()`,
	`sign(` + scratch + `.sub(` + scratch + `)) == 0`,
	scratch + `.add(` + scratch + `).asInteger() > 2`,
	scratch + ` == quantity("100Ti")`,
	scratch + ` == quantity("1")`,
	scratch + ` != quantity("1.0")`,
	scratch + ` in [quantity("1500m"), quantity("1Pi")]`,
	scratch + `.compareTo(quantity("109951162777600")) == 0`,
	scratch + `.isGreaterThan(quantity("1"))`,
	scratch + `.isLessThan(quantity("1500000u"))`,
	`type(` + scratch + `) == type(quantity("1"))`,
	`[` + scratch + `].exists(q, q.isInteger())`,
	`cel.bind(c, device.capacity["gpu.example.com"], c.scratch.isInteger() == c.memory.isInteger())`,
	`device.capacity["gpu.example.com"].all(name, device.capacity["gpu.example.com"][name].isInteger())`,
	`device.capacity["gpu.example.com"].memory.asInteger() > 0`,
	`device.attributes["gpu.example.com"].driverVersion == semver("550.0.0")`,
	`device.attributes["gpu.example.com"].driverVersion.compareTo(semver("560.10.0+x")) == 0`,
	`device.attributes["gpu.example.com"].driverVersion in [semver("560.9.0+1"), semver("550.0.0+2")]`,
	`device.attributes["gpu.example.com"].driverVersion.isLessThan(semver("550.0.0+zzz"))`,
	`device.attributes["gpu.example.com"].driverVersion.major() + device.attributes["gpu.example.com"].driverVersion.minor() > 560`,
}

func buildWritten(b *builder, options generateOptions) {
	buildSmall(b, options)
	for _, slice := range b.slices {
		if slice.Spec.Driver != "gpu.example.com" {
			continue
		}
		base := pick(b, "100Ti", "1Pi", "1", "1500m", "8Ei", "0", "2")
		for i := range slice.Spec.Devices {
			device := &slice.Spec.Devices[i]
			if b.chance(25) {
				base = pick(b, "100Ti", "1", "1500m")
			}
			device.Capacity["scratch"] = amount(base)
			version := device.Attributes["driverVersion"]
			if b.chance(40) {
				device.Attributes["driverVersion"] = semanticVersion(*version.VersionValue + pick(b, "+1", "+2", "+build.7"))
			}
		}
	}
	for _, claim := range b.claims {
		if claim.Status.Allocation != nil {
			continue
		}
		for i := range claim.Spec.Devices.Requests {
			request := &claim.Spec.Devices.Requests[i]
			if request.Exactly != nil && request.Exactly.DeviceClassName == "gpu" {
				request.Exactly.Selectors = b.closer(request.Exactly.Selectors)
			}
			for j := range request.FirstAvailable {
				if sub := &request.FirstAvailable[j]; sub.DeviceClassName == "gpu" {
					sub.Selectors = b.closer(sub.Selectors)
				}
			}
		}
		b.consumeAlike(claim)
		if b.chance(15) {
			constrain(claim, pick(b, matchAttribute, distinctAttribute)("gpu.example.com/driverVersion"))
		}
	}
	b.respelled = true
}

// consumeAlike lets the requests of a claim consume the same amounts, which are then
// written in different ways: each result repeats how its own request wrote them.
func (b *builder) consumeAlike(claim *resourcev1.ResourceClaim) {
	var first *resourcev1.CapacityRequirements
	alike := func(capacity **resourcev1.CapacityRequirements) {
		if first == nil {
			first = *capacity
		} else if *capacity != nil && b.chance(70) {
			*capacity = first.DeepCopy()
		}
	}
	for i := range claim.Spec.Devices.Requests {
		request := &claim.Spec.Devices.Requests[i]
		if request.Exactly != nil {
			alike(&request.Exactly.Capacity)
		}
		for j := range request.FirstAvailable {
			alike(&request.FirstAvailable[j].Capacity)
		}
	}
}

func (b *builder) closer(present []resourcev1.DeviceSelector) []resourcev1.DeviceSelector {
	if !b.chance(70) {
		return present
	}
	return append(present, selectors(pick(b, closeLooks...))...)
}

// respell writes the quantities of an object in other ways. It works on what is
// written, because a Quantity of the Go module always writes its canonical form.
func respell(random *rand.Rand, tree any, path string) any {
	switch value := tree.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			value[key] = respell(random, value[key], path+"."+key)
		}
	case []any:
		for i := range value {
			value[i] = respell(random, value[i], path)
		}
	case string:
		if isQuantity(path) && random.IntN(100) < 70 {
			return otherForm(random, value)
		}
	}
	return tree
}

func isQuantity(path string) bool {
	parts := strings.Split(path, ".")
	for i, part := range parts {
		switch part {
		case "consumedCapacity", "requestPolicy":
			return i < len(parts)-1
		case "capacity", "counters":
			if last := parts[len(parts)-1]; last == "value" || strings.Contains(path, "capacity.requests.") {
				return true
			}
		}
	}
	return false
}

// otherForm writes an amount in a form that is equal, or now and then a tenth of
// a nano more, which Kubernetes rounds up to a whole one.
func otherForm(random *rand.Rand, text string) string {
	quantity := resource.MustParse(text)
	amount, _ := new(big.Rat).SetString(quantity.AsDec().String())
	forms := []string{decimal(amount) + "e0", decimal(amount), "+" + text, "0" + text}
	if amount.IsInt() {
		forms = append(forms, decimal(amount)+".0", decimal(amount)+".", decimal(amount)+".000000000000")
		if random.IntN(12) == 0 {
			forms = append(forms, decimal(amount)+".0000000001")
		}
	}
	for exponent, suffixes := range map[int]string{-3: "m e-3 E-3", -6: "u", -9: "n", 3: "k e3", 6: "M E6", 9: "G e9", 12: "T", 15: "P"} {
		forms = append(forms, scaled(amount, power(10, exponent), strings.Fields(suffixes))...)
	}
	for i, suffix := range []string{"Ki", "Mi", "Gi", "Ti", "Pi"} {
		forms = append(forms, scaled(amount, power(1024, i+1), []string{suffix})...)
	}
	sort.Strings(forms) // maps have no order
	return forms[random.IntN(len(forms))]
}

// scaled writes an amount with suffixes, where it has few enough digits in them.
func scaled(amount, unit *big.Rat, suffixes []string) []string {
	var forms []string
	digits := decimal(new(big.Rat).Quo(amount, unit))
	if digits == "" || len(digits) > 24 {
		return nil
	}
	for _, suffix := range suffixes {
		forms = append(forms, digits+suffix)
	}
	return forms
}

// decimal writes an amount with as many digits as it takes, and nothing if it
// takes more than 15 behind the point.
func decimal(amount *big.Rat) string {
	digits, exact := amount.FloatPrec()
	if !exact || digits > 15 {
		return ""
	}
	return amount.FloatString(digits)
}

func power(base, exponent int) *big.Rat {
	result := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(int64(base)), big.NewInt(int64(max(exponent, -exponent))), nil))
	if exponent < 0 {
		return result.Inv(result)
	}
	return result
}
