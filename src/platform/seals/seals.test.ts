import { createHash, createVerify, X509Certificate } from 'node:crypto'
import { fromBER, type Constructed, type OctetString, type Sequence } from 'asn1js'
import fc from 'fast-check'
import { PFX } from 'pkijs'
import { beforeAll, describe, expect, it } from 'vitest'
import { startTimestampSimulator, type TimestampSimulator } from '../../../simulators/timestamp-authority/server.ts'
import { textOfPdf } from '../../../test/formats/pdf.ts'
import { useServer } from '../../../test/server.ts'
import { renderPdf } from '../../kernel/pdf/render.ts'
import type { Scope } from '../../kernel/scope.ts'
import { checkPdf } from './check.ts'
import { createKey, exportKey } from './sealing.ts'
import { addTimestamp, knownCertificates, sealPdf, verifyPdf } from './service.ts'

const server = useServer({ PRACTICE_NAME: 'Clinique Été, “Lakeshore”' })
const scope = () => ({ ...server.running.runtime, actor: null, origin: { requestId: 'test', address: null } }) as unknown as Scope
const facts = { reason: 'Signé (par la patiente)', location: 'Oakville \\ ON', signedAt: new Date('2026-11-27T14:30:15.250Z') }
const render = (text = 'Bleeding, infection, scars.') =>
  renderPdf({
    letterhead: { name: 'Clinique Été', lines: [], logo: null },
    title: 'Consent to rhinoplasty',
    warning: null,
    facts: [{ label: 'Patient', value: 'Chloé Desjardins' }],
    parts: [{ heading: 'Risks', text }],
    notes: [],
  })

let sealed: Uint8Array<ArrayBuffer>
let known: Uint8Array[]
beforeAll(async () => {
  sealed = (await sealPdf(scope(), await render(), facts)).bytes
  known = await knownCertificates(scope())
})

const change = (at: number, byte: number): Uint8Array<ArrayBuffer> => {
  const changed = new Uint8Array(sealed)
  changed[at] = byte
  return changed
}
/** A long PDF is not needed here, so its bytes are few enough to try many of them without a worker. */
const statusOf = (bytes: Uint8Array) => checkPdf(bytes, known).status

describe('sealing a PDF', () => {
  it('says who sealed it and when, and that it is as it was', async () => {
    const { bytes, sha256, timestamp } = await sealPdf(scope(), await render(), facts)
    expect(timestamp).toBe('none')
    expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
    expect(await verifyPdf(bytes, known)).toEqual({
      status: 'valid',
      signer: 'Clinique Été, “Lakeshore”',
      fingerprint: createHash('sha256').update(known[0]!).digest('hex'),
      signedAt: new Date('2026-11-27T14:30:15Z'),
      timestamp: null,
    })
    expect((await textOfPdf(bytes))[0]).toContain('Chloé Desjardins')
  })

  it('makes a signature that Node verifies with the certificate, over the bytes that the file names', () => {
    const file = Buffer.from(sealed)
    const [, start, end, rest] = /\/ByteRange \[0 (\d+) +(\d+) +(\d+) *\]/.exec(file.toString('latin1'))!.map(Number)
    expect(end! + rest!).toBe(file.length)
    const contents = Buffer.from(file.toString('latin1', start! + 1, end! - 1), 'hex')
    const signedData = ((fromBER(contents).result as Sequence).valueBlock.value[1] as Constructed).valueBlock.value[0] as Sequence
    const [, , , certificates, signers] = signedData.valueBlock.value as Constructed[]
    const certificate = Buffer.from(certificates!.valueBlock.value[0]!.valueBeforeDecodeView)
    const [, , , attributes, , signature] = (signers!.valueBlock.value[0] as Sequence).valueBlock.value
    const signed = Buffer.from(attributes!.valueBeforeDecodeView)
    signed[0] = 0x31 // signed as a SET OF (RFC 5652, 5.4)
    const isSigned = createVerify('sha256')
      .update(signed)
      .verify(new X509Certificate(certificate).publicKey, Buffer.from((signature as OctetString).valueBlock.valueHexView))
    expect(isSigned).toBe(true)
    const covered = createHash('sha256').update(file.subarray(0, start)).update(file.subarray(end)).digest()
    expect(signed.includes(covered)).toBe(true)
    // ESS signing-certificate-v2: the certificate is signed too.
    expect(signed.includes(createHash('sha256').update(certificate).digest())).toBe(true)
    expect(file.includes('/SubFilter /ETSI.CAdES.detached')).toBe(true)
  })

  it('adds no time-stamp without an authority, and none to a PDF that is not as it was sealed', async () => {
    expect(await addTimestamp(scope(), sealed)).toMatchObject({ timestamp: 'none', bytes: sealed })
    await expect(addTimestamp(scope(), change(1000, 0))).rejects.toThrow('altered')
  })

  it('refuses a PDF that has a signature already', async () => {
    await expect(sealPdf(scope(), sealed, facts)).rejects.toThrow('failed')
  })

  it('uses one key, also when the first is created by several at the same moment', async () => {
    await server.rows('delete from signing_keys')
    const pdf = await render()
    const verdicts = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const { bytes } = await sealPdf(scope(), pdf, facts)
        return verifyPdf(bytes, await knownCertificates(scope()))
      }),
    )
    expect(verdicts.map(({ status }) => status)).toEqual(['valid', 'valid', 'valid', 'valid'])
    expect(await server.rows('select fingerprint from signing_keys')).toHaveLength(1)
  })
})

describe('a key', () => {
  it('is exported with its certificate, for its password only', async () => {
    const validFrom = new Date('2026-11-27T00:00:00Z')
    const pair = await createKey({ name: 'Harbourview', validFrom, validUntil: new Date('2051-01-01T00:00:00Z') })
    const { subject, validToDate } = new X509Certificate(pair.certificate)
    expect({ subject, validToDate }).toEqual({ subject: 'CN=Harbourview', validToDate: new Date('2051-01-01T00:00:00Z') })
    const file = await exportKey({ ...pair, password: 'Über-Passwort' })
    const open = (password: string) =>
      PFX.fromBER(file).parseInternalValues({ password: new Uint8Array(Buffer.from(password)).buffer, checkIntegrity: true })
    await expect(open('another')).rejects.toThrow('Integrity')
    await open('Über-Passwort')
  })
})

describe('verifying a PDF', () => {
  it('does not know a certificate of someone else', () => {
    expect(checkPdf(sealed, [])).toMatchObject({ status: 'unknown-certificate', signer: 'Clinique Été, “Lakeshore”' })
  })

  it('says that a PDF without a seal has none', async () => {
    expect(statusOf(await render())).toBe('not-sealed')
    expect(statusOf(new Uint8Array())).toBe('not-sealed')
    expect(statusOf(Buffer.from('no PDF'))).toBe('not-sealed')
  })

  it('names any changed byte of the file', () => {
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), fc.integer({ min: 1, max: 255 }), (at, difference) => {
        expect(statusOf(change(at, (sealed[at]! + difference) % 256)), `byte ${at}`).toBe('altered')
      }),
      { numRuns: 300 },
    )
  })

  it('names changed bytes all over the seal itself: its hex digits, their case, the zeros after it', () => {
    const start = Buffer.from(sealed).indexOf('/Contents <')
    const from = start + '/Contents '.length
    // Every seventh, which is prime to the length of a byte in hex; `npm run seals` tries all.
    const unnoticed = Array.from({ length: Math.floor((2 * 8192 + 2) / 7) }, (_, index) => from + index * 7).filter((at) => {
      // Another hex digit; the other case of a letter.
      const byte = sealed[at]!
      const isLetter = byte >= 0x61
      return [byte ^ 1, ...(isLetter ? [byte - 0x20] : [])].some((other) => statusOf(change(at, other)) !== 'altered')
    })
    expect(unnoticed).toEqual([])
  })

  it('names the byte range, and bytes that were appended or cut', () => {
    const at = Buffer.from(sealed).indexOf('/ByteRange')
    for (let offset = 0; offset < 60; offset++) {
      for (const byte of [0x20, 0x30, 0x39]) {
        if (sealed[at + offset] !== byte) expect(statusOf(change(at + offset, byte))).toBe('altered')
      }
    }
    expect(checkPdf(Buffer.concat([sealed, Buffer.from('\n')]), known)).toEqual({ status: 'altered', problem: 'appended' })
    expect(checkPdf(sealed.subarray(0, -1), known)).toEqual({ status: 'altered', problem: 'cut' })
    expect(statusOf(sealed.subarray(1))).toBe('altered')
  })

  it('names an update of the file after the seal, though readers still call the signature valid', async () => {
    const { PDF } = await import('@libpdf/core')
    const file = await PDF.load(sealed)
    file.setTitle('Consent to something else')
    const updated = await file.save({ incremental: true })
    expect(checkPdf(updated, known)).toEqual({ status: 'altered', problem: 'appended' })
  })

  it('does not accept the seal of another PDF', async () => {
    const other = (await sealPdf(scope(), await render('Nothing.'), facts)).bytes
    const sealOf = (bytes: Uint8Array) => {
      const file = Buffer.from(bytes)
      const start = file.indexOf('/Contents <')
      return { start, seal: file.subarray(start, start + 2 * 8192 + 12) }
    }
    const forged = Buffer.from(sealed)
    forged.set(sealOf(other).seal, sealOf(sealed).start)
    expect(checkPdf(forged, known)).toEqual({ status: 'altered', problem: 'content' })
  })
})

describe.each(['ecdsa', 'rsa'] as const)('a time-stamp of an authority with %s', (keys) => {
  let authority: TimestampSimulator
  const at = new Date('2026-11-27T14:31:02Z')
  beforeAll(async () => {
    authority = await startTimestampSimulator({ keys, now: () => at })
    return () => authority.stop()
  })
  const withAuthority = () => {
    const { env, ...rest } = scope()
    return { ...rest, env: { ...env, TSA_URL: authority.url, TSA_TIMEOUT_SECONDS: 0.3 } }
  }

  it('is in the seal, and its authority is known from then on', async () => {
    const { bytes, timestamp } = await sealPdf(withAuthority(), await render(), facts)
    expect(timestamp).toBe('added')
    const stamped = { at, authority: 'Simulated Time-Stamp Authority' }
    expect(await verifyPdf(bytes, await knownCertificates(scope()))).toMatchObject({
      status: 'valid',
      timestamp: { ...stamped, isKnown: true },
    })
    expect(checkPdf(bytes, known)).toMatchObject({ timestamp: { ...stamped, isKnown: false } })
    expect(authority.calls()).toEqual({ 'POST /': 1 })
  })

  it('is added later, where the authority was away, and changes nothing but the seal', async () => {
    authority.fault({ kind: 'timeoutBefore' })
    const pending = await sealPdf(withAuthority(), await render(), facts)
    expect(pending.timestamp).toBe('pending')
    expect(await verifyPdf(pending.bytes, await knownCertificates(scope()))).toMatchObject({ status: 'valid', timestamp: null })

    authority.fault({ kind: 'status', status: 500 })
    expect(await addTimestamp(withAuthority(), pending.bytes)).toEqual(pending)
    const added = await addTimestamp(withAuthority(), pending.bytes)
    expect(added).toMatchObject({ timestamp: 'added', sha256: createHash('sha256').update(added.bytes).digest('hex') })
    expect(await verifyPdf(added.bytes, await knownCertificates(scope()))).toMatchObject({ status: 'valid', timestamp: { at } })
    const start = Buffer.from(added.bytes).indexOf('/Contents <')
    const withoutSeal = (bytes: Uint8Array) => Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + 2 * 8192 + 12)])
    expect(withoutSeal(added.bytes)).toEqual(withoutSeal(pending.bytes))
    // Once more changes nothing, and asks no one.
    authority.resetCalls()
    expect(await addTimestamp(withAuthority(), added.bytes)).toEqual(added)
    expect(authority.calls()).toEqual({})
  })

  it.each(['garbage', 'rejection', 'wrongNonce', 'wrongDigest', 'wrongSignature', 'huge'] as const)(
    'is not taken from a response that is wrong: %s',
    async (kind) => {
      authority.answerWrongly(kind)
      expect((await sealPdf(withAuthority(), await render(), facts)).timestamp).toBe('pending')
    },
  )

  it('is not taken from a response that is cut off, or a connection that is dropped', async () => {
    for (const kind of ['badJson', 'dropAfter'] as const) {
      authority.fault({ kind })
      expect((await sealPdf(withAuthority(), await render(), facts)).timestamp).toBe('pending')
    }
  })

  it('is part of what no byte may change in', async () => {
    const { bytes, timestamp } = await sealPdf(withAuthority(), await render(), facts)
    expect(timestamp).toBe('added')
    const certificates = await knownCertificates(scope())
    const start = Buffer.from(bytes).indexOf('/Contents <') + '/Contents <'.length
    const digits = Buffer.from(bytes)
      .toString('latin1', start, start + 2 * 8192)
      .replace(/0+$/, '').length
    const unnoticed = Array.from({ length: digits }, (_, index) => start + index).filter((at) => {
      const changed = new Uint8Array(bytes)
      changed[at]! ^= 1
      return checkPdf(changed, certificates).status !== 'altered'
    })
    expect(unnoticed).toEqual([])
  })
})
