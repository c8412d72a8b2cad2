/** Keys with a self-signed certificate, and their export. Runs in a worker. */
import { createHash, generateKeyPair, randomBytes, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { OctetString } from 'asn1js'
import * as pkijs from 'pkijs'
import { bigInteger, context, encode, integer, nothing, octets, oid, partsOf, readDer, sequence, setOf, tags } from '../../shared/der.ts'

/** What every PDF reader verifies, with some 128 bits of strength. */
const modulusLength = 3072
/** X.520's limit of a common name, in characters. */
const maxNameLength = 64
const oids = {
  commonName: '2.5.4.3',
  sha256WithRsa: '1.2.840.113549.1.1.11',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  keyIdentifier: '2.5.29.14',
} as const
const signatureAlgorithm = sequence(oid(oids.sha256WithRsa), nothing())

export type NewKey = { name: string; validFrom: Date; validUntil: Date }
/** DER: PKCS#8 and X.509. */
export type KeyPair = { key: Uint8Array; certificate: Uint8Array }

export async function createKey({ name, validFrom, validUntil }: NewKey): Promise<KeyPair> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', { modulusLength })
  const publicInfo = publicKey.export({ type: 'spki', format: 'der' })
  const owner = sequence(setOf(sequence(oid(oids.commonName), utf8([...name].slice(0, maxNameLength).join('')))))
  const [, publicBits] = partsOf(readDer(publicInfo), tags.sequence)
  const identifier = createHash('sha1').update(publicBits!.content.subarray(1)).digest()
  const signed = sequence(
    context(0, integer(2)),
    bigInteger(randomBytes(16)),
    signatureAlgorithm,
    owner,
    sequence(time(validFrom), time(validUntil)),
    owner,
    publicInfo,
    context(
      3,
      sequence(
        // Not an authority.
        extension(oids.basicConstraints, sequence(), { isCritical: true }),
        // digitalSignature and nonRepudiation: the first two bits.
        extension(oids.keyUsage, bits(Uint8Array.of(0xc0), 6), { isCritical: true }),
        extension(oids.keyIdentifier, octets(identifier)),
      ),
    ),
  )
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'der' }),
    certificate: sequence(signed, signatureAlgorithm, bits(sign('sha256', signed, privateKey))),
  }
}

const utf8 = (text: string) => encode(0x0c, Buffer.from(text, 'utf8'))
const bits = (bytes: Uint8Array, unused = 0) => encode(tags.bitString, Uint8Array.of(unused), bytes)
const extension = (id: string, value: Uint8Array, { isCritical = false } = {}) =>
  sequence(oid(id), ...(isCritical ? [encode(tags.boolean, Uint8Array.of(0xff))] : []), octets(value))

/** To the second: with two digits of the year before 2050 (RFC 5280, 4.1.2.5). */
function time(instant: Date): Uint8Array {
  const text = instant.toISOString().replace(/\.\d+|[-:T]/g, '')
  return instant.getUTCFullYear() < 2050 ? encode(0x17, Buffer.from(text.slice(2))) : encode(tags.generalizedTime, Buffer.from(text))
}

const iterations = 100_000
const bagOids = {
  key: '1.2.840.113549.1.12.10.1.2',
  certificate: '1.2.840.113549.1.12.10.1.3',
  localKeyId: '1.2.840.113549.1.9.21',
} as const

/** A key with its certificate as PKCS#12, encrypted with the password: AES-256 with a key of PBKDF2, SHA-256. */
export async function exportKey({ key, certificate, password }: KeyPair & { password: string }): Promise<Uint8Array> {
  const secret = new Uint8Array(Buffer.from(password, 'utf8')).buffer
  const localKeyId = () =>
    new pkijs.Attribute({ type: bagOids.localKeyId, values: [new OctetString({ valueHex: new Uint8Array([1]).buffer })] })
  const keyBag = new pkijs.PKCS8ShroudedKeyBag({ parsedValue: pkijs.PrivateKeyInfo.fromBER(Buffer.from(key)) })
  const encryption = {
    contentEncryptionAlgorithm: { name: 'AES-CBC', length: 256 },
    hmacHashAlgorithm: 'SHA-256',
    iterationCount: iterations,
  }
  await keyBag.makeInternalValues({ password: secret, ...encryption } as never)
  const certificateBag = new pkijs.CertBag({ parsedValue: pkijs.Certificate.fromBER(Buffer.from(certificate)) })
  const contentsOf = (bagId: string, bagValue: pkijs.PKCS8ShroudedKeyBag | pkijs.CertBag) =>
    new pkijs.SafeContents({ safeBags: [new pkijs.SafeBag({ bagId, bagValue, bagAttributes: [localKeyId()] })] })
  const safe = new pkijs.AuthenticatedSafe({
    parsedValue: {
      safeContents: [
        { privacyMode: 0, value: contentsOf(bagOids.key, keyBag) },
        { privacyMode: 1, value: contentsOf(bagOids.certificate, certificateBag) },
      ],
    },
  })
  await safe.makeInternalValues({ safeContents: [{}, { password: secret, ...encryption }] })
  const file = new pkijs.PFX({ parsedValue: { integrityMode: 0, authenticatedSafe: safe } })
  await file.makeInternalValues({
    password: secret,
    iterations,
    pbkdf2HashAlgorithm: 'SHA-256',
    hmacHashAlgorithm: 'SHA-256',
  })
  return new Uint8Array(file.toSchema().toBER())
}
