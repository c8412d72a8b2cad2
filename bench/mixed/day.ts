import fs from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { demoWebhookKey } from '../../demo/sources.ts'
import { type Clinic, filledAt } from '../clinic/clinic.ts'
import { newPeople } from '../clinic/people.ts'
import { account } from '../clinic/session.ts'
import { drawKeystrokes, drawTerms } from '../clinic/terms.ts'
import type { Call, Kind } from './open-loop.ts'
import { hookPassword } from './server.ts'

const exportedRows = 500
const json = { 'content-type': 'application/json' }
const heic = path.join(import.meta.dirname, '../../test/files/pattern.heic')

/** What a busy clinic's staff (one cookie each), patients and web forms ask for, as shares of a hundred requests. */
export async function dayOf(clinic: Clinic, contacts: number, url: string, cookies: readonly string[], now = filledAt): Promise<Kind[]> {
  const ids = (await clinic.query<{ id: string }>('select id from contacts order by md5(id::text) limit 500')).map(({ id }) => id)
  const terms = (await drawTerms(clinic, contacts)).filter(({ kind }) => kind !== 'phone digits with gaps').flatMap((kind) => kind.terms)
  const keystrokes = (await drawKeystrokes(clinic, contacts)).flatMap((kind) => kind.terms)
  const pick = <Item>(items: readonly Item[], n: number) => items[n % items.length]!
  const get = (address: string, n: number): Call => ({ method: 'GET', path: address, headers: { cookie: pick(cookies, n) } })
  const post = (address: string, body: unknown, cookie?: string): Call => ({
    method: 'POST',
    path: address,
    headers: { ...(cookie && { cookie }), ...json },
    body: JSON.stringify(body),
  })
  const photo = await photograph()
  const previewed = await uploadHeic(url, ids[0]!, cookies[0]!)
  await charge(url, ids[0]!, cookies[0]!)
  const week = `from=${now.toISOString()}&to=${new Date(now.getTime() + 7 * 86_400_000).toISOString()}`

  return [
    { name: 'session', share: 12, calls: (n) => [get('/api/auth/session', n)] },
    { name: 'newest 50', share: 14, calls: (n) => [get('/api/contacts', n)] },
    { name: 'search', share: 10, calls: (n) => [get(`/api/contacts?search=${encodeURIComponent(pick(terms, n))}`, n)] },
    { name: 'palette', share: 16, calls: (n) => [get(`/api/contacts/find?search=${encodeURIComponent(pick(keystrokes, n))}`, n)] },
    { name: 'record', share: 14, calls: (n) => [get(`/api/contacts/${pick(ids, n)}`, n)] },
    { name: 'timeline', share: 12, calls: (n) => [get(`/api/contacts/${pick(ids, n)}/interactions`, n)] },
    { name: 'dashboard', share: 3, calls: (n) => [get('/api/dashboard', n)] },
    { name: 'week of appointments', share: 4, calls: (n) => [get(`/api/appointments?${week}`, n)] },
    { name: 'conversations', share: 4, calls: (n) => [get('/api/inbox/conversations', n)] },
    {
      name: 'note written',
      share: 4,
      calls: (n) => [post(`/api/contacts/${pick(ids, n)}/interactions`, { type: 'note', description: 'Called' }, pick(cookies, n))],
    },
    { name: 'lead', share: 2, calls: (n) => [lead(n)] },
    { name: 'sign-in', share: 1, calls: () => [post('/api/auth/sign-in', { email: account.email, password: account.password })] },
    { name: 'inbound email', share: 1, calls: (n) => [inboundEmail(n)] },
    { name: 'statement PDF', share: 1, calls: (n) => [get(`/api/contacts/${ids[0]}/statement.pdf`, n)] },
    { name: 'photo uploaded', share: 0.5, calls: (n) => [upload(pick(ids, n), `Photo ${n}.jpg`, photo, pick(cookies, n))] },
    { name: 'HEIC preview', share: 0.5, calls: (n) => [get(`/api/documents/${previewed}/preview`, n)] },
    // At most sixty exports an hour for each person.
    { name: 'CSV of 500 patients', share: 0.25, calls: (n) => [exported('csv', ids, pick(cookies, n))] },
    { name: 'XLSX of 500 patients', share: 0.25, calls: (n) => [exported('xlsx', ids, pick(cookies, n))] },
  ]
}

const upload = (contactId: string, name: string, body: Buffer, cookie: string): Call => ({
  method: 'POST',
  path: `/api/contacts/${contactId}/documents?name=${encodeURIComponent(name)}`,
  headers: { cookie, 'content-type': 'application/octet-stream' },
  body,
})

const exported = (format: 'csv' | 'xlsx', ids: readonly string[], cookie: string): Call => ({
  method: 'POST',
  path: `/api/contacts/export.${format}`,
  headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
  body: String(new URLSearchParams({ ids: ids.slice(0, exportedRows).join(',') })),
})

/** A lead as a form tool sends it. */
export function lead(n: number): Call {
  const { firstName, lastName, phone, procedure } = newPeople[n % newPeople.length]!
  const fields = {
    first_name: firstName,
    last_name: lastName,
    email: `lead.${n}@mixed.example`,
    phone,
    procedure,
    utm_source: 'Google CPC',
  }
  return { method: 'POST', path: `/api/leads/${demoWebhookKey}`, headers: json, body: JSON.stringify(fields) }
}

/** An email of about 60 KB as a mail program writes it: each paragraph styled, and the correspondence so far quoted. */
function inboundEmail(n: number): Call {
  const paragraph = `<p class="MsoNormal" style="margin:0cm;font-family:Calibri,sans-serif;font-size:11pt"><span style="color:#1f1f1f">Hello, I would like to ask about the <b>consultation</b> on Thursday.</span></p>`
  const from = `sender.${n}@mixed.example`
  const mail = {
    MessageID: `mixed-${n}`,
    From: from,
    FromFull: { Email: from, Name: 'Ana Sender' },
    Subject: `Consultation ${n}`,
    TextBody: 'Hello, I would like to ask about the consultation on Thursday.',
    HtmlBody: `<html><body>${paragraph.repeat(300)}</body></html>`,
  }
  const authorization = `Basic ${Buffer.from(`postmark:${hookPassword}`).toString('base64')}`
  return { method: 'POST', path: '/api/hooks/postmark/inbound', headers: { ...json, authorization }, body: JSON.stringify(mail) }
}

/** A photo of six million pixels with grain, as a phone takes it: about 3 MB. */
const photograph = (): Promise<Buffer> =>
  sharp({ create: { width: 3000, height: 2000, channels: 3, background: 'grey', noise: { type: 'gaussian', mean: 128, sigma: 12 } } })
    .jpeg({ quality: 85 })
    .toBuffer()

/** @returns the document's id. */
async function uploadHeic(url: string, contactId: string, cookie: string): Promise<string> {
  const { path: address, headers = {} } = upload(contactId, 'Photo.heic', Buffer.alloc(0), cookie)
  const response = await fetch(url + address, { method: 'POST', headers, body: fs.readFileSync(heic) })
  if (!response.ok) throw new Error(`The upload answered ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { id: string }).id
}

/** Gives the statement a line. */
async function charge(url: string, contactId: string, cookie: string): Promise<void> {
  const body = JSON.stringify({
    description: 'Rhinoplasty',
    amountCents: 500_000,
    dueOn: '2026-04-01',
    idempotencyKey: crypto.randomUUID(),
  })
  const response = await fetch(`${url}/api/contacts/${contactId}/charges`, { method: 'POST', headers: { cookie, ...json }, body })
  if (!response.ok) throw new Error(`The charge answered ${response.status}: ${await response.text()}`)
}
