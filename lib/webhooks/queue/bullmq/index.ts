/**
 * A durable queue of webhook deliveries. Needs the optional dependency `bullmq`, and `ioredis` or
 * `pg`.
 * @module shopwright/webhooks/bullmq
 */
export { bullmqQueue } from './bullmq-webhook.queue.js';
export type { BullmqConnection, BullmqQueueOptions } from './bullmq.options.js';
export type { DeadLetter, DeadLetterFilter, DeadLetters } from '../dead-letters.js';
export type { WebhookQueueFactory } from '../webhook.queue.js';
export { WebhookQueueError } from '../../webhooks.errors.js';
export { InvalidOptionsError } from '../../../core/core.errors.js';
export type { EncryptionKey } from '../../../sessions/encryption/key-ring.js';
