// This file checks the Dockerfile without a container engine: it runs the steps of its build in a copy of the sources,
// puts what they copy into an empty folder, and runs the image's program with that folder as its root. `make
// test-image` runs it.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const temporary = mkdtempSync(path.join(tmpdir(), "tamp-image-"));
const [source, root, tools] = ["src", "root", "tools"].map((name) => path.join(temporary, name));

/** The instructions of a Dockerfile: comments are left out, continued lines are joined. */
function parse(text) {
	const lines = text
		.replace(/^#.*\n/gm, "")
		.replace(/\\\n/g, " ")
		.split("\n");
	return lines.filter(Boolean).map((line) => {
		const found = /^([A-Z]+)\s+(.*)$/.exec(line);
		assert.ok(found, `an instruction: ${line}`);
		const words = found[2].trim().split(/\s+/);
		const flags = Object.fromEntries(words.filter((w) => w.startsWith("--")).map((w) => w.slice(2).split("=")));
		return { kind: found[1], text: found[2], flags, words: words.filter((w) => !w.startsWith("--")) };
	});
}

const known = ["FROM", "WORKDIR", "COPY", "RUN", "ENV", "EXPOSE", "VOLUME", "ENTRYPOINT"];
const image = { env: {}, command: [], port: "", volumes: [] };
const stages = [];
let workdir = "/";

/** Runs a command of the build. The image golang has no Node. */
function run(command) {
	mkdirSync(tools, { recursive: true });
	for (const name of ["node", "npm"]) {
		writeFileSync(path.join(tools, name), "#!/bin/sh\necho the image has no Node >&2\nexit 1\n");
		chmodSync(path.join(tools, name), 0o755);
	}
	const env = { ...process.env, PATH: `${tools}:${process.env.PATH}`, MAKEFLAGS: "", MAKELEVEL: "" };
	execFileSync("sh", ["-ec", command], { cwd: source, env, stdio: "inherit" });
}

function copy({ flags, words }) {
	assert.equal(words.length, 2, "COPY has a source and a target");
	if (!flags.from) {
		assert.deepEqual(words, [".", "."]);
		for (const file of execFileSync("git", ["ls-files", "-z"], { encoding: "utf8" }).split("\0").filter(Boolean))
			cpSync(file, path.join(source, file));
		return;
	}
	assert.ok(stages.slice(0, -1).includes(flags.from), `a stage before: ${flags.from}`);
	cpSync(path.join(source, path.relative(workdir, words[0])), path.join(root, words[1]), { recursive: true });
}

for (const step of parse(readFileSync("Dockerfile", "utf8"))) {
	assert.ok(known.includes(step.kind), `a known instruction: ${step.kind}`);
	assert.ok(step.kind === "FROM" || stages.length > 0, "FROM comes first");
	assert.ok(step.kind !== "RUN" || stages.length === 1, "the last image has no shell");
	if (step.kind === "FROM") stages.push(step.words[2] ?? "");
	else if (step.kind === "COPY") copy(step);
	else if (step.kind === "RUN") run(step.text);
	else if (step.kind === "WORKDIR") workdir = step.text;
	else if (step.kind === "ENV") Object.assign(image.env, Object.fromEntries(step.words.map((w) => w.split("="))));
	else if (step.kind === "EXPOSE") image.port = step.text;
	else if (step.kind === "VOLUME") image.volumes.push(step.text);
	else image.command = JSON.parse(step.text);
}
assert.equal(stages.length, 2, "a build and an image");
assert.equal(image.port, image.env.PORT, "EXPOSE names the port that the program listens on");
assert.deepEqual(image.volumes, [image.env.TRANSCRIPTS_DIR], "the originals are on a volume");

/** Runs the program with the image as its root: a file that is not in it, a library too, cannot be read. */
function start(settings) {
	const env = { ...image.env, PORT: "0", ...settings };
	return spawn("unshare", ["-r", "chroot", root, ...image.command], { env: { PATH: process.env.PATH, ...env } });
}

const refused = start({});
assert.notEqual((await once(refused, "exit"))[0], 0, "it needs a token, since other machines can connect");

const program = start({ TAMP_TOKEN: "0123456789abcdef" });
program.stderr.pipe(process.stderr);
const [said] = await once(program.stdout, "data");
const port = /:(\d+) with/.exec(String(said))?.[1];
for (const at of ["", "npm/tamp.wasm", "npm/NOTICE.md", "npm/vocab/o200k_base.bin", "healthz", "v1"]) {
	const response = await fetch(`http://127.0.0.1:${port}/${at}`);
	assert.equal(response.status, 200, at);
	await response.arrayBuffer();
}
program.kill("SIGTERM");
assert.equal((await once(program, "exit"))[0], 0, "it stops in order");
rmSync(temporary, { recursive: true });
console.log("✓ the image is built and runs");
