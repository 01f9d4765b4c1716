import { context, metrics, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';

/** What an app measures while an SDK of OpenTelemetry is registered, kept in memory. */
export class RecordedTelemetry {
  readonly spans = new InMemorySpanExporter();
  readonly points = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  #reader: PeriodicExportingMetricReader | undefined;

  /** Registers the SDK, as an app does before it starts. */
  register(): void {
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(this.spans)] }),
    );
    context.setGlobalContextManager(new AsyncLocalStorageContextManager());
    this.#reader = new PeriodicExportingMetricReader({
      exporter: this.points,
      exportIntervalMillis: 2 ** 30,
    });
    metrics.setGlobalMeterProvider(new MeterProvider({ readers: [this.#reader] }));
  }

  /** Takes the SDK away and forgets what was measured. */
  reset(): void {
    for (const api of [trace, metrics, context]) api.disable();
    this.spans.reset();
    this.points.reset();
  }

  /** The spans as lines: each below the one it is in, with the names of its ancestors. */
  tree(): string[] {
    const all = this.spans.getFinishedSpans();
    const pathOf = (span: ReadableSpan): string => {
      const parent = all.find(
        (other) => other.spanContext().spanId === span.parentSpanContext?.spanId,
      );
      return parent ? `${pathOf(parent)} > ${span.name}` : span.name;
    };
    return all.map(pathOf).sort();
  }

  /** The only span of that name. @throws {Error} when there is none, or another */
  spanOf(name: string): ReadableSpan {
    const [found, ...others] = this.spans.getFinishedSpans().filter((span) => span.name === name);
    if (found && others.length === 0) return found;
    throw new Error(`There are ${found ? others.length + 1 : 0} spans named "${name}".`);
  }

  /** The metrics by name: the labels of each point, and its value. */
  async measured(): Promise<Record<string, [labels: object, value: unknown][]>> {
    await this.#reader?.forceFlush();
    const all = this.points.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics);
    return Object.fromEntries(
      all
        .flatMap((scope) => scope.metrics)
        .map(({ descriptor, dataPoints }) => [
          descriptor.name,
          dataPoints.map(({ attributes, value }) => [attributes, value]),
        ]),
    );
  }
}
