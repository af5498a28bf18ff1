// Package loopback runs a manager with its webhooks on 127.0.0.1, for as long as the standard input
// of the program is open. The first line that it prints is JSON: where the webhooks listen, and
// their certificate.
package loopback

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/cert"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

const host = "127.0.0.1"

// NewManager joins the parts of a program; nothing of it runs yet.
type NewManager func(config *rest.Config, hooks webhook.Server) (ctrl.Manager, error)

// Main runs a manager until the standard input is closed; the variable KUBECONFIG says where the
// API server is.
func Main(newManager NewManager) {
	if err := serve(newManager); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(newManager NewManager) error {
	ctrl.SetLogger(klog.NewKlogr())
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	config.QPS = -1
	hooks, announcement, err := hookServer()
	if err != nil {
		return err
	}
	manager, err := newManager(config, hooks)
	if err != nil {
		return err
	}
	if err := json.NewEncoder(os.Stdout).Encode(announcement); err != nil {
		return err
	}
	return manager.Start(ctx)
}

// hookServer is bound to loopback, with a certificate that lives as long as the process.
func hookServer() (webhook.Server, map[string]any, error) {
	certificate, key, err := cert.GenerateSelfSignedCertKey(host, []net.IP{net.ParseIP(host)}, nil)
	if err != nil {
		return nil, nil, err
	}
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return nil, nil, err
	}
	listener, err := net.Listen("tcp", host+":0")
	if err != nil {
		return nil, nil, err
	}
	port := listener.Addr().(*net.TCPAddr).Port
	if err := listener.Close(); err != nil {
		return nil, nil, err
	}
	server := webhook.NewServer(webhook.Options{
		Host: host,
		Port: port,
		TLSOpts: []func(*tls.Config){func(config *tls.Config) {
			config.GetCertificate = func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
				return &pair, nil
			}
		}},
	})
	where := fmt.Sprintf("https://%s:%d", host, port)
	return server, map[string]any{"hooks": where, "certificate": certificate}, nil
}
