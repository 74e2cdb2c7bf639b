// The Kubernetes control plane and kubectl as one binary: the first argument names the program.
//
// TESTBED_GIT_VERSION, when set, is what /version answers (for example v1.28.3-eks-4f4795d): fleets have many
// versions, and one build serves them all. Features stay those of the version that was built.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	_ "unsafe" // go:linkname below

	"github.com/spf13/cobra"
	"k8s.io/component-base/cli"
	"k8s.io/component-base/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

// The variables that release builds stamp with -ldflags -X; reached by name so that one binary can carry any version.
//
//go:linkname gitVersion k8s.io/component-base/version.gitVersion
var gitVersion string

//go:linkname gitMajor k8s.io/component-base/version.gitMajor
var gitMajor string

//go:linkname gitMinor k8s.io/component-base/version.gitMinor
var gitMinor string

var programs = map[string]func() *cobra.Command{
	"kube-apiserver":          apiserver.NewAPIServerCommand,
	"kube-controller-manager": controllermanager.NewControllerManagerCommand,
	"kube-scheduler":          func() *cobra.Command { return scheduler.NewSchedulerCommand() },
	"kubectl":                 kubectl.NewDefaultKubectlCommand,
}

func main() {
	if len(os.Args) < 2 || programs[os.Args[1]] == nil {
		fmt.Fprintf(os.Stderr, "usage: %s kube-apiserver|kube-controller-manager|kube-scheduler|kubectl [flags]\n", filepath.Base(os.Args[0]))
		os.Exit(2)
	}
	stamp(os.Getenv("TESTBED_GIT_VERSION"))
	name := os.Args[1]
	os.Args = append([]string{name}, os.Args[2:]...)
	os.Exit(cli.Run(programs[name]()))
}

func stamp(text string) {
	if text == "" {
		return
	}
	parts := strings.SplitN(strings.TrimPrefix(text, "v"), ".", 3)
	if len(parts) < 3 {
		fmt.Fprintf(os.Stderr, "TESTBED_GIT_VERSION %q has no major.minor.patch\n", text)
		os.Exit(2)
	}
	gitVersion, gitMajor, gitMinor = text, parts[0], parts[1]
	if err := version.SetDynamicVersion(text); err != nil {
		fmt.Fprintf(os.Stderr, "TESTBED_GIT_VERSION %q: %v\n", text, err)
		os.Exit(2)
	}
}
