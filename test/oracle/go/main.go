// Command oracle answers, with Kubernetes' own libraries, what a quantity is worth and what a pod requests and may use.
// It reads one JSON question a line and writes one JSON answer a line, in order:
//
//	{"quantity": "100m"}  → {"value": {"unscaled": "1", "scale": 1}}        value = unscaled × 10^-scale
//	{"pod": {…}}          → {"requests": {…}, "limits": {…}, "requestsPodLevelResize": {…}, "limitsPodLevelResize": {…}}
//
// or {"error": "…"} where upstream refuses the input.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	v1 "k8s.io/api/core/v1"
	quantity "k8s.io/apimachinery/pkg/api/resource"
	resource "k8s.io/component-helpers/resource"
)

const maxLineBytes = 16 << 20

type question struct {
	Quantity *string         `json:"quantity"`
	Pod      json.RawMessage `json:"pod"`
}

type decimal struct {
	Unscaled string `json:"unscaled"`
	Scale    int32  `json:"scale"`
}

type answer struct {
	Error                  string             `json:"error,omitempty"`
	Value                  *decimal           `json:"value,omitempty"`
	Requests               map[string]decimal `json:"requests,omitempty"`
	Limits                 map[string]decimal `json:"limits,omitempty"`
	RequestsPodLevelResize map[string]decimal `json:"requestsPodLevelResize,omitempty"`
	LimitsPodLevelResize   map[string]decimal `json:"limitsPodLevelResize,omitempty"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

func run() error {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 64<<10), maxLineBytes)
	out := bufio.NewWriter(os.Stdout)
	answers := json.NewEncoder(out)
	for in.Scan() {
		var asked question
		if err := json.Unmarshal(in.Bytes(), &asked); err != nil {
			return fmt.Errorf("question %q: %w", in.Text(), err)
		}
		if err := answers.Encode(reply(asked)); err != nil {
			return err
		}
	}
	if err := in.Err(); err != nil {
		return err
	}
	return out.Flush()
}

func reply(asked question) answer {
	if asked.Quantity != nil {
		return quantityAnswer(*asked.Quantity)
	}
	return podAnswer(asked.Pod)
}

func quantityAnswer(text string) answer {
	parsed, err := quantity.ParseQuantity(text)
	if err != nil {
		return answer{Error: err.Error()}
	}
	value := exact(parsed)
	return answer{Value: &value}
}

func podAnswer(text json.RawMessage) answer {
	var pod v1.Pod
	if err := json.Unmarshal(text, &pod); err != nil {
		return answer{Error: err.Error()}
	}
	plain := resource.PodResourcesOptions{UseStatusResources: true}
	podLevel := plain
	podLevel.InPlacePodLevelResourcesVerticalScalingEnabled = true
	// A copy for each: adding overhead changes the pod's own pod-level values where they are held as big decimals.
	return answer{
		Requests:               exactList(resource.PodRequests(pod.DeepCopy(), plain)),
		Limits:                 exactList(resource.PodLimits(pod.DeepCopy(), plain)),
		RequestsPodLevelResize: exactList(resource.PodRequests(pod.DeepCopy(), podLevel)),
		LimitsPodLevelResize:   exactList(resource.PodLimits(pod.DeepCopy(), podLevel)),
	}
}

func exactList(list v1.ResourceList) map[string]decimal {
	values := make(map[string]decimal, len(list))
	for name, value := range list {
		values[string(name)] = exact(value)
	}
	return values
}

// exact gives the digits as they are held: no rounding, and no power of ten is computed for a huge exponent.
func exact(value quantity.Quantity) decimal {
	dec := value.AsDec()
	return decimal{Unscaled: dec.UnscaledBig().String(), Scale: int32(dec.Scale())}
}
