// This file keeps texts for this tab: in sessionStorage, which ends with it and may be forbidden.

/** What this tab keeps under a name; null if there is nothing, or storage is forbidden. @param {string} key */
export function keptIn(key) {
	try {
		return sessionStorage.getItem(key);
	} catch {
		return null;
	}
}

/** Keeps a text for this tab, if storage allows it; "" forgets it. @param {string} key @param {string} text */
export function keepIn(key, text) {
	try {
		if (text) sessionStorage.setItem(key, text);
		else sessionStorage.removeItem(key);
	} catch {
		// Storage may be forbidden or full: the text is then gone after a reload.
	}
}
