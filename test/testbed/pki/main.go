// Keys and certificates of one test cluster, written into the folder named by the only argument. Standard library only:
// the testbed needs no openssl. Everything is ECDSA P-256 and, except the expired one, good for ten days.
package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

const lifetime = 10 * 24 * time.Hour

// now is an hour in the past, so that a clock that is a little behind accepts the certificates.
var now = time.Now().Add(-time.Hour)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: pki FOLDER")
		os.Exit(2)
	}
	if err := writeAll(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "pki:", err)
		os.Exit(1)
	}
}

func writeAll(dir string) error {
	ca, err := newAuthority(dir, "ca", "testbed-ca")
	if err != nil {
		return err
	}
	frontProxyCA, err := newAuthority(dir, "front-proxy-ca", "testbed-front-proxy-ca")
	if err != nil {
		return err
	}
	expired := client("admin", "system:masters")
	expired.NotBefore, expired.NotAfter = now.Add(-48*time.Hour), now
	leaves := []struct {
		by   authority
		file string
		cert x509.Certificate
	}{
		{ca, "apiserver", server("kube-apiserver")},
		{ca, "kubelet", server("kubelet")},
		{ca, "admin", client("admin", "system:masters")},
		{ca, "expired", expired},
		{frontProxyCA, "front-proxy", client("front-proxy-client", "")},
	}
	for _, leaf := range leaves {
		if err := leaf.by.issue(dir, leaf.file, leaf.cert); err != nil {
			return err
		}
	}
	return writeServiceAccountKey(dir)
}

func newAuthority(dir, file, name string) (authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return authority{}, err
	}
	template := x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name},
		NotBefore: now.Add(-72 * time.Hour), NotAfter: now.Add(lifetime),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, key.Public(), key)
	if err != nil {
		return authority{}, err
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return authority{}, err
	}
	return authority{cert, key}, writePEM(dir, file+".crt", "CERTIFICATE", der)
}

func (a authority) issue(dir, file string, template x509.Certificate) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	if template.SerialNumber, err = rand.Int(rand.Reader, big.NewInt(1<<62)); err != nil {
		return err
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, a.cert, key.Public(), a.key)
	if err != nil {
		return err
	}
	if err := writePEM(dir, file+".crt", "CERTIFICATE", der); err != nil {
		return err
	}
	return writeKey(dir, file+".key", key)
}

func server(name string) x509.Certificate {
	return x509.Certificate{
		Subject: pkix.Name{CommonName: name}, NotBefore: now, NotAfter: now.Add(lifetime),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames:    []string{"localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
}

func client(user, group string) x509.Certificate {
	subject := pkix.Name{CommonName: user}
	if group != "" {
		subject.Organization = []string{group}
	}
	return x509.Certificate{
		Subject: subject, NotBefore: now, NotAfter: now.Add(lifetime),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
}

func writeServiceAccountKey(dir string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return err
	}
	if err := writePEM(dir, "service-account.pub", "PUBLIC KEY", public); err != nil {
		return err
	}
	return writeKey(dir, "service-account.key", key)
}

func writeKey(dir, file string, key crypto.PrivateKey) error {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	return writePEM(dir, file, "PRIVATE KEY", der)
}

func writePEM(dir, file, kind string, der []byte) error {
	text := pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
	return os.WriteFile(filepath.Join(dir, file), text, 0o600)
}
