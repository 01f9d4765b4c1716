import type { AppRegistry } from '../base/app-registry.js';
import type { ApiLimits } from '../base/rate-limits.js';
import type { Faults } from '../faults/faults.js';
import type { TrafficLog } from '../traffic/traffic-log.js';
import type { BulkDuration } from './bulk/bulk-operation.js';
import type { OwnResolvers } from './nodes/own-resolvers.js';
import type { WebhookSimulator } from './webhooks/webhook.simulator.js';

/** What all shops of one simulated platform share. */
export interface Platform {
  apps: AppRegistry;
  webhooks: WebhookSimulator;
  faults: Faults;
  traffic: TrafficLog;
  now: () => Date;
  /** Sends the requests to apps. */
  fetch: typeof fetch;
  limits: Partial<ApiLimits>;
  bulkDuration: BulkDuration;
  resolvers: OwnResolvers;
}
