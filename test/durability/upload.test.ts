import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { expect, inject, it, onTestFinished } from 'vitest'
import { createActiveAccount } from '../../src/platform/auth/service.ts'
import { encryptedStore } from '../../src/integrations/storage/encrypted.ts'
import { openLocalStore } from '../../src/integrations/storage/local.ts'
import { fileKeys } from '../../src/kernel/seal.ts'
import { openDatabase } from '../../src/kernel/postgres/database.ts'
import { hashToken, newToken } from '../../src/kernel/tokens.ts'
import { type ChildServer, startChildServer } from '../processes/process.ts'
import { copyTemplate, testSecret } from '../database.ts'
import { password } from '../server.ts'

/** `UPLOADS=1000 npm test -- --unit test/durability/upload` runs the full test with ten kills. */
const uploads = Number(process.env.UPLOADS ?? 30)
const connections = 8
const kills = uploads < 1_000 ? 2 : 10

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
/** A unique PDF of 20 to 400 KB. */
const newPdf = (n: number) =>
  Buffer.concat([
    Buffer.from('%PDF-1.4\n%'),
    Buffer.from(randomBytes(10_000 + ((n * 7919) % 190_000)).toString('hex')),
    Buffer.from('\n%%EOF\n'),
  ])

it(
  'keeps every acknowledged upload intact through repeated kills, and leaves no row without bytes',
  {
    timeout: 300_000,
  },
  async () => {
    const database = await copyTemplate(inject('postgres'))
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-test-uploads-'))
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const db = openDatabase(database.url, 2, () => {})
    const email = 'staff@clinic.example'
    await createActiveAccount(db, { firstName: 'A', lastName: 'B', email, password, role: 'provider' })
    await db.$client.end()
    const [{ id: contactId }] = (
      await client.query<{ id: string }>(
        `insert into contacts (first_name, last_name, funnel_stage) select 'Ana', 'Silva', id from funnel_stages where value = 'lead' returning id`,
      )
    ).rows as [{ id: string }]
    const sessionToken = newToken()
    await client.query('insert into portal_sessions (token_hash, contact_id, created_at, last_seen_at) values ($1, $2, now(), now())', [
      hashToken(sessionToken),
      contactId,
    ])

    // Each patient upload uses its own IP address: one resent after a kill counts twice.
    const settings = { DATA_DIR: dataDir, LOG_LEVEL: 'silent', TRUST_PROXY: 'true' }
    let server: Promise<ChildServer> = startChildServer(database.url, settings)
    onTestFinished(async () => {
      await (await server).kill('SIGTERM')
      await client.end()
      await database.drop()
      fs.rmSync(dataDir, { recursive: true, force: true })
    })
    const signedIn = await fetch(`${(await server).url}/api/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    const cookie = signedIn.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')

    /** Uploads alternately as staff and as the patient. Returns the id once acknowledged. */
    async function send(url: string, n: number, bytes: Buffer): Promise<string | null> {
      const file = new Uint8Array(bytes)
      const form = new FormData()
      form.append('file', new File([file], `${n}.pdf`, { type: 'application/pdf' }))
      form.append('contactId', contactId)
      form.append('sessionToken', sessionToken)
      const response = await (
        n % 2 === 0
          ? fetch(`${url}/api/contacts/${contactId}/documents?name=${n}.pdf`, { method: 'POST', headers: { cookie }, body: file })
          : fetch(`${url}/api/functions/patient-document-upload`, {
              method: 'POST',
              headers: { 'x-portal-session': sessionToken, 'x-forwarded-for': `10.5.0.${n}` },
              body: form,
            })
      ).catch(() => null)
      if (!response || response.status === 503) return null
      const body = await response.text().catch(() => null) // a truncated response acknowledges nothing
      if (body === null) return null
      if (response.status !== 201) throw new Error(`${response.status}: ${body}`)
      return (JSON.parse(body) as { id: string }).id
    }

    const acknowledged = new Map<string, string>()
    let next = 0
    let killed = 0
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (next < uploads) {
          const n = next++
          const bytes = newPdf(n)
          for (let id: string | null = null; !id;) {
            id = await send((await server).url, n, bytes)
            if (id) acknowledged.set(id, sha256(bytes))
          }
          if (killed < kills && acknowledged.size >= ((killed + 1) * uploads) / (kills + 1)) {
            killed++
            server = server.then(async (running) => {
              await running.kill('SIGKILL')
              return startChildServer(database.url, settings)
            })
          }
        }
      }),
    )
    expect(killed).toBe(kills)
    expect(acknowledged.size).toBe(uploads)

    const { url } = await server
    const toRead = [...acknowledged]
    await Promise.all(
      Array.from({ length: connections }, async () => {
        for (let pair = toRead.pop(); pair; pair = toRead.pop()) {
          const [id, hash] = pair
          const response = await fetch(`${url}/api/documents/${id}/file`, { headers: { cookie } })
          expect([response.status, sha256(new Uint8Array(await response.arrayBuffer()))]).toEqual([200, hash])
        }
      }),
    )
    const files = encryptedStore(openLocalStore(path.join(dataDir, 'files')), {
      keys: fileKeys({ APP_SECRET: testSecret, OLD_APP_SECRETS: [] }),
    })
    const storedSizes = new Map<string, number>()
    for await (const { key, size } of files.list()) storedSizes.set(key, size)
    const { rows } = await client.query<{ storage_key: string; size: number }>('select storage_key, size from documents')
    expect(rows.length).toBeGreaterThanOrEqual(uploads)
    expect(rows.filter(({ storage_key, size }) => storedSizes.get(storage_key) !== size)).toEqual([])
  },
)
