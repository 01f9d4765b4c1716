/** A promise that is settled from outside. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
  fail(error: Error): void;
}

export function gate(): Gate {
  let [open, fail] = [(): void => {}, (_: Error): void => {}];
  const opened = new Promise<void>((resolve, reject) => ([open, fail] = [resolve, reject]));
  return { opened, open, fail };
}
