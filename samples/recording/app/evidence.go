// One evidence line for one answer of the lock's authority or of the resource.
package main

import (
	"encoding/json"
	"log"
	"os"
	"time"
)

// Evidence is what was answered. A reading is a pointer: omitempty would take a reading of
// 0 ("no token accepted yet") for no reading at all.
type Evidence struct {
	LockName                   string    `json:"lockName"`
	Event                      string    `json:"event"`
	OwnerID                    string    `json:"ownerId"`
	LeaseID                    string    `json:"leaseId"`
	FenceToken                 uint64    `json:"fenceToken,omitempty"`
	ResourceKey                string    `json:"resourceKey,omitempty"`
	ResourceHighestTokenBefore *uint64   `json:"resourceHighestTokenBefore,omitempty"`
	ResourceHighestTokenAfter  *uint64   `json:"resourceHighestTokenAfter,omitempty"`
	OperationID                string    `json:"operationId,omitempty"`
	Result                     string    `json:"result"`
	Seq                        *uint64   `json:"seq,omitempty"`
	SeqBy                      string    `json:"seqBy,omitempty"`
	TS                         time.Time `json:"ts"`
}

// Encode writes one object and one line end, in one call to the writer.
var lines = json.NewEncoder(os.Stdout)

func (e Evidence) Log() {
	e.TS = time.Now().UTC()
	if err := lines.Encode(e); err != nil {
		log.Printf("evidence lost: %v", err)
	}
}

func main() {
	highest, seq := uint64(9007199254740993), uint64(7)
	Evidence{
		LockName:                   "report:417:rebuild",
		Event:                      "write",
		OwnerID:                    "worker-A",
		LeaseID:                    "lease-1",
		FenceToken:                 9007199254740992,
		ResourceKey:                "report/417",
		ResourceHighestTokenBefore: &highest,
		ResourceHighestTokenAfter:  &highest,
		OperationID:                "rebuild-417-1",
		Result:                     "rejected-stale-fence",
		Seq:                        &seq,
		SeqBy:                      "resource",
	}.Log()
}
