/**
 * The CMS signature in a sealed PDF (PAdES B-B, or B-T with a time-stamp). It follows entirely from the PDF's digest, the certificate, the
 * signature value and the time-stamp: verification builds it again and compares the bytes.
 */
import { createHash } from 'node:crypto'
import { attribute, attributeValue, cmsOids, encodeSignedData, issuerAndSerial, readSignedData } from '../../shared/cms.ts'
import { type Bytes, contentOf, context, octets, oid, partsOf, readDer, readOid, sequence, setOf, tags } from '../../shared/der.ts'

const timestampToken = '1.2.840.113549.1.9.16.2.14'

/** `sha256`: of the bytes that it covers. */
export type Signature = { sha256: Uint8Array; certificate: Uint8Array; signature: Uint8Array; token: Uint8Array | null }

/** What the key signs: the digest of the PDF and the certificate (ETSI EN 319 142-1: the time is in the PDF's dictionary instead). */
export function signedAttributes({ sha256, certificate }: Pick<Signature, 'sha256' | 'certificate'>): Bytes {
  const { issuer, serial } = issuerAndSerial(certificate)
  const fingerprint = createHash('sha256').update(certificate).digest()
  const named = sequence(octets(fingerprint), sequence(sequence(context(4, issuer)), serial))
  return setOf(
    attribute(cmsOids.contentType, oid(cmsOids.data)),
    attribute(cmsOids.messageDigest, octets(sha256)),
    attribute(cmsOids.signingCertificateV2, sequence(sequence(named))),
  )
}

export const encodeSignature = ({ sha256, certificate, signature, token }: Signature): Bytes =>
  encodeSignedData({
    contentType: cmsOids.data,
    content: null,
    certificate,
    digest: 'sha256',
    signatureKind: 'rsa',
    signedAttributes: signedAttributes({ sha256, certificate }),
    signature,
    unsignedAttributes: token ? [attribute(timestampToken, token)] : [],
  })

/** The parts from which `encodeSignature` makes these bytes, if it made them. @throws DerError */
export function readSignature(bytes: Uint8Array): Signature {
  const { certificate, signature, signedAttributes: signed, unsignedAttributes } = readSignedData(bytes)
  const sha256 = contentOf(attributeValue(signed, cmsOids.messageDigest), tags.octets)
  const [type, values] = unsignedAttributes[0] ? partsOf(readDer(unsignedAttributes[0]), tags.sequence) : []
  const token = type && readOid(type) === timestampToken ? (partsOf(values, tags.set)[0]?.bytes ?? null) : null
  return { sha256, certificate, signature, token }
}
