import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** A certificate and its key, as a TLS server takes them. */
export interface Issued {
  /** PEM; with the chain that was asked for. */
  readonly cert: string;
  readonly key: string;
}

/** What a certificate says. */
export interface CertificateOptions {
  /** The host that it is for. @default an authority's, for no host */
  readonly host?: string;
  /** Who issues it. @default itself */
  readonly issuer?: Authority;
  /** In days from now. @default 90 */
  readonly validFor?: number;
}

/** A certificate that may issue others. */
export interface Authority extends Issued {
  readonly name: string;
  readonly privateKey: KeyObject;
}

const DAY = 86_400_000;
const TAG = { integer: 0x02, bits: 0x03, octets: 0x04, oid: 0x06, text: 0x0c, time: 0x18 };
const SEQUENCE = 0x30;
const SET = 0x31;
/** Object identifiers, encoded. */
const OID = {
  commonName: '550403',
  ecdsaWithSha256: '2a8648ce3d040302',
  basicConstraints: '551d13',
  subjectAltName: '551d11',
};

/** Makes a certificate at once, without a tool of the machine. @see RFC 5280, 4.1 */
export function certificate({ host, issuer, validFor = 90 }: CertificateOptions = {}): Authority {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = host ?? `Authority ${randomBytes(4).toString('hex')}`;
  const algorithm = der(SEQUENCE, oid('ecdsaWithSha256'));
  const end = Date.now() + validFor * DAY;
  const body = der(
    SEQUENCE,
    der(0xa0, der(TAG.integer, Buffer.of(2))),
    der(TAG.integer, Buffer.from(`7f${randomBytes(8).toString('hex')}`, 'hex')),
    algorithm,
    nameOf(issuer?.name ?? name),
    der(SEQUENCE, time(end - 400 * DAY), time(end)),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, host === undefined ? IS_AUTHORITY : hostNames(host))),
  );
  const signature = sign('sha256', body, issuer?.privateKey ?? privateKey);
  const whole = der(SEQUENCE, body, algorithm, der(TAG.bits, Buffer.of(0), signature));
  const lines = whole
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n');
  const key = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return {
    name,
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key,
    privateKey: createPrivateKey(key),
  };
}

/** A value with its type and length. */
function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content]);
  const size = length < 0x1_00 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

function oid(name: keyof typeof OID): Buffer {
  return der(TAG.oid, Buffer.from(OID[name], 'hex'));
}

function nameOf(text: string): Buffer {
  return der(
    SEQUENCE,
    der(SET, der(SEQUENCE, oid('commonName'), der(TAG.text, Buffer.from(text)))),
  );
}

/** `20261123080000Z`. */
function time(milliseconds: number): Buffer {
  const text = new Date(milliseconds).toISOString().replace(/\.\d+|[-:T]/g, '');
  return der(TAG.time, Buffer.from(text));
}

const IS_AUTHORITY = der(
  SEQUENCE,
  oid('basicConstraints'),
  der(0x01, Buffer.of(0xff)),
  der(TAG.octets, der(SEQUENCE, der(0x01, Buffer.of(0xff)))),
);

function hostNames(host: string): Buffer {
  const names = der(SEQUENCE, der(0x82, Buffer.from(host)));
  return der(SEQUENCE, oid('subjectAltName'), der(TAG.octets, names));
}
