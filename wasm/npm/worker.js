// This file is the script of a module Worker or a Node thread.

import { listen } from "./listen.js";
import { nextToThisFile } from "./source.js";

listen(nextToThisFile);
