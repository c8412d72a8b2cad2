import http from 'node:http'
import { hash } from '@node-rs/argon2'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { newPeople } from '../../bench/clinic/people.ts'
import { drawKeystrokes, drawTerms } from '../../bench/clinic/terms.ts'
import { demoWebhookKey } from '../../demo/sources.ts'
import { storePasswordHash } from '../../src/platform/auth/passwords.ts'
import { activateAccount } from '../../src/platform/auth/service.ts'
import { connectQuickBooks, createCustomer, prepareSales } from '../../test/billing/point-of-sale.ts'
import { clientOf } from '../../test/server.ts'
import type { Cluster } from './cluster.ts'
import type { Ledger } from './ledger.ts'

/** What a request of a member of staff came to; `error` is null for success. Times are those of `performance.now()`. */
export type Outcome = { kind: string; due: number; end: number; error: string | null }
export type Work = { name: string; share: number; run: (n: number) => Promise<void> }

const password = 'a-Long-enough-passphrase'
const json = { 'content-type': 'application/json' }
const cart = [{ name: 'Consultation', unitPrice: 15_000 }]

/**
 * Signs staff in and returns what they do, as shares of a hundred requests, each acknowledged write noted in the ledger. Each request goes to
 * the next process, or to the one after it if that one refuses the connection, as a proxy does.
 */
export async function hireStaff(cluster: Cluster, count: number, contacts: number, ledger: Ledger): Promise<Work[]> {
  const { query, urls } = cluster
  const accounts = await createAccounts(cluster, count)
  const agent = new http.Agent({ keepAlive: true })
  let asked = 0
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const first = asked++
    for (let tried = 0; ; tried++) {
      const url = urls[(first + tried) % urls.length]!
      const answer = await send(agent, url + path, method, headers, body).catch((error: NodeJS.ErrnoException) => error)
      if (!(answer instanceof Error)) return answer
      if (answer.code !== 'ECONNREFUSED' || tried === urls.length - 1) throw answer
    }
  }
  const ok = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
    const { status, text, cookies } = await ask(method, path, body, headers)
    if (status >= 300) throw new Error(`${method} ${path.replace(/[0-9a-f-]{36}/, 'ID').replace(/\?.*/, '')}: ${status} ${codeIn(text)}`)
    return { json: (text === '' ? null : JSON.parse(text)) as { id: string; version: number }, cookies }
  }
  const sessions: { cookie: string }[] = []
  for (let n = 0; n < count; n++) {
    const { cookies } = await ok('POST', '/api/auth/sign-in', { email: emailOf(n), password })
    sessions.push({ cookie: cookies.map((line) => line.split(';')[0]).join('; ') })
  }
  const pick = <Item>(items: readonly Item[], n: number) => items[n % items.length]!
  const someone = () => pick(sessions, asked)
  const get = async (path: string) => void (await ok('GET', path, undefined, someone()))

  // The patients that staff open, and those that are changed, each once.
  const ids = (await query<{ id: string }>('select id from contacts order by md5(id::text) limit 20000')).map(({ id }) => id)
  const clinic = { query, ownerUrl: '', appUrl: '', close: async () => {} }
  const terms = (await drawTerms(clinic, contacts)).filter(({ kind }) => kind !== 'phone digits with gaps').flatMap((kind) => kind.terms)
  const keystrokes = (await drawKeystrokes(clinic, contacts)).flatMap((kind) => kind.terms)
  const admin = clientOf(urls[0]!, sessions[0]!.cookie)
  await connectQuickBooks(admin)
  const saleTo = await prepareSales(
    admin,
    cart.map(({ name }) => name),
  )
  const buyers: Awaited<ReturnType<typeof createCustomer>>[] = []
  // Sales of one patient wait for each other.
  for (let n = 0; n < Math.min(count, 40); n++) buyers.push(await createCustomer(admin))
  const week = `from=${new Date().toISOString()}&to=${new Date(Date.now() + 7 * 86_400_000).toISOString()}`
  const today = new Date().toISOString().slice(0, 10)
  let changed = 0
  let leads = 0
  let sales = 0

  return [
    { name: 'list', share: 18, run: () => get('/api/contacts') },
    { name: 'search', share: 12, run: (n) => get(`/api/contacts?search=${encodeURIComponent(pick(terms, n))}`) },
    { name: 'palette', share: 14, run: (n) => get(`/api/contacts/find?search=${encodeURIComponent(pick(keystrokes, n))}`) },
    { name: 'record', share: 14, run: (n) => get(`/api/contacts/${pick(ids, n)}`) },
    { name: 'timeline', share: 12, run: (n) => get(`/api/contacts/${pick(ids, n)}/interactions`) },
    { name: 'tasks', share: 7, run: () => get('/api/tasks?show=everyone') },
    { name: 'board', share: 4, run: () => get('/api/contacts/board') },
    { name: 'dashboard', share: 3, run: () => get('/api/dashboard') },
    { name: 'week', share: 4, run: () => get(`/api/appointments?${week}`) },
    {
      name: 'note',
      share: 5,
      async run(n) {
        const path = `/api/contacts/${pick(ids, n)}/interactions`
        ledger.notes.push((await ok('POST', path, { type: 'note', description: 'Called' }, someone())).json.id)
      },
    },
    {
      name: 'task',
      share: 2,
      async run(n) {
        const task = { title: 'Call back', dueDate: today, assigneeIds: [pick(accounts, n)], contactId: pick(ids, n) }
        ledger.tasks.push((await ok('POST', '/api/tasks', task, someone())).json.id)
      },
    },
    {
      name: 'change',
      share: 2,
      async run() {
        const id = ids[changed]!
        const city = `City ${changed++}`
        const path = `/api/contacts/${id}`
        const { version } = (await ok('GET', path, undefined, someone())).json
        await ok('PATCH', path, { version, city }, someone())
        ledger.cities.set(id, city)
      },
    },
    {
      name: 'lead',
      share: 2,
      async run() {
        const n = leads++
        const { firstName, lastName, phone } = pick(newPeople, n)
        const email = `lead.${n}@scale.example`
        await ok('POST', `/api/leads/${demoWebhookKey}`, { first_name: firstName, last_name: lastName, email, phone })
        ledger.leads.push(email)
      },
    },
    {
      name: 'sale',
      share: 1,
      async run() {
        const n = sales++
        const memo = `scale-sale-${n}`
        ledger.sentSales.push(memo)
        await ok('POST', '/api/qbo/salesreceipt/create', { ...saleTo(pick(buyers, n), cart), memo }, someone())
        ledger.sales.push(memo)
      },
    },
  ]
}

const emailOf = (n: number) => `staff.${n}@scale.example`

/**
 * The first is an administrator, every fourth of the others in sales, the rest at the front desk. Passwords are hashed at the lowest cost.
 * Returns their ids.
 */
async function createAccounts({ ownerUrl }: Cluster, count: number): Promise<string[]> {
  const client = new pg.Client({ connectionString: ownerUrl() })
  await client.connect()
  const ids: string[] = []
  const passwordHash = await hash(password, { memoryCost: 8, timeCost: 1 })
  for (let n = 0; n < count; n++) {
    const role = n === 0 ? 'admin' : n % 4 === 0 ? 'sales_rep' : 'front_desk'
    const id = await activateAccount(drizzle(client), { firstName: 'Staff', lastName: String(n), email: emailOf(n), role })
    await storePasswordHash(drizzle(client), id, passwordHash)
    ids.push(id)
  }
  await client.end()
  return ids
}

const codeIn = (text: string): string => /"code":"(\w+)"/.exec(text)?.[1] ?? ''

type Answer = { status: number; text: string; cookies: string[] }

function send(agent: http.Agent, url: string, method: string, headers: Record<string, string>, body?: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { agent, method, headers: { ...headers, ...(body === undefined ? {} : json) } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode!, text: Buffer.concat(chunks).toString(), cookies: response.headers['set-cookie'] ?? [] }),
      )
    })
    request.on('error', reject)
    request.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
