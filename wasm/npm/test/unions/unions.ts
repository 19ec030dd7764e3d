// This file names the unions of the vendors' types whose members unions.test.js feeds to the engine.

import type { BetaContentBlockParam, BetaToolResultBlockParam } from "anthropic";
import type { Part } from "google";
import type {
	ChatCompletionAssistantMessageParam,
	ChatCompletionContentPart,
	ChatCompletionMessageParam,
	ChatCompletionMessageToolCall,
} from "openai/chat";
import type { ResponseFunctionCallOutputItem, ResponseInputContent, ResponseInputItem } from "openai/responses";

type Elements<T> = T extends readonly (infer E)[] ? E : never;

export type Unions = {
	/** Blocks of Anthropic's Messages. */
	blocks: BetaContentBlockParam;
	/** Blocks in a tool result of theirs. */
	resultBlocks: Elements<BetaToolResultBlockParam["content"]>;
	/** Items of OpenAI's Responses. */
	items: ResponseInputItem;
	/** Parts of a message item. */
	itemParts: ResponseInputContent;
	/** Parts of the output of a function call. */
	outputParts: ResponseFunctionCallOutputItem;
	/** Messages of Chat Completions, parts of a user's and of an assistant's, and calls. */
	messages: ChatCompletionMessageParam;
	userParts: ChatCompletionContentPart;
	assistantParts: Elements<ChatCompletionAssistantMessageParam["content"]>;
	calls: ChatCompletionMessageToolCall;
	/** Gemini's part is one type with optional members: each of them is a member of the union. */
	part: Part;
};
