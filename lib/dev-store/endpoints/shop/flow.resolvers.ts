import { parsedJson } from '../../base/typed-values.js';
import type { NodeFields } from '../../state/nodes/node-store.js';

interface ReceiveArgs {
  body?: string | null;
  handle?: string | null;
  payload?: unknown;
}

/** In bytes of JSON. */
const LARGEST_PROPERTIES = 50_000;

const ROOT: ReadonlySet<string> = new Set([
  'trigger_id',
  'trigger_title',
  'properties',
  'resources',
]);
const RESOURCE: readonly string[] = ['name', 'url'];

/**
 * The resolver of Flow triggers. The store knows none, so that it refuses what is well-formed, too,
 * as the platform does before a trigger is deployed.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/flowTriggerReceive
 */
export function flowRoot(): Record<string, unknown> {
  return {
    flowTriggerReceive: (args: ReceiveArgs) => {
      const lines = problemsOf(args).map((line) => `  ${line}\n`);
      const message = `Errors validating schema:\n${lines.join('')}`;
      return { userErrors: [{ field: ['body'], message }] };
    },
  };
}

/** What is wrong with an event, in the platform's words. */
function problemsOf({ body, handle, payload }: ReceiveArgs): string[] {
  if (body == null) {
    if (isTooLarge(payload)) return [TOO_LARGE];
    return [handle == null ? "Required field missing: 'handle'." : `Invalid handle '${handle}'.`];
  }
  const event = parsed(body);
  if (!event) return ['Invalid JSON.'];
  const problems = schemaProblems(event);
  if (problems.length > 0) return problems;
  if (isTooLarge(event['properties'])) return [TOO_LARGE];
  const name = ['trigger_id', 'trigger_title'].find((one) => event[one] != null);
  return name ? [`Invalid ${name} '${String(event[name])}'.`] : [missing('trigger_id')];
}

const TOO_LARGE = `Properties size exceeds the limit of ${LARGEST_PROPERTIES} bytes.`;

function schemaProblems(event: Readonly<NodeFields>): string[] {
  const resources = [event['resources'] ?? []].flat().map((one) => Object(one) as NodeFields);
  const unknown = Object.keys(event).filter((name) => !ROOT.has(name));
  return [
    ...unknown.map((name) => `Invalid field: '${name}'.`),
    ...resources.flatMap((one) => RESOURCE.filter((name) => one[name] == null).map(missing)),
    ...resources.flatMap(({ url }) =>
      url == null || URL.canParse(String(url))
        ? []
        : [`Type error for field 'url': ${String(url)} is not an absolute URL.`],
    ),
  ];
}

function missing(name: string): string {
  return `Required field missing: '${name}'.`;
}

function isTooLarge(properties: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(properties ?? {})) > LARGEST_PROPERTIES;
}

function parsed(body: string): NodeFields | undefined {
  const value = parsedJson(body);
  return typeof value === 'object' && value !== null ? (value as NodeFields) : undefined;
}
