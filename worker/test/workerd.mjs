// This file serves the Worker to tests in Go: node workerd.mjs '{"bindings":{…},"r2Buckets":[…]}'. Its first line of
// output is the address. The output of the runtime follows, with "stdout " or "stderr " before each line. It ends when
// its standard input ends, so that it does not run on after a killed test.
// @ts-check

import { start, tamp } from "./start.mjs";

const rest = { stdout: "", stderr: "" };
const { url, stop } = await start(tamp(), JSON.parse(process.argv[2] ?? "{}"), (name, chunk) => {
	const lines = (rest[name] + chunk).split("\n");
	rest[name] = lines.pop() ?? "";
	for (const line of lines) console.log(`${name} ${line}`);
});
console.log(url);
process.stdin.resume();
await new Promise((resolve) => process.stdin.on("end", resolve));
await stop();
