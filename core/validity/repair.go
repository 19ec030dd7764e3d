package validity

import "tamp/core/msg"

// maxPasses bounds Repair. One pass repairs every problem that it reports. Another pass is needed if a repair causes a
// new problem, such as a first message that is no longer the user's. The properties in repair_test.go never needed more
// than four.
const maxPasses = 8

// Repair returns a conversation that its provider accepts, and the problems that it repaired, as Check reports them. If
// nothing needs repair it returns c itself, so that Render returns the input bytes. Repair is idempotent.
//
// Calls at the end that wait for their results are not changed. Problems that no rule can repair (an unknown role, a
// conversation without messages) remain: Check still reports them, with an empty Repair and a Reason. The result has no
// kind of error that c does not have. RepairAll also returns the remaining problems.
func Repair(c *msg.Conversation) (*msg.Conversation, []Problem) {
	c, repairs := RepairAll(c)
	return c, repairs.Problems
}

// Repairs lists the problems that Repair repaired and those that remain.
type Repairs struct {
	Problems []Problem // the repaired problems, at most MaxProblems, in the order of the passes
	Omitted  int       // repaired problems that the list has no room for: they are repaired like the others
	Left     []Problem // what Check reports of the result: each with Reason, none with Repair
	More     int       // problems that Left has no room for
}

// RepairAll is Repair, and returns the remaining problems too. The result is valid if no problem of Left is an error.
func RepairAll(c *msg.Conversation) (*msg.Conversation, Repairs) {
	var r Repairs
	for range maxPasses {
		ck := examine(c, false)
		if ck.edit.isEmpty() {
			r.Left, r.More = ck.problems, ck.omitted
			return c, r
		}
		r.Omitted += ck.repaired
		for _, p := range ck.problems {
			switch {
			case p.Repair == "":
			case len(r.Problems) < MaxProblems:
				r.Problems = append(r.Problems, p)
			default:
				r.Omitted++
			}
		}
		c = ck.edit.apply(c)
	}
	r.Left, r.More = CheckAll(c)
	return c, r
}
