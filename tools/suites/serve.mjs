// This file answers the driver: one request in JSON a line on the standard input, one answer a line on the standard output.

import { createInterface } from "node:readline";

/** @param {Record<string, (request: any) => any>} operations by the member `op` of a request */
export async function serve(operations) {
	for await (const line of createInterface({ input: process.stdin })) {
		const request = JSON.parse(line);
		let answer;
		try {
			answer = await operations[request.op](request);
		} catch (error) {
			answer = { error: String(error?.message ?? error) };
		}
		process.stdout.write(`${JSON.stringify(answer)}\n`);
	}
}
