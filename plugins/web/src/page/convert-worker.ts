// The worker thread's side of thread-job.ts: its answer, or why there is none.
import { parentPort } from "node:worker_threads";
import { convert } from "./convert.ts";
import type { ConvertJob } from "./convert-job.ts";
import type { Reply } from "./thread-job.ts";

const answer = (reply: Reply): void => parentPort?.postMessage(reply);

parentPort?.on("message", (job: ConvertJob) => {
  convert(job).then(
    (page) => answer({ page }),
    (error: unknown) => answer({ failure: error instanceof Error ? error.message : String(error) }),
  );
});
