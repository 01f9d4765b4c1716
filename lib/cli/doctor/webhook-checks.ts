import { randomBytes, randomUUID } from 'node:crypto';

import { ApiVersion } from '../../core/api-version.js';
import { systemClock } from '../../core/time/clock.js';
import { PRIVACY_TOPICS, WEBHOOK_HEADER_TITLES } from '../../core/vendor.js';
import type { Answer } from '../exchange.js';
import { topicName } from '../samples/topic-name.js';
import { webhookSample } from '../samples/webhook-samples.js';
import { signatureOf } from '../signatures.js';
import { madeUpShop } from './examined-app.js';
import type { ExaminedApp } from './examined-app.js';
import { problemsOr } from './finding.js';
import type { Check, Seen } from './finding.js';

/** How long the platform waits for an answer, in milliseconds. */
const LONGEST_WAIT = 5_000;
/** It is for every app, and its handlers find a shop that has not installed it. */
const ORDINARY = 'APP_UNINSTALLED';

/**
 * Checks of what the app does with deliveries, those of the privacy topics above all. They are of a
 * shop that does not exist, whichever shop was named: the app deletes what it has of it.
 */
export function webhookChecks(app: ExaminedApp, longestWait = LONGEST_WAIT): Check[] {
  const times: number[] = [];
  const shop = madeUpShop();
  const deliver = async (topic: string, signatureFor: Signature): Promise<Answer> => {
    const answer = await post(app, { topic, shop }, signatureFor);
    times.push(answer.ms);
    return answer;
  };
  const answersOf = async (
    topics: readonly string[],
    signatureFor: Signature,
    isRight: (status: number) => boolean,
  ): Promise<Seen> => {
    const problems: string[] = [];
    for (const topic of topics) {
      const { status } = await deliver(topic, signatureFor);
      if (!isRight(status)) problems.push(`${topicName(topic)} is answered with ${status}`);
    }
    return problemsOr(problems, topics.map(topicName).join(', '));
  };
  const all = [...PRIVACY_TOPICS, ORDINARY];
  return [
    {
      name: 'webhook-bad-signature',
      fix: 'Answer 401 unless the HMAC-SHA256 of the raw body, with the app’s secret, is that of the header. Verify before anything is parsed.',
      look: () => answersOf(all, wrongSignature, (status) => status === 401),
    },
    {
      name: 'webhook-no-signature',
      fix: 'Answer 401 to a delivery without the signature header, on every topic.',
      look: () =>
        answersOf(
          all,
          () => undefined,
          // The platform's own libraries answer 400.
          (status) => status === 401 || status === 400,
        ),
    },
    {
      name: 'webhook-good-signature',
      fix: 'Answer 200 to the three privacy topics; every app must. Is the secret here that of the app, and --webhooks its path?',
      look: async () => {
        const { secret } = app;
        if (secret === undefined) return ['skip', 'the secret of the app is not known'];
        return answersOf(
          PRIVACY_TOPICS,
          (body) => signatureOf(body, secret),
          (status) => status >= 200 && status < 300,
        );
      },
    },
    {
      name: 'webhook-time',
      fix: 'Answer first and work afterwards, for example with a durable queue: the platform delivers again after five seconds.',
      look: async () => {
        const slowest = Math.max(...times);
        if (times.length === 0) return ['fail', 'no delivery was answered'];
        return slowest > longestWait
          ? ['fail', `an answer took ${slowest} ms`]
          : ['pass', `${slowest} ms at most`];
      },
    },
  ];
}

type Signature = (body: Buffer) => string | undefined;

/** Of the right form. */
function wrongSignature(): string {
  return randomBytes(32).toString('base64');
}

function post(
  app: ExaminedApp,
  { topic, shop }: { readonly topic: string; readonly shop: string },
  signatureFor: Signature,
): Promise<Answer> {
  const names = WEBHOOK_HEADER_TITLES;
  const body = Buffer.from(JSON.stringify(webhookSample(topic, shop)));
  const signature = signatureFor(body);
  return app.send(app.at(app.paths.webhooks), {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      [names.topic]: topicName(topic),
      [names.domain]: shop,
      [names.apiVersion]: ApiVersion.October26,
      [names.webhookId]: randomUUID(),
      [names.eventId]: randomUUID(),
      [names.triggeredAt]: systemClock.now().toISOString(),
      ...(signature !== undefined && { [names.hmac]: signature }),
    },
  });
}
