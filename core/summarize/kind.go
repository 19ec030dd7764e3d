package summarize

// FactKind is the sort of an atom.
type FactKind uint8

const (
	Path       FactKind = iota // with a slash, or a file name with a known extension
	Identifier                 // camelCase, snake_case, CONSTANTS, dotted names
	Number                     // two digits or more, or a digit with a unit; versions
	Hash                       // a git object, a digest, a uuid
	URL
	kinds
)

var kindNames = [kinds]string{"path", "identifier", "number", "hash", "url"}

func (k FactKind) String() string { return kindNames[k] }

// Limits in bytes. Longer words are not names but data, minified code or hostile input.
const (
	maxNameLength = 80
	maxPathLength = 260
)

// extensions are the file extensions that make a bare word a file name. Other words with a dot ("e.g", "foo.bar") are
// not files.
var extensions = map[string]bool{
	"astro": true, "bash": true, "bat": true, "c": true, "cc": true, "cfg": true, "cjs": true, "cmake": true, "conf": true,
	"cpp": true,
	"cs":  true, "css": true, "csv": true, "cts": true, "dart": true, "db": true, "diff": true, "env": true, "erl": true,
	"ex":  true,
	"exs": true, "go": true, "gradle": true, "graphql": true, "h": true, "hpp": true, "hs": true, "html": true,
	"ini":   true,
	"ipynb": true, "java": true, "jpg": true, "js": true, "json": true, "jsonl": true, "jsx": true, "kt": true,
	"less": true, "lock": true,
	"log": true, "lua": true, "m": true, "md": true, "mdx": true, "mjs": true, "mk": true, "ml": true, "mod": true,
	"mts":   true,
	"patch": true, "pdf": true, "php": true, "pl": true, "png": true, "proto": true, "ps1": true, "py": true, "pyi": true,
	"r":  true,
	"rb": true, "rs": true, "rst": true, "sass": true, "scala": true, "scss": true, "sh": true, "snap": true, "sql": true,
	"sum":    true,
	"svelte": true, "svg": true, "swift": true, "tar": true, "tex": true, "tf": true, "toml": true, "ts": true,
	"tsx": true, "tsv": true,
	"txt": true, "vue": true, "wasm": true, "xml": true, "yaml": true, "yml": true, "zig": true, "zip": true, "zsh": true,
}

// units follow a number without a space. A number with a unit is a fact even if it has one digit.
var units = map[string]bool{
	"%": true, "b": true, "B": true, "kb": true, "KB": true, "kB": true, "KiB": true, "mb": true, "MB": true, "MiB": true,
	"GB":  true,
	"GiB": true, "TB": true, "ns": true, "us": true, "µs": true, "ms": true, "s": true, "m": true, "h": true, "d": true,
	"k": true,
	"K": true, "M": true, "px": true, "em": true, "rem": true, "pt": true, "vh": true, "vw": true, "fps": true, "Hz": true,
	"kHz": true,
	"MHz": true, "GHz": true, "x": true, "‰": true, "元": true, "秒": true, "分钟": true,
}
