/** What a check has found in an app. */
export interface Finding {
  /** Names the check: the same in every release. */
  readonly check: string;
  readonly outcome: 'pass' | 'fail' | 'skip';
  /** What was seen, or why the check was left out. */
  readonly seen: string;
  /** What to do about a failure. */
  readonly fix?: string | undefined;
}

/** One thing that is looked at. */
export interface Check {
  readonly name: string;
  /** What to do when it fails. */
  readonly fix: string;
  /** @throws what keeps it from being looked at: the check has failed */
  look(): Promise<Seen>;
}

/** What a check saw. */
export type Seen = readonly ['pass' | 'fail' | 'skip', string];

/** A failure that names each problem, or a pass. */
export function problemsOr(problems: readonly string[], passed: string): Seen {
  return problems.length > 0 ? ['fail', problems.join('; ')] : ['pass', passed];
}
