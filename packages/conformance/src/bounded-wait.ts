// A wait that ends: no plugin may hold a run.

/** What `promise` comes to, or undefined where it takes longer. Rejections pass through. */
export async function within<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Looks every 20 ms until `holds`; false where it does not within the time. */
export async function eventually(holds: () => boolean, milliseconds: number): Promise<boolean> {
  const until = performance.now() + milliseconds;
  while (!holds()) {
    if (performance.now() > until) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}
