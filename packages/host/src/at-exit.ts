// What has to be undone where this process exits without having closed its plugins. One listener of `process` serves
// all of them: with one for each, Node would warn of a leak at the eleventh.

const undos = new Set<() => void>();

function undoAll(): void {
  for (const undo of undos) undo();
}

/** Runs `undo`, which is synchronous and does not throw, when this process exits. The result takes that back. */
export function atExit(undo: () => void): () => void {
  if (undos.size === 0) process.on("exit", undoAll);
  undos.add(undo);
  return () => {
    undos.delete(undo);
    if (undos.size === 0) process.off("exit", undoAll);
  };
}
