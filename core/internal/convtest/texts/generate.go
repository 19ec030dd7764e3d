package texts

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
)

// lcg is a linear congruential generator, which makes the same texts on every machine.
type lcg uint64

func (c *lcg) next(n int) int {
	*c = *c*6364136223846793005 + 1442695040888963407
	return int(uint64(*c) >> 33 % uint64(n))
}

func (c *lcg) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(c.next(256))
	}
	return b
}

func pick[T any](c *lcg, list ...T) T { return list[c.next(len(list))] }

// Generated returns texts of the classes that need no author. They depend only on the seed; the fit uses odd seeds, and
// even seeds are held out.
func Generated(seed uint64) []Text {
	var list []Text
	for _, g := range []struct {
		class string
		write func(*lcg) string
	}{
		{"base64", blob}, {"hex", hexes}, {"emoji", emojis}, {"lock", npmLock}, {"lock", goSum}, {"log", logLines},
		{"diff", diff},
		{"json", records}, {"log", listing}, {"repeat", rules}, {"minified", minified}, {"random", letters},
	} {
		c := lcg(seed*7919 + uint64(len(list)) + 1)
		for range 5 {
			c.next(2)
		}
		list = append(list, Text{Class: g.class, Name: fmt.Sprintf("%s (generated, seed %d)", g.class, seed),
			Body: g.write(&c), Held: seed%2 == 0})
	}
	return list
}

func blob(c *lcg) string {
	var b strings.Builder
	b.WriteString("data:image/png;base64," + base64.StdEncoding.EncodeToString(c.bytes(9000)) + "\n")
	for range 40 {
		b.WriteString(base64.StdEncoding.EncodeToString(c.bytes(57)) + "\n")
	}
	for range 8 {
		fmt.Fprintf(&b, "token: %s\n", base64.RawURLEncoding.EncodeToString(c.bytes(48)))
	}
	return b.String()
}

func hexes(c *lcg) string {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "%s  file%d.bin\n", hex.EncodeToString(c.bytes(32)), i)
	}
	b.WriteString(hex.Dump(c.bytes(600)))
	b.WriteString(hex.EncodeToString(c.bytes(3000)) + "\n")
	for range 40 {
		x := hex.EncodeToString(c.bytes(16))
		fmt.Fprintf(&b, "%s-%s-%s-%s-%s\n", x[:8], x[8:12], x[12:16], x[16:20], x[20:])
	}
	return b.String()
}

func emojis(c *lcg) string {
	var b strings.Builder
	for i := range 120 {
		switch c.next(4) {
		case 0:
			b.WriteString(pick(c, "✅ done", "🚀 deployed", "⚠️ careful", "❌ failed", "🔥 hot path", "🎉 released", "📦 packed",
				"🐛 fixed a bug") + " ")
		case 1:
			for range 1 + c.next(5) {
				b.WriteRune(rune(0x1F600 + c.next(0x50)))
			}
		case 2:
			for range 1 + c.next(3) {
				b.WriteRune(pick(c, rune(0x1F300+c.next(0x400)), rune(0x1F900+c.next(0x100)), rune(0x2600+c.next(0x1C0))))
			}
		default:
			b.WriteString(pick(c, "👍🏽", "👩‍💻", "🇩🇪", "❤️", "☀️", "✨", "⭐", "💡", "🙏", "😂", "🤔", "👀", "💯", "🏳️‍🌈"))
		}
		if i%7 == 6 {
			b.WriteString("\n")
		}
	}
	return b.String()
}

var names = []string{
	"chalk", "lodash.merge", "@babel/core", "@types/node", "semver", "minimist", "glob-parent", "is-number",
	"fast-deep-equal", "picomatch",
	"undici", "zod", "vite", "esbuild", "rollup-plugin-visualizer", "@eslint/js", "ws", "yargs-parser", "string-width",
	"color-convert",
	"postcss-value-parser", "caniuse-lite", "@rollup/rollup-linux-x64-gnu", "tslib", "@jridgewell/trace-mapping",
	"node-releases",
}

func version(c *lcg) string { return fmt.Sprintf("%d.%d.%d", c.next(12), c.next(30), c.next(20)) }

func npmLock(c *lcg) string {
	var b strings.Builder
	b.WriteString("{\n  \"name\": \"demo\",\n  \"lockfileVersion\": 3,\n  \"requires\": true,\n  \"packages\": {\n")
	for range 60 {
		name, v := pick(c, names...), version(c)
		base := name[strings.LastIndex(name, "/")+1:]
		fmt.Fprintf(&b, "    \"node_modules/%s\": {\n      \"version\": \"%s\",\n      \"resolved\": "+
			"\"https://registry.npmjs.org/%s/-/%s-%s.tgz\",\n      \"integrity\": \"sha512-%s\",\n",
			name, v, name, base, v, base64.StdEncoding.EncodeToString(c.bytes(64)))
		if c.next(2) == 0 {
			b.WriteString("      \"dev\": true,\n")
		}
		fmt.Fprintf(&b, "      \"license\": \"%s\",\n", pick(c, "MIT", "ISC", "Apache-2.0", "BSD-3-Clause"))
		if c.next(2) == 0 {
			fmt.Fprintf(&b, "      \"dependencies\": {\n        \"%s\": \"^%s\",\n        \"%s\": \"~%s\"\n      },\n",
				pick(c, names...), version(c), pick(c, names...), version(c))
		}
		fmt.Fprintf(&b, "      \"engines\": {\n        \"node\": \">=%d\"\n      }\n    },\n", 10+2*c.next(6))
	}
	return b.String() + "  }\n}\n"
}

func goSum(c *lcg) string {
	var b strings.Builder
	for range 60 {
		name := pick(c, "github.com/stretchr/testify", "golang.org/x/sys", "golang.org/x/tools", "gopkg.in/yaml.v3",
			"github.com/google/uuid", "github.com/spf13/cobra",
			"go.uber.org/zap", "github.com/davecgh/go-spew", "google.golang.org/protobuf", "github.com/prometheus/client_golang",
			"modernc.org/sqlite", "cloud.google.com/go")
		v := version(c)
		fmt.Fprintf(&b, "%s v%s h1:%s\n", name, v, base64.StdEncoding.EncodeToString(c.bytes(32)))
		fmt.Fprintf(&b, "%s v%s/go.mod h1:%s\n", name, v, base64.StdEncoding.EncodeToString(c.bytes(32)))
	}
	return b.String()
}

func stamp(c *lcg) string {
	return fmt.Sprintf("2025-%02d-%02dT%02d:%02d:%02d.%03dZ", 1+c.next(12), 1+c.next(28), c.next(24), c.next(60),
		c.next(60), c.next(1000))
}

func logLines(c *lcg) string {
	var b strings.Builder
	for range 160 {
		switch c.next(6) {
		case 0:
			fmt.Fprintf(&b, "%s INFO  [http-nio-8080-exec-%d] c.e.api.OrderController : GET /api/v1/orders/%d 200 %dms\n",
				stamp(c), c.next(16), c.next(99999), c.next(900))
		case 1:
			fmt.Fprintf(&b, "%s WARN  [pool-%d-thread-%d] retrying request id=%s attempt=%d backoff=%dms\n", stamp(c), c.next(9),
				c.next(9), hex.EncodeToString(c.bytes(8)), c.next(5), c.next(3000))
		case 2:
			fmt.Fprintf(&b, "%d.%d.%d.%d - - [%02d/Oct/2025:%02d:%02d:%02d +0000] \"GET /static/js/main.%s.js HTTP/1.1\" 200 "+
				"%d \"-\" \"Mozilla/5.0 (X11; Linux x86_64)\"\n",
				c.next(256), c.next(256), c.next(256), c.next(256), 1+c.next(28), c.next(24), c.next(60), c.next(60),
				hex.EncodeToString(c.bytes(4)), c.next(90000))
		case 3:
			fmt.Fprintf(&b, "{\"level\":\"%s\",\"ts\":%d.%03d,\"caller\":\"server/handler.go:%d\",\"msg\":\"request "+
				"done\",\"status\":%d,\"duration\":\"%d.%03dms\"}\n",
				pick(c, "info", "warn", "error", "debug"), 1760000000+c.next(999999), c.next(1000), c.next(900),
				pick(c, 200, 201, 404, 500), c.next(90), c.next(1000))
		case 4:
			fmt.Fprintf(&b, "Oct %2d %02d:%02d:%02d web-%d systemd[%d]: %s\n", 1+c.next(28), c.next(24), c.next(60), c.next(60),
				c.next(9), c.next(9999),
				pick(c, "Started Daily apt download activities.", "Stopping User Manager for UID 1000...",
					"postgresql.service: Main process exited, code=killed, status=9/KILL"))
		default:
			fmt.Fprintf(&b, "=== RUN   Test%s/%s\n--- %s: Test%s (%d.%02ds)\n", pick(c, "Parse", "Render", "Apply", "Count"),
				pick(c, "empty", "one_pair", "deep"), pick(c, "PASS", "PASS", "FAIL"), pick(c, "Parse", "Render"), c.next(3),
				c.next(100))
		}
	}
	return b.String()
}

func listing(c *lcg) string {
	var b strings.Builder
	for range 120 {
		fmt.Fprintf(&b, "-rw-r--r--  1 %s %s %7d %s %2d %02d:%02d %s%s\n", pick(c, "root", "dev", "node"),
			pick(c, "root", "staff"), c.next(900000), pick(c, "Jan", "Mar", "Jul", "Nov"),
			1+c.next(28), c.next(24), c.next(60), pick(c, "index", "main", "README", "handler_test", "util", "docker-compose",
				"tsconfig", "Makefile", "setup"), pick(c, ".go", ".ts", ".md", "", ".json", ".yml"))
		if c.next(4) == 0 {
			fmt.Fprintf(&b, "./src/%s/%s/%s.%s:%d:%d: error: %s\n", pick(c, "core", "components", "lib"),
				pick(c, "auth", "cart", "parser"), pick(c, "index", "useSession", "token_stream"), pick(c, "ts", "c", "py"),
				c.next(900), c.next(80), pick(c, "expected ';' after expression", "Cannot find name 'props'.", "undefined: reader",
					"Property 'id' does not exist on type 'User'."))
		}
		if c.next(8) == 0 {
			fmt.Fprintf(&b, "npm warn deprecated %s@%s: This version is no longer supported.\n", pick(c, names...), version(c))
		}
	}
	return b.String()
}

func diff(c *lcg) string {
	var b strings.Builder
	for range 24 {
		file := pick(c, "core/plan.go", "src/app/server.ts", "lib/parser.py", "README.md", "web/style.css")
		fmt.Fprintf(&b, "diff --git a/%s b/%s\nindex %s..%s 100644\n--- a/%s\n+++ b/%s\n@@ -%d,%d +%d,%d @@ func %s() {\n",
			file, file, hex.EncodeToString(c.bytes(4))[:7],
			hex.EncodeToString(c.bytes(4))[:7], file, file, c.next(900), 7, c.next(900), 9, pick(c, "load", "main", "render"))
		for range 3 + c.next(8) {
			fmt.Fprintf(&b, "%s%s%s\n", pick(c, " ", " ", "-", "+"), pick(c, "", "\t", "\t\t", "    ", "        "), pick(c,
				"if err != nil {", "return nil, fmt.Errorf(\"cannot read %s: %w\", name, err)", "}",
				"const total = items.reduce((sum, item) => sum + item.price, 0);",
				"self.cache[key] = value", "for i := range list {", "export function toRow(user) {",
				"// The reader owns the buffer.", "raise ValueError(f\"unknown option {name!r}\")",
				"margin: 0 auto;", "await client.query('select id, name from users where id = $1', [id]);", ""))
		}
	}
	return b.String()
}

func records(c *lcg) string {
	var b strings.Builder
	b.WriteString("[")
	for range 60 {
		fmt.Fprintf(&b, `{"id":%d,"uuid":"%s","name":"%s","email":"%s@example.com","active":%t,"score":%d.%d,"tags":["%s","%s"],"address":{"street":"%d Main St","zip":"%05d"},"createdAt":"%s"},`,
			c.next(1e6), hex.EncodeToString(c.bytes(16)), pick(c, "Ada Park", "Jon Lee", "Maria Silva"),
			pick(c, "ada", "jon", "maria"), c.next(2) == 0, c.next(100), c.next(100),
			pick(c, "new", "vip", "trial"), pick(c, "eu", "us", "apac"), c.next(900), c.next(99999), stamp(c))
	}
	b.WriteString("null]\n{\n")
	for range 40 {
		fmt.Fprintf(&b, "  \"%s\": {\n    \"type\": \"%s\",\n    \"description\": \"%s\",\n    \"default\": %d\n  },\n",
			pick(c, "timeout", "max_items", "file_path", "retryCount"), pick(c, "string", "integer", "boolean"),
			pick(c, "The path of the file to read.", "How many items a page holds.", "Whether to follow links."), c.next(100))
	}
	return b.String() + "}\n"
}

func rules(c *lcg) string {
	var b strings.Builder
	for range 40 {
		n := 5 + c.next(90)
		b.WriteString(strings.Repeat(pick(c, "=", "-", "*", "#", "─", "━", "_", "~", "."), n) + "\n")
		b.WriteString("│ " + pick(c, "name", "total", "Status") + strings.Repeat(" ", c.next(40)) + "│ " +
			fmt.Sprint(c.next(1000)) + " │\n")
		b.WriteString("├" + strings.Repeat("─", c.next(40)) + "┼" + strings.Repeat("─", c.next(40)) + "┤\n")
	}
	return b.String()
}

func minified(c *lcg) string {
	var b strings.Builder
	for range 400 {
		v := func() string { return string(rune('a'+c.next(26))) + pick(c, "", "", "", "e", "t") }
		b.WriteString(pick(c,
			"var "+v()+"="+v()+"("+v()+");", "function "+v()+"("+v()+","+v()+"){return "+v()+"."+v()+"("+v()+")}",
			"if("+v()+"&&!"+v()+"."+v()+")"+v()+"="+v()+"?"+v()+":void 0;",
			v()+".prototype."+pick(c, "render", "update", "toString")+"=function(){"+v()+"("+v()+")};",
			"for(var "+v()+"=0;"+v()+"<"+v()+".length;"+v()+"++)"+v()+"["+v()+"]=null;",
			"!function("+v()+"){\"use strict\";"+v()+"("+v()+")}("+v()+"),",
			"Object.defineProperty("+v()+",\"__esModule\",{value:!0});"))
	}
	return b.String()
}

// letters returns random words: mostly of ASCII letters, some of other alphabets.
func letters(c *lcg) string {
	alphabets := []struct{ first, size int }{{0x430, 32}, {0x3B1, 24}, {0x627, 28}, {0x5D0, 26}, {0x905, 40}, {0xE0, 30},
		{0x1200, 60}}
	var b strings.Builder
	for i := range 400 {
		first, size := 'a', 26
		if i%4 == 3 {
			script := pick(c, alphabets...)
			first, size = rune(script.first), script.size
		}
		for range 1 + c.next(60) {
			b.WriteRune(first + rune(c.next(size)))
		}
		b.WriteString(pick(c, " ", " ", "\n", "_", "/"))
	}
	return b.String()
}
