package replay

import (
	"strconv"
	"strings"
)

// Verdict compares reports of one session in one sentence: the presets with each other and with the report without
// compaction, if there is one. The text is for people and may change.
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
		v.add(v.alone())
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

func (v *verdict) add(part string) {
	if part != "" {
		v.parts = append(v.parts, part)
	}
}

// alone describes the session without compaction: whether it fits into the window.
func (v *verdict) alone() string {
	t := &v.base.Totals
	if t.OverWindow > 0 {
		return "without compaction " + count(t.OverWindow,
			"call") + " of " + number(t.Calls) + " would not fit into the window of " +
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
		v.add(v.notNeeded())
	}
	if len(acted) == 0 {
		v.add(names(idle) + verb(idle, " changes nothing", " change nothing"))
		if needed && v.base != nil {
			v.add(v.alone())
		}
		return
	}
	best := bestPreset(acted)
	if v.base != nil {
		if needed {
			v.add(v.alone())
		}
		v.add(v.against(best))
	} else {
		v.add(best.Preset + " sends " + share(best.Totals.Uncompacted-best.Totals.Sent,
			best.Totals.Uncompacted) + " fewer tokens than no compaction")
	}
	for _, r := range acted {
		if r != best {
			v.add(v.compareTo(r, best))
		}
	}
	v.add(facts(best, acted))
	if len(idle) > 0 {
		v.add(names(idle) + verb(idle, " changes nothing", " change nothing"))
	}
	for _, r := range v.presets {
		if r.Totals.OverWindow > 0 && r.Totals.Compactions > 0 {
			v.add("with " + r.Preset + " " + count(r.Totals.OverWindow, "call") + " would still not fit")
		}
	}
}

// bestPreset returns the best preset: the one with the fewest calls over the window, of equal ones the cheapest.
func bestPreset(all []*Report) *Report {
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
	return r.Preset + " sends " + share(base.Sent-t.Sent,
		base.Sent) + " fewer tokens than no compaction and " + costs(t, base, "")
}

// compareTo compares a preset with the best one, or with no compaction if it costs more than that.
func (v *verdict) compareTo(r, best *Report) string {
	if v.base != nil && r.Totals.Cost > v.base.Totals.Cost {
		return r.Preset + " " + costs(&r.Totals, &v.base.Totals, noCompaction)
	}
	return r.Preset + " " + costs(&r.Totals, &best.Totals, best.Preset)
}

// noCompaction is the name of the preset "none" in sentences.
const noCompaction = "no compaction"

// costs compares two costs; than is the name of the other, "" if it is clear. Less than a percent is about the same.
func costs(t, other *Totals, than string) string {
	as := ""
	if than != "" {
		as, than = " as "+than, " than "+than
	}
	switch p := permille(t.Cost-other.Cost, other.Cost); {
	case p >= 1000:
		return "costs " + times(t.Cost, other.Cost) + " as much" + as + cacheReason(t, other)
	case p >= 10:
		return "costs " + share(t.Cost-other.Cost, other.Cost) + " more" + than + cacheReason(t, other)
	case p > -10:
		return "costs about as much" + as
	}
	return "costs " + share(other.Cost-t.Cost, other.Cost) + " less" + than
}

// cacheReason returns the reason if a higher cost comes from the prompt cache: a share of reads that is lower by 5 % of
// the tokens or more; else "".
func cacheReason(t, other *Totals) string {
	hit, was := permille(t.CacheRead, t.Sent), permille(other.CacheRead, other.Sent)
	if was-hit < 50 {
		return ""
	}
	return ", since it breaks the prompt cache: it reads " + percent(hit) + " of its tokens from there instead of " + percent(was)
}

// facts compares the kept facts. A difference under a percent is not reported.
func facts(best *Report, acted []*Report) string {
	keeper := best
	for _, r := range acted {
		if r.Facts.Permille > keeper.Facts.Permille {
			keeper = r
		}
	}
	if keeper.Facts.Permille-best.Facts.Permille >= 10 {
		return keeper.Preset + " keeps more facts (" + percent(keeper.Facts.Permille) + " against " + percent(best.Facts.Permille) + ")"
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
