/** Where a command writes: results on stdout, everything else on stderr. */
export interface Output {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}
