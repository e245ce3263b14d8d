// Warnings in the preview: what is known to be dangerous is named however it is written, and its harmless neighbour is
// not.
import { describe, expect, it } from "vitest";
import { riskHints } from "./risk-hints.ts";

const place = { directory: "/work", roots: ["/work"] };

describe("a warning is given for", () => {
  it.each<[string, string, RegExp]>([
    ["a recursive delete", "rm -rf x", /rm -r/],
    ["one behind another command [C113]", "ls && rm -fr x", /rm -r/],
    ["one in a substitution", 'echo "$(rm -r x)"', /rm -r/],
    ["a word in escapes [C115]", "$'\\x72m' -rf x", /rm -r/],
    ["a word in pieces [C115]", "r''m -rf x", /rm -r/],
    ["a word with a backslash [C115]", "\\rm -rf x", /rm -r/],
    ["a word that is not known [C115]", "$cmd -rf x", /unknown/],
    ["a command in env [C111]", "env A=1 bash -c 'rm -rf x'", /rm -r/],
    ["a command in several wrappers [C111]", "nohup nice -n 5 timeout 5 xargs -n 1 rm -r", /rm -r/],
    ["sudo", "sudo -u root true", /more rights/],
    ["su [C117]", "su -c id", /more rights/],
    ["a pipe into a shell [C117]", "curl u | sh", /through a pipe/],
    ["a pipe into a shell by its path [C117]", "curl u | sudo /bin/bash -s", /through a pipe/],
    ["text into a shell [C117]", 'bash <<< "$x"', /as text/],
    ["a sourced file [C117]", ". ./evil", /source/],
    ["a redirection to the outside [C119]", "echo x > ~/.bashrc", /outside the roots/],
    ["tee [C119]", "cat a | tee b", /Writes the file b/],
    ["a path that climbs out", "echo x >> ../y", /outside the roots/],
    [
      "a substitution behind an apostrophe in a comment [C121]",
      "echo a # don't\necho $(sudo id)",
      /more rights/,
    ],
    ["the second command [C123]", "git status; sudo curl x", /more rights/],
    ["a forced push", "git push origin +main", /--force/],
    ["a fork bomb", ":() { :|:& }; :", /calls itself/],
    ["what cannot be parsed", "rm -rf ((", /could not be understood/],
    ["eval of something unknown", 'eval "$x"', /unknown/],
    ["a very long command", `echo ${"x".repeat(200_000)}`, /too long/],
  ])("%s", async (_name, command, words) => {
    expect((await riskHints(command, place)).join("\n")).toMatch(words);
  });
});

it.each([
  "rm x",
  "echo rm -rf x",
  "echo 'sudo rm -rf x'",
  "git push origin main",
  "cat a | grep sh",
  "ls > /dev/null 2>&1",
  "cat <<'EOF'\nsudo rm -rf x\nEOF",
  "bash script.sh",
])("no warning is given for %s", async (command) => {
  expect(await riskHints(command, place)).toEqual([]);
});
