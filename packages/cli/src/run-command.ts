// `harness run <agent.hcl>`: try an agent's operations by hand, in a conversation at the terminal or from a pipe.
import { type AgentFileOptions, openAgent } from "./open-agent.ts";
import { converseAtTerminal } from "./terminal-conversation.ts";

/** Opens the agent and converses until the person leaves; `signal` ends it early. */
export async function runCommand(
  agentFile: string,
  options: AgentFileOptions,
  signal: AbortSignal,
): Promise<void> {
  await using agent = await openAgent(agentFile, options);
  await converseAtTerminal(agent, signal);
}
