import { describe, expect, it } from "vitest";
import { parseHandshakeLine } from "./handshake-line.ts";

describe("parseHandshakeLine", () => {
  it.each([
    ["1|1|unix|/tmp/p/s|grpc|", { network: "unix", path: "/tmp/p/s" }],
    ["1|1|unix|/tmp/p/s|grpc", { network: "unix", path: "/tmp/p/s" }],
    ["  1|1|tcp|127.0.0.1:99|grpc||false\r", { network: "tcp", host: "127.0.0.1", port: 99 }],
    ["1|1|tcp|[::1]:99|grpc|", { network: "tcp", host: "::1", port: 99 }],
  ])("reads %j", (line, address) => {
    expect(parseHandshakeLine(line)).toEqual(address);
  });

  it.each([
    ["", "no handshake"],
    ["Hello, world", "no handshake"],
    ["2|1|unix|/s|grpc|", 'version "2" of the core protocol'],
    ["1|2|unix|/s|grpc|", 'version "2" of the plugin protocol'],
    ["1 | 1 | unix | /s | grpc", "core protocol"],
    ["1|1|pipe|/s|grpc|", "neither a unix socket nor host:port"],
    ["1|1|unix||grpc|", "neither a unix socket"],
    [`1|1|unix|/${"s".repeat(300)}|grpc|`, "neither a unix socket"],
    [`1|1|tcp|${"s".repeat(300)}:1|grpc|`, "neither a unix socket"],
    ["1|1|tcp|nowhere|grpc|", "neither a unix socket"],
    ["1|1|unix|/s|netrpc|", '"netrpc", not grpc'],
    ["1|1|unix|/s", '"netrpc", not grpc'],
    ["1|1|unix|/s|grpc|MIIB", "was not asked for TLS"],
  ])("refuses %j and says why", (line, words) => {
    expect(() => parseHandshakeLine(line)).toThrow(words);
  });

  it("quotes a bounded part of a long line", () => {
    expect(() => parseHandshakeLine("x".repeat(60_000))).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^.{1,400}$/) }),
    );
  });
});
