import { describe, expect, it } from '@jest/globals';

import { isCrawler } from '../../../lib/core/http/crawlers.js';

describe('a User-Agent', () => {
  it.each([
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Twitterbot/1.0',
    'WhatsApp/2.23.20.0',
    'LinkedInBot/1.0 (compatible; Mozilla/5.0)',
    'Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)',
    'Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)',
  ])('is that of a crawler: %s', (userAgent) => {
    expect(isCrawler(userAgent)).toBe(true);
  });

  it.each([
    undefined,
    '',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1',
    'Mozilla/5.0 (Linux; Android 10; Abbott Labs) AppleWebKit/537.36 Mobile',
    'Shopify POS/9.10.0 (iPad; iOS 18.0) crawler',
    'Mozilla/5.0 Shopify Mobile/iOS/9.200.0 Googlebot',
    'curl/8.5.0',
    'PostmanRuntime/7.39.0',
    'node-superagent/3.8.3',
    'lightMyRequest',
    'Playwright/1.49.0 (x64; ubuntu 22.04) node/20.18',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/131.0.0.0 Safari/537.36',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Cypress/13.15.0 Chrome/118.0.5993.159 Electron/27.3.10 Safari/537.36',
  ])('is no crawler’s: %s', (userAgent) => {
    expect(isCrawler(userAgent)).toBe(false);
  });
});
