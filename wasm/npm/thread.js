// This file is the script of a worker that is started from its text: inline/thread.js has it with all its imports. It
// gets the wasm by message.

import { listen } from "./listen.js";

listen();
