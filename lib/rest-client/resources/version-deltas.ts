import type { VersionDelta } from './resource.table.js';

/** What older versions of the platform's API have differently, newest first. */
// prettier-ignore
export const DELTAS: readonly VersionDelta[] = [
  {
    until: '2026-01',
    tables: {
      FulfillmentService: { attributes: { boolean: 'permits_sku_sharing' } },
    },
  },
  {
    until: '2025-04',
    tables: {
      CustomerAddress: {
        names: ['customer_address customer_addresses', 'address addresses'],
        bodyKey: 'address',
        flags: { is_default: 'default' },
        calls: [
          'GET    all     customers/<customer_id>/addresses',
          'GET    find    customers/<customer_id>/addresses/<id>',
          'POST   create  customers/<customer_id>/addresses',
          'PUT    update  customers/<customer_id>/addresses/<id>',
          'DELETE delete  customers/<customer_id>/addresses/<id>',
          'PUT    default customers/<customer_id>/addresses/<id>/default',
          'PUT    set     customers/<customer_id>/addresses/set ? address_ids operation',
        ],
        attributes: {
          string: 'address1 address2 city company country country_code country_name customer_id first_name id last_name name phone province province_code zip',
          boolean: 'is_default',
        },
      },
    },
  },
  {
    until: '2024-10',
    tables: {
      ApplicationCharge: { attributes: { string: 'currency' } },
      Customer: { attributes: { boolean: 'accepts_marketing', string: 'accepts_marketing_updated_at' } },
      FulfillmentRequest: { without: 'kind message request_options response_data sent_at' },
      GiftCard: { attributes: { string: 'balance currency' } },
      Location: { calls: ['GET    all locations'] },
      Metafield: {
        calls: [
          'GET    all metafields ? limit since_id created_at_min created_at_max updated_at_min updated_at_max namespace key type fields metafield',
        ],
      },
      MobilePlatformApplication: { without: 'app_clip_application_id enabled_app_clips' },
      Order: {
        calls: [
          'GET    all orders ? ids limit since_id created_at_min created_at_max updated_at_min updated_at_max processed_at_min processed_at_max attribution_app_id status financial_status fulfillment_status fields',
        ],
        attributes: { string: 'gateway' },
        without: 'confirmed duties_included total_cash_rounding_payment_adjustment_set total_cash_rounding_refund_adjustment_set',
      },
      Payment: {
        calls: [
          'GET    all   checkouts/<checkout_id>/payments',
          'GET    count checkouts/<checkout_id>/payments/count',
        ],
      },
      PaymentTransaction: { without: 'adjustment_reason' },
      RecurringApplicationCharge: { attributes: { string: 'currency' } },
      Refund: { without: 'refund_shipping_lines' },
      Shop: { attributes: { boolean: 'eligible_for_card_reader_giveaway' }, without: 'auto_configure_tax_inclusivity' },
      Transaction: { without: 'manual_payment_gateway' },
    },
  },
];
