/** Time-stamp tokens (RFC 3161): an authority's signature of a digest and the time at which it saw it. */
import { createHash, verify, X509Certificate } from 'node:crypto'
import { attributeValue, type Digest, cmsOids, encodeSignedData, readDigest, readSignedData, type SignedData } from '../../shared/cms.ts'
import { type Bytes, compare, contentOf, DerError, partsOf, readDer, readOid, readTime, tags } from '../../shared/der.ts'

const timestampInfo = '1.2.840.113549.1.9.16.1.4'
const timeStamping = '1.3.6.1.5.5.7.3.8'

export type Timestamp = {
  at: Date
  /** The name in the authority's certificate, which the token contains. */
  authority: string
  certificate: Uint8Array
  nonce: Uint8Array | null
}

/** A token that is not valid, or not of what it should be. */
export class TokenError extends Error {}

/**
 * Verifies a token in DER for this SHA-256 digest: what was stamped, the signature, and that the certificate in it is the signer's, is meant for
 * time-stamps and was valid at the time. Whether to trust that certificate is the caller's to decide.
 * @throws TokenError
 */
export function verifyToken(token: Uint8Array, sha256: Uint8Array): Timestamp {
  try {
    return verifySigned(readSignedData(token), sha256)
  } catch (error) {
    if (error instanceof TokenError) throw error
    throw new TokenError('Not a time-stamp token', { cause: error })
  }
}

/**
 * The token in the one form that we store: without further certificates, revocation lists and whatever else the authority has not signed, so
 * that every changed byte is noticed later.
 */
export const canonicalToken = (token: Uint8Array): Bytes => encodeSignedData({ ...readSignedData(token), unsignedAttributes: [] })

function verifySigned(signed: SignedData, sha256: Uint8Array): Timestamp {
  const { content, certificate, digest, signedAttributes, signature } = signed
  if (signed.contentType !== timestampInfo || !content) throw new TokenError('Not a time-stamp token')
  const attributeOf = (type: string) => attributeValue(signedAttributes, type)
  const isOfContent =
    readOid(attributeOf(cmsOids.contentType)) === timestampInfo &&
    compare(contentOf(attributeOf(cmsOids.messageDigest), tags.octets), hash(digest, content)) === 0
  const x509 = new X509Certificate(certificate)
  if (!isOfContent || !namesCertificate(signedAttributes, certificate) || !verify(digest, signedAttributes, x509.publicKey, signature))
    throw new TokenError('The signature of the time-stamp is not valid')

  const [, , imprint, , time, ...optional] = partsOf(readDer(content), tags.sequence)
  const [algorithm, stamped] = partsOf(imprint, tags.sequence)
  if (readDigest(algorithm) !== 'sha256' || compare(contentOf(stamped, tags.octets), sha256) !== 0)
    throw new TokenError('The time-stamp is of something else')
  const at = readTime(time)
  if (!x509.keyUsage?.includes(timeStamping) || at < x509.validFromDate || at > x509.validToDate)
    throw new TokenError('The certificate is not one for time-stamps at this time')
  const nonce = optional.find(({ tag }) => tag === tags.integer)
  return { at, authority: nameIn(x509), certificate, nonce: nonce ? nonce.content : null }
}

/** Whether the signed attribute that names the signer's certificate, in either of its versions, names this one. */
function namesCertificate(attributes: Uint8Array, certificate: Uint8Array): boolean {
  const isNamed = (type: string, fallback: Digest) => {
    const value = attributeValue(attributes, type)
    if (!value) return false
    const [identifier] = partsOf(partsOf(value, tags.sequence)[0], tags.sequence)
    const [first, second] = partsOf(identifier, tags.sequence)
    const [digest, named] = first?.tag === tags.sequence ? [readDigest(first), second] : [fallback, first]
    return compare(contentOf(named, tags.octets), hash(digest, certificate)) === 0
  }
  return isNamed(cmsOids.signingCertificateV2, 'sha256') || isNamed(cmsOids.signingCertificate, 'sha1')
}

const hash = (digest: Digest, bytes: Uint8Array): Uint8Array => createHash(digest).update(bytes).digest()

/** The common name of a certificate's subject, or its organization. */
function nameIn(certificate: X509Certificate): string {
  const { CN, O } = certificate.toLegacyObject().subject
  return [CN ?? O ?? ''].flat().join(', ')
}

/** The token in a response to a request with this nonce. @throws TokenError */
export function tokenIn(response: Uint8Array, sha256: Uint8Array, nonce: Uint8Array): { token: Bytes; timestamp: Timestamp } {
  const [status, token] = responseParts(response)
  // Granted, or granted with modifications.
  if (status > 1 || !token) throw new TokenError(`The authority refused with the status ${status}`)
  const timestamp = verifyToken(token, sha256)
  if (!timestamp.nonce || compare(timestamp.nonce, nonce) !== 0) throw new TokenError('The time-stamp belongs to another request')
  return { token: canonicalToken(token), timestamp }
}

function responseParts(response: Uint8Array): [number, Uint8Array | undefined] {
  try {
    const [info, token] = partsOf(readDer(response), tags.sequence)
    const status = contentOf(partsOf(info, tags.sequence)[0], tags.integer)
    return [status.length === 1 ? status[0]! : Number.NaN, token?.bytes]
  } catch (error) {
    if (error instanceof DerError) throw new TokenError('The response is not one to a time-stamp request', { cause: error })
    throw error
  }
}
