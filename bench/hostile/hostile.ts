import { fork } from 'node:child_process'
import { hashToken, newToken } from '../../src/kernel/tokens.ts'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Clinic, openClinic } from '../clinic/clinic.ts'
import { type Endpoint, hostileCases } from './cases.ts'
import type { ProbeResult } from './probe.ts'
import type { Options } from '../options.ts'
import { type Process, startServer } from '../load/processes.ts'
import { type Aim, progress, type Row, toRow } from '../report.ts'
import { signIn } from '../clinic/session.ts'

const contacts = 1_000
const limits = { waitMs: 250, memoryMb: 600 }
const aims: Aim[] = [
  { of: 'ours', atMost: limits.waitMs },
  { of: 'memoryMb', atMost: limits.memoryMb },
]
/** Milliseconds: how long the baseline is measured, and how long to wait after each response for work still running. */
const baselineMs = 5_000
const lingerMs = 300
const timeoutMs = 180_000
const hookPassword = 'bench-hook-password'

/**
 * Sends each crafted file and body of cases.ts to its endpoint while a separate probe requests /health/live every 50 ms. The baseline of
 * each longest wait is the longest without hostile input: what the machine itself adds. Exit code 1 when a limit is exceeded.
 */
export async function benchHostile({ only }: Options): Promise<Row[]> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-bench-hostile-'))
  const clinic = await openClinic(contacts)
  const server = await startServer(clinic.ownerUrl, {
    DATA_DIR: folder,
    POSTMARK_HOOK_PASSWORD: hookPassword,
    HOOKS_PER_MINUTE: '100000',
    LEADS_PER_MINUTE_PER_KEY: '100000',
    LEADS_PER_MINUTE_PER_ADDRESS: '100000',
  })
  const probe = startProbe(server)
  try {
    const senders = await createSenders(clinic, server)
    await probe.measure(() => wait(1_000)) // its first requests warm up
    const baseline = await probe.measure(() => wait(baselineMs))
    progress(`  no hostile input: longest wait ${baseline.worstMs.toFixed(0)} ms, ${baseline.peakMb.toFixed(0)} MB`)
    const rows: Row[] = []
    for (const { name, endpoint, times = 1, build } of hostileCases) {
      if (!name.includes(only)) continue
      const bytes = await build()
      const fileName = /^\S+\.\w+$/.test(name) ? name : `file.${name.split(/\W/)[0]!.toLowerCase()}`
      let answers: Answer[] = []
      const measured = await probe.measure(async () => {
        answers = await Promise.all(Array.from({ length: times }, () => senders[endpoint](bytes, fileName)))
        await wait(lingerMs)
      })
      const responses = [...new Set(answers.map(({ status, code }) => `${status} ${code}`))].join(', ')
      rows.push(row(`${endpoint}: ${name}`, measured, baseline, responses))
      progress(
        `  ${endpoint}: ${name}, ${megabytes(bytes)}: ${measured.worstMs.toFixed(0)} ms, ${measured.peakMb.toFixed(0)} MB, ${responses}`,
      )
    }
    const refusals = await checkAnonymousRefusals(server)
    const worstMs = Math.max(...rows.map(({ ours }) => ours))
    const peakMb = Math.max(...rows.map(({ memoryMb }) => memoryMb ?? 0))
    const isAlive = server.isRunning() && (await fetch(`${server.url}/health/live`)).ok
    const late = refusals.filter(({ isRefused }) => !isRefused).map(({ endpoint }) => endpoint)
    rows.push(row('overall', { worstMs, peakMb }, baseline, isAlive ? 'server still running' : 'THE SERVER HAS EXITED'))
    rows.push(
      row(
        'anonymous senders, before a byte of the file is sent',
        { worstMs: 0, peakMb: 0 },
        null,
        late.length === 0 ? `refused at ${refusals.length} of ${refusals.length} endpoints` : `NOT REFUSED: ${late.join(', ')}`,
      ),
    )
    if (worstMs > limits.waitMs || peakMb > limits.memoryMb || !isAlive || late.length > 0) process.exitCode = 1
    return rows
  } finally {
    probe.stop()
    await server.stop()
    await clinic.close()
    fs.rmSync(folder, { recursive: true })
  }
}

const megabytes = (bytes: Buffer): string => `${(bytes.length / 1024 / 1024).toFixed(2)} MB`

const row = (name: string, measured: Pick<ProbeResult, 'worstMs' | 'peakMb'>, baseline: ProbeResult | null, responses: string): Row =>
  toRow({
    case: name,
    unit: 'ms',
    ours: measured.worstMs,
    baseline: baseline && baseline.worstMs,
    memoryMb: measured.peakMb,
    responses,
    aims: baseline ? aims : [],
  })

type Probe = { measure: (work: () => Promise<unknown>) => Promise<ProbeResult>; stop: () => void }

function startProbe({ url, pid }: Process): Probe {
  const child = fork(path.join(import.meta.dirname, 'probe.ts'), [url, String(pid)])
  return {
    async measure(work) {
      child.send('begin')
      await work()
      const measured = once(child, 'message') as Promise<[ProbeResult]>
      child.send('end')
      return (await measured)[0]
    },
    stop: () => void child.kill(),
  }
}

type Answer = { status: number; code: string }
type Send = (bytes: Buffer<ArrayBuffer>, fileName: string) => Promise<Answer>

/** Returns a function per endpoint that sends a body with the headers the endpoint expects. */
async function createSenders(clinic: Clinic, server: Process): Promise<Record<Endpoint, Send>> {
  const cookie = await signIn(clinic.ownerUrl, server.url)
  const [contact] = await clinic.query<{ id: string }>('select id from contacts order by seq limit 1')
  const contactId = contact!.id
  const sessionToken = newToken()
  await clinic.query('insert into portal_sessions (token_hash, contact_id, created_at, last_seen_at) values ($1, $2, now(), now())', [
    hashToken(sessionToken),
    contactId,
  ])
  const webhookKey = newToken()
  await clinic.query('insert into lead_sources (name, webhook_key_hash) values ($1, $2)', ['Hostile', hashToken(webhookKey)])

  const post =
    (address: string, headers: Record<string, string>, wrap = (bytes: Buffer<ArrayBuffer>, _fileName: string) => bytes): Send =>
    (bytes, fileName) =>
      send(`${server.url}${address.replace('{file}', fileName)}`, headers, wrap(bytes, fileName))
  const boundary = `x${randomBytes(12).toString('hex')}`
  const form = (fields: Record<string, string>) => (bytes: Buffer, fileName: string) =>
    Buffer.concat([
      ...Object.entries(fields).map(([name, value]) =>
        Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
      ),
      Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${fileName}"\r\n\r\n`),
      bytes,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ])
  const portal = '/api/functions/patient-document-upload'
  const multipart = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  const patient = { 'x-portal-session': sessionToken }
  const file = { cookie, 'content-type': 'application/octet-stream' }
  const hook = { authorization: `Basic ${Buffer.from(`postmark:${hookPassword}`).toString('base64')}`, 'content-type': 'application/json' }
  const json = { 'content-type': 'application/json' }
  const lead = `/api/leads/${webhookKey}`
  return {
    portal: post(portal, { ...multipart, ...patient }, form({ contactId, sessionToken })),
    'portal, no session': post(portal, multipart, form({ contactId, sessionToken: newToken() })),
    'portal, raw form': post(portal, { ...patient, 'content-type': 'multipart/form-data; boundary=x' }),
    staff: post(`/api/contacts/${contactId}/documents?name={file}`, file),
    'staff, no session': post(`/api/contacts/${contactId}/documents?name={file}`, { 'content-type': 'application/octet-stream' }),
    import: post('/api/imports?name=table.xlsx', file),
    'import, CSV': post('/api/imports?name=table.csv', file),
    hook: post('/api/hooks/postmark/inbound', hook),
    lead: post(lead, json),
    'lead, gzip': post(lead, { ...json, 'content-encoding': 'gzip' }),
    'lead, form': post(lead, { 'content-type': 'application/x-www-form-urlencoded' }),
    'lead, multipart': post(lead, { 'content-type': 'multipart/form-data; boundary=x' }),
    call: post('/api/tasks', { ...json, cookie }),
    'call, no session': post('/api/auth/sign-in', json),
    preview: post('/api/email-templates/preview.html', { cookie, 'content-type': 'application/x-www-form-urlencoded' }),
  }
}

async function send(url: string, headers: Record<string, string>, body: Buffer<ArrayBuffer>): Promise<Answer> {
  try {
    const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeoutMs) })
    const text = await answer.text()
    return { status: answer.status, code: /"code":"(\w+)"/.exec(text)?.[1] ?? '' }
  } catch (error) {
    // A sender refused while still sending may not get to read the response.
    return { status: 0, code: error instanceof Error && error.name === 'TimeoutError' ? 'NO_ANSWER' : 'CONNECTION_CLOSED' }
  }
}

/** Checks that each file endpoint refuses an anonymous sender after the request headers, before any of the body. */
async function checkAnonymousRefusals(server: Process): Promise<{ endpoint: string; isRefused: boolean }[]> {
  const id = '00000000-0000-7000-8000-000000000000'
  const endpoints = [
    '/api/functions/patient-document-upload',
    `/api/contacts/${id}/documents?name=x`,
    '/api/imports?name=x.xlsx',
    `/api/imports/${id}/files?path=x`,
    `/api/mailbox/drafts/${id}/files?name=x`,
    '/api/practice/logo',
    '/api/hooks/postmark/inbound',
  ]
  return Promise.all(endpoints.map(async (endpoint) => ({ endpoint, isRefused: await isRefusedBeforeBody(server.url, endpoint) })))
}

async function isRefusedBeforeBody(url: string, address: string): Promise<boolean> {
  const { port, host } = new URL(url)
  const socket = net.connect(Number(port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write(
    `POST ${address} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: 9000000\r\n\r\n`,
  )
  const answer = await Promise.race([once(socket, 'data').then(([bytes]) => String(bytes)), wait(3_000, '')])
  socket.destroy()
  return /^HTTP\/1\.1 4\d\d /.test(answer)
}
