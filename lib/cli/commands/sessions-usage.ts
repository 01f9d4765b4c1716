/** What the commands of sessions take, for the text of `--help`. */
export const SESSIONS_USAGE = `shopwright sessions copy --from <storage> --to <storage>
  Copies the sessions of one storage to another, and what is known of installations, while the app runs. A newer session of the target stays. Repeat it after the app has changed over. Tokens that are encrypted stay so, unless keys are named.

  --from-keys <NAME>    opens tokens with the keys in this environment variable: <id>:<key>,<id>:<key>
  --to-keys <NAME>      encrypts them with the first key in this one
  --overwrite           also replaces sessions of the target that may be newer

shopwright sessions reencrypt <storage> [--keys <NAME>]
  Encrypts all tokens with the first key, while the app runs.

For both, <storage> is env:NAME, for an environment variable with a URL (sqlite:<path>, postgresql:, mysql:, mongodb:, redis:), or a module that exports a session storage (<module>[#export]).
  --dry-run             only shows what would be done
  --concurrency <n>     how many sessions at once (default 8)
  --resume <file>       notes in this file how far the run has come, and goes on from there the next time
`;
