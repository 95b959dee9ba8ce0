// Writes core/src/main/resources/io/dra4j/manifest/internal/read/fields.txt: the fields that objects of
// Kubernetes have, by reflection on its own types, and those of MPIJobs, JobSets and LeaderWorkerSets by reflection on
// the types of their projects (all under the Apache License 2.0).
//
//	cd core/src/fields && go mod init fields && go get k8s.io/api@v0.37.2 sigs.k8s.io/jobset@08dfbdfd6827 \
//	  sigs.k8s.io/lws@060ab4da17ee github.com/kubeflow/mpi-operator@caa3c47fc42e && go run . \
//	  > ../main/resources/io/dra4j/manifest/internal/read/fields.txt
package main

import (
	"fmt"
	"reflect"
	"sort"
	"strings"

	mpiv2beta1 "github.com/kubeflow/mpi-operator/pkg/apis/kubeflow/v2beta1"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	v1 "k8s.io/api/resource/v1"
	v1alpha3 "k8s.io/api/resource/v1alpha3"
	v1beta1 "k8s.io/api/resource/v1beta1"
	v1beta2 "k8s.io/api/resource/v1beta2"
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	jobsetv1alpha2 "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"
)

var roots = []struct {
	apiVersion string
	object     any
}{
	{"resource.k8s.io/v1", v1.DeviceClass{}},
	{"resource.k8s.io/v1", v1.DeviceTaintRule{}},
	{"resource.k8s.io/v1", v1.ResourceClaim{}},
	{"resource.k8s.io/v1", v1.ResourceClaimTemplate{}},
	{"resource.k8s.io/v1", v1.ResourceSlice{}},
	{"resource.k8s.io/v1beta2", v1beta2.DeviceClass{}},
	{"resource.k8s.io/v1beta2", v1beta2.DeviceTaintRule{}},
	{"resource.k8s.io/v1beta2", v1beta2.ResourceClaim{}},
	{"resource.k8s.io/v1beta2", v1beta2.ResourceClaimTemplate{}},
	{"resource.k8s.io/v1beta2", v1beta2.ResourceSlice{}},
	{"resource.k8s.io/v1beta1", v1beta1.DeviceClass{}},
	{"resource.k8s.io/v1beta1", v1beta1.ResourceClaim{}},
	{"resource.k8s.io/v1beta1", v1beta1.ResourceClaimTemplate{}},
	{"resource.k8s.io/v1beta1", v1beta1.ResourceSlice{}},
	{"resource.k8s.io/v1alpha3", v1alpha3.DeviceTaintRule{}},
	{"v1", corev1.Node{}},
	{"v1", corev1.Namespace{}},
	{"v1", corev1.Pod{}},
	{"v1", corev1.ResourceQuota{}},
	{"apps/v1", appsv1.StatefulSet{}},
	{"apps/v1", appsv1.Deployment{}},
	{"apps/v1", appsv1.ReplicaSet{}},
	{"apps/v1", appsv1.DaemonSet{}},
	{"batch/v1", batchv1.Job{}},
	{"kubeflow.org/v2beta1", mpiv2beta1.MPIJob{}},
	{"jobset.x-k8s.io/v1alpha2", jobsetv1alpha2.JobSet{}},
	{"leaderworkerset.x-k8s.io/v1", lwsv1.LeaderWorkerSet{}},
	{"scheduling.k8s.io/v1beta1", schedulingv1beta1.PodGroup{}},
	{"scheduling.k8s.io/v1alpha3", schedulingv1alpha3.PodGroup{}},
	{"scheduling.k8s.io/v1beta1", schedulingv1beta1.Workload{}},
	{"scheduling.k8s.io/v1alpha3", schedulingv1alpha3.Workload{}},
	// v1beta1 comes with v0.38.0, with the fields of v1alpha3.
	{"scheduling.k8s.io/v1beta1", schedulingv1alpha3.CompositePodGroup{}},
	{"scheduling.k8s.io/v1alpha3", schedulingv1alpha3.CompositePodGroup{}},
}

// What is one value in JSON, or any, although it is a struct in Go.
var leaves = map[string]bool{
	"Quantity": true, "Time": true, "MicroTime": true, "IntOrString": true,
	"RawExtension": true, "FieldsV1": true, "Duration": true,
}

var types = map[string]string{}

func nameOf(t reflect.Type) string {
	path := strings.Split(t.PkgPath(), "/")
	return path[len(path)-2] + "/" + path[len(path)-1] + "." + t.Name()
}

func shape(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return shape(t.Elem())
	case reflect.Struct:
		if leaves[t.Name()] {
			return ""
		}
		collect(t)
		return nameOf(t)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return ""
		}
		return inside("[", shape(t.Elem()), "]")
	case reflect.Map:
		return inside("{", shape(t.Elem()), "}")
	default:
		return ""
	}
}

func inside(open, of, end string) string {
	if of == "" {
		return ""
	}
	return open + of + end
}

func fields(t reflect.Type, found map[string]string) {
	for i := 0; i < t.NumField(); i++ {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous && name == "" {
			fields(field.Type, found)
		} else if name != "" && name != "-" {
			found[name] = shape(field.Type)
		}
	}
}

func collect(t reflect.Type) {
	name := nameOf(t)
	if _, known := types[name]; known {
		return
	}
	types[name] = ""
	found := map[string]string{}
	fields(t, found)
	var list []string
	for field, of := range found {
		if of != "" {
			field += ":" + of
		}
		list = append(list, field)
	}
	sort.Strings(list)
	types[name] = strings.Join(list, " ")
}

func main() {
	for _, root := range roots {
		t := reflect.TypeOf(root.object)
		collect(t)
		fmt.Printf("%s %s = %s\n", root.apiVersion, t.Name(), nameOf(t))
	}
	names := make([]string, 0, len(types))
	for name := range types {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Println(strings.TrimRight(name+" "+types[name], " "))
	}
}
