// A whole plugin: one operation, with its preview and render. Bundle it to one executable file, or run it as it
// is with `node --conditions=source`; then `harness call <path> greet '{"name":"you"}'`.
import { definePlugin, s, serve, ui } from "@pluggableharness/plugin";

const greeter = definePlugin({
  name: "hello",
  version: "0.1.0",
  source: "github.com/pluggableharness/plugin-tool-hello",
  config: s.object({ greeting: s.default(s.string("The word before the name."), "Hello") }),
  open: ({ greeting }) => ({ greeting }),
});

export const greet = greeter.defineTool({
  name: "greet",
  kind: "data_source",
  idempotent: true,
  concurrency: { safe: true },
  description: "Greets somebody.",
  input: s.object({ name: s.string("Whom to greet.") }),
  output: s.object({ operation: s.literal("greet"), text: s.string("The greeting.") }),
  invoke: async ({ name }, call) => ({ operation: "greet", text: `${call.state.greeting}, ${name}!` }),
  preview: ({ name }) => ui.text(`Greet ${name}`),
  render: ({ text }) => ui.text(text),
});

serve(greeter, [greet]);
