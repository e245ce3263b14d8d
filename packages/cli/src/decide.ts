// A person at the prompt decides about a call: allows it, denies it, corrects its arguments, or allows its operation for
// the session; or answers what an interactive operation asks.
import type { Approval, JsonObject, PlannedItem, Reply } from "@pluggableharness/host";
import { type ObjectNode, visibleText } from "@pluggableharness/protocol";
import { fullName } from "./find-operation.ts";
import { type FormPerson, fillForm } from "./form.ts";

/** Asks what becomes of an item that was shown. Where the person is gone it is denied. */
export async function decide({ operation, item }: PlannedItem, person: FormPerson): Promise<Approval> {
  for (;;) {
    const answer = await person.ask("[a]llow, [d]eny, [e]dit, allow for the [s]ession? ");
    switch (answer?.trim().toLowerCase()) {
      case undefined:
        return { kind: "deny", reason: "there was no answer" };
      case "a":
      case "allow":
        return { kind: "allow" };
      case "d":
      case "deny": {
        const reason = await person.ask("  why (for the model; enter for no reason): ");
        return { kind: "deny", reason };
      }
      case "s":
      case "session":
        person.say(`From now on ${fullName(operation)} is not asked about, whatever its arguments.`);
        return { kind: "allow_for_session" };
      case "e":
      case "edit": {
        const input = await edited(operation.input, item.input ?? {}, person);
        if (input !== undefined) return { kind: "edit", input };
        break;
      }
      default:
        person.say("  a, d, e or s");
    }
  }
}

/** Asks for the answer to a question that was shown. */
export async function answerQuestion({ operation }: PlannedItem, person: FormPerson): Promise<Reply> {
  const payload = await objectOf(operation.output, person);
  return payload === undefined ? { kind: "decline" } : { kind: "answer", payload };
}

/** Asks for an object, field by field; undefined where the person has given up. */
export async function objectOf(
  node: PlannedItem["operation"]["input"],
  person: FormPerson,
  current: JsonObject = {},
): Promise<JsonObject | undefined> {
  return await fillForm(objectNode(node), person, current);
}

async function edited(
  node: PlannedItem["operation"]["input"],
  current: JsonObject,
  person: FormPerson,
): Promise<JsonObject | undefined> {
  person.say(`  ${visibleText(JSON.stringify(current))}`);
  for (;;) {
    const answer = await person.ask("  new arguments as JSON (enter: field by field): ");
    if (answer === undefined) return undefined;
    if (answer.trim() === "") return await objectOf(node, person, current);
    try {
      const value: unknown = JSON.parse(answer);
      if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
      person.say("  that is no JSON object");
    } catch (error) {
      person.say(`  that is not JSON: ${error instanceof Error ? visibleText(error.message) : error}`);
    }
  }
}

/** Arguments and results are objects; a schema that says otherwise has no fields to ask for. */
function objectNode(node: PlannedItem["operation"]["input"]): ObjectNode {
  return node.type === "object" ? node : { type: "object", description: "", properties: {}, required: [] };
}
