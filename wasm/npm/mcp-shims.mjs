// This file is what the MCP SDK needs of a platform, in place of its own for Node. That has a validator of JSON Schema, a third of the
// SDK's size, for forms that a server shows to the user and for schemas of results; the tools have neither.

export { default as process } from "node:process";

export class DefaultJsonSchemaValidator {
	getValidator() {
		throw new Error("there is no validator");
	}
}
