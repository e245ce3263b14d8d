import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { AttrType, type ConfigAttributeSchema, ConfigSchemaSchema } from "@pluggableharness/protocol/wire";
import { describe, expect, it } from "vitest";
import { parseAgentFile } from "./agent-file.ts";
import { absentProviderBody, decodeProviderBody } from "./provider-config.ts";

type Attribute = MessageInitShape<typeof ConfigAttributeSchema>;

const attributes: Attribute[] = [
  { name: "roots", type: AttrType.LIST_STRING, required: true },
  { name: "name", type: AttrType.STRING, defaultJson: '"none"' },
  { name: "size", type: AttrType.NUMBER, defaultJson: "64" },
  { name: "read_only", type: AttrType.BOOL },
  { name: "sizes", type: AttrType.LIST_NUMBER },
  { name: "env", type: AttrType.MAP_STRING },
  { name: "token", type: AttrType.STRING, sensitive: true },
  {
    name: "search",
    type: AttrType.OBJECT,
    objectAttributes: [
      { name: "backend", type: AttrType.STRING, required: true },
      { name: "count", type: AttrType.NUMBER, defaultJson: "10" },
      { name: "api_key", type: AttrType.STRING, sensitive: true },
    ],
  },
];
const environment = { KEY: "s3cret-value", EMPTY: "" };

async function decode(body: string, schema: readonly Attribute[] = attributes) {
  const { providers } = await parseAgentFile("agent.hcl", `provider "p" {\n${body}\n}\n`);
  const block = providers.get("p");
  if (block === undefined) throw new Error("there is no block");
  return decodeProviderBody(block, create(ConfigSchemaSchema, { attributes: [...schema] }), environment);
}

describe("a provider's body", () => {
  it("becomes its configuration, with defaults and zero values in the place of what is absent", async () => {
    expect(await decode('roots = ["."]')).toEqual({
      roots: ["."],
      name: "none",
      size: 64,
      read_only: false,
      sizes: [],
      env: {},
      token: "",
      search: { backend: "", count: 10, api_key: "" },
    });
  });

  it("keeps every kind of value that is written", async () => {
    const body = `
      roots     = ["a", "$\${b}"]
      name      = "x"
      size      = -1.5
      read_only = true
      sizes     = [1, 2]
      env       = { A = "1", "B-C" = "2" }
      token     = env("KEY")
      search    = { backend = "brave", api_key = env( "KEY" ) }
    `;
    expect(await decode(body)).toEqual({
      roots: ["a", "${b}"],
      name: "x",
      size: -1.5,
      read_only: true,
      sizes: [1, 2],
      env: { A: "1", "B-C": "2" },
      token: "s3cret-value",
      search: { backend: "brave", count: 10, api_key: "s3cret-value" },
    });
  });

  it("may write an object as a block", async () => {
    const config = await decode('roots = []\nsearch {\n  backend = "exa"\n  api_key = env("EMPTY")\n}');
    expect(config["search"]).toEqual({ backend: "exa", count: 10, api_key: "" });
  });

  it.each([
    ["", "1:1: roots is missing; it is a list of strings"],
    ["roots = []\nroot = 1", '3:1: unknown attribute "root"; did you mean "roots"?'],
    ["roots = []\nserch {\n}", '3:1: unknown block "serch"; did you mean "search"?'],
    ['roots = "."', '2:1: roots must be a list of strings, not string "."'],
    ["roots = [1]", "2:1: roots must be a list of strings, not a list with something else in it"],
    ['roots = []\nsize = "64"', '3:1: size must be a number, not string "64"'],
    ["roots = []\nread_only = 1", "3:1: read_only must be true or false, not number 1"],
    ["roots = []\nname = null", "3:1: name must be a string, not null"],
    ["roots = []\nenv = { A = 1 }", "3:1: env must be an object of strings, not an object"],
    ["roots = []\nname {\n}", "3:1: name is a string, and no block"],
    ["roots = []\nsize = 1e400", "3:1: size must be a number, not one that is too large"],
    [
      "roots = []\nsizes = [-1e400]",
      "3:1: sizes must be a list of numbers, not a list with something else in it",
    ],
    ['roots = []\nsearch "exa" {\n  backend = "a"\n}', '3:1: the block "search" takes no label here'],
    [
      'roots = []\nsearch = { backend = "a" }\nsearch {\n  backend = "b"\n}',
      "4:1: search is written twice, as an attribute and as a block",
    ],
    [
      'roots = []\nsearch = { backend = "a", api_key = env("KEY"), api_key = "plain-secret" }',
      "3:49: api_key is written twice",
    ],
    ["roots = []\nsearch = 1", "3:1: search must be an object, { … }"],
    ["roots = []\nsearch = {}", "3:1: backend is missing; it is a string"],
    [
      'roots = []\nsearch {\n  backend = "a"\n}\nsearch {\n  backend = "b"\n}',
      "6:1: there is another search before this one",
    ],
    ['roots = []\nsearch = {\n  backend = "a"\n  key = "b"\n}', '5:3: unknown attribute "key"'],
    [
      'roots = []\nname = env("KEY")',
      '3:1: name is not sensitive: env("NAME") is for sensitive attributes; write the value itself',
    ],
    ['roots = [env("KEY")]', '2:1: roots is not sensitive: env("NAME")'],
    [
      "roots = []\nname = upper(x)",
      "3:1: name is computed, which is not possible here; write the value itself",
    ],
    [
      'roots = []\ntoken = "plain-secret"',
      '3:1: token is sensitive: it can only be written env("NAME"), the name of an environment variable',
    ],
    ['roots = []\ntoken = "${env("KEY")}"', '3:1: token is sensitive: it can only be written env("NAME")'],
    ['roots = []\ntoken = "x-${env("KEY")}"', '3:1: token is sensitive: it can only be written env("NAME")'],
    ['roots = []\ntoken = env("NOT_SET")', "3:1: token: the environment variable NOT_SET is not set"],
    ["roots = []\ntoken = env(KEY)", '3:1: token is sensitive: it can only be written env("NAME")'],
    ['roots = []\ntoken = env("KEY", "x")', '3:1: token is sensitive: it can only be written env("NAME")'],
    [
      'roots = []\nsearch = { backend = "a", api_key = "plain-secret" }',
      '3:27: api_key is sensitive: it can only be written env("NAME")',
    ],
  ])("%j is refused where the mistake is", async (body, message) => {
    const failure = await decode(body).catch((error: unknown) => String(error));
    expect(failure).toContain(`agent.hcl:${message}`);
    expect(failure).not.toMatch(/plain-secret|s3cret/);
  });

  it("tells all mistakes at once", async () => {
    const failure = await decode('size = "a"\ntoken = "b"\nmore = 1').catch((error: unknown) => error);
    expect(failure).toMatchObject({ problems: [{ line: 1 }, { line: 2 }, { line: 3 }, { line: 4 }] });
  });

  it.each([
    [
      "a default on a sensitive attribute",
      [{ name: "key", type: AttrType.STRING, sensitive: true, defaultJson: '"x"' }],
      "",
      "the plugin gives its sensitive attribute key a default, which is not allowed",
    ],
    [
      "a default on a sensitive attribute of an object that is absent",
      [
        {
          name: "login",
          type: AttrType.OBJECT,
          objectAttributes: [{ name: "key", type: AttrType.STRING, sensitive: true, defaultJson: '"x"' }],
        },
      ],
      "",
      "the plugin gives its sensitive attribute login.key a default, which is not allowed",
    ],
    [
      "a default of an object with a sensitive attribute in it",
      [
        {
          name: "login",
          type: AttrType.OBJECT,
          defaultJson: '{"key":"x"}',
          objectAttributes: [{ name: "key", type: AttrType.STRING, sensitive: true }],
        },
      ],
      "",
      "the plugin gives its sensitive attribute login.key a default, which is not allowed",
    ],
    [
      "a sensitive attribute that is no string",
      [{ name: "key", type: AttrType.NUMBER, sensitive: true }],
      'key = env("KEY")',
      "the plugin's sensitive attribute key is a number; only a string can be",
    ],
  ])("blames the plugin for %s", async (_name, schema, body, message) => {
    await expect(decode(body, schema)).rejects.toThrow(message);
  });

  it("is sensitive in all its parts where the object is", async () => {
    const schema: Attribute[] = [
      {
        name: "login",
        type: AttrType.OBJECT,
        sensitive: true,
        objectAttributes: [{ name: "user", type: AttrType.STRING }],
      },
    ];
    await expect(decode('login = { user = "me" }', schema)).rejects.toThrow("user is sensitive");
  });
});

describe("a provider without a block", () => {
  it("gets defaults, or says what must be written", () => {
    const schema = create(ConfigSchemaSchema, { attributes: [...attributes] });
    expect(() => absentProviderBody("p", schema)).toThrow(
      'there is no block provider "p", and it must say: roots',
    );
    expect(
      absentProviderBody("p", create(ConfigSchemaSchema, { attributes: attributes.slice(1, 3) })),
    ).toEqual({
      name: "none",
      size: 64,
    });
    expect(absentProviderBody("p", undefined)).toEqual({});
  });

  it("is refused where the plugin gives a sensitive attribute a default", () => {
    const key: Attribute = { name: "key", type: AttrType.STRING, sensitive: true, defaultJson: '"x"' };
    expect(() => absentProviderBody("p", create(ConfigSchemaSchema, { attributes: [key] }))).toThrow(
      'the provider "p": the plugin gives its sensitive attribute key a default, which is not allowed',
    );
  });
});
