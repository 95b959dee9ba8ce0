// Command server is what the tests of manifests need of a Kubernetes cluster in one binary: etcd and the
// API server. The first argument chooses the program; the API server's flags are upstream's own.
package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/signal"
	"syscall"

	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/component-base/cli"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func main() {
	program := ""
	if len(os.Args) > 1 {
		program = os.Args[1]
		os.Args = os.Args[1:]
	}
	switch program {
	case "etcd":
		if err := runEtcd(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "apiserver":
		os.Exit(cli.Run(apiserver.NewAPIServerCommand()))
	default:
		fmt.Fprintln(os.Stderr, "usage: server etcd DIR CLIENT-URL PEER-URL | apiserver FLAGS...")
		os.Exit(2)
	}
}

// runEtcd serves a store that is thrown away at the end, so nothing is ever synced to disk.
func runEtcd(args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("usage: server etcd DIR CLIENT-URL PEER-URL")
	}
	client, err := url.Parse(args[1])
	if err != nil {
		return err
	}
	peer, err := url.Parse(args[2])
	if err != nil {
		return err
	}
	config := embed.NewConfig()
	config.Dir = args[0]
	config.ListenClientUrls, config.AdvertiseClientUrls = []url.URL{*client}, []url.URL{*client}
	config.ListenPeerUrls, config.AdvertisePeerUrls = []url.URL{*peer}, []url.URL{*peer}
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	config.UnsafeNoFsync = true
	config.LogLevel = "warn"
	etcd, err := embed.StartEtcd(config)
	if err != nil {
		return err
	}
	defer etcd.Close()
	stopped, _ := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	select {
	case err := <-etcd.Err():
		return err
	case <-stopped.Done():
		return nil
	}
}
