// What a recipe leaves out, so that checks are not reached which it could reach. Pure.
import type { PluginSchema } from "./connected-plugin.ts";
import { inputNode } from "./exchange.ts";
import type { Recipe } from "./recipe.ts";

/** Sentences for the recipe's author; empty where it says all it could. */
export function recipeGaps({ tools }: PluginSchema, { calls }: Recipe): string[] {
  const unknown = Object.keys(calls).filter((called) => !tools.some(({ name }) => name === called));
  return [
    ...unknown.map((name) => `there is no operation ${name}`),
    ...tools.flatMap((tool) => {
      const call = calls[tool.name];
      if (call === undefined) return [`${tool.name} has no call`];
      const takesArguments = Object.keys(inputNode(tool).properties).length > 0;
      return [
        ...(takesArguments && call.invalid === undefined
          ? [`${tool.name} has no \`invalid\` arguments`]
          : []),
        ...(tool.streaming && call.cancel === undefined && !call.brief
          ? [`${tool.name} streams and has no \`cancel\``]
          : []),
      ];
    }),
  ];
}
