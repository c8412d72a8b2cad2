/**
 * `npm run verify-consent -- FILE`: says in a sentence whether a signed PDF is as this practice sealed it (docs/decisions/sealed-pdfs.md). Exit code 0
 * if it is, 1 if not, 2 if it could not be verified.
 *
 *   --certificate FILE   the practice's certificate, and those of time-stamp authorities, instead of the clinic's database; can be repeated
 */
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { errorCode, isDatabaseUnavailable } from '../../kernel/errors.ts'
import { formatFingerprint, type Verdict } from '../../platform/seals/rules.ts'
import { knownCertificates, verifyPdf } from '../../platform/seals/service.ts'
import { fromCaller } from './backup-output.ts'
import { openClinic } from './open-clinic.ts'

const { values, positionals } = parseArgs({
  options: { certificate: { type: 'string', multiple: true, default: [] } },
  allowPositionals: true,
})

async function verify(): Promise<number> {
  const [file] = positionals
  if (file === undefined || positionals.length > 1) throw new Unusable('Name one PDF: npm run verify-consent -- FILE')
  const pdf = await read(file)
  const known = values.certificate.length > 0 ? await Promise.all(values.certificate.map(readCertificate)) : await certificatesOfClinic()
  const verdict = await verifyPdf(pdf, known)
  console.log(describe(verdict))
  return verdict.status === 'valid' ? 0 : 1
}

class Unusable extends Error {}

const read = (name: string) =>
  readFile(fromCaller(name)).catch((error: unknown) => {
    throw new Unusable(`${name} could not be read (${errorCode(error) ?? 'unknown'}).`)
  })

/** PEM or DER. */
async function readCertificate(name: string): Promise<Uint8Array> {
  const bytes = await read(name)
  try {
    return new X509Certificate(bytes).raw
  } catch {
    throw new Unusable(`${name} is not a certificate.`)
  }
}

async function certificatesOfClinic(): Promise<Uint8Array[]> {
  const clinic = await openClinic()
  try {
    return await knownCertificates(clinic)
  } finally {
    await clinic.close()
  }
}

function describe(verdict: Verdict): string {
  if (verdict.status === 'not-sealed') return 'Not sealed: the file has no seal of this kind.'
  if (verdict.status === 'altered') return `Altered: ${problems[verdict.problem]}.`
  const { signer, signedAt, fingerprint, timestamp } = verdict
  const at = (instant: Date) => `${instant.toISOString().slice(0, 19).replace('T', ' ')} UTC`
  const stamped = timestamp
    ? `time-stamped ${at(timestamp.at)} by ${timestamp.authority}${timestamp.isKnown ? '' : ', whose certificate is not known here'}`
    : 'without a time-stamp'
  const sealed = `sealed by ${signer} on ${at(signedAt)}, ${stamped}, certificate ${formatFingerprint(fingerprint)}.`
  return verdict.status === 'valid'
    ? `Valid: ${sealed}`
    : `Not ours: the certificate is not known, though the file is unchanged since it was ${sealed}`
}

const problems = {
  content: 'something in the document is different from what was sealed',
  damaged: 'the seal itself is damaged',
  timestamp: 'the time-stamp in the seal is damaged',
  cut: 'the end of the file is missing',
  appended: 'something was added to the file after it was sealed',
} as const

process.exitCode = await verify().catch((error: unknown) => {
  if (error instanceof Unusable) console.error(error.message)
  else if (isDatabaseUnavailable(error))
    console.error(`The database is unavailable (${errorCode(error) ?? 'no answer'}). The file was not verified.`)
  else throw error
  return 2
})
