import { isRecord, parsedBody } from '../../core/json.js';
import { BulkTransferError } from './bulk.errors.js';

/** The limit of one line, in bytes. Keeps a file without line breaks out of memory. */
const LONGEST_LINE = 64 * 1024 * 1024;
const LINE_FEED = 0x0a;

/** One line of a file. */
export type JsonlRow = Readonly<Record<string, unknown>>;

/**
 * The rows that a chunk of a file completes, and the number of the first of them, counted from 0.
 */
export interface JsonlBatch {
  readonly rows: readonly JsonlRow[];
  readonly firstLine: number;
}

/**
 * Reads JSON lines from chunks of any size. Holds at most one chunk and one unfinished line; lines
 * are split as bytes, so that no character is split.
 * @throws {BulkTransferError} with the number of a line that is not a JSON object, or that the end
 * of the file cuts off
 */
export async function* readJsonl(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<JsonlBatch> {
  const reader = new LineReader();
  for await (const chunk of chunks) {
    const batch = reader.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    if (batch.rows.length > 0) yield batch;
  }
  const batch = reader.end();
  if (batch.rows.length > 0) yield batch;
}

class LineReader {
  #line = 1;
  #rest: Buffer[] = [];
  #restLength = 0;

  push(chunk: Buffer): JsonlBatch {
    const rows: JsonlRow[] = [];
    const firstLine = this.#line;
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      this.#take(this.#finished(chunk, start, end), rows);
      this.#line++;
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
    return { rows, firstLine };
  }

  end(): JsonlBatch {
    const rows: JsonlRow[] = [];
    const last = this.#finished(Buffer.alloc(0), 0, 0);
    try {
      this.#take(last, rows);
    } catch (cause) {
      throw new BulkTransferError(
        `The file ends in the middle of line ${this.#line}: it is incomplete.`,
        { line: this.#line, cause },
      );
    }
    return { rows, firstLine: this.#line };
  }

  /**
   * Keeps the beginning of a line until its end arrives. A copy, because a view would keep the
   * whole chunk in memory.
   */
  #keep(part: Buffer): void {
    this.#restLength += part.length;
    if (this.#restLength > LONGEST_LINE) {
      throw new BulkTransferError(
        `Line ${this.#line} of the file is longer than ${LONGEST_LINE} bytes.`,
        { line: this.#line },
      );
    }
    this.#rest.push(Buffer.from(part));
  }

  #finished(chunk: Buffer, start: number, end: number): string {
    if (this.#restLength === 0) return chunk.toString('utf8', start, end);
    const line = Buffer.concat([...this.#rest, chunk.subarray(start, end)]).toString('utf8');
    this.#rest = [];
    this.#restLength = 0;
    return line;
  }

  #take(text: string, rows: JsonlRow[]): void {
    // An empty line, as after the last line feed.
    if (text === '' || text === '\r') return;
    const row = parsed(text);
    // Without the cause: the parser quotes the line, which is the merchant's data.
    if (row === undefined)
      throw new BulkTransferError(`Line ${this.#line} of the file is no JSON object.`, {
        line: this.#line,
      });
    rows.push(row);
  }
}

function parsed(text: string): JsonlRow | undefined {
  const value = parsedBody(text);
  return isRecord(value) ? value : undefined;
}
