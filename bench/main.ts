// `npm run bench`: every measurement as one table of ratios, each against its reference in the same run. Exits
// with 1 where a bound does not hold.
import { measureExecQuick } from "./exec-quick.ts";
import { measureExecThroughput } from "./exec-throughput.ts";
import { measureLargeEdit } from "./large-edit.ts";
import { holds, type Row } from "./measure.ts";
import { measureReadTail } from "./read-tail.ts";
import { measureSearchGlob } from "./search-glob.ts";
import { measureSearchGrep } from "./search-grep.ts";
import { measureStart } from "./start.ts";
import { measureTransport } from "./transport.ts";
import { measureWebFetch } from "./web-fetch.ts";
import { measureWebMemory } from "./web-memory.ts";

const measurements: Readonly<Record<string, () => Promise<Row[]>>> = {
  start: measureStart,
  transport: measureTransport,
  "read-tail": measureReadTail,
  "large-edit": measureLargeEdit,
  "web-fetch": measureWebFetch,
  "web-memory": measureWebMemory,
  "search-grep": measureSearchGrep,
  "search-glob": measureSearchGlob,
  "exec-throughput": measureExecThroughput,
  "exec-quick": measureExecQuick,
};

const chosen = process.argv.slice(2);
const rows: Row[] = [];
for (const [name, measure] of Object.entries(measurements)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  process.stderr.write(`measuring ${name} …\n`);
  rows.push(...(await measure()));
}

for (const row of rows) {
  const bound = "atMost" in row.bound ? `at most ${row.bound.atMost}` : `at least ${row.bound.atLeast}`;
  const verdict = holds(row) ? "holds" : "FAILS";
  process.stdout.write(
    `${row.name.padEnd(44)} ${row.ratio.toFixed(2).padStart(6)}  ${bound.padEnd(14)} ${verdict}  ${row.detail}\n`,
  );
}
process.exitCode = rows.every(holds) ? 0 : 1;
