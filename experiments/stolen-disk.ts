/**
 * `npm run stolen-disk`: an experiment. Fills a clinic with documents and photos that have a marker in them, once with files in a folder and once
 * in a bucket, and prints whether
 *
 * 1. neither the whole data folder, nor the bucket, nor a dump of every table has a marker of any file, as it is, in UTF-16, in base64 or in hex;
 * 2. a file with a flipped byte is refused, and named in the audit log;
 * 3. after APP_SECRET has changed, every file still opens; re-encryption that is killed again and again goes on until the old secret is no
 *    longer needed, and every file is the same as before.
 *
 *   npm run stolen-disk -- --files 200 --kills 10
 */
import { spawn } from 'node:child_process'
import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { pino } from 'pino'
import sharp from 'sharp'
import { fillDemo } from '../demo/fill.ts'
import { startS3Simulator } from '../simulators/s3/server.ts'
import { startServer } from '../src/app/serve.ts'
import { openLocalStore } from '../src/integrations/storage/local.ts'
import { openFileStore } from '../src/integrations/storage/open.ts'
import { openS3Store } from '../src/integrations/storage/s3.ts'
import type { FileStore } from '../src/integrations/storage/store.ts'
import { startEmbeddedPostgres } from '../src/kernel/postgres/embedded-postgres.ts'
import { unzip } from '../test/formats/zip.ts'
import { type Env, readEnv } from '../src/kernel/env.ts'
import { fileKeys } from '../src/kernel/seal.ts'

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '200' },
    kills: { type: 'string', default: '10' },
    /** Only encrypts the files of these settings again, for the process that is killed. */
    reencrypt: { type: 'string' },
  },
})
const [count, kills] = [Number(values.files), Number(values.kills)]
const password = 'refyne-demo-2026'
let isHeld = true
const report = (what: string, holds: boolean) => {
  isHeld &&= holds
  console.log(`${holds ? 'holds ' : 'BROKEN'}  ${what}`)
}

async function steal(kind: 'local' | 's3'): Promise<void> {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-stolen-'))
  fs.chmodSync(root, 0o755) // PostgreSQL may run as another account
  const postgres = await startEmbeddedPostgres(path.join(root, 'postgres'))
  const bucket = await startS3Simulator()
  const [firstSecret, secondSecret] = [randomBytes(36).toString('base64url'), randomBytes(36).toString('base64url')]
  const settingsOf = (APP_SECRET: string, OLD_APP_SECRETS = '') =>
    readEnv({
      PORT: '0',
      DATA_DIR: root,
      APP_SECRET,
      OLD_APP_SECRETS,
      FILES: kind,
      S3_BUCKET: bucket.bucket,
      S3_ENDPOINT: bucket.url,
      S3_ACCESS_KEY_ID: bucket.accessKeyId,
      S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
    })
  const raw: FileStore =
    kind === 'local' ? openLocalStore(path.join(root, 'files')) : openS3Store({ ...bucket, endpoint: bucket.url, region: 'us-east-1' })
  const ready = Promise.withResolvers<void>()
  const start = (env: Env, onReady?: (owner: string) => Promise<void>) =>
    startServer(env, { databaseUrl: postgres.url('postgres'), log: pino({ level: 'silent' }), ...(onReady && { onReady }) })
  const fill = (owner: string) =>
    fillDemo(owner, { contacts: 20, withTasks: false, withSurgeries: false, withHistory: false }).then(() => ready.resolve(), ready.reject)
  let server = await start(settingsOf(firstSecret), fill)
  await ready.promise
  await server.prepared

  // Whatever was in the clear when it was planted: each marker begins with the same word.
  const word = `MARK${randomBytes(6).toString('hex')}`
  let cookie = await signIn(server.url)
  const planted = await plant(server.url, cookie, word)
  const found = [...searchFolder(root, word), ...(await searchStore(raw, word)), ...(await searchTables(postgres.url('postgres'), word))]
  report(
    `${kind}: no marker of ${planted.length} files in the data folder, the store or the tables ${found.join(', ')}`,
    found.length === 0,
  )
  await replace(raw, 'control', Buffer.from(`in plain text: ${word}-control`))
  report(`${kind}: the search finds a file in plain text`, (await searchStore(raw, word)).join() === 'control')
  await raw.delete('control')
  report(`${kind}: all ${planted.length} open`, (await countOpen(server.url, cookie, planted)) === planted.length)

  const altered = planted.filter((file) => file.kind === 'document').slice(0, 20)
  let refused = 0
  for (const file of altered) {
    const place = (await Array.fromAsync(raw.list())).find(({ key }) => key.endsWith(file.key))!.key
    const whole = await read(raw, place)
    const bytes = Buffer.from(whole)
    const at = randomInt(bytes.length)
    bytes[at]! ^= 1 << randomInt(8)
    await replace(raw, place, bytes)
    const answer = await get(server.url, cookie, `/api/documents/${file.id}/file`)
    if (answer.status === 410) refused++
    await replace(raw, place, whole)
  }
  await after(2_000)
  const client = new pg.Client({ connectionString: postgres.url('postgres') })
  await client.connect()
  const { rows } = await client.query<{ file: string }>(
    "select distinct after->>'file' as file from audit_log where action = 'denied' and after ? 'file'",
  )
  const named = altered.filter(({ key }) => rows.some(({ file }) => file === key)).length
  report(
    `${kind}: ${refused} of ${altered.length} files with a flipped byte refused, ${named} named in the audit log`,
    refused === altered.length && named === altered.length,
  )

  await server.stop()
  const rotating = settingsOf(secondSecret, firstSecret)
  server = await start(rotating)
  await server.prepared
  cookie = await signIn(server.url)
  report(
    `${kind}: all ${planted.length} open with a new secret beside the old one`,
    (await countOpen(server.url, cookie, planted)) === planted.length,
  )
  for (let kill = 0; kill < kills; kill++) await reencrypt(rotating, randomInt(1_500))
  await reencrypt(rotating, null)
  await server.stop()
  server = await start(settingsOf(secondSecret))
  await server.prepared
  cookie = await signIn(server.url)
  report(
    `${kind}: after ${kills} kills of the re-encryption all ${planted.length} open without the old secret`,
    (await countOpen(server.url, cookie, planted)) === planted.length,
  )

  await client.end()
  await server.stop()
  await postgres.stop()
  await bucket.stop()
  fs.rmSync(root, { recursive: true, force: true })
}

/** `key`: of a document, its place in the store. */
type Planted = { id: string; sha256: string } & ({ kind: 'document'; key: string } | { kind: 'photo'; contactId: string })

async function signIn(url: string): Promise<string> {
  const headers = { 'content-type': 'application/json', origin: url }
  const body = JSON.stringify({ email: 'provider@refyne.example', password })
  const response = await fetch(`${url}/api/auth/sign-in`, { method: 'POST', headers, body })
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

const get = (url: string, cookie: string, file: string) => fetch(url + file, { headers: { cookie } })
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** How many files are the same as when they were planted. Photos leave in one zip, as single originals are limited. */
async function countOpen(url: string, cookie: string, planted: readonly Planted[]): Promise<number> {
  const opened = await Promise.all(
    planted.map(async (file) => {
      if (file.kind === 'photo') return null
      const answer = await get(url, cookie, `/api/documents/${file.id}/file`)
      return answer.ok ? sha256(new Uint8Array(await answer.arrayBuffer())) : null
    }),
  )
  const photos = planted.filter((file) => file.kind === 'photo')
  const answer = await fetch(`${url}/api/contacts/${photos[0]!.contactId}/photos.zip`, {
    method: 'POST',
    headers: { cookie, origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ photoIds: photos.map(({ id }) => id), purpose: 'patient', reason: 'Stolen disk' }),
  })
  const originals = answer.ok ? [...(await unzip(Buffer.from(await answer.arrayBuffer()))).values()].map(sha256) : []
  return planted.filter(({ sha256: hash, kind }, at) => (kind === 'photo' ? originals.includes(hash) : opened[at] === hash)).length
}

/** Half of them documents, half photos. */
async function plant(url: string, cookie: string, word: string): Promise<Planted[]> {
  const send = async (to: string, body: Uint8Array | string, type: string) => {
    const response = await fetch(url + to, {
      method: 'POST',
      headers: { cookie, origin: url, 'content-type': type },
      body: body as BodyInit,
    })
    if (!response.ok) throw new Error(`${to}: ${response.status} ${await response.text()}`)
    return (await response.json()) as { id: string }
  }
  const contacts = (await (await get(url, cookie, '/api/contacts?limit=1')).json()) as { data: { id: string }[] }
  const contactId = contacts.data[0]!.id
  const series = await send(
    `/api/contacts/${contactId}/photo-series`,
    JSON.stringify({ shotList: 'other', timePoint: 'pre_op', takenOn: '2026-01-15' }),
    'application/json',
  )
  const planted: Planted[] = []
  for (let number = 0; number < count; number++) {
    const marker = `${word}-${number}`
    if (number % 2 === 0) {
      const bytes = Buffer.from(`%PDF-1.4\n% ${marker.repeat(500)}\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n`)
      const { id } = await send(`/api/contacts/${contactId}/documents?name=a.pdf`, bytes, 'application/pdf')
      planted.push({ kind: 'document', id, key: `documents/${id}`, sha256: sha256(bytes) })
    } else {
      const picture = sharp({ create: { width: 800, height: 600, channels: 3, background: `#${randomBytes(3).toString('hex')}` } })
      const bytes = await picture
        .withExif({ IFD0: { ImageDescription: marker.repeat(20) } })
        .jpeg()
        .toBuffer()
      const query = new URLSearchParams({ id: randomUUID(), view: 'other', takenAt: '2026-01-15T15:00:00Z', name: 'a.jpg' })
      const { id } = await send(`/api/photo-series/${series.id}/photos?${query}`, bytes, 'image/jpeg')
      planted.push({ kind: 'photo', id, contactId, sha256: sha256(bytes) })
    }
  }
  return planted
}

/** The word as it may lie on a disk: in base64 by each place in a group of three bytes, without the ends that depend on what is beside it. */
function formsOf(word: string): Buffer[] {
  const base64 = [0, 1, 2].map((before) =>
    Buffer.from('x'.repeat(before) + word)
      .toString('base64')
      .slice(before === 0 ? 0 : 4, -4),
  )
  const texts = [word, ...base64, Buffer.from(word).toString('hex')]
  return [...texts.map((text) => Buffer.from(text)), Buffer.from(word, 'utf16le')]
}
const has = (bytes: Buffer, word: string) => formsOf(word).some((form) => bytes.includes(form))

function searchFolder(folder: string, word: string): string[] {
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files
    .map((file) => path.join(file.parentPath, file.name))
    .filter((file) => fs.existsSync(file) && has(fs.readFileSync(file), word))
}

async function searchStore(store: FileStore, word: string): Promise<string[]> {
  const found: string[] = []
  for await (const { key } of store.list()) if (has(await read(store, key), word)) found.push(key)
  return found
}

async function searchTables(url: string, word: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows: tables } = await client.query<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
  )
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await client.query<{ text: string }>(`select t::text as text from ${name} as t`)
    if (rows.some(({ text }) => has(Buffer.from(text), word))) found.push(name)
  }
  await client.end()
  return found
}

async function read(store: FileStore, key: string): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync((await store.get(key))!.bytes))
}
async function replace(store: FileStore, key: string, bytes: Buffer): Promise<void> {
  await store.delete(key)
  await store.put(
    key,
    (async function* () {
      yield bytes
    })(),
  )
}

/** Encrypts the files again in another process, which is killed after that many milliseconds; null lets it end. */
async function reencrypt(env: Env, killAfter: number | null): Promise<void> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), '--reencrypt', JSON.stringify(env)], { stdio: 'inherit' })
  const ended = new Promise((resolve) => child.once('close', resolve))
  if (killAfter !== null) {
    await after(300 + killAfter)
    child.kill('SIGKILL')
  }
  await ended
}

/** What the process does that is killed. */
async function reencryptAll(env: Env): Promise<void> {
  const store = openFileStore(env, { keys: fileKeys(env) })
  for await (const key of store.outdated()) await store.reencrypt(key)
}

if (values.reencrypt) await reencryptAll(JSON.parse(values.reencrypt) as Env)
else for (const kind of ['local', 's3'] as const) await steal(kind)
process.exit(isHeld ? 0 : 1)
