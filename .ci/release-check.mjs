// This file proves that a release can be used: in a copy of what is committed it writes example names (.ci/rename.mjs),
// serves the Go module from a proxy on this machine, installs it from there and uses it in an empty folder, installs the
// npm package, and checks the workflows. `make test-release` runs it.

import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const VERSION = "0.9.1";
const GO = "example.com/owner/tamp-release";
const NPM = "@example/tamp-release";

const folder = mkdtempSync(path.join(tmpdir(), "tamp-release-"));
const tree = path.join(folder, "tree");
const git = (...args) =>
	execFileSync("git", ["-C", tree, "-c", "user.name=t", "-c", "user.email=t@example.com", ...args]);

execFileSync("git", ["clone", "--quiet", "--depth", "1", `file://${process.cwd()}`, tree]);
execFileSync("node", [".ci/rename.mjs", VERSION, `https://${GO}`, "", NPM], { cwd: tree, stdio: "inherit" });
git("commit", "--quiet", "--all", "-m", "release");
assert.throws(() => git("grep", "--quiet", '"tamp/core', "--", "*.go"), "no import has the old path");
const manifest = JSON.parse(readFileSync(path.join(tree, "wasm/npm/package.json"), "utf8"));
assert.deepEqual([manifest.name, manifest.version, manifest.homepage], [NPM, VERSION, `https://${GO}#readme`]);
for (const page of ["README.md", "wasm/npm/README.md"]) {
	const text = readFileSync(path.join(tree, page), "utf8");
	assert.match(text, new RegExp(`from "${NPM}"`), page);
	assert.match(text, new RegExp(`npm install ${NPM} `), page);
	assert.doesNotMatch(
		text,
		/node_modules\/tamp\b|`tamp-server|\["tamp"\]|npx tamp\b|released|not on npm|not published|\/path\/to\/tamp\b/,
		page,
	);
}
assert.match(
	readFileSync(path.join(tree, "README.md"), "utf8"),
	new RegExp(`import "${GO}/core/forward".* go run ${GO}/cmd/agent|go run ${GO}/cmd/agent.*"${GO}/core/forward"`, "s"),
);

// A module proxy, https://go.dev/ref/mod#goproxy-protocol. The zip of a module has no folders with a go.mod of their own.
const at = `/${GO}/@v/`;
const zip = path.join(folder, "module.zip");
const modules = execFileSync("git", ["ls-files", "*/go.mod"], { encoding: "utf8" }).trim().split("\n");
const others = modules.map((file) => `:!${path.dirname(file)}`);
git("archive", "--format=zip", `--prefix=${GO}@v${VERSION}/`, "-o", zip, "HEAD", ".", ...others);
const served = {
	[`${at}list`]: `v${VERSION}\n`,
	[`${at}v${VERSION}.info`]: JSON.stringify({ Version: `v${VERSION}`, Time: "2026-01-01T00:00:00Z" }),
	[`${at}v${VERSION}.mod`]: readFileSync(path.join(tree, "go.mod")),
	[`${at}v${VERSION}.zip`]: readFileSync(zip),
};
const proxy = createServer(({ url = "" }, response) => {
	if (!served[url]) response.writeHead(404);
	response.end(served[url] ?? "not found");
}).listen(0, "127.0.0.1");
await new Promise((resolve) => proxy.once("listening", resolve));
// A cache of its own: the shared one would have the module of an earlier run. It serves the libraries.
const [proxies, cache] = execFileSync("go", ["env", "GOPROXY", "GOMODCACHE"], { encoding: "utf8" }).split("\n");
const env = {
	...process.env,
	GOMODCACHE: path.join(folder, "mod"),
	GOPROXY: `http://127.0.0.1:${proxy.address().port},file://${cache}/cache/download,${proxies}`,
	GONOSUMDB: "example.com",
	GOFLAGS: "-modcacherw",
	GOBIN: path.join(folder, "bin"),
	GOWORK: "off",
};
const empty = path.join(folder, "empty");
mkdirSync(empty);
console.log("→ go get and go run in an empty folder …");
await run("go", ["mod", "init", "example.com/user"], { cwd: empty, env });
writeFileSync(
	path.join(empty, "main.go"),
	`package main

import (
	"fmt"

	"${GO}/core"
	"${GO}/core/format"
	"${GO}/core/policy"
)

func main() {
	c, err := format.Parse([]byte(\`[{"role":"user","content":"Hello."},{"role":"assistant","content":"Hello to you."}]\`), "")
	if err != nil {
		panic(err)
	}
	p, err := policy.Preset("balanced")
	if err != nil {
		panic(err)
	}
	var state core.State
	out, err := core.Compact(c, state, p, core.Env{}, core.Host{Save: func([]byte) error { return nil }})
	if err != nil {
		panic(err)
	}
	fmt.Println(len(out.Conversation.Messages))
}
`,
);
await run("go", ["get", `${GO}@v${VERSION}`], { cwd: empty, env });
assert.equal((await run("go", ["run", "."], { cwd: empty, env })).stdout, "2\n");
console.log("→ go install …");
await run("go", ["install", `${GO}/cmd/tamp@v${VERSION}`], { cwd: empty, env });
assert.equal((await run(path.join(env.GOBIN, "tamp"), ["serve", "--version"])).stdout, `${VERSION}\n`);
proxy.close();

// The npm package has the built files of this tree: to build them again takes minutes.
if (["wasm/npm/tamp.wasm", "worker/build/app.wasm", "wasm/npm/program.wasm.br"].every(existsSync)) {
	console.log("→ npm install of both packages in an empty folder …");
	const built = path.join(tree, "wasm/npm");
	cpSync("wasm/npm", built, { recursive: true, force: false, filter: (from) => !from.includes("node_modules") });
	// The server's manifest has the names of the release.
	cpSync("worker/build", path.join(tree, "worker/build"), { recursive: true });
	await run("node", ["worker/pack.mjs", "index.html"], { cwd: tree });
	/** @param {string} cwd */
	const pack = async (cwd) => {
		const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder];
		return path.join(folder, (await run("npm", args, { cwd })).stdout.trim());
	};
	const packed = [await pack(built), await pack(path.join(built, "server"))];
	const user = path.join(folder, "user");
	mkdirSync(user);
	writeFileSync(path.join(user, "package.json"), '{"type":"module"}');
	await run("npm", ["install", "--offline", "--no-audit", "--no-fund", ...packed], { cwd: user });
	const program = `import { load } from "${NPM}"; console.log((await load()).count({ conversation: "[]" }).total)`;
	assert.equal((await run("node", ["--input-type=module", "-e", program], { cwd: user })).stdout, "0\n");
	for (const command of [[NPM, "serve"], [`${NPM}-server`]]) {
		const help = await run("npx", ["--offline", ...command, "--help"], { cwd: user });
		assert.match(help.stdout, /--gateway-policy/);
	}
}

console.log("→ the workflows …");
await run("go", ["run", "github.com/rhysd/actionlint/cmd/actionlint@v1.7.7", "-shellcheck="]);
// npm publishes by the identity of the workflow: a token or an .npmrc of setup-node would take its place.
const release = readFileSync(path.join(tree, ".github/workflows/release.yml"), "utf8").replace(/#.*/g, "");
assert.match(release, /id-token: write/);
assert.doesNotMatch(release, /NODE_AUTH_TOKEN|NPM_TOKEN|registry-url|_authToken/);
rmSync(folder, { recursive: true, force: true });
console.log("✓ a release can be installed");
