import { messageOf } from '../core/error-message.js';
import { INVISIBLE } from '../core/log-facts.js';
import { redactedText } from '../core/redaction.js';

/** Longest text of others that is printed, in characters. */
const LONGEST = 4_000;

/**
 * A text that somebody else has sent, for a terminal: without secrets, control characters, and what
 * is beyond 4,000 characters.
 */
export function printable(text: string, secrets: readonly string[] = []): string {
  const clean = redactedText(text, secrets).replace(INVISIBLE, '').trimEnd();
  return clean.length > LONGEST
    ? `${clean.slice(0, LONGEST)}… (${clean.length - LONGEST} more characters)`
    : clean;
}

/** The message of what was thrown, in one line: those of the platform may have several. */
export function reasonLine(thrown: unknown): string {
  const lines = messageOf(thrown)
    .split('\n')
    .map((line) => line.trim());
  return lines.filter(Boolean).join(' ');
}
