// This file reads a value that is written as a program writes it: a literal of Python or JavaScript, also with what JSON
// does not have of both, such as a comma at the end or a comment.

/** @typedef {{value: unknown, language: "Python" | "JavaScript"}} Literal */

/** @type {Record<string, unknown>} */
const WORDS = { true: true, false: false, null: null, True: true, False: false, None: null, undefined: null };
/** @type {Record<string, string>} */
const ESCAPES = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", 0: "\0", a: "\x07" };
const BLANK = /(?:\s+|\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const NUMBER = /[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y;
const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
// The strings: with three quotes, or one; before them may be a letter of Python.
const STRING =
	/([rRbBuU]{0,2})("""[\s\S]*?"""|'''[\s\S]*?'''|"[^"\\\n]*(?:\\[\s\S][^"\\\n]*)*"|'[^'\\\n]*(?:\\[\s\S][^'\\\n]*)*'|`[^`\\$]*(?:(?:\\[\s\S]|\$(?!\{))[^`\\$]*)*`)/y;
const ASSIGNED = /\s*(?:(?:export\s+)?(?:const|let|var)\s+)?[\p{L}_$][\p{L}\p{N}_$.]*\s*(?::[^=\n]+)?=(?!=)/uy;
const DEPTH = 500; // of lists and objects within each other

/** @param {string} text @returns {Literal | null} null if it is no literal, or has more than one */
export function readLiteral(text) {
	const reader = new Reader(text);
	try {
		reader.take(ASSIGNED);
		const value = reader.value(0);
		reader.blank();
		if (reader.text[reader.at] === ";") reader.at++;
		reader.blank();
		if (reader.at < text.length) return null;
		return { value, language: reader.python ? "Python" : "JavaScript" };
	} catch (error) {
		if (error instanceof NotLiteral) return null;
		throw error;
	}
}

class NotLiteral extends Error {}

class Reader {
	/** @param {string} text */
	constructor(text) {
		this.text = text;
		this.at = 0;
		this.python = false;
	}

	/** @param {RegExp} pattern sticky @returns {RegExpExecArray | null} */
	take(pattern) {
		pattern.lastIndex = this.at;
		const found = pattern.exec(this.text);
		if (found) this.at = pattern.lastIndex;
		return found;
	}

	blank() {
		this.take(BLANK);
	}

	/** @param {number} depth @returns {unknown} */
	value(depth) {
		if (depth > DEPTH) throw new NotLiteral();
		this.blank();
		switch (this.text[this.at]) {
			case "{":
				return this.object(depth);
			case "[":
				return this.list("]", depth);
			case "(":
				return this.list(")", depth);
		}
		const string = this.string();
		if (string !== null) return string;
		const number = this.take(NUMBER);
		if (number) return Number(number[0].replaceAll("_", ""));
		const word = this.take(WORD)?.[0] ?? "";
		if (!Object.hasOwn(WORDS, word)) throw new NotLiteral();
		this.python ||= /^[TFN]/.test(word);
		return WORDS[word];
	}

	/** Strings in a row are one, as in Python. @returns {string | null} */
	string() {
		let text = null;
		for (let found = this.take(STRING); found; found = this.take(STRING)) {
			this.python ||= found[1] !== "" || text !== null;
			text = (text ?? "") + unquoted(found[2], /r/i.test(found[1]));
			this.blank();
		}
		return text;
	}

	/** @param {string} end @param {number} depth */
	list(end, depth) {
		/** @type {unknown[]} */
		const list = [];
		this.python ||= end === ")";
		let commas = 0;
		for (this.at++; !this.ends(end); commas += Number(this.comma(end))) list.push(this.value(depth + 1));
		return end === ")" && list.length === 1 && commas === 0 ? list[0] : list;
	}

	/** @param {number} depth */
	object(depth) {
		/** @type {[string, unknown][]} */
		const members = [];
		for (this.at++; !this.ends("}"); this.comma("}")) {
			const key = this.string() ?? this.take(WORD)?.[0] ?? this.take(NUMBER)?.[0];
			this.blank();
			if (key === undefined || this.text[this.at] !== ":") throw new NotLiteral();
			this.at++;
			members.push([key, this.value(depth + 1)]);
		}
		return Object.fromEntries(members);
	}

	/** @param {string} end @returns {boolean} whether the list ends here; then it is read */
	ends(end) {
		this.blank();
		if (this.text[this.at] !== end) return false;
		this.at++;
		return true;
	}

	/** Reads the comma before the next element; none is needed before the end. @param {string} end */
	comma(end) {
		this.blank();
		if (this.text[this.at] === ",") {
			this.at++;
			return true;
		}
		if (this.text[this.at] !== end) throw new NotLiteral();
		return false;
	}
}

/** @param {string} quoted with its quotes @param {boolean} raw backslashes are characters */
function unquoted(quoted, raw) {
	const n = /^("""|''')/.test(quoted) ? 3 : 1;
	const inner = quoted.slice(n, quoted.length - n);
	if (raw) return inner;
	return inner.replace(
		/\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|U([\da-fA-F]{8})|x([\da-fA-F]{2})|(\r?\n)|([\s\S]))/g,
		(_, braced, four, eight, two, line, one) => {
			if (line !== undefined) return "";
			if (one !== undefined) return ESCAPES[one] ?? one;
			const code = Number.parseInt(braced ?? four ?? eight ?? two, 16);
			if (code > 0x10ffff) throw new NotLiteral();
			return four ? String.fromCharCode(code) : String.fromCodePoint(code);
		},
	);
}
