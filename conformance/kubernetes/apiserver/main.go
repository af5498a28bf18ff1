// Command apiserver runs the real kube-apiserver with etcd on loopback, for as long as its
// standard input is open.
//
// The first line it prints is JSON: where it listens, the file of its certificates, and a token of
// an administrator. All that it writes is in a temporary folder, which it takes away at the end.
package main

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/pflag"
	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
)

// Where etcd listens: sockets in the temporary folder, which is the working directory.
const (
	clients = "unix://clients:0"
	peers   = "unix://peers:0"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, bufio.NewReader(os.Stdin))
		cancel()
	}()
	err := serve(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(ctx context.Context) error {
	folder, err := os.MkdirTemp("", "servingctl-apiserver-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := os.Chdir(folder); err != nil {
		return err
	}
	etcd, err := startEtcd()
	if err != nil {
		return err
	}
	defer etcd.Close()
	return runServer(ctx, folder)
}

func startEtcd() (*embed.Etcd, error) {
	config := embed.NewConfig()
	config.Dir = "etcd"
	config.LogLevel = "error"
	config.UnsafeNoFsync = true
	for address, places := range map[string][]*[]url.URL{
		clients: {&config.ListenClientUrls, &config.AdvertiseClientUrls},
		peers:   {&config.ListenPeerUrls, &config.AdvertisePeerUrls},
	} {
		parsed, err := url.Parse(address)
		if err != nil {
			return nil, err
		}
		for _, place := range places {
			*place = []url.URL{*parsed}
		}
	}
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	etcd, err := embed.StartEtcd(config)
	if err != nil {
		return nil, err
	}
	select {
	case <-etcd.Server.ReadyNotify():
		return etcd, nil
	case <-time.After(time.Minute):
		etcd.Close()
		return nil, fmt.Errorf("etcd is not ready after a minute")
	}
}

// runServer needs no controllers: what would wait for one, the service accounts, is off.
func runServer(ctx context.Context, folder string) error {
	token := make([]byte, 16)
	if _, err := rand.Read(token); err != nil {
		return err
	}
	secret := hex.EncodeToString(token)
	user := []byte(secret + ",admin,admin,system:masters\n")
	if err := os.WriteFile("tokens.csv", user, 0o600); err != nil {
		return err
	}
	if err := writeKey("accounts.key"); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	chosen := options.NewServerRunOptions()
	flags := pflag.NewFlagSet("apiserver", pflag.ContinueOnError)
	for _, set := range chosen.Flags().FlagSets {
		flags.AddFlagSet(set)
	}
	chosen.SecureServing.Listener = listener
	chosen.SecureServing.BindPort = listener.Addr().(*net.TCPAddr).Port
	err = flags.Parse([]string{
		"--advertise-address=127.0.0.1",
		"--allow-privileged=true",
		"--authorization-mode=RBAC",
		"--bind-address=127.0.0.1",
		"--cert-dir=" + filepath.Join(folder, "certificates"),
		"--disable-admission-plugins=ServiceAccount",
		"--endpoint-reconciler-type=none",
		"--etcd-servers=" + clients,
		"--service-account-issuer=https://localhost",
		"--service-account-key-file=accounts.key",
		"--service-account-signing-key-file=accounts.key",
		"--service-cluster-ip-range=10.0.0.0/16",
		"--token-auth-file=tokens.csv",
	})
	if err != nil {
		return err
	}
	if err := chosen.GenericServerRunOptions.ComponentGlobalsRegistry.Set(); err != nil {
		return err
	}
	completed, err := chosen.Complete(ctx)
	if err != nil {
		return err
	}
	if faults := completed.Validate(); len(faults) > 0 {
		return faults[0]
	}
	where := map[string]string{
		"server": "https://" + listener.Addr().String(),
		"ca":     filepath.Join(folder, "certificates", "apiserver.crt"),
		"token":  secret,
	}
	if err := json.NewEncoder(os.Stdout).Encode(where); err != nil {
		return err
	}
	return app.Run(ctx, completed)
}

// writeKey makes a key for the tokens of service accounts, which nobody asks for.
func writeKey(file string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	block := pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der})
	return os.WriteFile(file, block, 0o600)
}
