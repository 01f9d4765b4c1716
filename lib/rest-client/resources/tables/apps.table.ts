import type { ResourceTables } from '../resource.table.js';

/** What an app is charged for, granted and told. */
// prettier-ignore
export const APPS: ResourceTables = {
  AccessScope: {
    prefix: 'admin/oauth',
    calls: [
      'GET    all access_scopes',
    ],
    attributes: {
      string: 'handle',
      'object[]': 'access_scopes',
    },
  },
  ApplicationCharge: {
    calls: [
      'GET    all    application_charges ? since_id fields',
      'GET    find   application_charges/<id> ? fields',
      'POST   create application_charges',
    ],
    attributes: {
      string: 'confirmation_url created_at id name return_url status updated_at',
      boolean: 'test',
      'string|number': 'price',
      'Currency|string': 'currency',
    },
  },
  ApplicationCredit: {
    calls: [
      'GET    all  application_credits ? fields',
      'GET    find application_credits/<id> ? fields',
    ],
    attributes: {
      string: 'amount description id',
      boolean: 'test',
      'Currency|string': 'currency',
    },
  },
  DeprecatedApiCall: {
    calls: [
      'GET    all deprecated_api_calls',
    ],
    attributes: {
      string: 'data_updated_at',
      'object[]': 'deprecated_api_calls',
    },
  },
  Event: {
    calls: [
      'GET    all   events ? limit since_id created_at_min created_at_max filter verb fields',
      'GET    all   orders/<order_id>/events',
      'GET    all   products/<product_id>/events',
      'GET    find  events/<id> ? fields',
      'GET    count events/count ? created_at_min created_at_max',
    ],
    attributes: {
      string: 'body created_at description id message path subject_id subject_type verb',
      'string[]': 'arguments',
    },
  },
  MobilePlatformApplication: {
    calls: [
      'GET    all    mobile_platform_applications',
      'GET    find   mobile_platform_applications/<id>',
      'POST   create mobile_platform_applications',
      'PUT    update mobile_platform_applications/<id>',
      'DELETE delete mobile_platform_applications/<id>',
    ],
    attributes: {
      string: 'app_clip_application_id application_id id platform',
      boolean: 'enabled_app_clips enabled_shared_webcredentials enabled_universal_or_app_links',
      'string[]': 'sha256_cert_fingerprints',
    },
  },
  ProductResourceFeedback: {
    names: ['product_resource_feedback product_resource_feedbacks', 'resource_feedback resource_feedbacks'],
    bodyKey: 'resource_feedback',
    calls: [
      'GET    all    products/<product_id>/resource_feedback',
      'POST   create products/<product_id>/resource_feedback',
    ],
    attributes: {
      string: 'created_at feedback_generated_at product_id resource_id resource_type resource_updated_at state updated_at',
      'string[]': 'messages',
    },
  },
  RecurringApplicationCharge: {
    calls: [
      'GET    all       recurring_application_charges ? since_id fields',
      'GET    find      recurring_application_charges/<id> ? fields',
      'POST   create    recurring_application_charges',
      'DELETE delete    recurring_application_charges/<id>',
      'PUT    customize recurring_application_charges/<id>/customize',
    ],
    attributes: {
      string: 'activated_on billing_on cancelled_on confirmation_url created_at id name return_url status terms trial_ends_on updated_at',
      boolean: 'test',
      number: 'trial_days',
      'string|number': 'capped_amount price',
      'Currency|string': 'currency',
    },
  },
  ResourceFeedback: {
    calls: [
      'GET    all    resource_feedback',
      'POST   create resource_feedback',
    ],
    attributes: {
      string: 'created_at feedback_generated_at resource_id resource_type state updated_at',
      'string[]': 'messages',
    },
  },
  StorefrontAccessToken: {
    calls: [
      'GET    all    storefront_access_tokens',
      'POST   create storefront_access_tokens',
      'DELETE delete storefront_access_tokens/<id>',
    ],
    attributes: {
      string: 'title access_scope access_token created_at id',
    },
  },
  UsageCharge: {
    calls: [
      'GET    all    recurring_application_charges/<recurring_application_charge_id>/usage_charges ? fields',
      'GET    find   recurring_application_charges/<recurring_application_charge_id>/usage_charges/<id> ? fields',
      'POST   create recurring_application_charges/<recurring_application_charge_id>/usage_charges',
    ],
    attributes: {
      string: 'created_at description id price recurring_application_charge_id updated_at',
      'Currency|string': 'currency',
    },
  },
  Webhook: {
    calls: [
      'GET    all    webhooks ? address created_at_max created_at_min fields limit since_id topic updated_at_min updated_at_max',
      'GET    find   webhooks/<id> ? fields',
      'GET    count  webhooks/count ? address topic',
      'POST   create webhooks',
      'PUT    update webhooks/<id>',
      'DELETE delete webhooks/<id>',
    ],
    attributes: {
      string: 'address topic api_version created_at format id updated_at',
      'string[]': 'fields metafield_namespaces private_metafield_namespaces',
    },
  },
};
