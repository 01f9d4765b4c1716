import { setTimer } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import type { SqlResult } from '../sql/sql.dialect.js';
import { PLAIN } from './mysql.driver.js';
import type { MySQLCallback, MySQLClient, MySQLPrepared, MySQLValue } from './mysql.driver.js';

/** How long the server may take to answer, the wait for a connection included, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** What a connection comes from, and is given back to. */
export interface Source {
  connect(connected: (error: Error | null, client?: MySQLClient) => void): void;
  release(client: MySQLClient): void;
}

/** A statement that is sent: prepared when it has values, else as it is. */
export interface Question {
  readonly sql: string;
  readonly values?: readonly MySQLValue[] | undefined;
  /** False when the connection is of the app's making, with options of its own. */
  readonly isOurs: boolean;
  /** @default 10,000 */
  readonly timeoutMs?: number | undefined;
}

/**
 * Resolves with what the server answers; the process is kept alive until then. A connection on
 * which it does not answer in time is given up: the answer might come yet, and be taken for
 * another.
 */
export function answerTo(question: Question, source: Source, clock: Clock): Promise<SqlResult> {
  const { timeoutMs = TIMEOUT_MS } = question;
  return new Promise((resolve, reject) => {
    let client: MySQLClient | undefined;
    let isLate = false;
    const cancel = setTimer(clock, timeoutMs, () => {
      isLate = true;
      client?.destroy();
      client?.stream.destroy();
      reject(new Error(`there was no answer within ${timeoutMs} ms`));
    });
    source.connect((error, given) => {
      if (given && !isLate) {
        client = given;
        send(given, question, (error, answer) => {
          source.release(given);
          cancel();
          if (answer) resolve(resultOf(answer));
          else reject(error);
        });
        return;
      }
      if (given) source.release(given);
      cancel();
      reject(error);
    });
  });
}

function resultOf(answer: NonNullable<Parameters<MySQLCallback>[1]>): SqlResult {
  return 'affectedRows' in answer
    ? { rows: [], changes: answer.affectedRows }
    : { rows: answer, changes: 0 };
}

function send(
  client: MySQLClient,
  { sql, values, isOurs }: Question,
  answered: MySQLCallback,
): void {
  if (!values) client.query({ ...PLAIN, sql }, answered);
  else if (isOurs) executePrepared(client, sql, values, answered);
  else client.execute({ ...PLAIN, sql, values }, answered);
}

const prepared = new WeakMap<MySQLClient, Map<string, MySQLPrepared>>();

/** The driver would look for the statement at every call, which costs a third of it. */
function executePrepared(
  client: MySQLClient,
  sql: string,
  values: readonly MySQLValue[],
  answered: MySQLCallback,
): void {
  let statements = prepared.get(client);
  if (!statements) prepared.set(client, (statements = new Map()));
  const statement = statements.get(sql);
  if (statement) return statement.execute(values, answered);
  client.prepare(sql, (error, statement) => {
    if (!statement) return answered(error);
    statements.set(sql, statement);
    statement.execute(values, answered);
  });
}
