import { spawnSync } from 'node:child_process'
import { randomUUID, X509Certificate } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { PFX } from 'pkijs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testSecret } from '../../../test/database.ts'
import { refusal } from '../../../test/refusal.ts'
import { useServer } from '../../../test/server.ts'
import { renderPdf } from '../../kernel/pdf/render.ts'
import type { Scope } from '../../kernel/scope.ts'
import { maxPdfBytes } from './rules.ts'
import { knownCertificates, sealPdf, verifyPdf } from './service.ts'

const server = useServer({ PRACTICE_NAME: 'Harbourview' })
const facts = { reason: 'Signed', location: 'Oakville', signedAt: new Date('2026-11-27T14:30:15Z') }
const scope = () => ({ ...server.running.runtime, actor: null, origin: { requestId: 'test', address: null } }) as unknown as Scope
const letterhead = { name: 'Harbourview', lines: [], logo: null }
const render = () =>
  renderPdf({ letterhead, title: 'Consent', warning: null, facts: [], parts: [{ heading: 'To', text: 'Ana' }], notes: [] })
let sealed: Uint8Array<ArrayBuffer>
let certificate: Uint8Array
beforeAll(async () => {
  const scope = { ...server.running.runtime, actor: null, origin: { requestId: 'test', address: null } } as unknown as Scope
  const letterhead = { name: 'Harbourview', lines: [], logo: null }
  const pdf = await renderPdf({
    letterhead,
    title: 'Consent',
    warning: null,
    facts: [],
    parts: [{ heading: 'To', text: 'Ana' }],
    notes: [],
  })
  sealed = (await sealPdf(scope, pdf, facts)).bytes
  certificate = (await knownCertificates(scope))[0]!
})
const altered = () => {
  const changed = new Uint8Array(sealed)
  changed[500]! ^= 1
  return changed
}

describe('verifying a PDF as a visitor', () => {
  const send = (body: Uint8Array<ArrayBuffer> | string, headers: Record<string, string> = {}) =>
    server.request('/api/verify', { method: 'POST', headers: { 'content-type': 'application/pdf', ...headers }, body })
  const verdictOf = async (body: Uint8Array<ArrayBuffer>) => {
    const response = await send(body)
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
    return (await response.json()) as Record<string, unknown>
  }

  it('answers anyone, and writes nothing', async () => {
    const count = 'select (select count(*)::int from audit_log) as entries, (select count(*)::int from documents) as documents'
    const before = await server.rows(count)
    expect(await verdictOf(sealed)).toEqual({
      status: 'valid',
      signer: 'Harbourview',
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      signedAt: '2026-11-27T14:30:15.000Z',
      timestamp: null,
    })
    expect(await verdictOf(altered())).toEqual({ status: 'altered', problem: 'content' })
    expect(await verdictOf(new Uint8Array(Buffer.from('%PDF-1.7')))).toEqual({ status: 'not-sealed' })
    expect(await server.rows(count)).toEqual(before)
  })

  it('refuses other types, larger files, and requests of other sites', async () => {
    expect((await send('{}', { 'content-type': 'application/json' })).status).toBe(415)
    expect((await send(new Uint8Array(maxPdfBytes + 1))).status).toBe(413)
    expect((await send(sealed, { origin: 'https://elsewhere.example' })).status).toBe(403)
  })

  it('answers hostile bytes at once: a seal of zeros, of nested values, of invalid hex', async () => {
    const from = Buffer.from(sealed).indexOf('/Contents <') + '/Contents <'.length
    for (const content of ['00', '30820fff', '3080', 'a0'.repeat(4000), 'zz', '30823000308230003082']) {
      const forged = Buffer.from(sealed)
      forged.write(content.padEnd(2 * 8192, '30'), from, 'latin1')
      expect(await verdictOf(new Uint8Array(forged))).toEqual({ status: 'altered', problem: 'damaged' })
    }
  })

  it('stops one address after many files', async () => {
    let refused = 0
    for (let attempt = 0; attempt < 70 && refused === 0; attempt++) if ((await send('%PDF')).status === 429) refused = attempt
    expect(refused).toBeGreaterThan(20)
  })
})

describe('npm run verify-consent', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-verify-'))
  afterAll(() => fs.rmSync(folder, { recursive: true }))
  const file = (name: string, bytes: Uint8Array) => {
    fs.writeFileSync(path.join(folder, name), bytes)
    return name
  }
  const run = (args: string[], databaseUrl: string | null = server.databaseUrl) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [path.join(import.meta.dirname, '../../../dist/server/verify-consent.js'), ...args],
      {
        encoding: 'utf8',
        env: {
          PATH: process.env.PATH,
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
          INIT_CWD: folder,
          ...(databaseUrl && { APP_SECRET: testSecret, DATABASE_URL: databaseUrl }),
        },
      },
    )
    return { status, output: stdout + stderr }
  }

  it('says in a sentence whether a file is as it was sealed, with the database or a certificate alone', () => {
    const valid =
      /^Valid: sealed by Harbourview on 2026-11-27 14:30:15 UTC, without a time-stamp, certificate [0-9A-F]{4}( [0-9A-F]{4}){15}\.\n$/
    const own = file('own.der', certificate)
    expect(run([file('signed.pdf', sealed)])).toEqual({ status: 0, output: expect.stringMatching(valid) as string })
    expect(run(['signed.pdf', '--certificate', own], null)).toEqual({ status: 0, output: expect.stringMatching(valid) as string })
    expect(run([file('altered.pdf', altered())])).toEqual({
      status: 1,
      output: 'Altered: something in the document is different from what was sealed.\n',
    })
    expect(run([file('plain.pdf', Buffer.from('%PDF-1.7')), '--certificate', own], null)).toEqual({
      status: 1,
      output: 'Not sealed: the file has no seal of this kind.\n',
    })
  })

  it('exits with 2 where it could not verify', () => {
    file('signed.pdf', sealed)
    file('no.pem', Buffer.from('nothing'))
    expect(run([])).toEqual({ status: 2, output: 'Name one PDF: npm run verify-consent -- FILE\n' })
    expect(run(['away.pdf'])).toEqual({ status: 2, output: 'away.pdf could not be read (ENOENT).\n' })
    expect(run(['signed.pdf', '--certificate', 'no.pem'], null)).toEqual({ status: 2, output: 'no.pem is not a certificate.\n' })
    expect(run(['signed.pdf'], 'postgresql://none@127.0.0.1:1/none')).toEqual({
      status: 2,
      output: 'The database is unavailable (ECONNREFUSED). The file was not verified.\n',
    })
  })
})

describe('signing keys', () => {
  it('are rotated by an administrator, and earlier ones still verify', async () => {
    const admin = await server.as('admin')
    const before = await admin.signingKeys.list()
    expect(before).toMatchObject([{ name: 'Harbourview', createdBy: null, retiredAt: null }])
    expect(new X509Certificate(before[0]!.certificate).fingerprint256.replaceAll(':', '').toLowerCase()).toBe(before[0]!.fingerprint)
    const [one, other] = await Promise.all([admin.signingKeys.rotate({}), admin.signingKeys.rotate({})])
    const after = await admin.signingKeys.list()
    expect(after.map(({ retiredAt }) => retiredAt === null)).toEqual([true, false, false])
    expect(new Set(after.map(({ fingerprint }) => fingerprint))).toEqual(
      new Set([one, other, before[0]!].map(({ fingerprint }) => fingerprint)),
    )
    expect(after[0]!.createdBy).toBe('Test admin')
    expect(await verifyPdf(sealed, await knownCertificates(scope()))).toMatchObject({ status: 'valid' })
    const next = (await sealPdf(scope(), await render(), facts)).bytes
    expect(await verifyPdf(next, await knownCertificates(scope()))).toMatchObject({ fingerprint: after[0]!.fingerprint })
    const [entry] = await server.rows("select after from audit_log where kind = 'signing key' order by id desc limit 1")
    expect(JSON.stringify(entry)).not.toMatch(/sealed|certificate/i)
  })

  it('are exported for a password, with an entry in the audit log', async () => {
    const admin = await server.as('admin')
    const [key] = await admin.signingKeys.list()
    const { file } = await admin.signingKeys.export({ id: key!.id, password: 'twelve letters' })
    const password = new Uint8Array(Buffer.from('twelve letters')).buffer
    await PFX.fromBER(Buffer.from(file, 'base64')).parseInternalValues({ password, checkIntegrity: true })
    expect(await server.rows("select after->>'id' as id from audit_log where kind = 'signing key' and action = 'exported'")).toEqual([
      { id: key!.id },
    ])
    expect(await refusal(admin.signingKeys.export({ id: key!.id, password: 'short' }))).toMatchObject({ status: 422 })
    expect(await refusal(admin.signingKeys.export({ id: randomUUID(), password: 'twelve letters' }))).toMatchObject({ status: 404 })
  })

  it('that cannot be opened, because APP_SECRET has changed, are named and can be rotated', async () => {
    const admin = await server.as('admin')
    await server.rows("update signing_keys set sealed_key = 'deadbeef.' || sealed_key")
    const [key] = await admin.signingKeys.list()
    expect(await refusal(admin.signingKeys.export({ id: key!.id, password: 'twelve letters' }))).toMatchObject({ code: 'UNREADABLE' })
    await expect(sealPdf(scope(), await render(), facts)).rejects.toThrow('rotate the key')
    await admin.signingKeys.rotate({})
    expect((await sealPdf(scope(), await render(), facts)).timestamp).toBe('none')
    expect(await verifyPdf(sealed, await knownCertificates(scope()))).toMatchObject({ status: 'valid' })
  })

  it('that have expired are replaced when the next PDF is sealed', async () => {
    await server.rows("update signing_keys set expires_at = '2026-01-01' where retired_at is null")
    const { bytes } = await sealPdf(scope(), await render(), facts)
    const [newest] = await (await server.as('admin')).signingKeys.list()
    expect(newest!.createdBy).toBeNull()
    expect(await verifyPdf(bytes, await knownCertificates(scope()))).toMatchObject({ fingerprint: newest!.fingerprint })
  })
})
