// This file remembers what a person does before the modules of the page are loaded: a click on a button, a chosen file, a
// typed text. It is done once they are.
{
	const root = document.documentElement;
	/** @type {HTMLButtonElement | null} */
	let clicked = null;
	addEventListener(
		"click",
		({ target }) => {
			const button = target instanceof Element ? target.closest("button") : null;
			if (!button || root.dataset.ready) return;
			clicked?.removeAttribute("aria-busy");
			clicked = button;
			button.setAttribute("aria-busy", "true");
		},
		true,
	);
	addEventListener("tamp-ready", () => {
		root.dataset.ready = "true";
		clicked?.removeAttribute("aria-busy");
		clicked?.click();
		const file = document.querySelector("#file");
		if (file instanceof HTMLInputElement && file.files?.length) file.dispatchEvent(new Event("change"));
		const text = document.querySelector("#text");
		if (text instanceof HTMLTextAreaElement && text.value !== "") text.dispatchEvent(new Event("input"));
	});
}
