/**
 * `npm run seals`: an experiment. Seals PDFs and alters them, and prints whether
 *
 * 1. each of 1,000 PDFs, of which half have a time-stamp, that were altered in one random byte is named as altered;
 * 2. each byte of one seal is named as altered where it is another hex digit, of either case, or a character that PDF treats otherwise;
 * 3. `pdfsig` (Poppler) and `openssl cms` call the signatures valid, and `pdfsig` that of an altered PDF not;
 * 4. sealing takes at most 400 ms (p50) in a worker, with one page and with fifty.
 *
 *   npm run seals -- --files 1000
 *
 * pdfsig and openssl must be installed (`apt-get install poppler-utils openssl`).
 */
import { spawnSync } from 'node:child_process'
import { createHash, randomInt } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { quantile } from '../bench/report.ts'
import { startTimestampSimulator } from '../simulators/timestamp-authority/server.ts'
import { requestTimestamp } from '../src/integrations/timestamp-authority/client.ts'
import { renderPdf } from '../src/kernel/pdf/render.ts'
import { checkPdf } from '../src/platform/seals/check.ts'
import { findSeal, type Place, reservedBytes, sealIn, sealText } from '../src/platform/seals/layout.ts'
import { createKey, seal } from '../src/platform/seals/sealing.ts'
import { encodeSignature, readSignature } from '../src/platform/seals/signature.ts'

const { values } = parseArgs({ options: { files: { type: 'string', default: '1000' } } })
const files = Number(values.files)
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-seals-'))
const authority = await startTimestampSimulator()
const now = new Date()
const pair = await createKey({ name: 'Clinique Été & Harbourview', validFrom: now, validUntil: new Date(now.getTime() + 1e11) })
const known = [pair.certificate, authority.certificate]
const facts = { name: 'Clinique Été & Harbourview', reason: 'Signé', location: 'Oakville', signedAt: now }
let isHeld = true
const report = (what: string, holds: boolean) => {
  isHeld &&= holds
  console.log(`${holds ? 'holds ' : 'BROKEN'}  ${what}`)
}

const render = (number: number, pages: number) =>
  renderPdf({
    letterhead: { name: 'Clinique Été', lines: ['1 Lakeshore Road'], logo: null },
    title: `Consent ${number}`,
    warning: null,
    facts: [{ label: 'Patient', value: `Chloé Desjardins ${number}` }],
    parts: Array.from({ length: pages }, (_, page) => ({ heading: `Risks ${page}`, text: 'Bleeding, infection, scars. '.repeat(150) })),
    notes: [],
  })
const placeIn = (pdf: Buffer): Place => {
  const place = findSeal(pdf)
  if (typeof place === 'string') throw new Error(`The seal is ${place}`)
  return place
}
async function withTimestamp(pdf: Uint8Array): Promise<Buffer> {
  const bytes = Buffer.from(pdf)
  const place = placeIn(bytes)
  const signature = readSignature(sealIn(bytes, place))
  const digest = createHash('sha256').update(signature.signature).digest()
  const answer = await requestTimestamp({ url: authority.url, timeoutMs: 5_000 }, digest)
  if (!answer.ok) throw new Error(`The authority is ${answer.kind}`)
  bytes.write(sealText(encodeSignature({ ...signature, token: answer.token })), place.start, 'latin1')
  return bytes
}

try {
  const short = await render(0, 1)
  const times: number[] = []
  const sealed: Buffer[] = []
  for (let number = 0; number < files; number++) {
    const startedAt = performance.now()
    const bytes = await seal({ pdf: short, ...pair, ...facts })
    times.push(performance.now() - startedAt)
    sealed.push(number % 2 === 0 ? Buffer.from(bytes) : await withTimestamp(bytes))
  }
  report(
    `${sealed.filter((pdf) => checkPdf(pdf, known).status === 'valid').length} of ${files} sealed PDFs are valid`,
    sealed.every((pdf) => checkPdf(pdf, known).status === 'valid'),
  )
  const unnoticed = sealed.filter((pdf) => {
    const changed = Buffer.from(pdf)
    const at = randomInt(changed.length)
    changed[at] = (changed[at]! + randomInt(1, 256)) % 256
    return checkPdf(changed, known).status !== 'altered'
  })
  report(`${files - unnoticed.length} of ${files} altered in one random byte are named as altered`, unnoticed.length === 0)

  const stamped = sealed[1]!
  // Hex digits of either case, and what a reader of PDFs skips or may take for the end.
  const others = Buffer.from('0123456789abcdefABCDEF \n\0<>/%')
  const { start, end } = placeIn(stamped)
  let tried = 0
  let missed = 0
  for (let at = start; at < end; at++) {
    const before = stamped[at]!
    for (const value of others) {
      if (value === before) continue
      stamped[at] = value
      tried++
      if (checkPdf(stamped, known).status !== 'altered') missed++
      stamped[at] = before
    }
  }
  report(`${tried - missed} of ${tried} changes of one seal's ${2 * reservedBytes + 2} bytes are named as altered`, missed === 0)

  const judge = (pdf: Buffer) => {
    const file = path.join(folder, 'sealed.pdf')
    fs.writeFileSync(file, pdf)
    return spawnSync('pdfsig', ['-nocert', file], { encoding: 'utf8' }).stdout
  }
  for (const [name, pdf] of [
    ['without', sealed[0]!],
    ['with', stamped],
  ] as const) {
    const output = judge(pdf)
    report(
      `pdfsig, ${name} a time-stamp: ${/Signature Validation: (.*)/.exec(output)?.[1]} ${/Signature Type: (.*)/.exec(output)?.[1]}; ${/Total document signed|Not total/.exec(output)?.[0]}`,
      output.includes('Signature is Valid') && output.includes('Total document signed'),
    )
    const altered = Buffer.from(pdf)
    altered[1000]! ^= 1
    const ofAltered = judge(altered)
    report(`pdfsig, altered: ${/Signature Validation: (.*)/.exec(ofAltered)?.[1]}`, !ofAltered.includes('Signature is Valid'))
    const place = placeIn(pdf)
    const [cms, covered] = [path.join(folder, 'seal.cms'), path.join(folder, 'covered')]
    fs.writeFileSync(cms, sealIn(pdf, place))
    fs.writeFileSync(covered, Buffer.concat([pdf.subarray(0, place.start), pdf.subarray(place.end)]))
    const args = ['cms', '-verify', '-inform', 'DER', '-in', cms, '-content', covered, '-binary', '-noverify', '-out', os.devNull]
    const openssl = spawnSync('openssl', args, { encoding: 'utf8' })
    report(`openssl cms: ${openssl.stderr.trim().split('\n')[0]}`, openssl.status === 0)
  }

  const p50 = quantile(
    times.toSorted((a, b) => a - b),
    0.5,
  )
  report(`sealing a page takes ${p50.toFixed(1)} ms (p50)`, p50 <= 400)
  const long = await render(1, 50)
  const longTimes: number[] = []
  for (let round = 0; round < 20; round++) {
    const startedAt = performance.now()
    const bytes = await seal({ pdf: long, ...pair, ...facts })
    longTimes.push(performance.now() - startedAt)
    if (checkPdf(bytes, known).status !== 'valid') throw new Error('A sealed long PDF is not valid')
  }
  const longP50 = quantile(
    longTimes.toSorted((x, y) => x - y),
    0.5,
  )
  report(`sealing ${Math.round(long.length / 1024)} KB takes ${longP50.toFixed(1)} ms (p50)`, longP50 <= 400)
} finally {
  await authority.stop()
  fs.rmSync(folder, { recursive: true })
}
process.exit(isHeld ? 0 : 1)
