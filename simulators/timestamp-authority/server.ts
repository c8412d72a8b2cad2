/** Simulates a time-stamp authority (RFC 3161 over HTTP), with a certificate of its own root. Answers wrongly on demand. */
import { createHash, randomBytes } from 'node:crypto'
import {
  BitString,
  Boolean as Asn1Boolean,
  GeneralizedTime,
  Integer,
  Null,
  ObjectIdentifier,
  OctetString,
  Sequence,
  Utf8String,
} from 'asn1js'
import * as pkijs from 'pkijs'
import { z } from 'zod'
import { parseJson } from '../http.ts'
import { badRequest, startVendorServer, type VendorOptions, type VendorServer } from '../vendor-server.ts'

/**
 * - `garbage`: no ASN.1; `rejection`: the status "rejection", without a token;
 * - `wrongNonce`, `wrongDigest`: a valid time-stamp of another request; `wrongSignature`: not signed by its certificate;
 * - `huge`: more bytes than any token has.
 */
const wrongAnswer = z.enum(['garbage', 'rejection', 'wrongNonce', 'wrongDigest', 'wrongSignature', 'huge'])
const wrongAnswers = z.strictObject({ kind: wrongAnswer, times: z.int().positive().default(1) })

type Options = VendorOptions & {
  keys?: 'ecdsa' | 'rsa'
  /** Its clock; the real one by default. */
  now?: () => Date
}

export type TimestampSimulator = VendorServer & {
  /** Answers the next requests wrongly. */
  answerWrongly: (kind: z.output<typeof wrongAnswer>, times?: number) => void
  /** In DER. */
  certificate: Uint8Array
}

const oids = {
  timestampInfo: '1.2.840.113549.1.9.16.1.4',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  sha256: '2.16.840.1.101.3.4.2.1',
  policy: '1.3.6.1.4.1.13762.3',
  timeStamping: '1.3.6.1.5.5.7.3.8',
} as const

export async function startTimestampSimulator(options: Options = {}): Promise<TimestampSimulator> {
  const { keys = 'ecdsa', now = () => new Date() } = options
  const authority = await createAuthority(keys)
  let wrong: z.output<typeof wrongAnswers>[] = []
  let serial = 1

  function nextWrongAnswer() {
    const next = wrong[0]
    if (next && --next.times === 0) wrong = wrong.slice(1)
    return next?.kind
  }

  async function answer(query: Uint8Array): Promise<Buffer> {
    const kind = nextWrongAnswer()
    if (kind === 'garbage') return Buffer.from('<html>Please sign in</html>')
    if (kind === 'huge') return Buffer.alloc(1024 * 1024, 0x30)
    const request = parseQuery(query)
    if (!request || kind === 'rejection') return toBuffer(new Sequence({ value: [status(2)] }))
    const digest = kind === 'wrongDigest' ? randomBytes(32) : request.digest
    const nonce = kind === 'wrongNonce' ? randomBytes(8) : request.nonce
    const token = await authority.sign({ digest, nonce, serial: serial++, at: now() })
    const bytes = toBuffer(new Sequence({ value: [status(0), token] }))
    if (kind === 'wrongSignature') bytes[bytes.length - 1]! ^= 1
    return bytes
  }

  const server = await startVendorServer(
    {
      defaultMatch: '^POST /$',
      isVendorPath: (path) => path === '/',
      nameOf: ({ method, path }) => `${method} ${path}`,
      refusal: (status) => ({ status, body: { message: 'Not available' } }),
      respond: async ({ method, headers, bytes }) => {
        if (method !== 'POST' || headers['content-type'] !== 'application/timestamp-query')
          return { status: 400, body: { message: 'Send a time-stamp query' } }
        return { status: 200, file: await answer(bytes), headers: { 'content-type': 'application/timestamp-reply' } }
      },
      handleControl: ({ method, path, body }) => {
        if (`${method} ${path}` !== 'POST /_control/wrong-answers') return
        const parsed = wrongAnswers.safeParse(parseJson(body))
        if (!parsed.success) return badRequest(parsed.error)
        wrong.push(parsed.data)
        return { status: 204, body: undefined }
      },
    },
    options,
  )
  return {
    ...server,
    certificate: authority.certificate,
    answerWrongly: (kind, times = 1) => void wrong.push({ kind, times }),
  }
}

const status = (code: number) => new Sequence({ value: [new Integer({ value: code })] })
const toBuffer = (value: Sequence): Buffer => Buffer.from(value.toBER())
const bufferOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer

function parseQuery(query: Uint8Array): { digest: Uint8Array; nonce: Uint8Array | null } | null {
  try {
    const { messageImprint, nonce } = pkijs.TimeStampReq.fromBER(bufferOf(query))
    if (messageImprint.hashAlgorithm.algorithmId !== oids.sha256) return null
    return { digest: messageImprint.hashedMessage.valueBlock.valueHexView, nonce: nonce?.valueBlock.valueHexView ?? null }
  } catch {
    return null
  }
}

type Stamp = { digest: Uint8Array; nonce: Uint8Array | null; serial: number; at: Date }

async function createAuthority(keys: 'ecdsa' | 'rsa') {
  const root = await createCertificate(keys, 'Simulated Root', null)
  const own = await createCertificate(keys, 'Simulated Time-Stamp Authority', root)
  const certificate = new Uint8Array(own.certificate.toSchema(true).toBER())
  const certHash = bufferOf(createHash('sha256').update(certificate).digest())

  async function sign({ digest, nonce, serial, at }: Stamp): Promise<Sequence> {
    const info = new Sequence({
      value: [
        new Integer({ value: 1 }),
        new ObjectIdentifier({ value: oids.policy }),
        new Sequence({ value: [sha256(), new OctetString({ valueHex: bufferOf(digest) })] }),
        new Integer({ value: serial }),
        new GeneralizedTime({ valueDate: at }),
        new Asn1Boolean({ value: true }), // the order of its time-stamps can be told
        ...(nonce ? [new Integer({ valueHex: bufferOf(nonce) })] : []),
      ],
    }).toBER()
    const messageDigest = new OctetString({ valueHex: bufferOf(createHash('sha256').update(Buffer.from(info)).digest()) })
    const named = new Sequence({ value: [new Sequence({ value: [new Sequence({ value: [new OctetString({ valueHex: certHash })] })] })] })
    const content = new pkijs.EncapsulatedContentInfo({ eContentType: oids.timestampInfo })
    // Given to the constructor, it would be cut into pieces, which is not DER.
    content.eContent = new OctetString({ valueHex: info })
    const signed = new pkijs.SignedData({
      version: 3,
      encapContentInfo: content,
      // With the root, as many authorities send it.
      certificates: [root.certificate, own.certificate],
      signerInfos: [
        new pkijs.SignerInfo({
          version: 1,
          sid: new pkijs.IssuerAndSerialNumber({ issuer: own.certificate.issuer, serialNumber: own.certificate.serialNumber }),
          signedAttrs: new pkijs.SignedAndUnsignedAttributes({
            type: 0,
            attributes: [
              new pkijs.Attribute({ type: oids.contentType, values: [new ObjectIdentifier({ value: oids.timestampInfo })] }),
              new pkijs.Attribute({ type: oids.messageDigest, values: [messageDigest] }),
              new pkijs.Attribute({ type: oids.signingCertificateV2, values: [named] }),
            ],
          }),
        }),
      ],
    })
    await signed.sign(own.privateKey, 0, 'SHA-256')
    return new pkijs.ContentInfo({ contentType: oids.signedData, content: signed.toSchema(true) }).toSchema()
  }

  return { certificate, sign }
}

const sha256 = () => new Sequence({ value: [new ObjectIdentifier({ value: oids.sha256 }), new Null()] })

type Issued = { certificate: pkijs.Certificate; privateKey: CryptoKey }

async function createCertificate(keys: 'ecdsa' | 'rsa', name: string, issuer: Issued | null): Promise<Issued> {
  const algorithm =
    keys === 'ecdsa'
      ? { name: 'ECDSA', namedCurve: 'P-256' }
      : { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1) }
  const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = new pkijs.Certificate()
  certificate.version = 2
  certificate.serialNumber = new Integer({ valueHex: bufferOf(Uint8Array.of(0x40, ...randomBytes(8))) })
  const nameOf = (value: string) => new pkijs.AttributeTypeAndValue({ type: '2.5.4.3', value: new Utf8String({ value }) })
  certificate.subject.typesAndValues.push(nameOf(name))
  certificate.issuer = issuer?.certificate.subject ?? certificate.subject
  certificate.notBefore.value = new Date('2020-01-01T00:00:00Z')
  certificate.notAfter.value = new Date('2049-01-01T00:00:00Z')
  await certificate.subjectPublicKeyInfo.importKey(publicKey)
  certificate.extensions = [
    issuer
      ? new pkijs.Extension({
          extnID: '2.5.29.37',
          critical: true,
          extnValue: new pkijs.ExtKeyUsage({ keyPurposes: [oids.timeStamping] }).toSchema().toBER(),
        })
      : new pkijs.Extension({
          extnID: '2.5.29.15',
          critical: true,
          extnValue: new BitString({ valueHex: bufferOf(Uint8Array.of(0x06)) }).toBER(),
        }),
  ]
  await certificate.sign(issuer?.privateKey ?? privateKey, 'SHA-256')
  return { certificate, privateKey }
}
