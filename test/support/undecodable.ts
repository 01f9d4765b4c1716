const SHOP = 'xn--a.myshopify.com';

/**
 * A shop whose name a URL parser takes for an encoded one and cannot decode. The parsers of newer
 * versions of Node take it as it is: none then.
 */
export const UNDECODABLE: readonly string[] = URL.canParse(`https://${SHOP}`) ? [] : [SHOP];
