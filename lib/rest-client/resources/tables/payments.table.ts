import type { ResourceTables } from '../resource.table.js';

/** What the platform pays out, and how shops are paid. */
// prettier-ignore
export const PAYMENTS: ResourceTables = {
  ApplePayCertificate: {
    calls: [
      'GET    find   apple_pay_certificates/<id>',
      'GET    csr    apple_pay_certificates/<id>/csr',
      'POST   create apple_pay_certificates',
      'PUT    update apple_pay_certificates/<id>',
      'DELETE delete apple_pay_certificates/<id>',
    ],
    attributes: {
      string: 'id merchant_id status',
    },
  },
  Balance: {
    calls: [
      'GET    all shopify_payments/balance',
    ],
    attributes: {
      'object[]': 'balance',
    },
  },
  Dispute: {
    calls: [
      'GET    all  shopify_payments/disputes ? since_id last_id status initiated_at',
      'GET    find shopify_payments/disputes/<id>',
    ],
    attributes: {
      string: 'amount currency evidence_due_by evidence_sent_on finalized_on id network_reason_code order_id reason status type',
    },
  },
  DisputeEvidence: {
    primaryKey: 'dispute_id',
    calls: [
      'GET    find   shopify_payments/disputes/<dispute_id>/dispute_evidences',
      'PUT    update shopify_payments/disputes/<dispute_id>/dispute_evidences',
    ],
    attributes: {
      string: 'access_activity_log cancellation_policy_disclosure cancellation_rebuttal created_at customer_email_address customer_first_name customer_last_name id payments_dispute_id refund_policy_disclosure refund_refusal_explanation uncategorized_text updated_on',
      boolean: 'submitted',
      object: 'billing_address dispute_evidence_files product_description shipping_address',
      'Fulfillment[]': 'fulfillments',
    },
  },
  DisputeFileUpload: {
    calls: [
      'POST   create shopify_payments/disputes/<dispute_id>/dispute_file_uploads',
      'DELETE delete shopify_payments/disputes/<dispute_id>/dispute_file_uploads/<id>',
    ],
    attributes: {
      string: 'dispute_evidence_id dispute_evidence_type file_type filename id original_filename shop_id url',
      number: 'file_size',
    },
  },
  PaymentGateway: {
    names: ['payment_gateway payment_gateways', 'payment payments'],
    calls: [
      'GET    all    payment_gateways',
      'GET    find   payment_gateways/<id>',
      'POST   create payment_gateways',
      'PUT    update payment_gateways/<id>',
      'DELETE delete payment_gateways/<id>',
    ],
    attributes: {
      string: 'attachment created_at credential1 credential2 credential3 credential4 id name processing_method provider_id service_name type updated_at',
      boolean: 'disabled sandbox supports_network_tokenization',
      'string[]': 'enabled_card_brands',
    },
  },
  PaymentTransaction: {
    calls: [
      'GET    transactions shopify_payments/balance/transactions ? since_id last_id test payout_id payout_status',
    ],
    attributes: {
      string: 'adjustment_reason amount fee id net payout_id payout_status processed_at source_id source_order_id source_order_transaction_id source_type type',
      boolean: 'test',
      'object[]': 'adjustment_order_transactions',
      'Currency|string': 'currency',
    },
  },
  Payout: {
    calls: [
      'GET    all  shopify_payments/payouts ? since_id last_id date_min date_max date status',
      'GET    find shopify_payments/payouts/<id>',
    ],
    attributes: {
      string: 'amount currency date id status',
    },
  },
};
