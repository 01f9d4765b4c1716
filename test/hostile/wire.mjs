// Requests as bytes on a socket: a client of Node's would refuse to send most of them.
import { connect } from 'node:net';

/**
 * How long an answer may take that is due, in milliseconds: longer than the toolkit itself waits
 * for a body.
 */
export const PATIENCE = 20_000;
const PIECE_PAUSE = 5;

/** What really goes over the wire: head, body, and whether an answer is due. */
export function render(request, id) {
  const {
    method,
    path,
    query,
    headers,
    body,
    framing,
    version = 'HTTP/1.1',
    lineBreak = '\r\n',
  } = request;
  const search =
    query.length > 0 ? `?${query.map(([name, value]) => `${name}=${value}`).join('&')}` : '';
  const target = path + search;
  const sent = [
    ['X-Trace', String(id)],
    ['Connection', 'close'],
    ...('host' in request
      ? request.host === undefined
        ? []
        : [['Host', request.host]]
      : [['Host', 'app.example.com']]),
    ...headers,
  ];
  const bytes = body ?? Buffer.alloc(0);
  const [framed, payload, isComplete] = frame(bytes, body !== undefined, framing);
  const fields = [...sent, ...framed].map(([name, value]) => `${name}: ${value}`);
  const head = Buffer.from([`${method} ${target} ${version}`, ...fields, '', ''].join(lineBreak));
  // As Node reads it: a character for a byte.
  const seen = head.toString('latin1');
  return {
    target: Buffer.from(target).toString('latin1'),
    headers: headersIn(seen),
    body: framing === 'short' ? bytes.subarray(0, -1) : bytes,
    bytes: Buffer.concat([head, payload]),
    isComplete,
  };
}

/** The headers that a reader finds: a value may hold a line break. */
function headersIn(head) {
  const lines = head.split(/\r?\n/).slice(1);
  return lines
    .filter((line) => line.includes(':'))
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]);
}

function frame(body, hasBody, framing) {
  const size = body.length.toString(16);
  const chunked = Buffer.concat([
    Buffer.from(body.length ? `${size}\r\n` : ''),
    body,
    Buffer.from(body.length ? '\r\n0\r\n\r\n' : '0\r\n\r\n'),
  ]);
  const length = (value) => [['Content-Length', String(value)]];
  const CHUNKS = [['Transfer-Encoding', 'chunked']];
  switch (framing) {
    case 'chunked':
      return [CHUNKS, chunked, true];
    case 'chunked without an end':
      return [CHUNKS, chunked.subarray(0, -5), false];
    // Where these end is a matter of opinion.
    case 'chunked with a wrong size':
      return [
        CHUNKS,
        Buffer.concat([Buffer.from('1\r\n'), body, Buffer.from('\r\n0\r\n\r\n')]),
        false,
      ];
    case 'chunked twice':
      return [[['Transfer-Encoding', 'chunked, chunked']], chunked, false];
    case 'two lengths':
      return [[...length(body.length), ...length(body.length + 1)], body, true];
    case 'length and chunks':
      return [[...length(body.length), ...CHUNKS], chunked, true];
    case 'short':
      return [length(Math.max(0, body.length - 1)), body, true];
    case 'cut':
    case 'stalled':
      return [length(body.length + 10), body, false];
    case 'none':
      return [[], body, false];
    default:
      return [hasBody ? length(body.length) : [], body, true];
  }
}

/**
 * Sends a request over a connection of its own. Answers `undefined` when the connection ended
 * without an answer, `'hang'` when one that is due did not come.
 */
export function send(port, wire, { pace, framing } = {}) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const pieces = [];
    let isOver = false;
    const settle = (outcome) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      socket.destroy();
      resolve(outcome);
    };
    const finish = () => settle(answerIn(Buffer.concat(pieces)));
    // Whoever has not sent all of it may be kept waiting by whatever reads it, and hangs up first.
    const isDue = wire.isComplete && pace !== 'hang up';
    const timer = setTimeout(
      () => (isDue ? settle('hang') : finish()),
      isDue ? PATIENCE : framing === 'cut' || pace === 'hang up' ? 300 : 1_000,
    );
    socket.on('data', (piece) => pieces.push(piece));
    socket.on('end', finish).on('error', finish).on('close', finish);
    socket.on('connect', () => void write(socket, wire.bytes, pace, framing));
  });
}

async function write(socket, bytes, pace, framing) {
  const pause = () => new Promise((resolve) => setTimeout(resolve, PIECE_PAUSE));
  if (pace === 'bytes') {
    // The end of the head and the beginning of the body are where it matters.
    const edge = Math.max(0, bytes.indexOf('\r\n\r\n') - 4);
    socket.write(bytes.subarray(0, edge));
    for (let at = edge; at < Math.min(bytes.length, edge + 40) && !socket.destroyed; at++) {
      await pause();
      socket.write(bytes.subarray(at, at + 1));
    }
    if (!socket.destroyed) socket.write(bytes.subarray(edge + 40));
  } else if (pace === 'halves') {
    socket.write(bytes.subarray(0, bytes.length / 2));
    await pause();
    if (!socket.destroyed) socket.write(bytes.subarray(bytes.length / 2));
  } else {
    socket.write(bytes);
  }
  if (pace === 'hang up') socket.resetAndDestroy();
  if (framing === 'cut') socket.end();
}

/** The last answer on the wire (others are `100 Continue`); `undefined` when there is none. */
export function answerIn(bytes) {
  const text = bytes.toString('latin1');
  const start = text.startsWith('HTTP/1.1 1') ? text.indexOf('HTTP/1.1', 8) : 0;
  const end = text.indexOf('\r\n\r\n', start);
  if (start < 0 || end < 0 || !text.startsWith('HTTP/1.', start)) return undefined;
  const [status, ...lines] = text.slice(start, end).split('\r\n');
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ]);
  const header = (name) => headers.find(([other]) => other === name)?.[1];
  const raw = bytes.subarray(end + 4);
  const body = header('transfer-encoding') === 'chunked' ? unchunked(raw) : raw;
  return { status: Number(status.split(' ')[1]), headers, header, body: body.toString('utf8') };
}

function unchunked(bytes) {
  const pieces = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (end < 0 || !(size > 0)) break;
    pieces.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 4 + size;
  }
  return Buffer.concat(pieces);
}
