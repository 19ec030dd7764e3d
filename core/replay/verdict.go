package replay

import (
	"strconv"
	"strings"
)

// Verdict compares reports of one session in one sentence: the presets with each other and, where one of them is without
// compaction, with that. It is written for people, and may change.
func Verdict(reports ...*Report) string {
	var v verdict
	for _, r := range reports {
		if r.Preset == NoPreset {
			v.base = r
		} else {
			v.presets = append(v.presets, r)
		}
	}
	switch {
	case len(reports) == 0 || reports[0].Totals.Calls == 0:
		return "There is no model call to compare."
	case len(v.presets) == 0:
		v.say(v.alone())
	default:
		v.compare()
	}
	text := strings.Join(v.parts, "; ")
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

type verdict struct {
	base    *Report
	presets []*Report
	parts   []string
}

func (v *verdict) say(part string) {
	if part != "" {
		v.parts = append(v.parts, part)
	}
}

// alone says whether the session needs compaction at all.
func (v *verdict) alone() string {
	t := &v.base.Totals
	if t.OverWindow > 0 {
		return "without compaction " + count(t.OverWindow, "call") + " of " + number(t.Calls) + " would not fit into the window of " +
			number(v.base.Window) + " tokens"
	}
	return v.notNeeded()
}

func (v *verdict) notNeeded() string {
	t := &v.base.Totals
	text := "compaction was not needed: the largest request takes " + number(t.Peak) + " of " + number(v.base.Window) + " tokens"
	if t.APIPeak > t.Peak+t.Peak/20 {
		text += " (the provider counted up to " + number(t.APIPeak) + ", with what the session does not show)"
	}
	return text
}

func (v *verdict) compare() {
	var acted, idle []*Report
	for _, r := range v.presets {
		if r.Totals.Compactions > 0 {
			acted = append(acted, r)
		} else {
			idle = append(idle, r)
		}
	}
	needed := v.base == nil || v.base.Totals.OverWindow > 0
	if !needed {
		v.say(v.notNeeded())
	}
	if len(acted) == 0 {
		v.say(names(idle) + does(idle, " changes nothing", " change nothing"))
		if needed && v.base != nil {
			v.say(v.alone())
		}
		return
	}
	best := choose(acted)
	if v.base != nil {
		if needed {
			v.say(v.alone())
		}
		v.say(v.against(best))
	} else {
		v.say(best.Preset + " sends " + share(best.Totals.Uncompacted-best.Totals.Sent, best.Totals.Uncompacted) + " fewer tokens than no compaction")
	}
	for _, r := range acted {
		if r != best {
			v.say(v.beside(r, best))
		}
	}
	v.say(facts(best, acted))
	if len(idle) > 0 {
		v.say(names(idle) + does(idle, " changes nothing", " change nothing"))
	}
	for _, r := range v.presets {
		if r.Totals.OverWindow > 0 && r.Totals.Compactions > 0 {
			v.say("with " + r.Preset + " " + count(r.Totals.OverWindow, "call") + " would still not fit")
		}
	}
}

// choose picks the preset to speak of first: of those under which most calls fit, the cheapest.
func choose(all []*Report) *Report {
	best := all[0]
	for _, r := range all[1:] {
		a, b := &r.Totals, &best.Totals
		if a.OverWindow < b.OverWindow || a.OverWindow == b.OverWindow && a.Cost < b.Cost {
			best = r
		}
	}
	return best
}

// against compares a preset with no compaction.
func (v *verdict) against(r *Report) string {
	t, base := &r.Totals, &v.base.Totals
	return r.Preset + " sends " + share(base.Sent-t.Sent, base.Sent) + " fewer tokens than no compaction and " + costs(t, base, "")
}

// beside compares a preset with the one that was spoken of first, or where it costs more than no compaction, with that.
func (v *verdict) beside(r, best *Report) string {
	if v.base != nil && r.Totals.Cost > v.base.Totals.Cost {
		return r.Preset + " " + costs(&r.Totals, &v.base.Totals, noCompaction)
	}
	return r.Preset + " " + costs(&r.Totals, &best.Totals, best.Preset)
}

// noCompaction is what a session without compaction is called where people read.
const noCompaction = "no compaction"

// costs compares two costs; than names the other, "" where it is clear. Less than a percent is about the same.
func costs(t, other *Totals, than string) string {
	as := ""
	if than != "" {
		as, than = " as "+than, " than "+than
	}
	switch p := permille(t.Cost-other.Cost, other.Cost); {
	case p >= 1000:
		return "costs " + times(t.Cost, other.Cost) + " as much" + as + broken(t, other)
	case p >= 10:
		return "costs " + share(t.Cost-other.Cost, other.Cost) + " more" + than + broken(t, other)
	case p > -10:
		return "costs about as much" + as
	}
	return "costs " + share(other.Cost-t.Cost, other.Cost) + " less" + than
}

// broken says so where a cost comes from the prompt cache: much less of what is sent is read from it.
func broken(t, other *Totals) string {
	hit, was := permille(t.CacheRead, t.Sent), permille(other.CacheRead, other.Sent)
	if was-hit < 50 {
		return ""
	}
	return ", since it breaks the prompt cache: " + percent(hit) + " of what it sends is read from there instead of " + percent(was)
}

// facts compares what is kept, where presets differ by more than a percent.
func facts(best *Report, acted []*Report) string {
	most := best
	for _, r := range acted {
		if r.Facts.Permille > most.Facts.Permille {
			most = r
		}
	}
	if most.Facts.Permille-best.Facts.Permille >= 10 {
		return most.Preset + " keeps more facts (" + percent(most.Facts.Permille) + " against " + percent(best.Facts.Permille) + ")"
	}
	if len(acted) == 1 {
		return "it keeps " + percent(best.Facts.Permille) + " of the facts"
	}
	return best.Preset + " keeps " + percent(best.Facts.Permille) + " of the facts, no less than the others"
}

func names(reports []*Report) string {
	var all []string
	for _, r := range reports {
		all = append(all, r.Preset)
	}
	if n := len(all) - 1; n > 0 {
		return strings.Join(all[:n], ", ") + " and " + all[n]
	}
	return all[0]
}

func does(reports []*Report, one, more string) string {
	if len(reports) == 1 {
		return one
	}
	return more
}

func permille(part, of int) int {
	if of == 0 {
		return 0
	}
	return part * 1000 / of
}

func share(part, of int) string { return percent(permille(part, of)) }

// percent rounds to whole percents. What is not everything is never called 100 %, what is not nothing never 0 %.
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

// times is a ratio with one decimal: "4.1 times".
func times(a, b int) string {
	tenths := (a*10 + b/2) / b
	return strconv.Itoa(tenths/10) + "." + strconv.Itoa(tenths%10) + " times"
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return number(n) + " " + what
}

// number groups thousands: 200,000.
func number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
