// Prints the functions and the fields of devices that the CEL environments of one release of Kubernetes have, for stored and for
// new expressions, with all features on. The compiler of k8s.io/dynamic-resource-allocation keeps its environments to itself.
package main

import (
	"bufio"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"
	"unsafe"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/decls"
	"k8s.io/apiserver/pkg/cel/environment"
	dracel "k8s.io/dynamic-resource-allocation/cel"
)

func hidden(v reflect.Value, name string) reflect.Value {
	f := v.FieldByName(name)
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}

func main() {
	get := reflect.ValueOf(dracel.GetCompiler)
	var args []reflect.Value
	for i := 0; i < get.Type().NumIn(); i++ {
		features := reflect.New(get.Type().In(i)).Elem()
		if features.Kind() == reflect.Struct {
			for f := 0; f < features.NumField(); f++ {
				if features.Field(f).Kind() == reflect.Bool {
					features.Field(f).SetBool(os.Getenv("FEATURES") != "none")
				}
			}
		}
		args = append(args, features)
	}
	compiler := get.Call(args)[0]
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	set := hidden(compiler.Elem(), "envset").Interface().(*environment.EnvSet)
	for name, env := range map[string]*cel.Env{"stored": set.StoredExpressionsEnv(), "new": set.NewExpressionsEnv()} {
		functions := hidden(reflect.ValueOf(env).Elem(), "functions").Interface().(map[string]*decls.FunctionDecl)
		var lines []string
		for function, decl := range functions {
			for _, o := range decl.OverloadDecls() {
				lines = append(lines, fmt.Sprintf("%s function %s %s", name, function, o.ID()))
			}
		}
		for _, field := range strings.Fields("driver attributes capacity allowMultipleAllocations consumesCounters nodeName bindsToNode taints basic name pool") {
			if _, issues := env.Compile("device." + field); issues.Err() == nil {
				ast, _ := env.Compile("device." + field)
				lines = append(lines, fmt.Sprintf("%s field %s %s", name, field, ast.OutputType()))
			}
		}
		sort.Strings(lines)
		for _, l := range lines {
			fmt.Fprintln(out, l)
		}
	}
}
