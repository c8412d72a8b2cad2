import { hashToken, newToken } from '../src/kernel/tokens.ts'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { encryptedStore } from '../src/integrations/storage/encrypted.ts'
import { openLocalStore } from '../src/integrations/storage/local.ts'
import { fileKeys } from '../src/kernel/seal.ts'
import { type Clinic, openClinic } from './clinic/clinic.ts'
import { benchSecret, startBareFiles, startServer } from './load/processes.ts'
import { watchMemory } from './load/memory.ts'
import { median, progress, ratio, type Row, toRow } from './report.ts'

const contacts = 2_500
const documents = 200
const size = 5 * 1024 * 1024
const connections = 4
const rounds = 3

/** Downloads a patient's 200 documents of 5 MB through the portal, against Node's file streams, and measures the server's memory growth. */
export async function benchDocuments(): Promise<Row[]> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-bench-documents-'))
  const clinic = await openClinic(contacts)
  const server = await startServer(clinic.ownerUrl, { DATA_DIR: folder })
  const plain = path.join(folder, 'plain')
  const bare = await startBareFiles(plain)
  try {
    const patient = await fillPatient(clinic, folder, plain)
    const ours = () => portalLinks(server.url, patient)
    const theirs = async () => patient.ids.map((id) => `${bare.url}/${id}`)
    // Warm up both sides.
    for (const links of [ours, theirs]) await download((await links()).slice(0, 20))
    const [rates, bareRates, growth]: [number[], number[], number[]] = [[], [], []]
    for (let round = 1; round <= rounds; round++) {
      const watch = await watchMemory(server)
      rates.push(await download(await ours()))
      growth.push((await watch.stop()).growth)
      bareRates.push(await download(await theirs()))
      progress(
        `  round ${round}: ${rates.at(-1)!.toFixed(0)} MB/s, bare ${bareRates.at(-1)!.toFixed(0)} MB/s, memory +${growth.at(-1)!.toFixed(0)} MB`,
      )
    }
    const [rate, bareRate] = [median(rates), median(bareRates)]
    return [
      toRow({
        case: `portal: ${documents} documents of 5 MB`,
        connections,
        unit: 'MB/s',
        ours: rate,
        baseline: bareRate,
        ratio: ratio(rate, bareRate),
        aims: [{ of: 'ratio', atLeast: 0.7 }],
      }),
      toRow({
        case: 'peak memory growth of the server',
        connections,
        unit: 'MB',
        ours: Math.max(...growth),
        aims: [{ of: 'ours', atMost: 50 }],
      }),
    ]
  } finally {
    await Promise.all([server.stop(), bare.stop()])
    await clinic.close()
    fs.rmSync(folder, { recursive: true })
  }
}

type Patient = { contactId: string; sessionToken: string; ids: string[] }

/** Creates a patient's shared documents and a session, and stores the same bytes in a plain folder under the documents' ids. */
async function fillPatient(clinic: Clinic, dataDir: string, plain: string): Promise<Patient> {
  const [contact] = await clinic.query<{ id: string }>('select id from contacts order by seq limit 1')
  const contactId = contact!.id
  const sessionToken = newToken()
  await clinic.query('insert into portal_sessions (token_hash, contact_id, created_at, last_seen_at) values ($1, $2, now(), now())', [
    hashToken(sessionToken),
    contactId,
  ])
  const keys = fileKeys({ APP_SECRET: benchSecret, OLD_APP_SECRETS: [] })
  const store = encryptedStore(openLocalStore(path.join(dataDir, 'files')), { keys })
  fs.mkdirSync(plain)
  const ids: string[] = []
  for (let at = 0; at < documents; at++) {
    const id = randomUUID()
    const bytes = randomBytes(size)
    await store.put(`documents/${id}`, Readable.from([bytes]))
    fs.writeFileSync(path.join(plain, id), bytes)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    await clinic.query(
      `insert into documents (id, contact_id, name, mime_type, size, sha256, storage_key, upload_source, document_type, is_shared, review_state,
         scan_state, created_at)
       values ($1, $2, $3, 'application/pdf', $4, $5, $6, 'clinic', 'consent', true, 'accepted', 'off', now())`,
      [id, contactId, `Consent ${at}.pdf`, size, sha256, `documents/${id}`],
    )
    ids.push(id)
  }
  return { contactId, sessionToken, ids }
}

/** Requests the patient's download links as the portal page does. They expire after a minute. */
async function portalLinks(url: string, { contactId, sessionToken }: Patient): Promise<string[]> {
  const answer = await fetch(`${url}/api/functions/patient-documents-fetch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ contactId, sessionToken }),
  })
  const { documents: listed } = (await answer.json()) as { documents: { signedUrl: string }[] }
  if (listed.length !== documents) throw new Error(`The portal lists ${listed.length} documents`)
  return listed.map(({ signedUrl }) => `${url}${signedUrl}`)
}

/** Downloads all links, a few at a time, and discards the bytes. @returns MB per second. */
async function download(links: readonly string[]): Promise<number> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  const left = [...links]
  const begin = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let link = left.pop(); link; link = left.pop()) await downloadOne(agent, link)
    }),
  )
  const seconds = (performance.now() - begin) / 1000
  agent.destroy()
  return (links.length * size) / 1024 / 1024 / seconds
}

const downloadOne = (agent: http.Agent, link: string) =>
  new Promise<void>((resolve, reject) => {
    const request = http.get(link, { agent }, (response) => {
      let read = 0
      response.on('data', (chunk: Buffer) => (read += chunk.length))
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 200 && read === size) resolve()
        else reject(new Error(`${link} answered ${response.statusCode} with ${read} bytes`))
      })
    })
    request.on('error', reject)
  })
