package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"

	"tamp/core/wire"
)

// export names a Go struct and what TypeScript calls it.
type export struct {
	goName, tsName string
	extra          string // a member that is no field of the struct
}

// exports lists the types of requests and answers, in the order of the file.
var exports = []export{
	{"wire.Empty", "Empty", ""},
	{"wire.ConversationRequest", "ConversationRequest", conversation},
	{"wire.CountRequest", "CountRequest", ""},
	{"wire.TurnOptions", "TurnOptions", ""},
	{"wire.PlanRequest", "PlanRequest", ""},
	{"wire.ApplyRequest", "ApplyRequest", ""},
	{"wire.ArchiveRequest", "ArchiveRequest", ""},
	{"wire.SummarizeRequest", "SummarizeRequest", ""},
	{"wire.AnchorChoice", "AnchorChoice", ""},
	{"wire.AnchorsRequest", "AnchorsRequest", ""},
	{"wire.AssembleRequest", "AssembleRequest", ""},
	{"wire.ObserveRequest", "ObserveRequest", ""},
	{"wire.ConvertRequest", "ConvertRequest", ""},
	{"wire.ToolsRequest", "ToolsRequest", ""},
	{"wire.CompareRequest", "CompareRequest", ""},
	{"wire.QualityOptions", "QualityOptions", ""},
	{"wire.QualityRequest", "QualityRequest", ""},
	{"wire.QuestionsRequest", "QuestionsRequest", ""},
	{"wire.GradeAnswersRequest", "GradeAnswersRequest", ""},
	{"wire.ScoreAnswersRequest", "ScoreAnswersRequest", ""},
	{"wire.PriceChoice", "PriceChoice", ""},
	{"wire.ReplayChoice", "ReplayChoice", ""},
	{"wire.LostRequest", "LostRequest", ""},
	{"wire.UsageRequest", "UsageRequest", ""},
	{"wire.ReplayRequest", "ReplayRequest", ""},
	{"wire.ReplayAtRequest", "ReplayAtRequest", ""},
	{"wire.VerdictRequest", "VerdictRequest", ""},
	{"wire.TextRequest", "TextRequest", ""},
	{"recall.Query", "RecallQuery", ""},
	{"wire.RecallRequest", "RecallRequest", ""},
	{"wire.LoadVocabularyRequest", "LoadVocabularyRequest", ""},
	{"wire.SessionRequest", "SessionRequest", ""},
	{"wire.SessionOpenRequest", "SessionOpenRequest", ""},
	{"wire.SessionTurnRequest", "SessionTurnRequest", ""},
	{"wire.SessionApplyRequest", "SessionApplyRequest", ""},
	{"wire.SessionArchiveRequest", "SessionArchiveRequest", ""},
	{"wire.SessionSummarizeRequest", "SessionSummarizeRequest", ""},
	{"wire.SessionObserveRequest", "SessionObserveRequest", ""},
	{"recall.Part", "RecallPart", ""},
	{"recall.Line", "RecallLine", ""},
	{"wire.Detection", "Detection", ""},
	{"tokens.Count", "Count", ""},
	{"tokens.Measured", "MeasuredUsage", ""},
	{"tokens.MessageCount", "MessageCount", ""},
	{"validity.Problem", "Problem", ""},
	{"wire.CheckReport", "Report", ""},
	{"wire.Repaired", "Repair",
		"  /** The repaired conversation, given back the way it came. */\n  conversation: Returned<C>;\n"},
	{"wire.Converted", "Converted",
		"  /** The conversation in the other format: as text if it came as text or bytes, else as JSON. */\n  " +
			"conversation: unknown;\n"},
	{"format.Loss", "Loss", ""},
	{"core.Report", "Inspection", ""},
	{"msg.Agent", "AgentLog", ""},
	{"msg.Compaction", "AgentCompaction", ""},
	{"core.MessageReport", "InspectedMessage", ""},
	{"core.BlockReport", "InspectedBlock", ""},
	{"plan.Plan", "Plan", ""},
	{"plan.Trigger", "Trigger", ""},
	{"choice.Region", "Region", ""},
	{"msg.Ref", "Ref", ""},
	{"pass.Edit", "Edit", ""},
	{"msg.Span", "Span", ""},
	{"plan.Action", "Action", ""},
	{"plan.Advice", "Advice", ""},
	{"apply.MessageFate", "MessageFate", ""},
	{"apply.BlockFate", "BlockFate", ""},
	{"msg.Warning", "Warning", ""},
	{"plan.SummaryRequest", "SummaryRequest", ""},
	{"plan.SummaryResult", "SummaryResult", ""},
	{"plan.Turn", "Turn", ""},
	{"wire.Tokens", "Tokens", ""},
	{"apply.Outcome", "Outcome",
		"  /** The compacted conversation, given back the way it came. */\n  conversation: Returned<C>;\n"},
	{"msg.Usage", "Usage", ""},
	{"core.Anchored", "Anchored",
		"  /** The request with cache_control set, given back the way it came. */\n  conversation: Returned<C>;\n"},
	{"promptcache.Anchor", "Anchor", ""},
	{"core.Observed", "Observed", ""},
	{"promptcache.Metrics", "Metrics", ""},
	{"assemble.Result", "ToolResult", ""},
	{"assemble.Injection", "Injection", ""},
	{"wire.Assembled", "Assembled",
		"  /** The conversation with the messages at its end, if one was given, in the form in which it came. */\n  " +
			"conversation?: Returned<C> | undefined;\n"},
	{"assemble.Placed", "Placed", ""},
	{"wire.AppendReport", "AppendReport", ""},
	{"quality.Report", "Quality", ""},
	{"quality.Statement", "Statement", ""},
	{"quality.Count", "QualityCount", ""},
	{"quality.Request", "QuestionPrompt", ""},
	{"quality.Answer", "QuestionAnswer", ""},
	{"quality.Result", "QuestionScore", ""},
	{"quality.Outcome", "QuestionOutcome", ""},
	{"wire.Replayed", "Replay", ""},
	{"replay.Call", "ReplayCall", ""},
	{"replay.Totals", "ReplayTotals", ""},
	{"replay.Compared", "Compared", ""},
	{"replay.Misses", "ReplayMisses", ""},
	{"misses.Miss", "ReplayMiss", ""},
	{"replay.CallBreak", "CallBreak", ""},
	{"replay.CacheMiss", "CacheMiss", ""},
	{"replay.CallRequest", "CallRequest", ""},
	{"replay.CallBill", "CallBill", ""},
	{"replay.Apart", "CallsApart", ""},
	{"replay.Fixed", "FixedTokens", ""},
	{"replay.Others", "ReplayOthers", ""},
	{"replay.Track", "ReplayTrack", ""},
	{"replay.TrackCall", "ReplayTrackCall", ""},
	{"replay.Resends", "Resends", ""},
	{"replay.LostQuery", "LostQuery", ""},
	{"replay.Removed", "Removed", ""},
	{"replay.Part", "RemovedPart", ""},
	{"replay.Owned", "ResentOwner", ""},
	{"replay.OwnedBlock", "ResentBlock", ""},
	{"replay.Simulated", "ReplaySimulated", ""},
	{"replay.Note", "ReplayNote", ""},
	{"wire.Price", "Price", ""},
	{"models.Long", "LongPrice", ""},
	{"models.Multiplier", "Multiplier", ""},
	{"replay.Audited", "Audit", ""},
	{"replay.Used", "Used", ""},
	{"replay.Break", "CacheBreak", ""},
	{"replay.Server", "ToolServer", ""},
	{"wire.ModelInfo", "Model", ""},
	{"wire.Seen", "ReplaySeen",
		"  /** The conversation as it was sent, given back the way the session came. */\n  conversation: Returned<C>;\n"},
	{"policy.PresetInfo", "Preset", ""},
	{"policy.Param", "Param", ""},
	{"policy.Policy", "Policy", ""},
	{"pass.Intake", "IntakePolicy", ""},
	{"pass.Clear", "ClearPolicy", ""},
	{"pass.Thinking", "ThinkingPolicy", ""},
	{"policy.Triggers", "TriggerPolicy", ""},
	{"policy.Pin", "PinPolicy", ""},
	{"policy.Summary", "SummaryPolicy", ""},
}

const conversation = `  /**
   * The conversation in its own wire format: as JSON, or a string that holds its text. Absent if it is the body of the request, next to
   * this JSON.
   */
  conversation?: unknown;
`

// unions lists the string types whose constants TypeScript should know.
var unions = []export{
	{"msg.Code", "Code", ""},
	{"pass.EditKind", "EditKind", ""},
	{"validity.Severity", "Severity", ""},
	{"promptcache.Kind", "AnchorKind", ""},
	{"replay.Basis", "ReplayBasis", ""},
	{"quality.Kind", "FactKind", ""},
}

const header = `// Generated from the Go structs by tools/dts. Do not edit: change the struct and run make types.

/** The formats that a conversation may come in. */
export type Format = FORMATS;

/** What an engine remembers between calls. Store it with the conversation; do not look inside. */
export type State = string;

/** T with optional members at every depth; lists must be complete. */
export type DeepPartial<T> = T extends readonly unknown[] ? T : T extends object ? { [K in keyof T]?: DeepPartial<T[K]> | undefined } : T;

/** The type of a conversation that is given back: text for text and bytes, else that of the conversation given. */
export type Returned<C> = C extends string | Uint8Array | ArrayBuffer ? string : C;

/** The exact counters. Each needs its vocabulary, see operation loadVocabulary. */
export type Vocabulary = "o200k_base" | "cl100k_base" | (string & {});

/**
 * The token counter: estimate (the default; needs no vocabulary), the simple rules chars4, chars3 and cjk, or an exact one
 * by a loaded vocabulary. auto is the vocabulary of the conversation's model if it is loaded, else estimate. Claude models
 * have no public vocabulary: auto estimates them, with the multipliers of their profile.
 */
export type Counter = "estimate" | "chars4" | "chars3" | "cjk" | "auto" | Vocabulary;

/**
 * Token usage as Usage, or a provider's usage object: input_tokens, cache_read_input_tokens, cache_creation_input_tokens,
 * output_tokens (Anthropic); prompt_tokens, prompt_tokens_details.cached_tokens, completion_tokens (OpenAI);
 * promptTokenCount, cachedContentTokenCount, candidatesTokenCount (Gemini); inputTokens, inputTokenDetails, outputTokens (AI
 * SDK). At least one of them is required; absent ones count as 0, and other members are ignored.
 */
export type AnyUsage = Partial<Usage> | object;
`

// source holds the declarations of the packages whose types are exported.
type source struct {
	structs map[string]*ast.TypeSpec
	docs    map[string]string
	strings map[string][]string // constants of a string type
	aliases map[string]string
}

// declarations reads the packages below root and writes the file.
func declarations(root string) (string, error) {
	src := source{map[string]*ast.TypeSpec{}, map[string]string{}, map[string][]string{}, map[string]string{}}
	for _, dir := range []string{"core", "core/view", "core/plan", "core/plan/choice", "core/apply", "core/policy",
		"core/models", "core/validity", "core/msg", "core/tokens", "core/format", "core/internal/pass", "core/promptcache",
		"core/assemble", "core/misses", "core/quality", "core/replay", "core/recall", "core/wire"} {
		if err := src.read(filepath.Join(root, dir)); err != nil {
			return "", err
		}
	}
	var out strings.Builder
	out.WriteString(strings.Replace(header, "FORMATS", `"`+strings.Join(wire.Formats(), `" | "`)+`"`, 1))
	for _, u := range unions {
		values := src.strings[u.goName]
		if len(values) == 0 {
			return "", fmt.Errorf("no constants of type %s", u.goName)
		}
		fmt.Fprintf(&out, "\n%sexport type %s = %s;\n", comment("", src.docs[u.goName]), u.tsName,
			strings.Join(values, " | "))
	}
	for _, e := range exports {
		spec := src.structs[e.goName]
		if spec == nil {
			return "", fmt.Errorf("no struct %s", e.goName)
		}
		pkg, _, _ := strings.Cut(e.goName, ".")
		name := e.tsName
		if strings.Contains(e.extra, "<C>") { // C is the type of the conversation given
			name += "<C = unknown>"
		}
		fmt.Fprintf(&out, "\n%sexport interface %s%s {\n%s", comment("", src.docs[e.goName]), name,
			extends(pkg, spec.Type.(*ast.StructType)), e.extra)
		if err := src.members(&out, pkg, spec.Type.(*ast.StructType)); err != nil {
			return "", fmt.Errorf("%s: %w", e.goName, err)
		}
		out.WriteString("}\n")
	}
	err := src.operations(&out)
	return out.String(), err
}

// operations writes the table of operations.
func (s *source) operations(out *strings.Builder) error {
	out.WriteString("\n/** Every operation: its request and its answer. */\nexport interface Operations {\n")
	for _, o := range wire.Operations() {
		answer, err := s.reflected(o.Answer)
		if err != nil {
			return fmt.Errorf("%s: %w", o.Name, err)
		}
		if o.TextOnly {
			answer = "string"
		}
		request, err := s.reflected(o.Request)
		if err != nil {
			return fmt.Errorf("%s: %w", o.Name, err)
		}
		fmt.Fprintf(out, "  %q: { request: %s; answer: %s };\n", o.Name, request, answer)
	}
	out.WriteString("}\n")
	return nil
}

// reflected translates a Go type of the table.
func (s *source) reflected(t reflect.Type) (string, error) {
	expr, err := parser.ParseExpr(t.String())
	if err != nil {
		return "", err
	}
	return s.typescript("wire", expr)
}

// extends lists the exported structs that a struct embeds.
func extends(pkg string, t *ast.StructType) string {
	var names []string
	for _, f := range t.Fields.List {
		if name := exported(typeName(pkg, f.Type)); len(f.Names) == 0 && name != "" {
			names = append(names, name)
		}
	}
	if names == nil {
		return ""
	}
	return " extends " + strings.Join(names, ", ")
}

// exported returns the TypeScript name of an exported struct, "" for others.
func exported(goName string) string {
	for _, e := range exports {
		if e.goName == goName {
			return e.tsName
		}
	}
	return ""
}

// read collects the declarations of one package.
func (s *source) read(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			if g, ok := decl.(*ast.GenDecl); ok {
				s.declare(file.Name.Name, g)
			}
		}
	}
	return nil
}

func (s *source) declare(pkg string, g *ast.GenDecl) {
	for _, spec := range g.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			name := pkg + "." + spec.Name.Name
			s.docs[name] = docOf(spec.Doc, g.Doc)
			if _, ok := spec.Type.(*ast.StructType); ok {
				s.structs[name] = spec
			} else if spec.Assign.IsValid() {
				s.aliases[name] = typeName(pkg, spec.Type)
			}
		case *ast.ValueSpec:
			if g.Tok != token.CONST || spec.Type == nil || len(spec.Values) != 1 {
				continue
			}
			last := typeName(pkg, spec.Type)
			if lit, ok := spec.Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
				s.strings[last] = append(s.strings[last], lit.Value)
			}
		}
	}
}

// members writes the fields of a struct that have a name on the wire.
func (s *source) members(out *strings.Builder, pkg string, t *ast.StructType) error {
	for _, f := range t.Fields.List {
		tag := reflect.StructTag(strings.Trim(tagOf(f), "`")).Get("json")
		name, options, _ := strings.Cut(tag, ",")
		if len(f.Names) == 0 { // an embedded struct: extends has the exported ones, of others the fields are written here
			name := typeName(pkg, f.Type)
			if exported(name) != "" {
				continue
			}
			embedded := s.structs[name]
			if embedded == nil {
				return fmt.Errorf("cannot read the embedded %s", name)
			}
			home, _, _ := strings.Cut(name, ".")
			if err := s.members(out, home, embedded.Type.(*ast.StructType)); err != nil {
				return err
			}
			continue
		}
		if name == "" || name == "-" {
			continue
		}
		ts, err := s.typescript(pkg, f.Type)
		if name == "format" {
			ts = "Format" // a name of the table in core/format, which is a string in Go
		}
		if narrow := reflect.StructTag(strings.Trim(tagOf(f), "`")).Get("ts"); narrow != "" {
			ts, err = narrow, nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		optional := ""
		if strings.Contains(options, "omitempty") {
			optional, ts = "?", ts+" | undefined" // for exactOptionalPropertyTypes
		}
		fmt.Fprintf(out, "%s  %s%s: %s;\n", comment("  ", docOf(f.Doc, f.Comment)), name, optional, ts)
	}
	return nil
}

func tagOf(f *ast.Field) string {
	if f.Tag == nil {
		return ""
	}
	return f.Tag.Value
}

// typescript translates a Go type.
func (s *source) typescript(pkg string, t ast.Expr) (string, error) {
	switch t := t.(type) {
	case *ast.ArrayType:
		element, err := s.typescript(pkg, t.Elt)
		return element + "[]", err
	case *ast.StarExpr:
		return s.typescript(pkg, t.X)
	}
	name := typeName(pkg, t)
	for alias, ok := s.aliases[name]; ok; alias, ok = s.aliases[name] {
		name = alias
	}
	for _, e := range append(exports, unions...) {
		if e.goName == name {
			return e.tsName, nil
		}
	}
	switch name {
	case pkg + ".int", "assemble.Tier":
		return "number", nil
	case "rawjson.Value":
		return "unknown", nil
	case pkg + ".bool":
		return "boolean", nil
	case pkg + ".string", "view.Digest", "validity.Rule":
		return "string", nil
	case "view.State":
		return "State", nil
	case "wire.AnyUsage":
		return "AnyUsage", nil
	}
	return "", fmt.Errorf("no TypeScript type for %s", name)
}

// typeName writes a type with its package.
func typeName(pkg string, t ast.Expr) string {
	switch t := t.(type) {
	case *ast.Ident:
		return pkg + "." + t.Name
	case *ast.SelectorExpr:
		return t.X.(*ast.Ident).Name + "." + t.Sel.Name
	}
	return fmt.Sprintf("%T", t)
}

func docOf(groups ...*ast.CommentGroup) string {
	for _, g := range groups {
		if g != nil {
			return strings.TrimSpace(g.Text())
		}
	}
	return ""
}

// comment writes a doc comment, on one line if it has one.
func comment(indent, text string) string {
	if text == "" {
		return ""
	}
	lines := strings.Split(text, "\n")
	if len(lines) == 1 {
		return indent + "/** " + text + " */\n"
	}
	return indent + "/**\n" + indent + " * " + strings.Join(lines, "\n"+indent+" * ") + "\n" + indent + " */\n"
}
