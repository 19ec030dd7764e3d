// This file is the thread in which `tamp try` runs the gateway.

import { serve } from "./server.js";

process.exitCode = await serve([]);
