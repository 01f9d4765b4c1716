import { CONFIGURATION_FILE, SHOP_DOMAINS } from '../core/vendor.js';

/** What `--help` prints. */
export const USAGE = `Usage: shopwright <command> … [options]

<module> is a file that exports the app: what platformApp() returned, or the class of a Nest module, as <file>#<export> when there are several. It must not start a server.

shopwright doctor <app-url>
  Examines a running app from outside, as a review of the platform does, and says how to mend what is wrong. Checks that need the app's secret or its client id read them from the environment: PLATFORM_API_SECRET, PLATFORM_API_KEY.

  --page <path>         a page inside the admin (default /)
  --auth <path>         where OAuth begins (default /auth)
  --exit <path>         the page that leaves the frame of the admin (default /exitiframe)
  --webhooks <path>     where webhooks arrive (default /webhooks)
  --api <path>          a path of the app's API, asked with GET (default: its checks are left out)
  --shop <domain>       a shop that has not installed the app (default a made-up one)
  --env-file <file>     reads environment variables from this file, too
  --json                writes a line of JSON for each check

shopwright migrate-tokens <module>
  Replaces the stored offline tokens of an app that never expire by ones that do. Without --apply it only lists what it would do.

  --apply               does it: there is no way back
  --after <id>          goes on behind the session of this id, where an earlier run was broken off
  --concurrency <n>     how many shops at once (default 4)

shopwright webhook <topic>
  Posts a webhook to a local app, signed as the platform signs it, and prints the answer. The app's secret is read from the environment: PLATFORM_API_SECRET.

  --address <url>       where the app receives webhooks (default http://localhost:$PORT/webhooks)
  --shop <domain>       the shop it comes from
  --print               prints the sample instead, to be edited
  --payload <file>      posts this file; - for what is piped in
  --times <n>           posts it so often, each time as another delivery
  --delivery-id <id>    the id of the delivery: with --times, the same delivery again and again
  --api-version <v>     the version of its payload (default 2026-10)
  --env-file <file>     reads environment variables from this file, too
  --remote              lets --address be on another machine

shopwright dev-store
  Serves a simulated store for the app of a configuration file, and prints the environment with which the app runs in it. Needs the packages smol-toml and graphql.

  --config <file>       the configuration file (default ${CONFIGURATION_FILE})
  --app-url <url>       where the app runs (default its application_url)
  --port <n>            the port of the store (default 4000); 0 for a free one
  --shop <domain>       the shop (default dev-shop.${SHOP_DOMAINS[0]})

shopwright webhooks plan <module>
shopwright webhooks apply <module>
  Shows what is to be created, updated and deleted so that shops have the webhook subscriptions the app declares, or does it. The module has to declare every handler of the app.

  --shop <domain>       this shop; may be repeated
  --all                 every shop that has installed the app
  --prune               also deletes subscriptions of the app that it does not declare
  --concurrency <n>     how many shops at once (default 4)
  --after <id>          goes on behind the session of this id, where an earlier run was broken off
  --resume <file>       notes in this file how far the run has come, and goes on from there the next time
  --config <file>       also shows the subscriptions of this configuration file of the app, and which are delivered twice (needs the package smol-toml)
  --json                writes a line of JSON for each shop, and one for all of them
  --prefix <path>       the global prefix of a Nest app, as its server sets it; / for none (a Nest module needs this option)

shopwright webhooks dead <module>
shopwright webhooks replay <module> [<id> …]
  Lists the deliveries that a durable queue has given up, or has them handled again by the processes that work the queue: those of these ids, or those that match.

  --topic <topic>       of this topic
  --shop <domain>       of this shop
  --handler <name>      that this handler failed to handle
  --since <time>        given up since then: a date, or how long ago (30m, 12h, 7d)
  --limit <n>           dead: at most so many (default 100)
  --json                dead: writes a line of JSON for each
  --all                 replay: all of them
  --dry-run             replay: only says how many there are of which topics

shopwright sessions copy --from <storage> --to <storage>
  Copies the sessions of one storage to another, and what is known of installations, while the app runs. A newer session of the target stays. Repeat it after the app has changed over. Tokens that are encrypted stay so, unless keys are named.

  --from-keys <NAME>    opens tokens with the keys in this environment variable: <id>:<key>,<id>:<key>
  --to-keys <NAME>      encrypts them with the first key in this one
  --overwrite           also replaces sessions of the target that may be newer

shopwright sessions reencrypt <storage> [--keys <NAME>]
  Encrypts all tokens with the first key, while the app runs.

  <storage> is env:NAME, for an environment variable with a URL (sqlite:<path>, postgresql:, mysql:, mongodb:, redis:), or a module that exports a session storage (<module>[#export]). Options of both:

  --dry-run             only shows what would be done
  --concurrency <n>     how many sessions at once (default 8)
  --resume <file>       notes in this file how far the run has come, and goes on from there the next time

For every command with a <module>:
  --app <name>          the app of this name, when the Nest module has several

For every command:
  --help                shows this text
`;
