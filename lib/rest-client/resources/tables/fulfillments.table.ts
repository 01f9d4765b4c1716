import type { ResourceTables } from '../resource.table.js';

/** What happens to the goods of an order. */
// prettier-ignore
export const FULFILLMENTS: ResourceTables = {
  AssignedFulfillmentOrder: {
    names: ['fulfillment_order fulfillment_orders'],
    calls: [
      'GET    all assigned_fulfillment_orders ? assignment_status location_ids',
    ],
    attributes: {
      string: 'assigned_location_id id order_id request_status shop_id status',
      object: 'destination',
      'object[]': 'line_items',
    },
  },
  CancellationRequest: {
    calls: [
      'POST   create fulfillment_orders/<fulfillment_order_id>/cancellation_request',
      'POST   accept fulfillment_orders/<fulfillment_order_id>/cancellation_request/accept ? message',
      'POST   reject fulfillment_orders/<fulfillment_order_id>/cancellation_request/reject ? message',
    ],
    attributes: {
      string: 'fulfillment_order_id',
    },
  },
  CarrierService: {
    calls: [
      'GET    all    carrier_services',
      'GET    find   carrier_services/<id>',
      'POST   create carrier_services',
      'PUT    update carrier_services/<id>',
      'DELETE delete carrier_services/<id>',
    ],
    attributes: {
      string: 'admin_graphql_api_id callback_url carrier_service_type format id name',
      boolean: 'active service_discovery',
    },
  },
  Fulfillment: {
    calls: [
      'GET    all             fulfillment_orders/<fulfillment_order_id>/fulfillments ? created_at_max created_at_min fields limit since_id updated_at_max updated_at_min',
      'GET    all             orders/<order_id>/fulfillments',
      'GET    find            orders/<order_id>/fulfillments/<id> ? fields',
      'GET    count           orders/<order_id>/fulfillments/count ? created_at_min created_at_max updated_at_min updated_at_max',
      'POST   create          fulfillments',
      'POST   cancel          fulfillments/<id>/cancel',
      'POST   update_tracking fulfillments/<id>/update_tracking ? notify_customer tracking_info',
    ],
    attributes: {
      string: 'created_at id location_id name order_id service shipment_status status tracking_company tracking_number tracking_url updated_at variant_inventory_management',
      boolean: 'notify_customer',
      object: 'receipt',
      'object[]': 'line_items origin_address',
      'string[]': 'tracking_numbers tracking_urls',
    },
  },
  FulfillmentEvent: {
    bodyKey: 'event',
    calls: [
      'GET    all    orders/<order_id>/fulfillments/<fulfillment_id>/events',
      'GET    find   orders/<order_id>/fulfillments/<fulfillment_id>/events/<id> ? event_id',
      'POST   create orders/<order_id>/fulfillments/<fulfillment_id>/events',
      'DELETE delete orders/<order_id>/fulfillments/<fulfillment_id>/events/<id>',
    ],
    attributes: {
      string: 'address1 city created_at estimated_delivery_at fulfillment_id happened_at id message order_id shop_id status updated_at zip',
      number: 'latitude longitude',
      Country: 'country',
      Province: 'province',
    },
  },
  FulfillmentOrder: {
    calls: [
      'GET    all                             orders/<order_id>/fulfillment_orders ? include_financial_summaries include_order_reference_fields',
      'GET    find                            fulfillment_orders/<id> ? include_financial_summaries include_order_reference_fields',
      'POST   cancel                          fulfillment_orders/<id>/cancel',
      'POST   close                           fulfillment_orders/<id>/close ? message',
      'POST   hold                            fulfillment_orders/<id>/hold ? fulfillment_hold',
      'POST   move                            fulfillment_orders/<id>/move ? fulfillment_order',
      'POST   open                            fulfillment_orders/<id>/open',
      'POST   release_hold                    fulfillment_orders/<id>/release_hold',
      'POST   reschedule                      fulfillment_orders/<id>/reschedule ? new_fulfill_at',
      'POST   set_fulfillment_orders_deadline fulfillment_orders/set_fulfillment_orders_deadline ? fulfillment_order_ids fulfillment_deadline',
    ],
    attributes: {
      string: 'assigned_location_id created_at fulfill_at fulfill_by id order_id request_status shop_id status updated_at',
      object: 'assigned_location delivery_method destination international_duties',
      'object[]': 'fulfillment_holds line_items merchant_requests',
      'string[]': 'supported_actions',
    },
  },
  FulfillmentRequest: {
    names: ['submitted_fulfillment_order submitted_fulfillment_orders', 'fulfillment_order fulfillment_orders'],
    calls: [
      'POST   create fulfillment_orders/<fulfillment_order_id>/fulfillment_request',
      'POST   accept fulfillment_orders/<fulfillment_order_id>/fulfillment_request/accept ? message',
      'POST   reject fulfillment_orders/<fulfillment_order_id>/fulfillment_request/reject ? message reason line_items',
    ],
    attributes: {
      string: 'fulfillment_order_id kind message sent_at',
      object: 'request_options response_data',
    },
  },
  FulfillmentService: {
    calls: [
      'GET    all    fulfillment_services ? scope',
      'GET    find   fulfillment_services/<id>',
      'POST   create fulfillment_services',
      'PUT    update fulfillment_services/<id>',
      'DELETE delete fulfillment_services/<id>',
    ],
    attributes: {
      string: 'admin_graphql_api_id callback_url handle id location_id name provider_id',
      boolean: 'fulfillment_orders_opt_in inventory_management requires_shipping_method tracking_support',
    },
  },
  LocationsForMove: {
    calls: [
      'GET    all fulfillment_orders/<fulfillment_order_id>/locations_for_move',
    ],
    attributes: {
      'object[]': 'locations_for_move',
    },
  },
  ShippingZone: {
    calls: [
      'GET    all shipping_zones ? fields',
    ],
    attributes: {
      string: 'id location_group_id name profile_id',
      'object[]': 'price_based_shipping_rates weight_based_shipping_rates',
      unknown: 'carrier_shipping_rate_providers',
      'Country[]': 'countries',
      'Province[]': 'provinces',
    },
  },
};
