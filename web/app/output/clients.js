// This file says how each client of docs/gateway.md is put behind the gateway: its commands or its settings, with the
// address of the server, and the policy and the token as headers of each request where the client can send any.

import { byId, fill, h } from "../ui/dom.js";
import { toClipboard } from "../ui/clipboard.js";

/**
 * @typedef {object} Gateway
 * @property {string} server its address
 * @property {string} policy as JSON; "" for that of the server
 * @property {string} token of the server; "" if it has none
 */

/** The headers of each request. @param {Gateway} of @returns {[string, string][]} */
const headersOf = ({ policy, token }) => [
	...(policy ? [/** @type {[string, string]} */ (["x-tamp-policy", ascii(policy)])] : []),
	...(token ? [/** @type {[string, string]} */ (["x-tamp-token", token])] : []),
];

/** A header has only ASCII: JSON escapes the rest. @param {string} json */
const ascii = (json) =>
	json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** @param {Gateway} of */
const json = (of) => JSON.stringify(Object.fromEntries(headersOf(of)));

/** The headers as a member of a settings file, "" if there are none. @param {Gateway} of @param {string} name */
const member = (of, name) => (headersOf(of).length > 0 ? `, ${JSON.stringify(name)}: ${json(of)}` : "");

/** @type {{name: string, title: string, headers: boolean, text: (of: Gateway) => string}[]} */
export const CLIENTS = [
	{
		name: "claude",
		title: "Claude Code",
		headers: true,
		text: (of) => {
			const headers = headersOf(of).map(([name, value]) => `${name}: ${value}`);
			const set = headers.length > 0 ? `ANTHROPIC_CUSTOM_HEADERS=${quoted(headers.join("\n"))} ` : "";
			return `${set}ANTHROPIC_BASE_URL=${of.server}/anthropic claude`;
		},
	},
	{
		name: "codex",
		title: "Codex",
		headers: true,
		text: (of) => {
			const headers = headersOf(of).map(([name, value]) => `"${name}" = ${JSON.stringify(value)}`);
			return `# ~/.codex/config.toml
model_provider = "tamp"
[model_providers.tamp]
name = "OpenAI through Tamp"
base_url = "${of.server}/openai/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
supports_websockets = false${headers.length > 0 ? `\nhttp_headers = { ${headers.join(", ")} }` : ""}`;
		},
	},
	{
		name: "gemini",
		title: "Gemini CLI",
		headers: false,
		text: ({ server }) => `GOOGLE_GEMINI_BASE_URL=${server}/gemini GEMINI_API_KEY=… gemini`,
	},
	{
		name: "pi",
		title: "pi",
		headers: true,
		text: (of) => `# ~/.pi/agent/models.json, then: pi --provider anthropic --model claude-opus-5-5
{"providers": {"anthropic": {"baseUrl": "${of.server}/anthropic", "apiKey": "ANTHROPIC_API_KEY"${member(of, "headers")}}, "openai": {"baseUrl": "${of.server}/openai/v1", "apiKey": "OPENAI_API_KEY"${member(of, "headers")}}}}`,
	},
	{
		name: "opencode",
		title: "opencode",
		headers: true,
		text: (of) => `# opencode.json
{"provider": {"anthropic": {"options": {"baseURL": "${of.server}/anthropic/v1"${member(of, "headers")}}}, "openai": {"options": {"baseURL": "${of.server}/openai/v1"${member(of, "headers")}}}}}`,
	},
	{
		name: "copilot",
		title: "Copilot CLI",
		headers: false,
		text: ({ server }) =>
			`COPILOT_PROVIDER_BASE_URL=${server}/anthropic COPILOT_PROVIDER_TYPE=anthropic COPILOT_PROVIDER_API_KEY=… COPILOT_MODEL=claude-opus-5-5 copilot`,
	},
	{
		name: "qwen",
		title: "Qwen Code",
		headers: false,
		text: ({
			server,
		}) => `ANTHROPIC_BASE_URL=${server}/anthropic ANTHROPIC_API_KEY=… qwen --auth-type anthropic -m claude-opus-5-5
OPENAI_BASE_URL=${server}/openai/v1 OPENAI_API_KEY=… OPENAI_MODEL=gpt-6.1 qwen --auth-type openai`,
	},
	{
		name: "kimi",
		title: "Kimi Code",
		headers: false,
		text: ({
			server,
		}) => `KIMI_MODEL_PROVIDER_TYPE=anthropic KIMI_MODEL_BASE_URL=${server}/anthropic KIMI_MODEL_NAME=claude-opus-5-5 KIMI_MODEL_API_KEY=… kimi
KIMI_MODEL_PROVIDER_TYPE=openai_responses KIMI_MODEL_BASE_URL=${server}/openai/v1 KIMI_MODEL_NAME=gpt-6.1 KIMI_MODEL_API_KEY=… kimi`,
	},
	{
		name: "grok",
		title: "Grok CLI",
		headers: false,
		text: ({ server }) => `# ~/.grok/config.toml, then: grok -m tamp
[model.tamp]
model = "gpt-6.1"
base_url = "${server}/openai/v1"
api_key = "…"
api_backend = "responses"
context_window = 400000`,
	},
	{
		name: "cline",
		title: "Cline",
		headers: false,
		text: ({ server }) => `cline auth -p openai -k "$OPENAI_API_KEY" -m gpt-6.1 -b ${server}/openai/v1`,
	},
	{
		name: "continue",
		title: "Continue",
		headers: false,
		text: ({ server }) => `# config.yaml
models: [{name: tamp, provider: openai, model: gpt-6.1, apiBase: ${server}/openai/v1, apiKey: …, capabilities: [tool_use]}]`,
	},
	{
		name: "droid",
		title: "Droid",
		headers: false,
		text: ({ server }) => `# ~/.factory/settings.json
{"customModels": [{"model": "claude-opus-5-5", "displayName": "Tamp", "baseUrl": "${server}/anthropic", "apiKey": "…", "provider": "anthropic", "maxOutputTokens": 32000}]}`,
	},
	{
		name: "sdk",
		title: "A vendor’s SDK",
		headers: true,
		text: (of) => {
			const headers = headersOf(of).length > 0 ? `, defaultHeaders: ${json(of)}` : "";
			return `new Anthropic({ baseURL: "${of.server}/anthropic"${headers} })
new OpenAI({ baseURL: "${of.server}/openai/v1"${headers} })`;
		},
	},
	{
		name: "curl",
		title: "curl",
		headers: true,
		text: (
			of,
		) => `curl -sD- ${of.server}/anthropic/v1/messages -H "x-api-key: $ANTHROPIC_API_KEY" -H 'anthropic-version: 2023-06-01' -H 'content-type: application/json' \\
${headersOf(of)
	.map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)} \\\n`)
	.join("")}  -d '{"model":"claude-opus-5-5","max_tokens":100,"messages":[{"role":"user","content":"Hello"}]}'`,
	},
];

/**
 * What puts a client behind the gateway, with what the server needs first.
 * @param {string} client @param {Gateway} of @param {boolean} runs whether the server of the page is the gateway
 */
export function connection(client, of, runs) {
	const known = CLIENTS.find(({ name }) => name === client) ?? CLIENTS[0];
	const settings = known.headers || !of.policy ? "" : `GATEWAY_POLICY=${quoted(of.policy)} `;
	const first = [
		!runs && `# The gateway, in another terminal:\n${settings}make run\n\n`,
		runs &&
			settings &&
			`# ${known.title} sends no header: the policy is a setting of the server, ${settings.trim()}\n\n`,
		!known.headers &&
			of.token &&
			`# ${known.title} sends no token: use a gateway without one, on this machine only.\n\n`,
	];
	return `${first.filter(Boolean).join("")}${known.text(of)}\n`;
}

/** A tab for each client, and what to copy for it. */
export class Clients {
	/** @param {string} id of the element that gets them @param {(client: string) => string} text */
	constructor(id, text) {
		this.text = text;
		this.now = CLIENTS[0].name;
		this.code = h("pre.code", { tabindex: "0", "aria-label": "Commands or settings" });
		this.buttons = CLIENTS.map(({ name, title }) =>
			h("button", { "data-client": name, on: { click: () => this.choose(name) } }, title),
		);
		const copy = () => toClipboard(new Blob([this.text(this.now)]), "the commands");
		fill(
			byId(id),
			h("div.clients", { role: "group", "aria-label": "Clients" }, ...this.buttons),
			this.code,
			h("button.clients-copy", { on: { click: copy } }, "Copy"),
		);
		this.draw();
	}

	/** @param {string} name */
	choose(name) {
		this.now = name;
		this.draw();
	}

	draw() {
		for (const button of this.buttons) button.setAttribute("aria-pressed", String(button.dataset.client === this.now));
		const text = this.text(this.now);
		if (this.code.textContent !== text) this.code.textContent = text;
	}
}
