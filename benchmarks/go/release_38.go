//go:build kube38

package main

import (
	"sync"

	celgo "cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	celref "cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	resourcev1 "k8s.io/api/resource/v1"
	apitypes "k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	draapi "k8s.io/dynamic-resource-allocation/api"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
)

// The parts of cel-go, which has another home since 0.38.
type (
	celProgram = celgo.Program
	celValue   = celref.Val
	celInt     = types.Int
	celUint    = types.Uint
	celDouble  = types.Double
	celString  = types.String
	celList    = traits.Lister
)

const celTrue = types.True

func newSharedDevices() sets.Set[structured.DeviceID] { return sets.New[structured.DeviceID]() }

func sharedDevice(id structured.DeviceID, _ *apitypes.UID) structured.DeviceID { return id }

// converted remembers what a scheduler's informer would have converted before it asks.
var converted sync.Map

func allocatorSlices(slices []*resourcev1.ResourceSlice) []*draapi.ResourceSlice {
	out := make([]*draapi.ResourceSlice, len(slices))
	for i, slice := range slices {
		known, ok := converted.Load(slice)
		if !ok {
			known = convert(slice)
			converted.Store(slice, known)
		}
		out[i] = known.(*draapi.ResourceSlice)
	}
	return out
}

func convert(slice *resourcev1.ResourceSlice) *draapi.ResourceSlice {
	var out draapi.ResourceSlice
	if err := draapi.Convert_v1_ResourceSlice_To_api_ResourceSlice(slice, &out, nil); err != nil {
		panic(err)
	}
	return &out
}

func celDevice(driver string, shared *bool, attributes map[resourcev1.QualifiedName]resourcev1.DeviceAttribute,
	capacity map[resourcev1.QualifiedName]resourcev1.DeviceCapacity) cel.Device {
	slice := convert(&resourcev1.ResourceSlice{Spec: resourcev1.ResourceSliceSpec{Driver: driver, Devices: []resourcev1.Device{
		{Name: "device", AllowMultipleAllocations: shared, Attributes: attributes, Capacity: capacity}}}})
	device := slice.Spec.Devices[0]
	return cel.Device{Driver: driver, AllowMultipleAllocations: shared, Attributes: device.Attributes, Capacity: device.Capacity,
		LookupUniqueString: slice.LookupUniqueString}
}
