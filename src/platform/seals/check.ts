/** Verifies the seal of a PDF, without a database. Runs in a worker, because anyone may send the PDF. */
import { createHash, verify, X509Certificate } from 'node:crypto'
import { compare, DerError } from '../../shared/der.ts'
import { canonicalToken, TokenError, verifyToken } from '../../integrations/timestamp-authority/token.ts'
import { coveredDigest, findSeal, type Place, sealIn, sealText } from './layout.ts'
import { encodeSignature, readSignature, type Signature, signedAttributes } from './signature.ts'
import type { SealedAt, Verdict } from './rules.ts'

/** `known`: certificates of this practice, and of time-stamp authorities that it used, in DER. */
export function checkPdf(bytes: Uint8Array, known: readonly Uint8Array[]): Verdict {
  const pdf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const place = findSeal(pdf)
  if (place === 'none') return { status: 'not-sealed' }
  if (typeof place === 'string') return { status: 'altered', problem: place }
  const signature = signatureAt(pdf, place)
  if (!signature) return { status: 'altered', problem: 'damaged' }
  if (compare(signature.sha256, coveredDigest(pdf, place)) !== 0) return { status: 'altered', problem: 'content' }
  const certificate = new X509Certificate(signature.certificate)
  if (!verify('sha256', signedAttributes(signature), certificate.publicKey, signature.signature))
    return { status: 'altered', problem: 'damaged' }

  const timestamp = signature.token && timestampIn(signature.token, signature.signature, known)
  if (timestamp === 'damaged') return { status: 'altered', problem: 'timestamp' }
  return {
    status: isAmong(known, signature.certificate) ? 'valid' : 'unknown-certificate',
    signer: nameIn(certificate),
    fingerprint: fingerprintOf(signature.certificate),
    signedAt: place.signedAt,
    timestamp,
  }
}

/** The signature in its reserved space; null unless each byte there is as we write it. */
function signatureAt(pdf: Buffer, place: Place): Signature | null {
  try {
    const signature = readSignature(sealIn(pdf, place))
    const isRsa = new X509Certificate(signature.certificate).publicKey.asymmetricKeyType === 'rsa'
    const isAsWritten = pdf.toString('latin1', place.start, place.end) === sealText(encodeSignature(signature))
    return isRsa && isAsWritten ? signature : null
  } catch (error) {
    return refuseInvalid(error, null)
  }
}

function timestampIn(token: Uint8Array, signature: Uint8Array, known: readonly Uint8Array[]): SealedAt['timestamp'] | 'damaged' {
  try {
    const { at, authority, certificate } = verifyToken(token, createHash('sha256').update(signature).digest())
    if (compare(canonicalToken(token), token) !== 0) return 'damaged'
    return { at, authority, isKnown: isAmong(known, certificate) }
  } catch (error) {
    return refuseInvalid(error, 'damaged')
  }
}

/** What the readers throw for bytes that are not what they read; anything else is a mistake of ours. */
function refuseInvalid<Value>(error: unknown, value: Value): Value {
  const code = (error as { code?: unknown }).code
  const isInvalid = error instanceof DerError || error instanceof TokenError || error instanceof RangeError
  if (isInvalid || (typeof code === 'string' && code.startsWith('ERR_OSSL_'))) return value
  throw error
}

const isAmong = (known: readonly Uint8Array[], certificate: Uint8Array) => known.some((one) => compare(one, certificate) === 0)
/** SHA-256, in hex. */
export const fingerprintOf = (certificate: Uint8Array): string => createHash('sha256').update(certificate).digest('hex')
const nameIn = (certificate: X509Certificate): string => String(certificate.toLegacyObject().subject.CN)
