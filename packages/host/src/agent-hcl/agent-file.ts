// agent.hcl, as far as a host needs it (semantics.md, 'agent.hcl, as far as a host needs it'): six kinds of blocks at
// the top, and no others.
import type { Json } from "@pluggableharness/protocol";
import { type CallRisk, Policy, type PolicyAction, type PolicyRule } from "../policy.ts";
import { unknownName } from "./closest-name.ts";
import { FieldReader } from "./field-reader.ts";
import { type Body, bodyOf, HclDocument } from "./hcl-document.ts";
import type { OutlineBlock } from "./hcl-outline.ts";
import { isToolPattern } from "./tool-pattern.ts";
import { VersionConstraint } from "./version-constraint.ts";

/** Where a provider comes from. */
export interface RequiredProvider {
  readonly source: string;
  /** Any version, where it is left out. */
  readonly version: string | undefined;
}

/** A `provider` block. Its body is read against the plugin's own schema: `decodeProviderBody`. */
export interface ProviderBlock {
  readonly name: string;
  readonly document: HclDocument;
  readonly body: Body;
  readonly offset: number;
}

/** An `agent_profile` block. */
export interface AgentProfile {
  readonly name: string;
  /** Patterns of what it offers; undefined for everything. */
  readonly tools: readonly string[] | undefined;
  /** Everything else in it, which is not for tools. */
  readonly others: { readonly [name: string]: Json };
}

/** A `hook` block. */
export interface HookBlock {
  readonly point: string;
  readonly attributes: { readonly [name: string]: Json };
}

/** An agent.hcl. */
export interface AgentFile {
  readonly path: string;
  readonly requiredProviders: ReadonlyMap<string, RequiredProvider>;
  readonly providers: ReadonlyMap<string, ProviderBlock>;
  readonly policy: Policy;
  readonly profiles: ReadonlyMap<string, AgentProfile>;
  readonly hooks: readonly HookBlock[];
  readonly settings: { readonly [name: string]: Json };
}

const blockLabels: ReadonlyMap<string, readonly string[]> = new Map([
  ["required_providers", []],
  ["provider", ["name"]],
  ["policy", ["name"]],
  ["agent_profile", ["name"]],
  ["hook", ["point"]],
  ["settings", []],
]);
const ACTIONS: readonly PolicyAction[] = ["allow", "ask", "deny"];
const MATCH_KINDS = ["resource", "data_source"] as const;
const RISKS: readonly CallRisk[] = ["read_only", "low", "moderate", "high", "critical"];
const HOOK_POINTS = [
  "session_start",
  "pre_model_call",
  "post_model_response",
  "pre_tool_call",
  "plan_ready",
  "post_tool_call",
  "post_apply",
  "session_end",
];

/** Reads an agent.hcl. Throws an AgentFileError with everything that is wrong in it. */
export async function loadAgentFile(path: string): Promise<AgentFile> {
  return readAgentFile(await HclDocument.read(path));
}

/** The same of source that is there already; `path` is for messages. */
export async function parseAgentFile(path: string, source: string): Promise<AgentFile> {
  return readAgentFile(await HclDocument.parse(path, source));
}

function readAgentFile(document: HclDocument): AgentFile {
  const blocks = knownBlocks(document);
  const of = (type: string): Located[] => blocks.filter(({ block }) => block.type === type);
  const requiredProviders = new Map(
    of("required_providers").flatMap((located) => readRequired(document, located)),
  );
  const policies = of("policy").flatMap((located) => readPolicy(located));
  const profiles = of("agent_profile").map((located) => readProfile(located));
  const hooks = of("hook").map((located) => readHook(document, located));
  const [settings = {}] = of("settings").map(({ reader }) => reader.all());
  const policy = checkedPolicy(document, policies);
  document.check();
  return {
    path: document.path,
    requiredProviders,
    providers: new Map(
      of("provider").map(({ block, body }) => [
        block.labels[0] ?? "",
        { name: block.labels[0] ?? "", document, body, offset: block.offset },
      ]),
    ),
    policy,
    profiles: new Map(profiles.map((profile) => [profile.name, profile])),
    hooks,
    settings,
  };
}

/** A block of a known type with the right labels. */
interface Located {
  readonly block: OutlineBlock;
  readonly body: Body;
  readonly reader: FieldReader;
}

/** The blocks at the top; what else stands there is noted. */
function knownBlocks(document: HclDocument): Located[] {
  const { outline, values } = document.root;
  for (const { name, offset } of outline.attributes)
    document.problem(
      offset,
      `the attribute "${name}" has no place at the top; there are only blocks: ${[...blockLabels.keys()].join(", ")}`,
    );
  const seen = new Map<string, number>();
  return outline.blocks.flatMap((block) => {
    const labels = blockLabels.get(block.type);
    if (labels === undefined) {
      document.problem(block.offset, unknownName("block", block.type, [...blockLabels.keys()]));
      return [];
    }
    if (block.labels.length !== labels.length) {
      const wanted = labels.length === 0 ? "no label" : `one label, its ${labels[0]}`;
      document.problem(
        block.offset,
        `the block "${block.type}" takes ${wanted}, and has ${block.labels.length}`,
      );
      return [];
    }
    const key = JSON.stringify([block.type, ...block.labels]);
    const index = seen.get(key) ?? 0;
    seen.set(key, index + 1);
    if (index > 0 && block.type !== "hook")
      document.problem(
        block.offset,
        `there is another block ${[block.type, ...block.labels.map((label) => `"${label}"`)].join(" ")} before this one`,
      );
    const body = bodyOf(values, block, index);
    return [{ block, body, reader: new FieldReader(document, body, block.offset) }];
  });
}

function readRequired(document: HclDocument, { body, reader }: Located): [string, RequiredProvider][] {
  for (const { type, offset } of body.outline.blocks)
    document.problem(offset, `a block "${type}" has no place here`);
  return body.outline.attributes.flatMap(({ name }) => {
    const fields = reader.object(name)?.only(["source", "version"]);
    if (fields === undefined) return [];
    fields.require("source");
    const [source, version] = [fields.string("source"), fields.string("version")];
    if (source !== undefined && !/^[\w.-]+(\/[\w.-]+)+$/.test(source))
      fields.problem(
        "source",
        `source is ${JSON.stringify(source)}; write an address such as github.com/pluggableharness/plugin-tool-filesystem`,
      );
    if (version !== undefined) checkConstraint(fields, version);
    return source === undefined ? [] : [[name, { source, version }] as [string, RequiredProvider]];
  });
}

function checkConstraint(fields: FieldReader, version: string): void {
  try {
    VersionConstraint.parse(version);
  } catch (error) {
    fields.problem("version", error instanceof Error ? error.message : String(error));
  }
}

interface PlacedRule {
  readonly rule: PolicyRule;
  readonly offset: number;
}

function readPolicy({ block, reader }: Located): PlacedRule[] {
  reader.only(["match", "action"]).require("action");
  const match = reader.object("match")?.only(["kind", "provider", "tool_name", "risk"]);
  const action = reader.word("action", ACTIONS);
  const kind = match?.word("kind", MATCH_KINDS);
  const risk = match?.word("risk", RISKS);
  const provider = match?.string("provider");
  const toolName = match?.string("tool_name");
  if (action === undefined) return [];
  const rule: PolicyRule = {
    name: block.labels[0] ?? "",
    action,
    match: {
      ...(kind !== undefined && { kind }),
      ...(risk !== undefined && { risk }),
      ...(provider !== undefined && { provider }),
      ...(toolName !== undefined && { toolName }),
    },
  };
  return [{ rule, offset: block.offset }];
}

/** The rules together; one that conflicts with an earlier one is noted at its place, and left out. */
function checkedPolicy(document: HclDocument, placed: readonly PlacedRule[]): Policy {
  try {
    return new Policy(placed.map(({ rule }) => rule));
  } catch {
    // Two of them conflict. Which ones is found by adding them one by one, which takes longer.
  }
  const kept: PolicyRule[] = [];
  for (const { rule, offset } of placed) {
    try {
      new Policy([...kept, rule]);
      kept.push(rule);
    } catch (error) {
      document.problem(offset, error instanceof Error ? error.message : String(error));
    }
  }
  return new Policy(kept);
}

function readProfile({ block, reader }: Located): AgentProfile {
  const tools = reader.strings("tools");
  for (const pattern of tools ?? [])
    if (!isToolPattern(pattern))
      reader.problem(
        "tools",
        `tools has the pattern ${JSON.stringify(pattern)}; write "provider.operation", "provider.*" or "*"`,
      );
  const { tools: _, ...others } = reader.all();
  return { name: block.labels[0] ?? "", tools, others };
}

function readHook(document: HclDocument, { block, reader }: Located): HookBlock {
  const [point = ""] = block.labels;
  if (!HOOK_POINTS.includes(point))
    document.problem(block.offset, unknownName("hook point", point, HOOK_POINTS));
  return { point, attributes: reader.all() };
}
