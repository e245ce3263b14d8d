import { describe, expect, it } from "vitest";
import { addressOf } from "./handshake-fields.ts";

describe("the address of a handshake line", () => {
  it.each([
    ["1|1|unix|/tmp/s|grpc|", { network: "unix", path: "/tmp/s" }],
    ["9|x|unix|/tmp/s", { network: "unix", path: "/tmp/s" }],
    ["1|1|tcp|127.0.0.1:1234|grpc", { network: "tcp", host: "127.0.0.1", port: 1234 }],
    ["1|1|tcp|[::1]:1234|grpc", { network: "tcp", host: "::1", port: 1234 }],
    ["1|1|tcp|127.0.0.1|grpc", undefined],
    ["1|1|unix||grpc", undefined],
    ["Welcome to my plugin", undefined],
    ["", undefined],
  ])("%s", (line, address) => {
    expect(addressOf(line)).toEqual(address);
  });
});
