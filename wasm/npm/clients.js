// This file has the agents that `tamp try` and `tamp doctor` know: how each is pointed at another address, for one process, and
// where Tamp gets a place in it.

import { writeFileSync } from "node:fs";
import path from "node:path";

/**
 * @typedef {object} Client
 * @property {string} title
 * @property {string} slot how Tamp compacts in it or for it
 * @property {string} command that sets it up, or tries it
 * @property {string[]} folders of its logs, relative to the home folder
 * @property {Record<string, string>} bases variables of its environment with the address of a provider, and the address
 *   without them; "": only if the variable is set
 * @property {(urls: Record<string, string>, folder: string) => { args?: string[], env?: Record<string, string> }} [point]
 *   for a client that reads no such variable. urls: by the names of bases; folder: a temporary one
 */

const ANTHROPIC = "https://api.anthropic.com";
const OPENAI = "https://api.openai.com/v1";
const GEMINI = "https://generativelanguage.googleapis.com";
const GATEWAY = "the gateway";

/** @type {Record<string, Client>} */
export const CLIENTS = {
	claude: {
		title: "Claude Code",
		slot: "its compaction, by a plugin, from 2.1.287 on; the gateway",
		command: "npx tamp plugin claude",
		folders: [".claude/projects"],
		bases: { ANTHROPIC_BASE_URL: ANTHROPIC },
	},
	codex: {
		title: "Codex",
		slot: GATEWAY,
		command: "npx tamp try -- codex",
		folders: [".codex/sessions"],
		bases: { OPENAI_BASE_URL: OPENAI },
		point: ({ OPENAI_BASE_URL: url }) => ({
			args: [
				"-c",
				"model_provider=tamp",
				"-c",
				`model_providers.tamp={name="OpenAI through Tamp",base_url="${url}",env_key="OPENAI_API_KEY",wire_api="responses"}`,
			],
		}),
	},
	opencode: {
		title: "opencode",
		slot: "each request, by a plugin in opencode.json; the gateway",
		command: "npx tamp try -- opencode",
		folders: [".local/share/opencode"],
		bases: { ANTHROPIC_BASE_URL: `${ANTHROPIC}/v1`, OPENAI_BASE_URL: OPENAI },
		point: ({ ANTHROPIC_BASE_URL: anthropic, OPENAI_BASE_URL: openai }) => ({
			env: {
				OPENCODE_CONFIG_CONTENT: JSON.stringify({
					provider: { anthropic: { options: { baseURL: anthropic } }, openai: { options: { baseURL: openai } } },
				}),
			},
		}),
	},
	pi: {
		title: "pi",
		slot: "each request, by an extension; the gateway",
		command: "npx tamp try -- pi",
		folders: [".pi/agent/sessions"],
		bases: { ANTHROPIC_BASE_URL: ANTHROPIC, OPENAI_BASE_URL: OPENAI },
		point: ({ ANTHROPIC_BASE_URL: anthropic, OPENAI_BASE_URL: openai }, folder) => {
			const file = path.join(folder, "extension.js");
			const register = (/** @type {string} */ name, /** @type {string | undefined} */ baseUrl) =>
				`pi.registerProvider(${JSON.stringify(name)}, ${JSON.stringify({ baseUrl })});`;
			writeFileSync(
				file,
				`export default (pi) => { ${register("anthropic", anthropic)} ${register("openai", openai)} };\n`,
			);
			return { args: ["-e", file] };
		},
	},
	gemini: {
		title: "Gemini CLI",
		slot: GATEWAY,
		command: "npx tamp try -- gemini",
		folders: [".gemini/tmp"],
		bases: { GOOGLE_GEMINI_BASE_URL: GEMINI },
	},
	qwen: {
		title: "Qwen Code",
		slot: GATEWAY,
		command: "npx tamp try -- qwen",
		folders: [".qwen/projects"],
		bases: { ANTHROPIC_BASE_URL: ANTHROPIC, OPENAI_BASE_URL: OPENAI },
	},
	kimi: {
		title: "Kimi Code",
		slot: GATEWAY,
		command: "KIMI_MODEL_BASE_URL=URL npx tamp try -- kimi",
		folders: [".kimi-code/sessions", ".kimi/sessions"],
		bases: { KIMI_MODEL_BASE_URL: "" },
	},
	copilot: {
		title: "Copilot CLI",
		slot: "the gateway, with a provider of your own",
		command: "COPILOT_PROVIDER_BASE_URL=URL npx tamp try -- copilot",
		folders: [".copilot/session-state"],
		bases: { COPILOT_PROVIDER_BASE_URL: "" },
	},
	grok: {
		title: "Grok CLI",
		slot: "the gateway, with an API key",
		command: "npx tamp try -- grok",
		folders: [".grok/sessions"],
		bases: { GROK_XAI_API_BASE_URL: "https://api.x.ai/v1" },
	},
};
