/**
 * The health of an app: a plain function for any host, and an indicator for `@nestjs/terminus`.
 * @module shopwright/health
 */
export { checkHealth } from './check-health.js';
export type { CheckedApp } from './check-health.js';
export type {
  HealthCheckName,
  HealthCheckResult,
  HealthOptions,
  HealthReason,
  HealthReport,
} from './health-report.js';
export { PlatformHealthIndicator } from './terminus-indicator.js';
export type { IndicatorProvider, PlatformIndicatorResult } from './terminus-indicator.js';
export type { QueueDepth } from '../../webhooks/queue/queue-status.js';
