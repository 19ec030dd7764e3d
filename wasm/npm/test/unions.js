// This file reads the members of the vendors' union types (unions/unions.ts) from their type declarations with
// TypeScript's checker, and makes values of them.

import { fileURLToPath } from "node:url";
import { vendor } from "./loops.js";

const { API, SymbolFlags, TypeFlags } = await vendor("typescript/dist/api/sync/api.js");

/**
 * A member of a union: its name, which is its type or its role, and its values. The smallest have the required members
 * only, the whole ones have the optional ones, too. Each has other members of the unions inside.
 * @typedef {{ name: string, smallest: any[], whole: any[] }} Member
 */

/** The most values of a member: the largest union inside has fewer members of one form. */
const MOST = 12;

/** The bytes of a JPEG image of 1 × 1 pixels, in base64, and data that is not text. */
const data = `/9j/4AAQSkZJRgABAQAAAQABAAD/wAALCAABAAEBAREA${noise(20_000)}/9k=`; // it ends as an image does

/** Base64 without order, as encrypted text is. @param {number} length */
function noise(length) {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	let text = "";
	for (let i = 0, seed = 1; i < length; i++) {
		seed = (seed * 1103515245 + 12345) % 2147483648;
		text += letters[seed >> 25];
	}
	return text;
}

/** The strings that have a form, by the name of their member. @type {[RegExp, string][]} */
const forms = [
	[/^(data|file_data|videoBytes|imageBytes)$/, data],
	[/^(encrypted_|signature$|thoughtSignature$|fingerprint$)|Signature$/, noise(20_000)],
	[/^image_url$/, `data:image/jpeg;base64,${data}`],
	[/^(fileUri|uri|url|file_url)$/, "https://example.org/a.pdf"],
	[/^(mimeType|media_type)$/, "image/jpeg"],
	[/(^|_)id$|Id$|_ids$/, "id_1"],
	[/^arguments$/, '{"path":"a.go"}'],
	[/^(name|tool_name)$/, "read"],
];

/**
 * The members of each union.
 * @returns {Record<string, Member[]>}
 */
export function unions() {
	const api = new API({ cwd: fileURLToPath(new URL("unions", import.meta.url)) });
	try {
		const config = fileURLToPath(new URL("unions/tsconfig.json", import.meta.url));
		const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
		const { checker, program } = project;
		const file = program.getSourceFile(fileURLToPath(new URL("unions/unions.ts", import.meta.url)));
		const all = checker.getDeclaredTypeOfSymbol(checker.resolveName("Unions", SymbolFlags.TypeAlias, file));
		/** @type {Record<string, Member[]>} */
		const found = {};
		for (const symbol of checker.getPropertiesOfType(all)) {
			found[symbol.name] = membersOf(checker, checker.getTypeOfSymbol(symbol));
		}
		return found;
	} finally {
		api.close();
	}
}

/** @param {any} checker @param {any} type @returns {Member[]} */
function membersOf(checker, type) {
	const all = (/** @type {(choice: number, whole: boolean) => any} */ make, /** @type {boolean} */ whole) => {
		const texts = Array.from({ length: MOST }, (_, choice) => JSON.stringify(make(choice, whole)));
		return [...new Set(texts)].map((text) => JSON.parse(text));
	};
	if (type.isUnionType()) {
		return type.getTypes().map((/** @type {any} */ t) => {
			const make = (/** @type {number} */ choice, /** @type {boolean} */ whole) =>
				value({ checker, whole, choice }, t, "", []);
			const smallest = all(make, false);
			return { name: smallest[0].type ?? smallest[0].role ?? t.getSymbol().name, smallest, whole: all(make, true) };
		});
	}
	return checker.getPropertiesOfType(type).map((/** @type {any} */ symbol) => {
		const { name } = symbol;
		const make = (/** @type {number} */ choice, /** @type {boolean} */ whole) => ({
			[name]: value({ checker, whole, choice }, checker.getTypeOfSymbol(symbol), name, [type.id]),
		});
		return { name, smallest: all(make, false), whole: all(make, true) };
	});
}

/**
 * A value of a type.
 * @param {{ checker: any, whole: boolean, choice: number }} how whole: with the optional members; choice: which member
 * of a union
 * @param {any} type
 * @param {string} name of the member that has it
 * @param {number[]} around the types that the value is in
 * @returns {any}
 */
function value(how, type, name, around) {
	const { checker, whole, choice } = how;
	const words = forms.find(([form]) => form.test(name))?.[1];
	if (type.isLiteralType()) return type.value;
	if (type.isUnionType()) {
		const types = type.getTypes().filter((/** @type {any} */ t) => !(t.flags & (TypeFlags.Null | TypeFlags.Undefined)));
		const literal = types.every((/** @type {any} */ t) => t.isLiteralType());
		if (literal) return types.find((/** @type {any} */ t) => t.value === words)?.value ?? types[0].value;
		return types.length > 0 ? value(how, types[choice % types.length], name, around) : null;
	}
	if (type.flags & TypeFlags.String) return words ?? "some words";
	if (type.flags & TypeFlags.Number) return 1;
	if (type.flags & (TypeFlags.Null | TypeFlags.Undefined)) return null;
	if (checker.isArrayType(type)) {
		const [element] = checker.getTypeArguments(type);
		return around.includes(element.id) ? [] : [value(how, element, name, around)];
	}
	if ((!type.isObjectType() && !type.isIntersectionType()) || around.includes(type.id)) return {};
	/** @type {Record<string, any>} */
	const made = {};
	for (const symbol of checker.getPropertiesOfType(type)) {
		const optional = (symbol.flags & SymbolFlags.Optional) !== 0;
		if (symbol.flags & SymbolFlags.Method || (optional && !(whole && around.length < 4))) continue;
		made[symbol.name] = value(how, checker.getTypeOfSymbol(symbol), symbol.name, [...around, type.id]);
	}
	if (made.media_type === "text/plain") made.data = "some words";
	return made;
}
