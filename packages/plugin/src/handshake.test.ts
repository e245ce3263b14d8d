import { describe, expect, it } from "vitest";
import { COOKIE_KEY, COOKIE_VALUE, formatHandshakeLine, negotiate, readHandshake } from "./handshake.ts";

// Numbers in brackets are the assertions of go-plugin-verified.md section 10.
const cookie = { [COOKIE_KEY]: COOKIE_VALUE };

describe("readHandshake", () => {
  it.each([
    ["no cookie [1]", {}],
    ["another cookie [2]", { [COOKIE_KEY]: "x" }],
    ["the cookie with a blank [2]", { [COOKIE_KEY]: `${COOKIE_VALUE} ` }],
  ])("refuses %s and says what to do", (_name, environment) => {
    expect(readHandshake(environment, "linux", "echo")).toMatchObject({
      kind: "refused",
      message: expect.stringMatching(/echo is a tool plugin.*agent\.hcl.*harness call/s),
    });
  });

  it("listens on a unix socket, in the host's folder and group where it names them [12]", () => {
    expect(readHandshake(cookie, "linux", "echo")).toEqual({
      kind: "accepted",
      version: 1,
      listen: { network: "unix", directory: undefined, group: undefined },
      clientCertificate: undefined,
      answerMultiplexing: false,
      ignoredVersions: [],
    });
    const named = { ...cookie, PLUGIN_UNIX_SOCKET_DIR: "/run/x", PLUGIN_UNIX_SOCKET_GROUP: "staff" };
    expect(readHandshake(named, "darwin", "echo")).toMatchObject({
      listen: { network: "unix", directory: "/run/x", group: "staff" },
    });
  });

  it.each([
    ["10000", "25000", { network: "tcp", minPort: 10_000, maxPort: 25_000 }],
    ["", undefined, { network: "tcp", minPort: 0, maxPort: 0 }],
  ])("listens on TCP on Windows, ports %j to %j", (min, max, listen) => {
    const environment = { ...cookie, PLUGIN_MIN_PORT: min, PLUGIN_MAX_PORT: max };
    expect(readHandshake(environment, "win32", "echo")).toMatchObject({ kind: "accepted", listen });
  });

  it.each([
    ["5", "4", "PLUGIN_MIN_PORT 5 is above PLUGIN_MAX_PORT 4"],
    ["x", "4", "must be port numbers"],
    ["1", "70000", "must be port numbers"],
  ])("refuses ports %j to %j [11]", (min, max, words) => {
    const environment = { ...cookie, PLUGIN_MIN_PORT: min, PLUGIN_MAX_PORT: max };
    expect(readHandshake(environment, "win32", "echo")).toMatchObject({
      kind: "refused",
      message: expect.stringContaining(words),
    });
  });

  it("declines multiplexing only where the host asks about it [15, 16]", () => {
    expect(readHandshake({ ...cookie, PLUGIN_MULTIPLEX_GRPC: "true" }, "linux", "echo")).toMatchObject({
      answerMultiplexing: true,
    });
    expect(readHandshake({ ...cookie, PLUGIN_MULTIPLEX_GRPC: "" }, "linux", "echo")).toMatchObject({
      answerMultiplexing: false,
    });
  });

  it.each([
    ["9", 1, []],
    ["", 1, []],
    [undefined, 1, []],
    ["x,1", 1, ["x"]],
    ["2,1", 1, []],
  ])("answers version %j with %j [7, 8, 9]", (offered, version, ignoredVersions) => {
    expect(readHandshake({ ...cookie, PLUGIN_PROTOCOL_VERSIONS: offered }, "linux", "echo")).toMatchObject({
      version,
      ignoredVersions,
    });
  });

  it.each([
    [["3", "1", "2"], [1, 2], 2],
    [["9"], [2, 1], 1],
    [["01"], [1, 2], 1],
  ])("negotiates %j with own %j to %j [6]", (offered, own, version) => {
    expect(negotiate(offered, own)).toBe(version);
  });
});

describe("formatHandshakeLine", () => {
  const line = {
    version: 1,
    network: "unix",
    address: "/tmp/p/s",
    certificate: "",
    answerMultiplexing: false,
  } as const;

  it.each([
    [line, "1|1|unix|/tmp/p/s|grpc|\n"],
    [{ ...line, answerMultiplexing: true }, "1|1|unix|/tmp/p/s|grpc||false\n"],
    [
      { ...line, network: "tcp", address: "127.0.0.1:9", certificate: "AbC+/" } as const,
      "1|1|tcp|127.0.0.1:9|grpc|AbC+/\n",
    ],
  ])("writes %j [3]", (fields, text) => {
    expect(formatHandshakeLine(fields)).toBe(text);
  });

  it.each(["/tmp/a|b/s", "/tmp/a\nb/s"])("refuses the address %j, which a host could not read", (address) => {
    expect(() => formatHandshakeLine({ ...line, address })).toThrow("cannot carry");
  });
});
