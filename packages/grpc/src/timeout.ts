// The grpc-timeout header: up to eight digits and a unit. Pure.

const unitMs: Readonly<Record<string, number>> = {
  n: 1e-6,
  u: 1e-3,
  m: 1,
  S: 1_000,
  M: 60_000,
  H: 3_600_000,
};

/** Milliseconds of a grpc-timeout value; undefined where there is none or it is malformed. */
export function parseTimeout(header: string | undefined): number | undefined {
  const match = /^(\d{1,8})([numSMH])$/.exec(header ?? "");
  const scale = unitMs[match?.[2] ?? ""];
  return scale === undefined ? undefined : Number(match?.[1]) * scale;
}

/** A grpc-timeout value of at least `timeoutMs`, in the finest unit that fits eight digits. */
export function formatTimeout(timeoutMs: number): string {
  const whole = Math.max(0, timeoutMs);
  for (const [unit, scale] of Object.entries(unitMs)) {
    const digits = Math.ceil(whole / scale);
    if (digits < 1e8) return `${digits}${unit}`;
  }
  return "99999999H";
}
