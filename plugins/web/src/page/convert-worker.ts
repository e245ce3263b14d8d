// The worker thread's side of converter.ts: one job at a time, its answer or why there is none.
import { parentPort } from "node:worker_threads";
import { convert } from "./convert.ts";
import type { ConvertJob } from "./convert-job.ts";

parentPort?.on("message", (job: ConvertJob) => {
  convert(job).then(
    (page) => parentPort?.postMessage({ page }),
    (error: unknown) =>
      parentPort?.postMessage({ failure: error instanceof Error ? error.message : String(error) }),
  );
});
