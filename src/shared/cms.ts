/** SignedData of the Cryptographic Message Syntax (RFC 5652) with one signer and one certificate, in one form only. */
import {
  type Bytes,
  compare,
  contentOf,
  context,
  type Der,
  DerError,
  encode,
  integer,
  nothing,
  octets,
  oid,
  partsOf,
  readDer,
  readOid,
  sequence,
  setOf,
  tags,
} from './der.ts'

export const cmsOids = {
  signedData: '1.2.840.113549.1.7.2',
  data: '1.2.840.113549.1.7.1',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  rsa: '1.2.840.113549.1.1.1',
} as const

export type Digest = 'sha1' | 'sha256' | 'sha384' | 'sha512'
const digests: Record<string, Digest> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}
const algorithmOids = new Map(Object.entries(digests).map(([id, digest]) => [digest, id]))
/** Signature algorithms by the kind of key. What they say of the digest is in the signer's digest algorithm as well. */
const signatureKinds: Record<string, 'rsa' | 'ecdsa'> = {
  [cmsOids.rsa]: 'rsa',
  '1.2.840.113549.1.1.11': 'rsa',
  '1.2.840.113549.1.1.12': 'rsa',
  '1.2.840.113549.1.1.13': 'rsa',
  '1.2.840.10045.4.3.2': 'ecdsa',
  '1.2.840.10045.4.3.3': 'ecdsa',
  '1.2.840.10045.4.3.4': 'ecdsa',
}
const ecdsaOids = { sha256: '1.2.840.10045.4.3.2', sha384: '1.2.840.10045.4.3.3', sha512: '1.2.840.10045.4.3.4' } as const

/** What is signed and by whom. Everything else in a SignedData follows from it. */
export type SignedData = {
  /** The object identifier of what is signed. */
  contentType: string
  /** Null if it is elsewhere, such as in a PDF. */
  content: Uint8Array | null
  /** The signer's. */
  certificate: Uint8Array
  digest: Exclude<Digest, 'sha1'>
  signatureKind: 'rsa' | 'ecdsa'
  /** A SET OF attributes, as it is signed. */
  signedAttributes: Uint8Array
  signature: Uint8Array
  /** Whole attributes. */
  unsignedAttributes: readonly Uint8Array[]
}

export const digestAlgorithm = (digest: Digest): Bytes => sequence(oid(algorithmOids.get(digest)!))

/** Reads the digest of an AlgorithmIdentifier. @throws DerError */
export function readDigest(der: Der | undefined): Digest {
  const digest = digests[readOid(partsOf(der, tags.sequence)[0])]
  if (!digest) throw new DerError('An unknown digest')
  return digest
}

export const attribute = (type: string, value: Uint8Array): Bytes => sequence(oid(type), setOf(value))

/** The value of an attribute in a SET OF attributes; undefined if it is missing or has several values. @throws DerError */
export function attributeValue(attributes: Uint8Array, type: string): Der | undefined {
  const found = partsOf(readDer(attributes), tags.set)
    .map((one) => partsOf(one, tags.sequence))
    .filter(([name]) => readOid(name) === type)
  const values = found.length === 1 ? partsOf(found[0]![1], tags.set) : []
  return values.length === 1 ? values[0] : undefined
}

/** In the one form that we write: what is not signed has no choice left. */
export function encodeSignedData(data: SignedData): Bytes {
  const { issuer, serial } = issuerAndSerial(data.certificate)
  const signatureAlgorithm = data.signatureKind === 'rsa' ? sequence(oid(cmsOids.rsa), nothing()) : sequence(oid(ecdsaOids[data.digest]))
  const isPlain = data.contentType === cmsOids.data
  const signer = sequence(
    integer(1),
    sequence(issuer, serial),
    digestAlgorithm(data.digest),
    context(0, readDer(data.signedAttributes).content),
    signatureAlgorithm,
    octets(data.signature),
    ...(data.unsignedAttributes.length > 0 ? [context(1, readDer(setOf(...data.unsignedAttributes)).content)] : []),
  )
  return sequence(
    oid(cmsOids.signedData),
    context(
      0,
      sequence(
        integer(isPlain ? 1 : 3),
        setOf(digestAlgorithm(data.digest)),
        sequence(oid(data.contentType), ...(data.content ? [context(0, octets(data.content))] : [])),
        context(0, data.certificate),
        setOf(signer),
      ),
    ),
  )
}

/** Reads any SignedData in DER with one signer whose certificate it contains. @throws DerError */
export function readSignedData(bytes: Uint8Array): SignedData {
  const [type, wrapped] = partsOf(readDer(bytes), tags.sequence)
  if (readOid(type) !== cmsOids.signedData) throw new DerError('Not signed data')
  const [, , encapsulated, ...rest] = partsOf(partsOf(wrapped, 0xa0)[0], tags.sequence)
  const [contentType, content] = partsOf(encapsulated, tags.sequence)
  const signers = partsOf(rest.at(-1), tags.set)
  if (signers.length !== 1) throw new DerError('Not one signer')
  const [, identifier, digest, attributes, algorithm, signature, unsigned] = partsOf(signers[0], tags.sequence)
  const certificates = rest[0]?.tag === 0xa0 ? partsOf(rest[0], 0xa0) : []
  const certificate = certificates.find((one) => isNamedBy(one, identifier))
  const signatureKind = signatureKinds[readOid(partsOf(algorithm, tags.sequence)[0])]
  const digestName = readDigest(digest)
  if (!certificate || !signatureKind || digestName === 'sha1') throw new DerError('Not signed in a way that can be verified')
  return {
    contentType: readOid(contentType),
    content: content ? contentOf(partsOf(content, 0xa0)[0], tags.octets) : null,
    certificate: certificate.bytes,
    digest: digestName,
    signatureKind,
    // In the order of the file, which is the one that was signed.
    signedAttributes: encode(tags.set, contentOf(attributes, 0xa0)),
    signature: contentOf(signature, tags.octets),
    unsignedAttributes: unsigned ? partsOf(unsigned, 0xa1).map((one) => one.bytes) : [],
  }
}

/** The issuer's name and the serial number of a certificate. @throws DerError */
export function issuerAndSerial(certificate: Uint8Array): { issuer: Uint8Array; serial: Uint8Array } {
  const parts = partsOf(partsOf(readDer(certificate), tags.sequence)[0], tags.sequence)
  const [serial, , issuer] = parts[0]?.tag === 0xa0 ? parts.slice(1) : parts
  if (issuer?.tag !== tags.sequence || serial?.tag !== tags.integer) throw new DerError('Not a certificate')
  return { issuer: issuer.bytes, serial: serial.bytes }
}

/** Whether a SignerIdentifier names this certificate by its issuer and serial number. */
function isNamedBy(certificate: Der, identifier: Der | undefined): boolean {
  if (identifier?.tag !== tags.sequence) return false
  const { issuer, serial } = issuerAndSerial(certificate.bytes)
  return compare(sequence(issuer, serial), identifier.bytes) === 0
}
