import { FeatureDeprecatedError } from './core.errors.js';
import type { Clock } from './time/clock.js';
import { redactedContext, redactedFields, redactedStacks } from './log-facts.js';
import type { Redaction } from './log-facts.js';
import { LogLine } from './log-line.js';
import { redactionOf } from './redaction.js';
import { VERSION } from './version.js';

/** Severities as the platform's own libraries number them: lower is more severe. */
export enum LogSeverity {
  Error = 0,
  Warning = 1,
  Info = 2,
  Debug = 3,
}

/** The option `logger` as `{ level, log }`: where lines are written. */
export interface LogSink {
  /** The least severe lines that are written. @default LogSeverity.Info */
  readonly level?: LogSeverity | undefined;
  readonly log?: ((severity: LogSeverity, message: string) => unknown) | undefined;
  /** @default false */
  readonly timestamps?: boolean | undefined;
  /** Also log every request to the platform, at debug level. @default false */
  readonly httpRequests?: boolean | undefined;
}

/**
 * The part of Nest's `LoggerService` we call, with an object whose properties are the facts of the
 * line, and whose text has them as words: loggers that write JSON, such as that of nestjs-pino,
 * write them as fields. With one parameter each, so that those of a sink's `log` need no types.
 */
export interface LoggerServiceLike {
  log(message: unknown): unknown;
  error(message: unknown): unknown;
  warn(message: unknown): unknown;
  debug?(message: unknown): unknown;
  /** Asked before a debug line is made. @default what its class says, as that of Nest's `Logger` */
  isLevelEnabled?(level: 'debug'): boolean;
}

/** Where the log goes: a sink of lines, with its options, or a logger such as Nest's. */
export type LoggerOption = LogSink | LoggerServiceLike;

/**
 * Fields of a log line. Values under secret-looking names are replaced; of an error, its name,
 * code, message, stack and causes are kept.
 */
export type LogContext = Readonly<Record<string, unknown>>;

/**
 * Writes one line per event and removes every secret from it. A sink that throws or rejects does
 * not disturb the caller.
 */
export class PlatformLogger {
  readonly #write: (severity: LogSeverity, message: string, context?: LogContext) => unknown;
  readonly #level: LogSeverity;
  readonly #isDebugWanted: () => boolean;
  readonly #redaction: Redaction;
  // A logger service shows the level and the source itself.
  readonly #prefixed: boolean;
  /** True when the app asked for every request to the platform to be logged. */
  readonly logsHttpRequests: boolean;
  /**
   * False when no line of severity `Debug` is ever written: what happens with every request need
   * not make one.
   */
  readonly mayDebug: boolean;

  /** @param secrets values that must never be written, whatever shape they come in */
  constructor(option: LoggerOption | undefined, clock: Clock, secrets: readonly string[] = []) {
    // The platform's secrets are long. Replacing short words would make the log unreadable.
    this.#redaction = redactionOf(secrets.filter((secret) => secret.length >= 8));
    if (option !== undefined && isLoggerService(option)) {
      this.#prefixed = false;
      // A logger service filters by its own level, which may change at any time.
      this.#level = LogSeverity.Debug;
      this.#isDebugWanted = () => wantsDebug(option);
      this.logsHttpRequests = false;
      this.mayDebug = true;
      this.#write = (...line) => this.#writeTo(option, ...line);
      return;
    }
    const { level, log, httpRequests, timestamps } = completeSink(option);
    this.#prefixed = true;
    this.#level = level;
    this.#isDebugWanted = () => true;
    this.logsHttpRequests = httpRequests;
    this.mayDebug = level === LogSeverity.Debug;
    this.#write = (severity, ...line) => {
      const text = this.lineOf(severity, ...line);
      return log(severity, timestamps ? `${timeOf(clock)} ${text}` : text);
    };
  }

  error(message: string, context?: LogContext): void {
    this.log(LogSeverity.Error, message, context);
  }

  warn(message: string, context?: LogContext): void {
    this.log(LogSeverity.Warning, message, context);
  }

  /** {@link warn} under the name that the ecosystem knows. */
  warning(message: string, context?: LogContext): void {
    this.warn(message, context);
  }

  /**
   * Warns that something is deprecated.
   * @param version the release of the toolkit from which on it is gone
   * @throws {FeatureDeprecatedError} from that release on
   */
  deprecated(version: string, message: string): void {
    if (compareReleases(VERSION, version) >= 0)
      throw new FeatureDeprecatedError(`Feature was deprecated in version ${version}`);
    this.warn(`[Deprecated | ${version}] ${message}`);
  }

  info(message: string, context?: LogContext): void {
    this.log(LogSeverity.Info, message, context);
  }

  debug(message: string, context?: LogContext): void {
    this.log(LogSeverity.Debug, message, context);
  }

  /** False when a line of this severity would be dropped, so that there is no need to make it. */
  writes(severity: LogSeverity): boolean {
    if (severity > this.#level) return false;
    return severity < LogSeverity.Debug || this.#isDebugWanted();
  }

  log(severity: LogSeverity, message: string, context?: LogContext): void {
    if (!this.writes(severity)) return;
    try {
      void Promise.resolve(this.#write(severity, message, context)).catch(() => {});
    } catch {
      // A broken sink must not break a request.
    }
  }

  /**
   * The log line of an event, without secrets and without the time. One of an error is followed by
   * the stacks of the errors in it.
   */
  lineOf(severity: LogSeverity, message: string, context?: LogContext): string {
    const facts =
      context && Object.keys(context).length > 0
        ? ` | ${redactedContext(context, this.#redaction)}`
        : '';
    const prefix = this.#prefixed ? `[shopwright/${LogSeverity[severity]!.toUpperCase()}] ` : '';
    const stacks =
      severity === LogSeverity.Error && context ? redactedStacks(context, this.#redaction) : [];
    return [`${prefix}${this.#redaction.text(message)}${facts}`, ...stacks].join('\n');
  }

  #writeTo(
    service: LoggerServiceLike,
    severity: LogSeverity,
    message: string,
    context: LogContext = {},
  ): unknown {
    const line = new LogLine(
      this.#redaction.text(message),
      redactedFields(context, this.#redaction),
      () => this.lineOf(severity, message, context),
    );
    if (severity === LogSeverity.Error) return service.error(line);
    if (severity === LogSeverity.Warning) return service.warn(line);
    return severity === LogSeverity.Info ? service.log(line) : service.debug?.(line);
  }
}

/** Negative when `one` is the older release; what follows a hyphen does not count. */
function compareReleases(one: string, other: string): number {
  const [ours, theirs] = [one, other].map((release) =>
    release.split('-', 1)[0]!.split('.').map(Number),
  );
  const at = ours!.findIndex((part, index) => part !== (theirs![index] ?? 0));
  return at < 0 ? 0 : ours![at]! - (theirs![at] ?? 0);
}

/** The option `logger` with what the app has left out; a logger service as it is. */
export function completeLogger(option: LoggerOption | undefined): LoggerOption {
  return option !== undefined && isLoggerService(option) ? option : completeSink(option);
}

function completeSink({ level, log, timestamps, httpRequests }: LogSink = {}) {
  return {
    level: level ?? LogSeverity.Info,
    log: log ?? consoleLog,
    timestamps: timestamps ?? false,
    httpRequests: httpRequests ?? false,
  };
}

function isLoggerService(option: LoggerOption): option is LoggerServiceLike {
  return 'error' in option && typeof option.error === 'function' && 'warn' in option;
}

/**
 * Whether a service would write a debug line: one that does not say gets them all. It is asked
 * about no other level, since those have other names in other libraries.
 */
function wantsDebug(service: LoggerServiceLike): boolean {
  if (!service.debug) return false;
  const ofClass = service.constructor as Pick<LoggerServiceLike, 'isLevelEnabled'> | undefined;
  try {
    const isWanted = service.isLevelEnabled
      ? service.isLevelEnabled('debug')
      : ofClass?.isLevelEnabled?.('debug');
    return isWanted !== false;
  } catch {
    return true;
  }
}

function timeOf(clock: Clock): string {
  return `[${clock
    .now()
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')}]`;
}

function consoleLog(severity: LogSeverity, line: string): void {
  if (severity === LogSeverity.Error) console.error(line);
  else if (severity === LogSeverity.Warning) console.warn(line);
  else if (severity === LogSeverity.Info) console.log(line);
  else console.debug(line);
}
