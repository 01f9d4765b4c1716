/** How the REST API describes the nodes of a type that the store keeps by convention. */
interface ResourceShape {
  /** The names of its attributes, besides the id and the times. */
  readonly names: string;
  /** The fields of the node that the API calls otherwise, by their names in the API. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** The times it has. @default 'created_at updated_at' */
  readonly times?: string;
  /** Attributes that are never null: their values where the node has none. */
  readonly usual?: Readonly<Record<string, unknown>>;
}

/** By the type of the node. What is not here has the names of its fields, in snake case. */
// prettier-ignore
export const RESOURCE_SHAPES: Readonly<Record<string, ResourceShape>> = {
  Article: {
    names: 'title body_html blog_id author user_id published_at summary_html template_suffix handle tags shop_id',
    renamed: { body_html: 'body', summary_html: 'summary' },
    usual: { author: '', tags: '' },
  },
  Blog: {
    names: 'handle title feedburner feedburner_location template_suffix commentable tags',
    usual: { commentable: 'no', tags: '' },
  },
  Collection: {
    times: 'updated_at', names: 'handle title body_html sort_order template_suffix published_scope published_at',
    renamed: { body_html: 'descriptionHtml' },
    usual: { sort_order: 'best-selling', published_scope: 'web' },
  },
  Comment: {
    names: 'body body_html author email status article_id blog_id ip user_agent published_at',
    usual: { status: 'pending' },
  },
  Country: { times: '', names: 'name code tax tax_name provinces', usual: { tax: 0, provinces: [] } },
  DeliveryCarrierService: {
    times: '', names: 'name active service_discovery carrier_service_type format callback_url',
    usual: { active: true, service_discovery: true, carrier_service_type: 'api', format: 'json' },
  },
  DiscountCode: { names: 'price_rule_id code usage_count', usual: { usage_count: 0 } },
  Event: { names: 'subject_id subject_type verb arguments message author description path' },
  FulfillmentEvent: {
    names: 'fulfillment_id status message happened_at city province country zip address1 latitude longitude shop_id estimated_delivery_at order_id',
    usual: { status: 'in_transit' },
  },
  FulfillmentService: {
    times: '', names: 'name email service_name handle fulfillment_orders_opt_in include_pending_stock provider_id location_id callback_url tracking_support inventory_management',
    renamed: { name: 'serviceName' },
    usual: { fulfillment_orders_opt_in: true, include_pending_stock: false, tracking_support: false, inventory_management: false },
  },
  GiftCard: {
    names: 'balance currency initial_value disabled_at line_item_id api_client_id user_id customer_id note expires_on template_suffix last_characters order_id code',
    renamed: { last_characters: 'lastCharacters' },
    usual: { balance: '0.00', initial_value: '0.00' },
  },
  Location: {
    names: 'name address1 address2 city zip province country phone country_code country_name province_code legacy active',
    renamed: { active: 'isActive' },
    usual: { legacy: false, active: true },
  },
  MarketingEvent: {
    times: '', names: 'remote_id event_type marketing_channel paid referring_domain budget currency budget_type started_at scheduled_to_end_at ended_at description manage_url preview_url utm_campaign utm_source utm_medium breadcrumb_id marketing_activity_id marketed_resources',
    usual: { marketed_resources: [], paid: false },
  },
  OnlineStoreTheme: {
    names: 'name role theme_store_id previewable processing',
    usual: { role: 'unpublished', previewable: true, processing: false },
  },
  Page: {
    names: 'title shop_id handle body_html author published_at template_suffix',
    renamed: { body_html: 'body' },
  },
  PriceRule: {
    names: 'title value_type value customer_selection target_type target_selection allocation_method allocation_limit once_per_customer usage_limit starts_at ends_at entitled_product_ids entitled_variant_ids entitled_collection_ids entitled_country_ids prerequisite_product_ids prerequisite_variant_ids prerequisite_collection_ids customer_segment_prerequisite_ids prerequisite_customer_ids prerequisite_subtotal_range prerequisite_quantity_range prerequisite_shipping_price_range prerequisite_to_entitlement_quantity_ratio prerequisite_to_entitlement_purchase',
    usual: {
      once_per_customer: false, entitled_product_ids: [], entitled_variant_ids: [], entitled_collection_ids: [], entitled_country_ids: [],
      prerequisite_product_ids: [], prerequisite_variant_ids: [], prerequisite_collection_ids: [], customer_segment_prerequisite_ids: [], prerequisite_customer_ids: [],
    },
  },
  Province: { times: '', names: 'country_id name code tax tax_name tax_type tax_percentage shipping_zone_id', usual: { tax: 0 } },
  ScriptTag: {
    names: 'src event display_scope cache',
    usual: { event: 'onload', display_scope: 'all', cache: false },
  },
  StorefrontAccessToken: { names: 'access_token access_scope title', renamed: { access_token: 'accessToken' } },
  UrlRedirect: { times: '', names: 'path target' },
};
