import { KNOWN_TOPICS } from './webhook-topic.js';

const KNOWN: ReadonlySet<string> = new Set(KNOWN_TOPICS);

/**
 * What to tell the developer about a topic, given as a constant, that no version of the platform's
 * API has, with the topic that is spelled most like it; `undefined` for a known one.
 */
export function unknownTopic(topic: string): string | undefined {
  if (KNOWN.has(topic)) return undefined;
  const nearest = nearestTopic(topic);
  return (
    `No version of the platform's API that this release knows has the webhook topic ${topic}. ` +
    (nearest === undefined
      ? 'Check its spelling, unless the topic is a newer one.'
      : `Is ${nearest} meant?`)
  );
}

/** The known topic that the fewest letters tell apart; none when they are too many for a slip. */
function nearestTopic(topic: string): string | undefined {
  let nearest: string | undefined;
  let least = Math.floor(topic.length / 3) + 1;
  for (const known of KNOWN_TOPICS) {
    // No fewer letters can tell them apart.
    if (Math.abs(known.length - topic.length) >= least) continue;
    const distance = lettersApart(topic, known);
    if (distance < least) [nearest, least] = [known, distance];
  }
  return nearest;
}

/** How many letters have to be put in, left out or replaced to turn one text into the other. */
function lettersApart(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= other.length; column++) {
      const replaced = row[column - 1]! + (letter === other[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[column]! + 1, next[column - 1]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}
