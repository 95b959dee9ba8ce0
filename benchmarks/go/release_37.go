//go:build !kube38

package main

import (
	celgo "github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	celref "github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	resourcev1 "k8s.io/api/resource/v1"
	apitypes "k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
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

// What differs between releases of the reference: this file is 0.37, release_38.go is 0.38
// (go build -modfile=go38.mod -tags kube38).

func newSharedDevices() sets.Set[structured.SharedDeviceID] {
	return sets.New[structured.SharedDeviceID]()
}

func sharedDevice(id structured.DeviceID, share *apitypes.UID) structured.SharedDeviceID {
	return structured.MakeSharedDeviceID(id, share)
}

func allocatorSlices(slices []*resourcev1.ResourceSlice) []*resourcev1.ResourceSlice { return slices }

func celDevice(driver string, shared *bool, attributes map[resourcev1.QualifiedName]resourcev1.DeviceAttribute,
	capacity map[resourcev1.QualifiedName]resourcev1.DeviceCapacity) cel.Device {
	return cel.Device{Driver: driver, AllowMultipleAllocations: shared, Attributes: attributes, Capacity: capacity}
}
