import { isoTime } from '../../base/iso-time.js';
import { globalId } from '../../base/vendor.js';
import { jsonOf, jsonReply, type StoreReply, type StoreRequest } from '../../http/store-request.js';
import type { StoredNode } from '../../state/nodes/node-store.js';
import { idsOf } from '../orders/fulfillment-orders.js';
import { resourceView } from './rest-nodes.js';
import { notFound, objectsOf, type RestCall, type RestEndpoint } from './rest.endpoint.js';

/** Gift cards and the codes of price rules, beyond what lists and objects can do. */
export const REST_CODES: readonly RestEndpoint[] = [
  {
    method: 'POST',
    pattern: /^gift_cards\/(\d{1,15})\/disable$/,
    scope: 'write_gift_cards',
    answer: (call, _request, id) => {
      const { nodes } = call.shop;
      const card = nodes.find(globalId('GiftCard', id));
      if (!card) return notFound();
      const disabledAt = card.fields['disabledAt'] ?? call.now().toISOString();
      nodes.update(card.id, { disabledAt, deactivatedAt: disabledAt, enabled: false });
      return jsonReply(201, { gift_card: resourceView(card, call) });
    },
  },
  {
    method: 'GET',
    pattern: /^discount_codes\/lookup$/,
    scope: 'read_price_rules',
    answer: ({ shop, version }, { url }) => {
      const code = url.searchParams.get('code')?.toLowerCase();
      const found = codesOf(shop).find(({ fields }) => codeOf(fields).toLowerCase() === code);
      const rule = found && shop.nodes.find(String(found.fields['priceRule']));
      if (!found || !rule) return notFound();
      const path = `price_rules/${rule.number}/discount_codes/${found.number}.json`;
      const location = `${shop.origin}/admin/api/${version}/${path}`;
      return { status: 303, headers: { Location: location } };
    },
  },
  {
    method: 'GET',
    pattern: /^discount_codes\/count$/,
    scope: 'read_price_rules',
    answer: ({ shop }, { url: { searchParams } }) => {
      const bound = (name: string, usual: number): number =>
        Number(searchParams.get(name) ?? searchParams.get('times_used') ?? usual);
      const [least, most] = [bound('times_used_min', 0), bound('times_used_max', Infinity)];
      const count = codesOf(shop).filter(({ fields }) => {
        const used = Number(fields['usageCount'] ?? 0);
        return used >= least && used <= most;
      }).length;
      return jsonReply(200, { count });
    },
  },
  {
    method: 'POST',
    pattern: /^price_rules\/(\d{1,15})\/batch$/,
    scope: 'write_price_rules',
    answer: createBatch,
  },
  {
    method: 'GET',
    pattern: /^price_rules\/(\d{1,15})\/batch\/(\d{1,15})$/,
    scope: 'read_price_rules',
    answer: ({ shop }, _request, id, batchId) => {
      const batch = batchOf(shop, id, batchId);
      return batch ? jsonReply(200, { discount_code_creation: batchView(batch) }) : notFound();
    },
  },
  {
    method: 'GET',
    pattern: /^price_rules\/(\d{1,15})\/batch\/(\d{1,15})\/discount_codes$/,
    scope: 'read_price_rules',
    answer: ({ shop }, _request, id, batchId) => {
      const batch = batchOf(shop, id, batchId);
      if (!batch) return notFound();
      const discount_codes = idsOf(batch.fields['codes']).map((code) => ({
        id: shop.nodes.find(code)?.number ?? null,
        code: codeOf(shop.nodes.fieldsOf(code)),
        errors: {},
      }));
      return jsonReply(200, { discount_codes });
    },
  },
];

type Shop = RestCall['shop'];

/** The most codes of one job. */
const MOST_CODES = 100;

/** Makes the codes at once, and answers like the platform, which has only begun. */
function createBatch({ shop }: RestCall, request: StoreRequest, id: number): StoreReply {
  const { nodes } = shop;
  const rule = nodes.find(globalId('PriceRule', id));
  if (!rule) return notFound();
  const given = objectsOf(jsonOf(request), 'discount_codes') ?? [];
  const isWrong = given.length === 0 || given.length > MOST_CODES;
  if (isWrong || given.some(({ code }) => typeof code !== 'string' || code.trim() === ''))
    return jsonReply(400, { errors: { discount_codes: 'Required parameter missing or invalid' } });
  const codes = given.map(
    ({ code }) => nodes.create('DiscountCode', { code, priceRule: rule.id }).id,
  );
  const batch = nodes.create('PriceRuleDiscountCodeCreation', { priceRule: rule.id, codes });
  return jsonReply(201, {
    discount_code_creation: { ...batchView(batch), status: 'queued', imported_count: 0 },
  });
}

function batchOf({ nodes }: Shop, ruleId: number, id = NaN): StoredNode | undefined {
  const batch = nodes.find(globalId('PriceRuleDiscountCodeCreation', id));
  return batch?.fields['priceRule'] === globalId('PriceRule', ruleId) ? batch : undefined;
}

function batchView({ number, fields, createdAt, updatedAt }: StoredNode): object {
  const [at, updated] = [createdAt, updatedAt].map(isoTime);
  const count = idsOf(fields['codes']).length;
  return {
    ...{ id: number, price_rule_id: Number(String(fields['priceRule']).split('/').at(-1)) },
    ...{ started_at: at, completed_at: at, created_at: at, updated_at: updated },
    ...{ status: 'completed', codes_count: count, imported_count: count, failed_count: 0 },
    logs: [],
  };
}

function codesOf({ nodes }: Shop): StoredNode[] {
  return nodes.all(['DiscountCode']);
}

function codeOf({ code }: Readonly<Record<string, unknown>>): string {
  return String(code ?? '');
}
