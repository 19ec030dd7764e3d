package replay

import (
	"slices"
	"strconv"
	"strings"

	"tamp/core/policy"
)

// Compared is what a comparison of reports says.
type Compared struct {
	Advised string `json:"advised"` // the preset to take: "none" if no compaction is, "" if there is nothing to compare
	Text    string `json:"text"`    // why, in one sentence for people, which may change
}

// Verdict compares reports of one session: the presets with each other and with the report without compaction, if there
// is one. It says first that the session does not fit, if so, else which choice is the cheapest, with no compaction.
// The tokens left for the answer count as part of a request.
func Verdict(reports ...*Report) Compared {
	var v verdict
	for _, r := range reports {
		if r.Preset == NoPreset {
			v.base = r
		} else {
			v.presets = append(v.presets, r)
		}
	}
	if len(reports) == 0 || reports[0].Totals.Calls == 0 {
		return Compared{Text: "There is no model call to compare."}
	}
	v.setWindow()
	advised, text := v.sentence()
	text += v.failed()
	return Compared{advised, strings.ToUpper(text[:1]) + text[1:] + v.assumed(reports) + "."}
}

// setWindow measures the session without compaction by the smallest window of the presets: a policy may set one.
func (v *verdict) setWindow() {
	if v.base == nil || len(v.presets) == 0 {
		return
	}
	base := *v.base
	base.Window = v.presets[0].Window
	for _, r := range v.presets[1:] {
		base.Window = min(base.Window, r.Window)
	}
	if base.Window == v.base.Window {
		return
	}
	if len(base.Calls) == base.Totals.Calls {
		base.Totals = Totals{}
		for i := range base.Calls {
			base.Totals.addCall(&base.Calls[i], base.Window)
		}
	} else { // only the sums are given: the largest call says whether all of them fit
		base.Totals.OverWindow, base.Totals.FirstOver = 0, 0
	}
	v.base = &base
}

// failed names the presets that could not compact a call far enough.
func (v *verdict) failed() (text string) {
	for _, r := range v.presets {
		if r.Totals.Errors > 0 {
			text += "; " + policy.Title(r.Preset) + " could not bring " + count(r.Totals.Errors, "call") +
				" under its limit of " + number(limit(r))
		}
	}
	return text
}

type verdict struct {
	base    *Report
	presets []*Report
}

// answerShare is the part of the window, one of this many, that a request must leave for the answer, if the policy has
// no hard limit. It is the room for a request that the preset balanced keeps at most.
const answerShare = 16

// withAnswer is the largest request that leaves room for an answer.
func withAnswer(r *Report) int { return r.Window - r.Window/answerShare }

// limit is the largest request that fits: the policy's hard limit, else what leaves room for an answer.
func limit(r *Report) int {
	if r.Hard > 0 {
		return r.Hard
	}
	return withAnswer(r)
}

// peak is the largest request, by the provider's count of the session's own requests if that is larger.
func peak(r *Report) int {
	if r.Preset == NoPreset {
		return max(r.Totals.Peak, r.Totals.APIPeak)
	}
	return r.Totals.Peak
}

func (v *verdict) sentence() (advised, text string) {
	if len(v.presets) == 0 {
		return NoPreset, size(v.base, v.base)
	}
	best := v.best()
	switch {
	case v.base == nil:
		return best.Preset, v.withoutBase(best)
	case !v.acts():
		return NoPreset, names(v.presets) + verb(v.presets, " changes", " change") + " nothing: " + size(v.base, best)
	case v.base.Totals.OverWindow > 0 || peak(v.base) > limit(best):
		return best.Preset, v.tooLarge(best)
	case permille(costWithReads(best)-v.base.Totals.Cost, v.base.Totals.Cost) > -10:
		return NoPreset, nameOf(v.base) + " is cheapest: " + policy.Title(best.Preset) + " " + costs(best, v.base, "") +
			missing(best) + "; the session fits without it (" + left(v.base) + ")"
	}
	return best.Preset, policy.Title(best.Preset) + " is cheapest: it " + costs(best, v.base, nameOf(v.base)) +
		missing(best) + v.keeper(best) + "; the session would fit without it, too"
}

// acts says whether a preset compacts at all.
func (v *verdict) acts() bool {
	return slices.ContainsFunc(v.presets, func(r *Report) bool { return r.Totals.Compactions > 0 })
}

// tooLarge is the sentence for a session that needs compaction.
func (v *verdict) tooLarge(best *Report) string {
	text, title := size(v.base, best), policy.Title(best.Preset)
	switch {
	case best.Totals.OverWindow > 0:
		return text + "; with " + title + " " + count(best.Totals.OverWindow, "call") +
			" would still not fit, the largest of " + number(best.Totals.Peak) + " tokens"
	case v.base.Totals.FirstOver > 0:
		text += ". With " + title + " never"
		if prices := v.prices(best); prices != "" {
			return text + "; " + prices + missing(best) + v.keeper(best)
		}
		text += ": it "
	case peak(best) <= limit(best):
		text += "; with " + title + " all calls fit: it "
	default:
		text += "; with " + title + " the largest takes " + number(peak(best)) + " and leaves " +
			number(best.Window-peak(best)) + ": it "
	}
	return text + costs(best, v.base, nameOf(v.base)) + missing(best) + v.keeper(best)
}

// cents is the least cost that is said in dollars, in millionths: two decimals of less say little.
const cents = 100_000

// prices says what the session costs without compaction and with the preset, "" if that is not known or too little.
func (v *verdict) prices(best *Report) string {
	is, was := costWithReads(best), costWithReads(v.base)
	if !v.base.Priced || !best.Priced || min(is, was) < cents {
		return ""
	}
	text := dollars(was) + " → " + dollars(is)
	if permille(is-was, was) >= 10 {
		text += cacheReason(&best.Totals, &v.base.Totals)
	}
	return text
}

// dollars rounds a cost to cents: $4.10.
func dollars(cost int) string {
	c := (cost + 5000) / 10_000
	rest := strconv.Itoa(c % 100)
	return "$" + number(c/100) + "." + strings.Repeat("0", 2-len(rest)) + rest
}

// best is the cheapest of the presets that change something, fit the window in the most calls, leave room for an answer
// and keep their own limit, in this order, with the cost of reading again what they miss; if none fits, the one with
// the smallest requests.
func (v *verdict) best() *Report {
	best := v.presets[0]
	rank := func(r *Report) [6]int {
		size := 0
		if r.Totals.OverWindow > 0 {
			size = r.Totals.Peak
		}
		return [6]int{toInt(r.Totals.Compactions == 0), r.Totals.OverWindow, size, toInt(r.Totals.Peak > withAnswer(r)),
			toInt(r.Totals.Errors > 0), costWithReads(r)}
	}
	for _, r := range v.presets[1:] {
		a, b := rank(r), rank(best)
		if slices.Compare(a[:], b[:]) < 0 {
			best = r
		}
	}
	return best
}

// toInt returns 1 for true, 0 for false.
func toInt(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// withoutBase compares presets with each other only.
func (v *verdict) withoutBase(best *Report) string {
	t := &best.Totals
	title := policy.Title(best.Preset)
	text := title + " sends " + share(t.Uncompacted-t.Sent, t.Uncompacted) + " fewer tokens than " + noCompaction
	if len(v.presets) > 1 {
		of, why := "of the presets, ", " is cheapest: it"
		switch {
		case t.OverWindow > 0:
			why = " comes nearest to the window, but " + count(t.OverWindow, "call") + " would not fit: it"
		case slices.ContainsFunc(v.presets, func(r *Report) bool { return r.Totals.OverWindow > 0 }):
			of = "of the presets that fit, "
		}
		text = of + title + why + strings.TrimPrefix(text, title)
	}
	return text + missing(best) + v.keeper(best)
}

// size says whether the session fits without compaction, by the window and by the limit of a report.
func size(base, of *Report) string {
	t, limit, whose := &base.Totals, limit(of), ""
	if of.Hard > 0 {
		whose = " of " + policy.Title(of.Preset)
	}
	switch n := peak(base); {
	case t.FirstOver > 0:
		return "you hit the window of " + number(base.Window) + " tokens at call " + number(t.FirstOver)
	case t.OverWindow > 0:
		return without(base) + " " + count(t.OverWindow, "call") + " of " + number(t.Calls) +
			" would not fit into the window of " + number(base.Window) + " tokens"
	case n > base.Window:
		return without(base) + " the largest request of " + number(n) + " tokens would not fit into the window of " +
			number(base.Window)
	case n > limit:
		return without(base) + " the largest request of " + number(n) + " tokens is over the limit of " + number(limit) +
			whose + " and leaves " + number(base.Window-n) + " for its answer"
	}
	return "the session fits " + without(base) + " (" + left(base) + ")"
}

func left(base *Report) string {
	return "its largest request takes " + number(peak(base)) + " tokens, the window has " + number(base.Window)
}

// noCompaction is the name of the preset "none" in sentences.
const noCompaction = "no compaction"

// nameOf is noCompaction, or what it is in a session that its agent compacted itself.
func nameOf(base *Report) string {
	if base.Segments > 1 {
		return "the agent's own compaction"
	}
	return noCompaction
}

// without is nameOf as an adverb.
func without(base *Report) string {
	if base.Segments > 1 {
		return "with " + nameOf(base)
	}
	return "without compaction"
}

// costs compares the costs of two reports, with their reads of missing blocks; than is the name of the other, "" if it
// is clear. Less than a percent is about the same.
func costs(r, other *Report, than string) string {
	t, o := r.Totals, other.Totals
	t.Cost, o.Cost = costWithReads(r), costWithReads(other)
	as := ""
	if than != "" {
		as, than = " as "+than, " than "+than
	}
	switch p := permille(t.Cost-o.Cost, o.Cost); {
	case p >= 1000:
		return "costs " + times(t.Cost, o.Cost) + " as much" + as + cacheReason(&t, &o)
	case p >= 10:
		return "costs " + share(t.Cost-o.Cost, o.Cost) + " more" + than + cacheReason(&t, &o)
	case p > -10:
		return "costs about as much" + as
	}
	return "costs " + share(o.Cost-t.Cost, o.Cost) + " less" + than
}

// cacheReason returns the reason if a higher cost comes from the prompt cache: a share of reads that is lower by 5 % of
// the tokens or more; else "".
func cacheReason(t, other *Totals) string {
	hit, was := permille(t.CacheRead, t.Sent), permille(other.CacheRead, other.Sent)
	if was-hit < 50 {
		return ""
	}
	return " because it breaks the prompt cache (" + percent(hit) + " of its tokens are read from there instead of " +
		percent(was) + ")"
}

// costWithReads is the cost of a session with the reads of missing blocks.
func costWithReads(r *Report) int { return r.Totals.Cost + r.Misses.ReadCost }

// missing says what the requests of a report did not have.
func missing(r *Report) string {
	text := r.Misses.sentence(r.Totals.Calls)
	if text == "" {
		return ""
	}
	return "; " + strings.ToLower(text[:1]) + text[1:]
}

// keeper names the preset whose requests have at least 1 % more of the names than the best one, with its price.
func (v *verdict) keeper(best *Report) string {
	keeper := best
	for _, r := range v.presets {
		if r.Totals.OverWindow <= best.Totals.OverWindow && r.Totals.Compactions > 0 &&
			r.Misses.Permille > keeper.Misses.Permille {
			keeper = r
		}
	}
	if keeper.Misses.Permille-best.Misses.Permille < 10 {
		return ""
	}
	title := policy.Title(keeper.Preset)
	return "; with " + title + " " + percent(keeper.Misses.Permille) + ", and it " +
		costs(keeper, best, policy.Title(best.Preset))
}

// assumed marks a verdict on money at prices that are not known. A session in which nothing changes costs the same.
func (v *verdict) assumed(reports []*Report) string {
	if (v.base == nil || v.acts()) && slices.ContainsFunc(reports, func(r *Report) bool { return !r.Priced }) {
		return " (at the assumed price of a mid-range model)"
	}
	return ""
}

func names(reports []*Report) string {
	var all []string
	for _, r := range reports {
		all = append(all, policy.Title(r.Preset))
	}
	if n := len(all) - 1; n > 0 {
		return strings.Join(all[:n], ", ") + " and " + all[n]
	}
	return all[0]
}

func verb(reports []*Report, one, more string) string {
	if len(reports) == 1 {
		return one
	}
	return more
}

// permille is part as a share of `of`, 0 if that is 0.
func permille(part, of int) int {
	if of == 0 {
		return 0
	}
	return part * 1000 / of
}

func share(part, of int) string { return percent(permille(part, of)) }

// percent rounds to whole percents, but 100 % means all and 0 % means none.
func percent(permille int) string {
	n := (permille + 5) / 10
	switch {
	case n >= 100 && permille < 1000:
		n = 99
	case n == 0 && permille > 0:
		n = 1
	}
	return strconv.Itoa(n) + " %"
}
