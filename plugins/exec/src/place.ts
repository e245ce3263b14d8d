// Where a command starts: a directory of the jail, held open until the process is there, so that a swap in between
// leads nowhere.
import { type PreviewCall, ToolError } from "@pluggableharness/plugin";
import { failuresAsToolErrors } from "./jail-failure.ts";
import type { ExecState } from "./state.ts";

export interface Place extends Disposable {
  /** For a person and for the sandbox. */
  readonly realPath: string;
  /** For starting a process. */
  readonly pathForChild: string;
}

/** The working directory of a call. Throws what the jail refuses, in words that name the directory. */
export function openPlace(
  workingDirectory: string | undefined,
  call: Pick<PreviewCall<ExecState>, "state" | "context">,
): Place {
  const path = workingDirectory ?? call.context.workingDirectory;
  if (path === "") {
    throw new ToolError(
      "invalid_arguments",
      "working_directory: none was given and the call has none; an existing directory inside the roots is accepted",
    );
  }
  return failuresAsToolErrors(() => {
    const directory = call.state.jail.openDirectory({
      path,
      workingDirectory: call.context.workingDirectory,
    });
    return {
      realPath: directory.path.realPath,
      get pathForChild() {
        return directory.pathForChild;
      },
      [Symbol.dispose]: () => directory[Symbol.dispose](),
    };
  });
}
