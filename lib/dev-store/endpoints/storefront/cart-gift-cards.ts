import { cents } from '../../base/amounts.js';
import { globalId } from '../../base/vendor.js';
import type { NodeStore, StoredNode } from '../../state/nodes/node-store.js';
import { amountOf } from '../orders/order-totals.js';

/** A gift card that pays for a cart. */
interface AppliedCard {
  readonly id: string;
  readonly lastCharacters: string;
  readonly balance: number;
  readonly used: number;
}

/** The gift card with a code, whatever its case and blanks; undefined for one that is disabled. */
export function giftCardOf(code: string, nodes: NodeStore): StoredNode | undefined {
  const wanted = plain(code);
  return nodes
    .all(['GiftCard'])
    .find(
      ({ fields }) =>
        wanted !== '' &&
        plain(String(fields['code'] ?? '')) === wanted &&
        fields['enabled'] !== false &&
        fields['disabledAt'] == null &&
        balanceOf(fields) > 0,
    );
}

/** What the gift cards of a cart pay of an amount, in their order. */
export function appliedCards(
  ids: readonly string[],
  total: number,
  nodes: NodeStore,
): AppliedCard[] {
  let left = total;
  return ids.flatMap((id) => {
    const card = nodes.find(id);
    if (!card) return [];
    const balance = balanceOf(card.fields);
    const used = Math.min(balance, left);
    left = cents(left - used);
    const lastCharacters = plain(String(card.fields['code'] ?? '')).slice(-4);
    return [{ id: giftCardId(id), lastCharacters, balance, used }];
  });
}

/** The global id of a gift card that is applied to a cart. */
export function giftCardId(id: string): string {
  return globalId('AppliedGiftCard', id.split('/').at(-1) ?? '');
}

function balanceOf({ balance, initialValue }: StoredNode['fields']): number {
  return amountOf(balance ?? initialValue ?? 0);
}

function plain(code: string): string {
  return code.replace(/\s+/g, '').toLowerCase();
}
