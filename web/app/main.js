// This file makes the page: its state, what changes it, and the views that draw it.

import { startPanes } from "./ui/panes.js";
import { CounterChoice } from "./policy/counter.js";
import { byId } from "./ui/dom.js";
import { showFaults } from "./session/failure.js";
import { Address, sessionHash, stateIn } from "./session/address.js";
import { Input } from "./session/input.js";
import { startKeys } from "./ui/keyList.js";
import { RepairView } from "./session/repairView.js";
import { Numbers } from "./blocks/numbers.js";
import { Output } from "./output/output.js";
import { Pieces } from "./ui/pieces.js";
import { Places } from "./places/places.js";
import { PolicyForm } from "./policy/policy.js";
import { Problems } from "./session/problems.js";
import { Progress } from "./ui/progress.js";
import { Recent } from "./session/recent.js";
import { Reading } from "./reading/reading.js";
import { SessionReplay } from "./replay/replay.js";
import { Server } from "./output/server.js";
import { Session } from "./session/session.js";
import { Share } from "./session/share.js";
import { keepForTab, startOver } from "./session/tabSession.js";
import { Store } from "./store.js";
import { explain } from "./ui/glossary.js";
import { startLinks } from "./ui/links.js";
import { Takeaway } from "./output/takeaway.js";
import { startTheme } from "./ui/theme.js";
import { dismissAction } from "./ui/toast.js";

/** What is known before a session is open. @returns {import("./store.js").State} */
const initial = () => ({
	...stateIn(sessionHash(), []),
	source: null,
	presets: [],
	count: {
		counting: { counter: "estimate", vocabularies: [] },
		counted: "estimate",
		learned: [],
		certain: false,
		own: "estimate",
		progress: "",
	},
	blocks: {},
	answers: new Map(),
	served: new Map(),
	server: "",
	about: undefined,
	seen: null,
	counted: null,
	waiting: null,
	trigger: null,
	shown: null,
	stale: true,
	size: null,
	output: { is: "waiting" },
	look: null,
	viewed: null,
	repair: null,
	unread: null,
	unlearned: null,
	refused: null,
	work: { is: "idle", size: 0 },
	// The built page knows the size of the engine.
	loads: { engine: { name: "the engine", bytes: 0, of: Number(document.documentElement.dataset.engine ?? 0) } },
	settled: false,
	row: null,
	hovered: -1,
	jump: null,
	window: 0,
	results: new Map(),
	advised: { name: "", title: "", why: "" },
	place: "session",
});

showFaults();
const store = new Store(initial(), new Pieces());
const session = new Session(store);
// The views, in the order in which they draw: what the first screen shows comes first.
startPanes(store);
new Progress(store, () => session.cancel());
new Problems(store, session);
new RepairView(store, session);
const address = new Address(store);
const places = new Places(store, session, address);
new Input(store, session, (all) => void places.folder.take(all));
const numbers = new Numbers(store, session);
new SessionReplay(store, session);
store.watch(["shown", "stale", "source"], ({ shown, stale, source }) => {
	byId("session").dataset.stale = String(stale);
	// What gives the panes their height is filled before it shows. Until a new session is read, the old one stays.
	if (shown) byId("session").hidden = false;
	else if (stale || !source) byId("session").hidden = true;
});
new CounterChoice(store, session);
new PolicyForm(store, session);
new Reading(store, session);
store.watchInPieces("shown", ({ shown }) => shown && void keepForTab(shown.source));
new Recent(store, (name, blob) => session.open({ key: session.opener.nextKey(), name, blob, origin: "recent" }));
new Share(store);
new Output(store, session);
new Server(store, session);
new Takeaway(store, session);
store.watch(["place"], dismissAction); // its undo belongs to the place that the user has left
startTheme(() => numbers.recolor());
startLinks(startOver);
void session.opener.address(true).finally(() => (byId("input").dataset.decided = "true"));
startKeys(store, session);
dispatchEvent(new Event("tamp-ready")); // what was clicked before is done now, and from now on at once (early.js)
store.pieces.add(
	() => explain(document),
	() => numbers.prepare(),
);
