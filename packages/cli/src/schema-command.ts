// `harness schema <plugin>`: what a plugin offers, read from the plugin itself.
import { type MessageShape, toJson } from "@bufbuild/protobuf";
import { PluginProcess } from "@pluggableharness/host";
import { visibleText } from "@pluggableharness/protocol";
import {
  AttrType,
  type ConfigAttributeSchema,
  GetSchemaResponseSchema,
  RiskClass,
  type SchemaSchema,
  SchemaType,
  ToolKind,
  type ToolSchemaSchema,
} from "@pluggableharness/protocol/wire";
import { enumName } from "./enum-name.ts";
import { pluginPath } from "./plugin-path.ts";
import { heading, say } from "./screen.ts";

/** Prints the operations and the configuration of a plugin. */
export async function schemaCommand(
  plugin: string,
  { json = false }: { readonly json?: boolean },
  signal: AbortSignal,
): Promise<void> {
  await using running = await PluginProcess.launch(pluginPath(plugin), { signal });
  const schema = await running.getSchema();
  if (json) {
    say(JSON.stringify(toJson(GetSchemaResponseSchema, schema), undefined, 2));
    return;
  }
  const { name, version, source } = await running.describe();
  heading(`${name} ${version} (${source})`);
  for (const tool of schema.tools) sayTool(tool);
  say();
  heading("Configuration");
  for (const attribute of schema.configSchema?.attributes ?? []) sayAttribute(attribute, "  ");
}

function sayTool(tool: MessageShape<typeof ToolSchemaSchema>): void {
  say();
  heading(tool.name);
  const facts = [enumName(ToolKind, tool.kind), enumName(RiskClass, tool.risk)];
  if (tool.streaming) facts.push("streams");
  if (tool.idempotent) facts.push("idempotent");
  say(`  ${facts.join(", ")}`);
  say(`  ${visibleText(tool.description)}`);
  sayProperties(tool.inputSchema, "  ");
}

function sayProperties(schema: MessageShape<typeof SchemaSchema> | undefined, indent: string): void {
  for (const [name, property] of Object.entries(schema?.properties ?? {})) {
    const isRequired = schema?.required.includes(name) === true;
    say(
      visibleText(
        `${indent}${name}: ${typeName(property)}${isRequired ? "" : ", optional"}. ${property.description}`,
      ),
    );
    sayProperties(property.type === SchemaType.ARRAY ? property.items : property, `${indent}  `);
  }
}

function typeName({ type, items, enumValues }: MessageShape<typeof SchemaSchema>): string {
  if (enumValues.length > 0) return enumValues.map((value) => JSON.stringify(value)).join(" | ");
  return type === SchemaType.ARRAY && items !== undefined
    ? `list of ${typeName(items)}`
    : enumName(SchemaType, type);
}

function sayAttribute(attribute: MessageShape<typeof ConfigAttributeSchema>, indent: string): void {
  const { name, type, required, sensitive, description, defaultJson, objectAttributes } = attribute;
  const facts = [enumName(AttrType, type), required ? "required" : "optional"];
  if (sensitive) facts.push("secret");
  if (defaultJson !== undefined) facts.push(`default ${defaultJson}`);
  say(visibleText(`${indent}${name}: ${facts.join(", ")}. ${description}`));
  for (const nested of objectAttributes) sayAttribute(nested, `${indent}  `);
}
