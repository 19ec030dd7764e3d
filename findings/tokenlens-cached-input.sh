#!/usr/bin/env bash
# package: tokenlens 1.3.1 (npm)
# tokenlens 1.3.1 (npm): the cached tokens in a usage of OpenAI's API are part of its prompt tokens. The price of all prompt tokens at the
# full rate and that of the cached ones at their own rate are added, so a cached token costs more than one that is not cached.
# Seen: 0.253 USD for a request of 0.073 USD; 0.208 USD for the same request with nothing cached.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --ignore-scripts --no-audit --no-fund tokenlens@1.3.1
cat <<'END'
field:    costs of requests with a cached prompt
package:  tokenlens 1.3.1 (npm)
expected: 10,000 tokens at 2 USD a million, 90,000 cached ones at 0.50 and 1,000 of output at 8 cost 0.073 USD
END
cat > finding.mjs <<'END'
import { getTokenCosts } from "tokenlens";

const cost = (cached_tokens) => {
  const prompt_tokens_details = { cached_tokens };
  const usage = { prompt_tokens: 100000, completion_tokens: 1000, total_tokens: 101000, prompt_tokens_details };
  return getTokenCosts({ modelId: "openai:gpt-4.1", usage });
};
const cached = cost(90000);
const plain = cost(0);
const usd = (number) => number.toFixed(3);
console.log(`seen:     ${usd(cached.totalUSD)} USD with 90,000 cached tokens, ${usd(plain.totalUSD)} USD with none`);
process.exitCode = usd(cached.totalUSD) === "0.253" && usd(plain.totalUSD) === "0.208" ? 0 : 1;
END
node finding.mjs || { echo "changed:  not what was seen before"; exit 1; }
