package gateway

import (
	"tamp/core"
	"tamp/core/forward"
	"tamp/core/models"
	"tamp/core/policy"
)

// Prepared is a request to forward.
type Prepared struct {
	Body   []byte
	Result *forward.Result // nil if the body was passed unread
	Reason string          // why Body is that of the client; "" if it is compacted
	Hit    bool            // a checkpoint was found
	Known  bool            // the catalog has the model
	Model  string
	// Body has U+FFFD in place of halves of surrogate pairs of the client's, also if it is not compacted
	Repaired bool

	body       *forward.Body
	edits      []managedEdit // of a request to a plain upstream
	due        bool          // the client asks for compaction, and the trigger is reached
	policy     policy.Policy
	credential string
	upstream   Upstream
	plugin     bool // a plugin for compaction was removed

	session  string // of lives
	thinking thinking
	thread   string   // the type of the member thread; "" if there is none
	remember bool     // the checkpoint has changed
	keys     []string // names of checkpoints, one for each of body.Points
	names    *names   // those of the last request, then of this one
	wait     *pending
	partly   *forward.Checkpoint // of the part that was finished when the budget ended the work
	budget   *budget
}

// thinking is what a request says about bound thinking, and what the gateway adds to it.
type thinking struct {
	binding models.Binding
	asks    bool // the request asks the provider to drop blocks
	may     bool // … or may be made to
	clears  bool // the provider may be asked to clear
	inBody  bool // … whose body has the values of anthropic-beta (Bedrock's InvokeModel)
	native  bool // a request of Anthropic's API, which has members for both

	sets  bool     // the gateway has set drop_block
	betas []string // values of anthropic-beta to add
}

// pending is a compaction that waits for summaries.
type pending struct {
	loop      *core.Loop
	elsewhere bool // this instance has no model (Summaries.Ask is nil): ask one that has
}

// forget drops what the document was parsed into, while the response of the provider may take minutes.
func (p *Prepared) forget() {
	if p.body != nil {
		p.body.Forget()
	}
}

// Checkpoint returns the name and the data of the checkpoint to store; "" if there is none.
func (p *Prepared) Checkpoint() (key string, data []byte) {
	made := p.partly
	if p.Result != nil && (p.Result.Cause != "" || !p.Hit || p.remember) {
		made = p.Result.Checkpoint
	}
	if p.Result != nil && p.Result.Passed != nil {
		made = p.Result.Passed
	}
	if made == nil || p.keys == nil {
		return "", nil
	}
	for i, point := range p.body.Points() {
		if point == made.At() {
			return p.keys[i], made.Encode()
		}
	}
	return "", nil
}
