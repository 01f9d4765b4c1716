/**
 * Why a fetch failed: the reason is in the cause of its error. Checked by shape, because errors may
 * be of another realm in a test runner.
 */
export function reasonOf(error: unknown): string {
  const { cause, message } = error as {
    cause?: { message?: string; code?: string };
    message?: string;
  };
  return cause?.message || cause?.code || message || String(error);
}
