import { setTimer } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import { PLAIN } from './mysql.driver.js';
import type {
  MySQLAnswered,
  MySQLClient,
  MySQLPool,
  MySQLPrepared,
  MySQLRow,
  MySQLValue,
} from './mysql.driver.js';

/** How long the server may take to answer, the wait for a connection included, in milliseconds. */
const PATIENCE = 10_000;

/** What a connection comes from. */
export interface Source extends Pick<MySQLPool, 'getConnection'> {
  /**
   * The connection is its user's alone: a pool that gets it back may lend it to others, or make it
   * forget what it holds.
   */
  readonly keepsConnection?: true;
}

/** A statement that is sent: prepared when it has values, else as it is. */
export interface Question {
  readonly sql: string;
  readonly values?: readonly MySQLValue[] | undefined;
  /** False when the connection is of the app's making, with options of its own. */
  readonly isOurs: boolean;
  /** Milliseconds. @default 10,000 */
  readonly patience?: number | undefined;
}

export interface MySQLResult {
  readonly rows: readonly MySQLRow[];
  /** How many rows a statement that changes some has found. */
  readonly affectedRows: number;
}

/**
 * What the server answers; the process is kept alive until then. A connection that has been left
 * waiting is given up: the answer might come yet, and be taken for another.
 */
export function answerTo(question: Question, source: Source, clock: Clock): Promise<MySQLResult> {
  const { patience = PATIENCE } = question;
  return new Promise((resolve, reject) => {
    let client: MySQLClient | undefined;
    let isLate = false;
    const cancel = setTimer(clock, patience, () => {
      isLate = true;
      client?.destroy();
      client?.stream.destroy();
      reject(new Error(`there was no answer within ${patience} ms`));
    });
    source.getConnection((error, given) => {
      if (given && !isLate) {
        client = given;
        send(given, question, (error, answer) => {
          if (!source.keepsConnection) given.release();
          cancel();
          if (answer) resolve(resultIn(answer));
          else reject(error);
        });
        return;
      }
      if (!source.keepsConnection) given?.release();
      cancel();
      reject(error);
    });
  });
}

function resultIn(answer: NonNullable<Parameters<MySQLAnswered>[1]>): MySQLResult {
  return 'affectedRows' in answer
    ? { rows: [], affectedRows: answer.affectedRows }
    : { rows: answer, affectedRows: 0 };
}

function send(
  client: MySQLClient,
  { sql, values, isOurs }: Question,
  answered: MySQLAnswered,
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
  answered: MySQLAnswered,
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
