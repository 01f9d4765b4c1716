import type { ResourceTables } from '../resource.table.js';

/** What visitors of the shop read, and how they came. */
// prettier-ignore
export const ONLINE_STORE: ResourceTables = {
  Article: {
    calls: [
      'GET    all     blogs/<blog_id>/articles ? limit since_id created_at_min created_at_max updated_at_min updated_at_max published_at_min published_at_max published_status handle tag author fields',
      'GET    find    blogs/<blog_id>/articles/<id> ? fields',
      'GET    count   blogs/<blog_id>/articles/count ? created_at_min created_at_max updated_at_min updated_at_max published_at_min published_at_max published_status',
      'GET    authors articles/authors',
      'GET    tags    articles/tags ? limit popular',
      'GET    tags    blogs/<blog_id>/articles/tags',
      'POST   create  blogs/<blog_id>/articles',
      'PUT    update  blogs/<blog_id>/articles/<id>',
      'DELETE delete  blogs/<blog_id>/articles/<id>',
    ],
    attributes: {
      string: 'author blog_id body_html created_at handle id published_at summary_html tags template_suffix title updated_at user_id',
      boolean: 'published',
      'string|object': 'image',
      'Metafield[]': 'metafields',
    },
  },
  Asset: {
    primaryKey: 'key',
    calls: [
      'GET    all    themes/<theme_id>/assets ? fields asset',
      'PUT    update themes/<theme_id>/assets',
      'DELETE delete themes/<theme_id>/assets ? asset',
    ],
    attributes: {
      string: 'attachment checksum content_type created_at key public_url theme_id updated_at value',
      number: 'size',
    },
  },
  Blog: {
    calls: [
      'GET    all    blogs ? limit since_id handle fields',
      'GET    find   blogs/<id> ? fields',
      'GET    count  blogs/count',
      'POST   create blogs',
      'PUT    update blogs/<id>',
      'DELETE delete blogs/<id>',
    ],
    attributes: {
      string: 'admin_graphql_api_id commentable created_at feedburner feedburner_location handle id tags template_suffix title updated_at',
      'Metafield[]': 'metafields',
    },
  },
  Comment: {
    calls: [
      'GET    all      comments ? limit since_id created_at_min created_at_max updated_at_min updated_at_max published_at_min published_at_max fields published_status status',
      'GET    find     comments/<id> ? fields',
      'GET    count    comments/count ? created_at_min created_at_max updated_at_min updated_at_max published_at_min published_at_max published_status status',
      'POST   create   comments',
      'PUT    update   comments/<id>',
      'POST   approve  comments/<id>/approve',
      'POST   not_spam comments/<id>/not_spam',
      'POST   remove   comments/<id>/remove',
      'POST   restore  comments/<id>/restore',
      'POST   spam     comments/<id>/spam',
    ],
    attributes: {
      string: 'article_id author blog_id body body_html created_at email id ip published_at status updated_at user_agent',
    },
  },
  MarketingEvent: {
    calls: [
      'GET    all         marketing_events ? limit offset',
      'GET    find        marketing_events/<id>',
      'GET    count       marketing_events/count',
      'POST   create      marketing_events',
      'PUT    update      marketing_events/<id>',
      'DELETE delete      marketing_events/<id>',
      'POST   engagements marketing_events/<id>/engagements ? occurred_on impressions_count views_count clicks_count shares_count favorites_count comments_count ad_spend is_cumulative',
    ],
    attributes: {
      string: 'event_type marketing_channel started_at budget budget_type currency description ended_at id manage_url preview_url referring_domain remote_id scheduled_to_end_at',
      boolean: 'paid',
      object: 'UTM_parameters',
      'object[]': 'marketed_resources',
    },
  },
  Page: {
    calls: [
      'GET    all    pages ? limit since_id title handle created_at_min created_at_max updated_at_min updated_at_max published_at_min published_at_max fields published_status',
      'GET    find   pages/<id> ? fields',
      'GET    count  pages/count ? title created_at_min created_at_max updated_at_min updated_at_max published_at_min published_at_max published_status',
      'POST   create pages',
      'PUT    update pages/<id>',
      'DELETE delete pages/<id>',
    ],
    attributes: {
      string: 'admin_graphql_api_id author body_html created_at handle id published_at shop_id template_suffix title updated_at',
      Metafield: 'metafield',
    },
  },
  Redirect: {
    calls: [
      'GET    all    redirects ? limit since_id path target fields',
      'GET    find   redirects/<id> ? fields',
      'GET    count  redirects/count ? path target',
      'POST   create redirects',
      'PUT    update redirects/<id>',
      'DELETE delete redirects/<id>',
    ],
    attributes: {
      string: 'id path target',
    },
  },
  ScriptTag: {
    calls: [
      'GET    all    script_tags ? limit since_id created_at_min created_at_max updated_at_min updated_at_max src fields',
      'GET    find   script_tags/<id> ? fields',
      'GET    count  script_tags/count ? src',
      'POST   create script_tags',
      'PUT    update script_tags/<id>',
      'DELETE delete script_tags/<id>',
    ],
    attributes: {
      string: 'event src created_at display_scope id updated_at',
      boolean: 'cache',
    },
  },
  Theme: {
    calls: [
      'GET    all    themes ? fields',
      'GET    find   themes/<id> ? fields',
      'POST   create themes',
      'PUT    update themes/<id>',
      'DELETE delete themes/<id>',
    ],
    attributes: {
      string: 'created_at id name role src theme_store_id updated_at',
      boolean: 'previewable processing',
    },
  },
};
