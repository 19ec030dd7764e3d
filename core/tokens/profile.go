package tokens

// Profile is what is known of a model: how its tokens follow from ours, what it adds around texts, and what it offers at which
// price. It is data with sources (families.go, models.go), never a guess from one session; what a session tells of itself is Usage.
type Profile struct {
	Family     string    // of models that count alike
	Counter    string    // the counter that comes nearest
	PerMessage int       // tokens for role and delimiters around each message
	PerToolUse int       // tokens for the frame around a call or a result
	PerTool    int       // tokens for the frame around a tool definition
	Image      ImageRule // how pixels are counted
	Window     int       // tokens that the model takes at most, prompt and answer together
	CacheLeast int       // tokens that a prefix must have to be cached
	Price      Price     // zero where it is not known

	scales *[scales]Scale // nil: as counted
}

// Scale is how a counter's counts of texts become a model's tokens, in permille.
type Scale struct {
	Permille int // what a count of a text is multiplied by, rounded half up
	Low      int // of a total: one session in ten has less
	High     int // of a total: one session in ten has more
}

// Price is what tokens cost. Where it depends on the length of the prompt, it is that of a short one.
type Price struct {
	Input, Output int // thousandths of a dollar for a million tokens
	Read          int // permille of Input, for tokens that are read from the cache
	Write5m       int // permille of Input, for tokens that are written to the cache for five minutes
	Write1h       int // permille of Input, for an hour
}

// ImageRule says how a provider counts the pixels of an image.
type ImageRule uint8

const (
	// ImagePatches28 counts patches of 28 × 28 pixels: Anthropic models from 4.7 on, also the careful choice for an
	// unknown model, since it counts the most. Source: Anthropic's vision page.
	ImagePatches28 ImageRule = iota
	// ImageArea750 counts ⌈w × h / 750⌉, at most 1,568: Anthropic models before 4.7. Source: the same page.
	ImageArea750
	// ImageTiles512 counts 85 and 170 for each tile of 512 pixels: OpenAI models. Source: OpenAI's vision page.
	ImageTiles512
)

// ProfileFor is the profile of a model by its name as it occurs (see find), or where there is none by the format the conversation is
// in. A model that is not known has a careful one.
func ProfileFor(model, format string) Profile {
	row := find(model, format)
	f := &families[row.family]
	p := Profile{Family: f.name, Counter: f.counter, PerMessage: f.perMessage, PerToolUse: f.perToolUse, PerTool: f.perTool,
		Image: f.image, Window: row.window, CacheLeast: row.cacheLeast, scales: &f.scales}
	if row.input > 0 {
		p.Price = Price{Input: row.input, Output: row.output, Read: row.read, Write5m: f.write5m, Write1h: f.write1h}
	}
	return p
}

// Scale is how counts of the named counter become tokens of the model. The classic rules, and counters that are not known here, are
// taken as they are, within a wide range.
func (p *Profile) Scale(counter string) Scale {
	if p.scales == nil {
		return asCounted
	}
	for i, name := range &scaled {
		if name == counter {
			return p.scales[i]
		}
	}
	return asCounted
}

// WindowOf is the context window that a plan reckons with where its policy names none: the model's, but of Claude models
// 200,000 tokens, since a larger one costs more at every turn, and few sessions are better for it. Who wants it sets trigger.window.
func WindowOf(model string) int {
	row := find(model, "")
	switch row.family {
	case familyClaude, familyClaudeOld, familyClaudeUnnamed:
		return min(row.window, 200_000)
	}
	return row.window
}
