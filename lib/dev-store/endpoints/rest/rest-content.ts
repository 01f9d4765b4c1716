import { globalId } from '../../base/vendor.js';
import { jsonOf, jsonReply, type StoreReply } from '../../http/store-request.js';
import type { StoredNode } from '../../state/nodes/node-store.js';
import { isHidden } from '../nodes/app-ownership.js';
import { genericPayload } from '../payloads/generic-payload.js';
import {
  notFound,
  objectOf,
  objectsOf,
  type RestCall,
  type RestEndpoint,
} from './rest.endpoint.js';

/** What a comment becomes. */
const COMMENTS: Readonly<Record<string, string>> = {
  approve: 'PUBLISHED',
  not_spam: 'UNAPPROVED',
  remove: 'REMOVED',
  restore: 'UNAPPROVED',
  spam: 'SPAM',
};

/** What is written in a shop and sent from it, beyond what lists and objects can do. */
export const REST_CONTENT: readonly RestEndpoint[] = [
  {
    method: 'GET',
    pattern: /^articles\/authors$/,
    scope: 'read_content',
    answer: ({ shop }) =>
      jsonReply(200, { authors: valuesIn(shop.nodes.all(['Article']), 'author') }),
  },
  {
    method: 'GET',
    pattern: /^(?:blogs\/(\d{1,15})\/)?articles\/tags$/,
    scope: 'read_content',
    answer: ({ shop }, { url: { searchParams } }, id) => {
      const blog = globalId('Blog', id);
      if (!Number.isNaN(id) && !shop.nodes.find(blog)) return notFound();
      const articles = shop.nodes
        .all(['Article'])
        .filter(({ fields }) => Number.isNaN(id) || fields['blog'] === blog);
      const tags = valuesIn(articles, 'tags');
      const limit = Number(searchParams.get('limit') ?? NaN);
      return jsonReply(200, { tags: limit > 0 ? tags.slice(0, limit) : tags });
    },
  },
  {
    method: 'POST',
    pattern: /^comments\/(\d{1,15})\/(?:approve|not_spam|remove|restore|spam)$/,
    scope: 'write_content',
    answer: ({ shop }, { url }, id) => {
      const comment = shop.nodes.find(globalId('Comment', id));
      if (!comment) return notFound();
      const action = url.pathname.split('/').at(-1)?.replace('.json', '') ?? '';
      shop.nodes.update(comment.id, { status: COMMENTS[action] });
      return jsonReply(200, { comment: genericPayload(comment, shop) });
    },
  },
  {
    method: 'POST',
    pattern: /^marketing_events\/(\d{1,15})\/engagements$/,
    scope: 'write_marketing_events',
    answer: ({ shop, token }, request, id) => {
      const event = shop.nodes.find(globalId('MarketingEvent', id));
      if (!event || isHidden(token, event)) return notFound();
      const engagements = objectsOf(jsonOf(request), 'engagements');
      return engagements
        ? jsonReply(201, { engagements })
        : jsonReply(400, { errors: { engagements: 'Required parameter missing or invalid' } });
    },
  },
  {
    method: 'POST',
    pattern: /^draft_orders\/(\d{1,15})\/send_invoice$/,
    scope: 'write_draft_orders',
    answer: (call, request, id) => {
      const { nodes, email } = call.shop;
      const draft = nodes.find(globalId('DraftOrder', id));
      if (!draft) return notFound();
      const given = objectOf(request.body.length > 0 ? jsonOf(request) : {}, 'draft_order_invoice');
      const { to = draft.fields['email'] ?? null, from = email, subject, bcc = [] } = given;
      nodes.update(draft.id, { status: 'INVOICE_SENT', invoiceSentAt: call.now().toISOString() });
      call.writer().changed('update', draft.id, nodes.fieldsOf(draft.id));
      const custom_message = given['custom_message'] ?? '';
      return jsonReply(201, {
        draft_order_invoice: { to, from, subject: subject ?? '', custom_message, bcc },
      });
    },
  },
  {
    method: 'PUT',
    pattern: /^smart_collections\/(\d{1,15})\/order$/,
    scope: 'write_products',
    answer: (call, { url: { searchParams } }, id) => {
      const { nodes } = call.shop;
      const found = nodes.find(globalId('Collection', id));
      if (found?.fields['ruleSet'] == null) return notFound();
      const order = searchParams.get('sort_order')?.toUpperCase().replaceAll('-', '_');
      const wanted = searchParams.getAll('products[]').map((one) => globalId('Product', one));
      const before = [found.fields['products'] ?? []].flat();
      const first = wanted.filter((one) => before.includes(one));
      nodes.update(found.id, {
        sortOrder: order ?? (first.length > 0 ? 'MANUAL' : found.fields['sortOrder']),
        products: [...first, ...before.filter((one) => !first.includes(String(one)))],
      });
      call.writer().changed('update', found.id, nodes.fieldsOf(found.id));
      return jsonReply(200, {});
    },
  },
  {
    method: 'GET',
    pattern: /^deprecated_api_calls$/,
    answer: (call) => deprecatedCalls(call),
  },
];

function deprecatedCalls({ now }: RestCall): StoreReply {
  return jsonReply(200, { data_updated_at: now().toISOString(), deprecated_api_calls: [] });
}

/** Each value of a field once, in order. */
function valuesIn(nodes: readonly StoredNode[], field: string): string[] {
  const values = nodes.flatMap(({ fields }) => [fields[field] ?? []].flat().map(String));
  return [...new Set(values.filter(Boolean))].sort((a, b) => a.localeCompare(b, 'en'));
}
