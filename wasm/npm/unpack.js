// This file has the size of files that are read, and unpacks sessions that an agent has compressed: Codex writes those that
// are idle as .jsonl.zst.

/** Larger files are no session logs; reading them would need gigabytes. So is the content of a compressed one. */
export const MAX_FILE = 128_000_000; // bytes

/** Why a file of this size is not read, or "". @param {number} size in bytes */
export function refusalOf(size) {
	if (size === 0) return "the file is empty";
	const megabytes = (/** @type {number} */ bytes) => `${Math.round(bytes / 1e6)} MB`;
	return size > MAX_FILE ? `the file has ${megabytes(size)}, at most ${megabytes(MAX_FILE)} are read` : "";
}

/** What each frame of Zstandard begins with, and after a first byte from 0x50 to 0x5f one that is skipped. */
const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
const SKIPPED = [0x2a, 0x4d, 0x18];

/** Whether a file is compressed, by its first bytes; pzstd begins with a frame that is skipped. @param {Uint8Array} head */
export const isPacked = (head) =>
	MAGIC.every((byte, i) => head[i] === byte) ||
	((head[0] ?? 0) >> 4 === 5 && SKIPPED.every((byte, i) => head[i + 1] === byte));

/**
 * The content of a file, unpacked if it is compressed. A small file can have gigabytes: what has more than `most` bytes
 * is an error, before they are written.
 * @param {Uint8Array} bytes
 * @param {number} most
 */
export async function unpacked(bytes, most) {
	if (!isPacked(bytes)) return bytes;
	const { decompress } = await import("./fzstd.js"); // most files do not need it
	let content;
	try {
		content = decompress(bytes, most);
	} catch (thrown) {
		throw new Error(`cannot unpack the file: ${/** @type {Error} */ (thrown).message}`);
	}
	if (!content)
		throw new Error(`cannot unpack the file: its content has more than ${Math.round(most / 1e6)} MB, the maximum`);
	return content;
}
