/**
 * The topics of webhook subscriptions, by resource. The separator is part of the resource, because
 * one resource uses a dot.
 */
const ACTIONS_BY_RESOURCE: Readonly<Record<string, string>> = {
  'app_purchases_one_time/': 'update',
  'app/': 'scopes_update uninstalled',
  'app_subscriptions/': 'approaching_capped_amount update',
  'audit_events/': 'admin_api_activity',
  'bulk_operations/': 'finish',
  'carts/': 'create update',
  'channels/': 'delete',
  'checkouts/': 'create delete update',
  'collections/': 'create delete update',
  'collection_listings/': 'add remove update',
  'collection_publications/': 'create delete update',
  'companies/': 'create delete update',
  'company_contacts/': 'create delete update',
  'company_contact_roles/': 'assign revoke',
  'company_locations/': 'create delete update',
  'customers/': 'create delete disable enable merge purchasing_summary update',
  'customers_email_marketing_consent/': 'update',
  'customers_marketing_consent/': 'update',
  'customer_account_settings/': 'update',
  'customer_groups/': 'create delete update',
  'customer.': 'joined_segment left_segment tags_added tags_removed',
  'customer_payment_methods/': 'create revoke update',
  'delivery_promise_settings/': 'update',
  'discounts/': 'create delete redeemcode_added redeemcode_removed update',
  'disputes/': 'create update',
  'domains/': 'create destroy update',
  'draft_orders/': 'create delete update',
  'finance_app_staff_member/': 'delete grant revoke update',
  'finance_kyc_information/': 'update',
  'fulfillments/': 'create update',
  'fulfillment_events/': 'create delete',
  'fulfillment_holds/': 'added released',
  'fulfillment_orders/':
    'cancellation_request_accepted cancellation_request_rejected cancellation_request_submitted cancelled fulfillment_request_accepted fulfillment_request_rejected fulfillment_request_submitted fulfillment_service_failed_to_complete hold_released line_items_prepared_for_local_delivery line_items_prepared_for_pickup manually_reported_progress_stopped merged moved order_routing_complete placed_on_hold progress_reported rescheduled scheduled_fulfillment_order_ready split',
  'inventory_items/': 'create delete update',
  'inventory_levels/': 'connect disconnect update',
  'inventory_shipments/':
    'add_items create delete mark_in_transit receive_items remove_items update_item_quantities update_tracking',
  'inventory_transfers/':
    'add_items cancel complete ready_to_ship remove_items update_item_quantities',
  'locales/': 'create update',
  'locations/': 'activate create deactivate delete update',
  'markets_backup_region/': 'update',
  'markets/': 'create delete update',
  'metafield_definitions/': 'create delete update',
  'metaobjects/': 'create delete update',
  'orders/':
    'cancelled create delete edited fulfilled paid partially_fulfilled risk_assessment_changed shopify_protect_eligibility_changed updated',
  'order_transactions/': 'create',
  'payment_schedules/': 'due',
  'payment_terms/': 'create delete update',
  'products/': 'create delete update',
  'product_feeds/': 'create full_sync full_sync_finish incremental_sync update',
  'product_listings/': 'add remove update',
  'product_publications/': 'create delete update',
  'profiles/': 'create delete update',
  'refunds/': 'create',
  'returns/': 'approve cancel close decline process reopen request update',
  'reverse_deliveries/': 'attach_deliverable',
  'reverse_fulfillment_orders/': 'dispose',
  'scheduled_product_listings/': 'add remove update',
  'segments/': 'create delete update',
  'selling_plan_groups/': 'create delete update',
  'shipping_addresses/': 'create update',
  'shop/': 'update',
  'subscription_billing_attempts/': 'challenged failure success',
  'subscription_billing_cycles/': 'skip unskip',
  'subscription_billing_cycle_edits/': 'create delete update',
  'subscription_contracts/': 'activate cancel create expire fail pause update',
  'tax_services/': 'create update',
  'tender_transactions/': 'create',
  'themes/': 'create delete publish update',
  'variants/': 'in_stock out_of_stock',
};

/** Topics an app declares in its configuration; they cannot be subscribed. */
const PRIVACY_TOPICS = ['customers/data_request', 'customers/redact', 'shop/redact'];

/**
 * Subscribable topics in the spelling of the REST API and the delivery header, e.g.
 * `products/create`.
 */
export const SUBSCRIBABLE_TOPICS: readonly string[] = Object.entries(ACTIONS_BY_RESOURCE).flatMap(
  ([resource, actions]) => actions.split(' ').map((action) => resource + action),
);

const NAME_BY_CONSTANT = new Map(
  [...SUBSCRIBABLE_TOPICS, ...PRIVACY_TOPICS].map((topic) => [topicConstant(topic), topic]),
);

/** The GraphQL spelling of a topic: `products/create` becomes `PRODUCTS_CREATE`. */
export function topicConstant(topic: string): string {
  return topic.toUpperCase().replace(/[/.]/g, '_');
}

/** The header spelling of a topic in either spelling, or undefined when there is no such topic. */
export function topicName(topic: string): string | undefined {
  return NAME_BY_CONSTANT.get(topicConstant(topic));
}
