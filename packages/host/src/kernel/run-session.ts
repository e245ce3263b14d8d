// RunSession: a sub-session, which the caller of this library runs, within what its parent has left. Whatever is asked
// for, its depth and budget are smaller than the parent's (semantics.md, 'Sub-agents').
import { create, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import { Code, GrpcError } from "@pluggableharness/grpc";
import { RunSessionRequestSchema, type RunSessionResultSchema } from "@pluggableharness/protocol/wire";
import type { Session } from "./session.ts";

type RunSessionRequest = MessageShape<typeof RunSessionRequestSchema>;
type RunSessionResult = MessageInitShape<typeof RunSessionResultSchema>;

/** Runs a sub-session to its end. The signal fires where the parent's call is cancelled: then it must end too. */
export type RunSession = (
  request: RunSessionRequest,
  context: { readonly parent: Session; readonly provider: string; readonly signal: AbortSignal },
) => Promise<RunSessionResult>;

/** Runs the sub-session that a plugin asks for. Throws FAILED_PRECONDITION where there can be none. */
export async function runSubSession(
  request: RunSessionRequest,
  {
    parent,
    provider,
    signal,
    run,
  }: {
    readonly parent: Session;
    readonly provider: string;
    readonly signal: AbortSignal;
    readonly run: RunSession | undefined;
  },
): Promise<RunSessionResult> {
  if (run === undefined) throw refused("this host runs no sub-sessions");
  if (parent.remainingDepth <= 0) throw refused(`session ${parent.id} may not go deeper`);
  const budget = parent.reserve(request.remainingCostBudgetUsd);
  let spent = 0;
  try {
    const narrowed = create(RunSessionRequestSchema, {
      ...request,
      remainingDepth: Math.max(0, Math.min(request.remainingDepth, parent.remainingDepth - 1)),
      remainingCostBudgetUsd: budget,
    });
    const result = await run(narrowed, { parent, provider, signal });
    spent = result.totalCostUsd ?? 0;
    return result;
  } finally {
    parent.settle(budget, spent);
  }
}

function refused(why: string): GrpcError {
  return new GrpcError(Code.FAILED_PRECONDITION, why);
}
