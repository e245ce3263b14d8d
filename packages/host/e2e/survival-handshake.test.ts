// A host survives plugins whose handshake line is odd or a lie: each launch fails soon, says why, and leaves nothing.
import { readdirSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { stopAll, temporaryFolder } from "../../plugin/e2e/plugin-under-test.ts";
import { PluginProcess } from "../src/plugin-process.ts";
import { script, shellScript } from "./scripted-plugin.ts";

const outer = process.env["TMPDIR"];
afterEach(async () => {
  if (outer === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = outer;
  await stopAll();
});

/** Prints the bytes, as printf understands them, and stays. */
const prints = (bytes: string): string => shellScript(`printf '${bytes}'; exec sleep 1000`);
const limits = { startTimeoutMs: 5_000, connectTimeoutMs: 500 };

describe("a launch fails, with nothing left, where the line", () => {
  it.each([
    ["is empty", "\\n", "is no handshake"],
    ["is only separators", "||||||\\n", 'version ""'],
    ["lacks its address", "1|1|unix\\n", "is no handshake"],
    ["has an empty address", "1|1|unix||grpc|\\n", "neither a unix socket nor host:port"],
    ["names another core protocol", "2|1|unix|/s|grpc|\\n", 'version "2" of the core protocol'],
    ["names a version that only begins as ours", "1|1.0|unix|/s|grpc|\\n", 'version "1.0"'],
    ["names a version beyond every number", `1|${"9".repeat(400)}|unix|/s|grpc|\\n`, "9…"],
    ["speaks net/rpc", "1|1|unix|/s|netrpc|\\n", 'it speaks "netrpc", not grpc'],
    ["has the protocol of old plugins, which is none", "1|1|unix|/s\\n", 'it speaks "netrpc", not grpc'],
    ["brings a certificate", "1|1|unix|/s|grpc|MIIB\\n", "not asked for TLS"],
    ["names another kind of network", "1|1|udp|127.0.0.1:1|grpc|\\n", "neither a unix socket nor host:port"],
    ["has no port", "1|1|tcp|127.0.0.1|grpc|\\n", "neither a unix socket nor host:port"],
    ["has a port that no system has", "1|1|tcp|127.0.0.1:99999|grpc|\\n", "99999"],
    ["has a port at which nobody listens", "1|1|tcp|127.0.0.1:1|grpc|\\n", "ECONNREFUSED"],
    ["names a host that there is not", "1|1|tcp|plugin.invalid:1|grpc|\\n", "cannot connect"],
    ["names a host that never answers", "1|1|tcp|192.0.2.1:80|grpc|\\n", "cannot connect"],
    ["names a file that is no socket", "1|1|unix|/dev/null|grpc|\\n", "cannot connect to /dev/null"],
    ["names a folder", "1|1|unix|/tmp|grpc|\\n", "cannot connect to /tmp"],
    ["has a path that no system takes", `1|1|unix|/${"s".repeat(5_000)}|grpc|\\n`, "neither a unix socket"],
    ["has a zero byte in its path", "1|1|unix|/tmp/a\\0b|grpc|\\n", "cannot"],
    ["is no UTF-8", "\\377\\376|1|unix|/s|grpc|\\n", "of the core protocol"],
    ["would obey a terminal", "\\033[2J|1|unix|/s|grpc|\\n", "\\\\u001b[2J"],
    ["never ends", "1|1|unix|/s|grpc|", "no handshake line within 300 ms"],
  ])("%s", async (_name, bytes, words) => {
    const [plugin, temporary] = [prints(bytes), temporaryFolder()];
    process.env["TMPDIR"] = temporary;
    const options = words.includes("300 ms") ? { ...limits, startTimeoutMs: 300 } : limits;
    const failure: unknown = await PluginProcess.launch(plugin, options).catch((error) => error);
    expect(failure).toMatchObject({ message: expect.stringContaining(words.replace("\\\\", "\\")) });
    // Whatever the plugin says, a message stays one that can be read.
    expect(String(failure).length).toBeLessThan(1_000);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("names a socket whose owner is gone", async () => {
    const abandoned = script(`
      const path = process.env.PLUGIN_UNIX_SOCKET_DIR + "/s2";
      const owner = require("child_process").spawnSync(process.execPath, ["-e",
        "require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))", path]);
      console.log("1|1|unix|" + path + "|grpc|");
      setInterval(() => {}, 1000);`);
    await expect(PluginProcess.launch(abandoned, limits)).rejects.toThrow("ECONNREFUSED");
  });
});
