import { segmentTokens, type SegmentToken } from './segment-tokens.js';

/** A comparison in a segment query. */
export interface SegmentTest {
  readonly filter: string;
  /** In capitals, such as `NOT CONTAINS`. */
  readonly operator: string;
  readonly values: readonly string[];
}

/** Whether a customer is one of a segment, by the tests that its query makes. */
type SegmentQuery = (passes: (test: SegmentTest) => boolean) => boolean;

/** A query, and what is wrong with it. */
interface ParsedSegmentQuery {
  readonly matches: SegmentQuery;
  readonly errors: readonly string[];
}

/** What customers are told apart by, besides what begins with one of the prefixes. */
const FILTERS: ReadonlySet<string> = new Set([
  ...['abandoned_checkout_date', 'amount_spent', 'anniversary', 'companies', 'created_by_app_id'],
  ...['customer_account_status', 'customer_added_date', 'customer_cities', 'customer_countries'],
  ...['customer_email_domain', 'customer_language', 'customer_phone_country', 'customer_regions'],
  ...['customer_tags', 'customer_within_distance', 'email_subscription_status'],
  ...['first_order_date', 'last_order_date', 'number_of_orders', 'orders_from_sales_channel'],
  ...['orders_placed', 'predicted_spend_tier', 'product_subscription_status'],
  ...['product_subscription_type', 'products_purchased', 'rfm_group', 'sms_subscription_status'],
  ...['state', 'store_credit_accounts'],
]);
/** How many letters a query may have. */
export const LONGEST_QUERY = 5000;
/** Brackets that lie deeper are unexpected. */
const DEEPEST_GROUP = 50;
const PREFIXES = /^(?:metafields|shopify_email|storefront|storefront_event)\./;

/** Thrown where a query cannot go on as it does. */
class Unexpected extends Error {}

/**
 * Reads the query of a segment: tests of filters, joined by `AND`, `OR`, `NOT` and brackets.
 * @see https://shopify.dev/docs/api/shopifyql/segment-query-language-reference
 */
export function parseSegmentQuery(query: string): ParsedSegmentQuery {
  if (query.length > LONGEST_QUERY) {
    const message = `Query is too long (maximum is ${LONGEST_QUERY} characters)`;
    return { matches: () => false, errors: [message] };
  }
  const parser = new Parser(query);
  if (query.trim() === '') return { matches: () => true, errors: [] };
  try {
    const matches = parser.all();
    return { matches, errors: parser.unknown };
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error;
    return { matches: () => false, errors: [error.message, ...parser.unknown] };
  }
}

class Parser {
  /** What is said of filters that there are not. */
  readonly unknown: string[] = [];
  private readonly tokens: readonly SegmentToken[];
  private at = 0;
  private depth = 0;

  constructor(private readonly query: string) {
    this.tokens = segmentTokens(query);
  }

  all(): SegmentQuery {
    const matches = this.any();
    if (this.at < this.tokens.length) throw this.unexpected();
    return matches;
  }

  private any(): SegmentQuery {
    const parts = [this.each()];
    while (this.accepts('OR')) parts.push(this.each());
    return (passes) => parts.some((part) => part(passes));
  }

  private each(): SegmentQuery {
    const parts = [this.one()];
    while (this.accepts('AND')) parts.push(this.one());
    return (passes) => parts.every((part) => part(passes));
  }

  private one(): SegmentQuery {
    const isNegated = this.accepts('NOT');
    const part = this.depth < DEEPEST_GROUP && this.accepts('(') ? this.bracketed() : this.test();
    return isNegated ? (passes) => !part(passes) : part;
  }

  private bracketed(): SegmentQuery {
    this.depth++;
    const inner = this.any();
    this.demand(')');
    this.depth--;
    return inner;
  }

  private test(): SegmentQuery {
    const name = this.tokens[this.at];
    if (name?.kind !== 'word') throw this.unexpected();
    this.at++;
    if (!FILTERS.has(name.value) && !PREFIXES.test(name.value))
      this.unknown.push(place(name.column, `'${name.raw}' filter cannot be found.`));
    if (this.accepts('(')) this.skipped();
    const [operator, values] = this.comparison();
    const test: SegmentTest = { filter: name.value, operator, values };
    return (passes) => passes(test);
  }

  /** What a filter is compared with. */
  private comparison(): readonly [operator: string, values: readonly string[]] {
    const sign = this.tokens[this.at];
    if (sign?.kind === 'sign' && /^[!<>=]/.test(sign.raw)) {
      this.at++;
      return [sign.raw, [this.value()]];
    }
    if (this.accepts('IS')) {
      const operator = this.accepts('NOT') ? 'IS NOT NULL' : 'IS NULL';
      this.demand('NULL');
      return [operator, []];
    }
    if (this.accepts('BETWEEN')) {
      const least = this.value();
      this.demand('AND');
      return ['BETWEEN', [least, this.value()]];
    }
    const not = this.accepts('NOT') ? 'NOT ' : '';
    if (this.accepts('CONTAINS')) return [`${not}CONTAINS`, [this.value()]];
    if (this.accepts('MATCHES')) {
      this.demand('(');
      this.skipped();
      return [`${not}MATCHES`, []];
    }
    this.demand('IN');
    this.demand('(');
    const values = [this.value()];
    while (this.accepts(',')) values.push(this.value());
    this.demand(')');
    return [`${not}IN`, values];
  }

  private value(): string {
    const token = this.tokens[this.at];
    if (!token || token.kind === 'sign' || token.kind === 'other') throw this.unexpected();
    this.at++;
    return token.value;
  }

  /** Passes over what stands in brackets. */
  private skipped(): void {
    for (let depth = 1; depth > 0; this.at++) {
      const token = this.tokens[this.at];
      if (!token) throw this.unexpected();
      if (token.kind === 'sign') depth += token.raw === '(' ? 1 : token.raw === ')' ? -1 : 0;
    }
  }

  private accepts(raw: string): boolean {
    const token = this.tokens[this.at];
    const isNext = token?.kind !== 'text' && token?.raw.toUpperCase() === raw;
    if (isNext) this.at++;
    return isNext;
  }

  private demand(raw: string): void {
    if (!this.accepts(raw)) throw this.unexpected();
  }

  private unexpected(): Unexpected {
    const token = this.tokens[this.at];
    const column = token?.column ?? this.query.length;
    return new Unexpected(place(column, `'${token?.raw ?? ''}' is unexpected.`));
  }
}

function place(column: number, message: string): string {
  return `Line 1 Column ${column}: ${message}`;
}
