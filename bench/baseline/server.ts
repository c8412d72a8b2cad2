/**
 * The baseline server, in a separate process: does the same database work as our server with the driver's prepared statements behind a
 * plain HTTP handler that returns rows as JSON. It has no sessions, permissions, validation or audit entries, and only
 * the required headers.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { audit, decodeCursor } from './audit.ts'
import { board, moreCards } from './board.ts'
import { partOfRecord } from './chart.ts'
import { dashboard } from './dashboard.ts'
import { getContact, newestContacts } from './contacts.ts'
import { createContact } from './create.ts'
import { openPools } from './database.ts'
import { insertLead } from './leads.ts'
import { inbox } from './inbox.ts'
import { gallery, photosOf } from './photos.ts'
import { report } from './reports.ts'
import { findContacts, searchContacts } from './search.ts'

const { pool, indexDb } = openPools(process.env.DATABASE_URL!)

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error(error)
    response.writeHead(500).end()
  })
})
server.listen(0, '127.0.0.1', () => console.log(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.on('SIGTERM', () => process.exit(0))

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = request.url!
  if (request.method === 'POST') {
    const body = await bodyOf(request)
    if (url === '/api/contacts')
      return send(response, 200, await createContact(pool, JSON.parse(body) as Parameters<typeof createContact>[1]))
    return send(response, 202, await insertLead(pool, url.slice('/api/leads/'.length), body, request.headers['content-type'] ?? ''))
  }
  if (url.startsWith('/api/audit?') || url.includes('/views?')) return send(response, 200, await audit(pool, url))
  if (url.startsWith('/api/inbox/')) return send(response, 200, await inbox(pool, url))
  if (url.startsWith('/api/reports/')) return send(response, 200, await report(pool, url))
  if (url.startsWith('/api/consult-gallery')) return send(response, 200, await gallery(pool, url))
  if (url === '/api/dashboard') return send(response, 200, await dashboard(pool))
  if (url.startsWith('/api/contacts/board')) {
    const [, stage, rest] = /^\/api\/contacts\/board\/columns\/([^?]+)\?limit=50&cursor=(.+)$/.exec(url) ?? []
    if (stage && rest) return send(response, 200, await moreCards(pool, stage, decodeCursor(rest)))
    const [, owner, procedure] = /owner:([^;]+)(?:;procedure:(.+))?$/.exec(url) ?? []
    return send(response, 200, await board(pool, owner, procedure))
  }
  const query = url.indexOf('?search=')
  if (query > 0) {
    const term = decodeURIComponent(url.slice(query + '?search='.length))
    const search = url.startsWith('/api/contacts/find') ? findContacts : searchContacts
    return send(response, 200, await search(pool, indexDb, term))
  }
  const [, patient, part] = /^\/api\/contacts\/([^/]+)\/(.+)$/.exec(url) ?? []
  if (patient && part === 'photos') return send(response, 200, await photosOf(pool, patient))
  if (patient && part) return send(response, 200, await partOfRecord(pool, patient, part))
  if (url === '/api/contacts') return send(response, 200, await newestContacts(pool))
  return send(response, 200, await getContact(pool, url.slice('/api/contacts/'.length)))
}

function send(response: ServerResponse, status: number, value: unknown): void {
  const body = Buffer.from(JSON.stringify(value))
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
