import { createHash } from 'node:crypto'
import { requestTimestamp } from '../../integrations/timestamp-authority/client.ts'
import type { Scope } from '../../kernel/scope.ts'
import { keepAuthority, keyInUse, knownCertificates } from './keys.ts'
import { findSeal, sealIn, sealText } from './layout.ts'
import { seal } from './sealing.ts'
import { encodeSignature, readSignature } from './signature.ts'
import { verifyPdf } from './verify.ts'

export { knownCertificates } from './keys.ts'
export { verificationResponse } from './response.ts'
export { verifyPdf } from './verify.ts'

type Bytes = Uint8Array<ArrayBuffer>

/**
 * `sha256`: of the file, in hex. `timestamp`: whether an authority confirmed the time. `none`: none is set up (TSA_URL). `pending`: it was
 * not available; `addTimestamp` adds it later.
 */
export type SealedPdf = { bytes: Bytes; sha256: string; timestamp: 'none' | 'pending' | 'added' }

/** Shown by PDF readers. They, and anyone who gets the file, can read it: never clinical. */
export type SealFacts = { reason: string; location: string; signedAt: Date }

/**
 * Seals a PDF with the practice's key (PAdES): any later change shows. The PDF comes from kernel/pdf and has no signature yet.
 * Takes a few milliseconds, 0.3 s in a new worker, at most TSA_TIMEOUT_SECONDS more, and a few seconds when it creates the first key.
 * @throws if the PDF cannot be read, or the key not opened.
 */
export async function sealPdf(scope: Scope, pdf: Uint8Array, facts: SealFacts): Promise<SealedPdf> {
  const bytes = await seal({ pdf, ...(await keyInUse(scope)), ...facts })
  return stamped(scope, bytes)
}

/**
 * Adds the time-stamp to a PDF whose seal is `pending`. The rest of the file stays as it is, but its `sha256` changes: store both together.
 * Call it from a job that is enqueued with the sealed file, and throw while the result is still `pending`, so that the job queue tries again:
 *
 *   run: async (scope, { id }) => {
 *     const sealed = await addTimestamp(scope, await readFile(id))
 *     if (sealed.timestamp === 'pending') throw new Error('The time-stamp authority is not available')
 *     await store(id, sealed)
 *   }
 *
 * A PDF that has a time-stamp is returned unchanged.
 * @throws if the PDF is not as it was sealed, or not by this practice.
 */
export async function addTimestamp(scope: Scope, pdf: Bytes): Promise<SealedPdf> {
  const verdict = await verifyPdf(pdf, await knownCertificates(scope))
  if (verdict.status !== 'valid') throw new Error(`A PDF that is ${verdict.status} gets no time-stamp`)
  return verdict.timestamp ? { bytes: pdf, sha256: hexDigest(pdf), timestamp: 'added' } : stamped(scope, pdf)
}

async function stamped(scope: Scope, pdf: Bytes): Promise<SealedPdf> {
  const { TSA_URL: url, TSA_TIMEOUT_SECONDS: seconds } = scope.env
  if (!url) return { bytes: pdf, sha256: hexDigest(pdf), timestamp: 'none' }
  const bytes = Buffer.from(pdf)
  const place = findSeal(bytes)
  if (typeof place === 'string') throw new Error(`The seal is ${place}`)
  const signature = readSignature(sealIn(bytes, place))
  const digest = createHash('sha256').update(signature.signature).digest()
  const answer = await requestTimestamp({ url, timeoutMs: seconds * 1000 }, digest)
  if (!answer.ok) {
    scope.log.warn({ reason: answer.kind }, 'The time-stamp authority gave no time-stamp')
    return { bytes: pdf, sha256: hexDigest(pdf), timestamp: 'pending' }
  }
  await keepAuthority(scope, answer.timestamp.certificate)
  bytes.write(sealText(encodeSignature({ ...signature, token: answer.token })), place.start, 'latin1')
  return { bytes: new Uint8Array(bytes), sha256: hexDigest(bytes), timestamp: 'added' }
}

const hexDigest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
