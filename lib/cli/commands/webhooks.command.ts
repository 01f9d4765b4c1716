import { redactedText } from '../../core/redaction.js';
import type { PlatformApi } from '../../platform/api/platform.api.js';
import type {
  ShopSubscriptions,
  WebhookRolloutOptions,
} from '../../webhooks/subscriptions/webhook-rollout.js';
import type { Output } from '../output.js';
import { readAppConfiguration } from '../app-configuration.js';
import { ResumeFile } from '../resume-file.js';
import {
  Overlap,
  configurationJson,
  configurationLines,
  jsonOf,
  linesOf,
} from './webhooks-report.js';

/** After how many shops the progress is told. */
const PROGRESS_EVERY = 50;

/** What {@link reconcileWebhooks} does. */
interface WebhooksCommandOptions extends Pick<
  WebhookRolloutOptions,
  'shops' | 'prune' | 'concurrency' | 'after' | 'signal'
> {
  readonly mode: 'plan' | 'apply';
  /** A file that says how far the run has come. */
  readonly resume?: string | undefined;
  /** The app's configuration file, whose subscriptions are shown beside the others. */
  readonly config?: string | undefined;
  /** Writes a JSON document a line. @default false */
  readonly json?: boolean | undefined;
}

/**
 * Plans the webhook subscriptions of shops, or applies the plans, and reports the outcome for each:
 * results on stdout, the progress on stderr.
 * @returns the exit code: 1 when a shop failed, in an earlier part of a run that was resumed
 * included, or `options.signal` ended the run before the last shop
 * @throws {UsageError} when the file to resume from belongs to another run, or the configuration
 * file cannot be read
 */
export async function reconcileWebhooks(
  { webhooks, config }: PlatformApi,
  { mode, resume, config: path, json = false, ...options }: WebhooksCommandOptions,
  { stdout, stderr }: Output,
): Promise<number> {
  const print = (line: string): unknown => stdout.write(`${redactedText(line)}\n`);
  const tell = (line: string): unknown => stderr.write(`${redactedText(line)}\n`);
  const configuration = path === undefined ? undefined : await readAppConfiguration(path);
  const overlap = new Overlap(configuration);
  const file =
    resume === undefined
      ? undefined
      : ResumeFile.open(resume, nameOfRun(config.apiKey, mode, options));
  const after = file?.after ?? options.after;
  if (!json) print(`Webhook subscriptions of the app with the client id ${config.apiKey}:`);
  if (configuration)
    for (const line of json
      ? [configurationJson(configuration)]
      : configurationLines(configuration))
      print(line);
  if (after !== undefined) tell(`Going on after ${after}`);
  let shops = 0;
  const onShop = (result: ShopSubscriptions): void => {
    for (const line of json ? [jsonOf(result)] : linesOf(result)) print(line);
    file?.note(result.id, result.outcome === 'failed' ? [result.shop] : []);
    overlap.note(result);
    shops++;
    if (result.outcome === 'failed' || shops % PROGRESS_EVERY === 0)
      tell(`${shops} ${shops === 1 ? 'shop' : 'shops'}, last: ${result.id} ${result.outcome}`);
  };
  const run = { ...options, after, onShop };
  const summary = await (mode === 'plan' ? webhooks.planAll(run) : webhooks.registerAll(run));
  const { isComplete, lastId = after } = summary;
  const failedShops = file?.failed ?? summary.failedShops;
  if (isComplete) file?.remove();
  if (json)
    print(JSON.stringify({ summary: { ...summary, lastId, failedShops, ...overlap.json } }));
  else {
    print(countsOf(mode, summary));
    if (failedShops.length > 0) print(`Failed: ${failedShops.join(', ')}`);
    for (const line of overlap.lines) print(line);
  }
  if (!isComplete)
    tell(
      lastId === undefined
        ? 'Broken off before the first shop.'
        : `Broken off. Go on with ${resume === undefined ? `--after ${lastId}` : `--resume ${resume}`}`,
    );
  return isComplete && failedShops.length === 0 ? 0 : 1;
}

/** Two runs of one name change the same in the same shops. */
function nameOfRun(
  apiKey: string,
  mode: 'plan' | 'apply',
  { shops, prune }: Pick<WebhookRolloutOptions, 'shops' | 'prune'>,
): string {
  const meant = shops === undefined ? 'all' : [...new Set(shops)].sort().join(' ');
  return `webhooks ${mode}, client id ${apiKey}, shops: ${meant}${prune ? ', prune' : ''}`;
}

function countsOf(
  mode: 'plan' | 'apply',
  { unchanged, due, changed, failed }: Record<ShopSubscriptions['outcome'], number>,
): string {
  return mode === 'plan'
    ? `${due} to be changed, ${unchanged} as declared, ${failed} failed. Nothing was changed: webhooks apply does it.`
    : `${changed} changed, ${unchanged} as declared, ${failed} failed.`;
}
