/**
 * `npm run demo`: builds, starts PostgreSQL, fills a demo clinic, starts the simulators and the server.
 *
 *   npm run demo -- --contacts 100000   the number of patients (on the first run or with --reset)
 *   npm run demo -- --reset             deletes the data and starts over
 */
import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { recordAdverseEvents } from '../demo/adverse-events.ts'
import { addAvailability } from '../demo/availability.ts'
import { setUpCheckIns } from '../demo/check-ins.ts'
import { quickBooksCredentials, quickBooksSettings, connectQuickBooks } from '../demo/billing/quickbooks.ts'
import { createConversations } from '../demo/messages/conversations.ts'
import { fillDemo } from '../demo/fill.ts'
import { hooksAt } from '../demo/messages/hooks.ts'
import { connectMailbox, gmailCredentials, gmailSettings, nylasCredentials, nylasHook, nylasSettings } from '../demo/messages/mailboxes.ts'
import { payOutCards } from '../demo/billing/card-payments.ts'
import { recordPastPayments } from '../demo/billing/past-receipts.ts'
import { stripeSettings } from '../demo/billing/stripe.ts'
import { takePayments } from '../demo/billing/payments.ts'
import { writeQuotes } from '../demo/billing/quotes.ts'
import { reachOut } from '../demo/outreach.ts'
import { putPhotosToUse } from '../demo/photo-uses.ts'
import { writeConsents } from '../demo/consents.ts'
import { writeNotes } from '../demo/notes.ts'
import { startGmailSimulator } from '../simulators/gmail/server.ts'
import { startNylasSimulator } from '../simulators/nylas/server.ts'
import { startPostmarkSimulator } from '../simulators/postmark/server.ts'
import { startQuickBooksSimulator } from '../simulators/quickbooks/server.ts'
import { startStripeSimulator } from '../simulators/stripe/server.ts'
import { startTwilioSimulator } from '../simulators/twilio/server.ts'
import { startTimestampSimulator } from '../simulators/timestamp-authority/server.ts'
import { openFileStore } from '../src/integrations/storage/open.ts'
import { startEmbeddedPostgres } from '../src/kernel/postgres/embedded-postgres.ts'
import { readEnv } from '../src/kernel/env.ts'
import type { Scope } from '../src/kernel/scope.ts'
import { fileKeys } from '../src/kernel/seal.ts'
import { startServer } from '../src/app/serve.ts'
import { dayAt } from '../src/shared/zoned-time.ts'
import { areBuilt } from './built.ts'

const { values: options } = parseArgs({
  options: {
    contacts: { type: 'string', default: '2500' },
    seed: { type: 'string', default: '1' },
    reset: { type: 'boolean', default: false },
    /** Don't build: Vite serves the screens (dev.ts). */
    dev: { type: 'boolean', default: false },
  },
})
const contacts = Number(options.contacts)
if (!Number.isSafeInteger(contacts) || contacts < 1 || contacts > 5_000_000) {
  console.error('--contacts must be a whole number from 1 to 5,000,000')
  process.exit(1)
}

const root = path.join(import.meta.dirname, '..')
const dataDir = path.resolve(process.env.DATA_DIR ?? defaultDataDir())
fs.mkdirSync(dataDir, { recursive: true })
const port = process.env.PORT ?? '3000'
const outboxPort = Number(process.env.OUTBOX_PORT ?? 4101)
const booksPort = Number(process.env.BOOKS_PORT ?? 4102)
const nylasPort = Number(process.env.NYLAS_PORT ?? 4104)
const gmailPort = Number(process.env.GMAIL_PORT ?? 4105)
const phonesPort = Number(process.env.PHONES_PORT ?? 4107)
const stripePort = Number(process.env.STRIPE_PORT ?? 4108)
const timestampPort = Number(process.env.TIMESTAMP_PORT ?? 4106)
const grantsFile = path.join(dataDir, 'grants.json')
const gmailFile = path.join(dataDir, 'gmail.json')
const booksFile = path.join(dataDir, 'books.jsonl')
const stripeFile = path.join(dataDir, 'stripe.json')
const password = 'refyne-demo-2026'
/** New in each run; passed to the simulator below. */
const hookPassword = randomBytes(24).toString('base64url')
const nylasSecret = randomBytes(24).toString('base64url')

if (!options.dev && !areBuilt('web')) build()
const postgres = process.env.DATABASE_URL ? null : await startEmbeddedPostgres(path.join(dataDir, 'postgres'))
const databaseUrl = process.env.DATABASE_URL ?? postgres!.url('postgres')
if (options.reset) await deleteData(databaseUrl)

const outbox = await startPostmarkSimulator({ port: outboxPort, host: '127.0.0.1' })
const books = await startQuickBooksSimulator({ port: booksPort, file: booksFile, ...quickBooksCredentials })
const nylas = await startNylasSimulator({ port: nylasPort, file: grantsFile, ...nylasCredentials })
const gmail = await startGmailSimulator({ port: gmailPort, file: gmailFile, ...gmailCredentials })
const phones = await startTwilioSimulator({ port: phonesPort })
const stripe = await startStripeSimulator({ port: stripePort, file: stripeFile })
if (stripe.list('terminal.reader').length === 0) stripe.addReader('Front desk')
const timestamps = await startTimestampSimulator({ port: timestampPort })
const env = readEnv({
  PRACTICE_NAME: 'Harbourview',
  PRACTICE_SUBTITLE: 'Plastic Surgery, Oakville',
  PRACTICE_SUBTITLE_FR: 'Chirurgie plastique, Oakville',
  PRACTICE_ADDRESS: '1 Lakeshore Road, Oakville, ON L6J 1H5',
  PRACTICE_PHONE: '(905) 555-0118',
  PRACTICE_HOURS: 'Monday to Friday, 8:30 a.m. to 4:30 p.m.',
  PRACTICE_HOURS_FR: 'du lundi au vendredi, de 8 h 30 à 16 h 30',
  PRACTICE_HST_NUMBER: '123456789 RT0001',
  COMPANY_DOMAINS: 'refyne.example',
  LEADS_PER_MINUTE_PER_KEY: '100000',
  LEADS_PER_MINUTE_PER_ADDRESS: '100000',
  LOG_LEVEL: 'warn',
  ...process.env,
  PORT: port,
  APP_SECRET: process.env.APP_SECRET ?? savedSecret(),
  POSTMARK_TOKEN: 'demo-token',
  POSTMARK_URL: outbox.url,
  POSTMARK_HOOK_PASSWORD: hookPassword,
  ...quickBooksSettings(books.url),
  ...nylasSettings(nylas.url, nylasSecret),
  ...gmailSettings(gmail.url),
  TWILIO_ACCOUNT_SID: phones.accountSid,
  TWILIO_AUTH_TOKEN: phones.authToken,
  TWILIO_NUMBER: phones.number,
  TWILIO_URL: phones.url,
  ...stripeSettings(stripe.url),
  TSA_URL: timestamps.url,
  DEMO: 'true',
  WEBHOOKS_LOCAL: 'true',
})

const filled = Promise.withResolvers<void>()
/** In milliseconds; what happened in the past is written with the clock of that time. */
let clockOffset = 0
const now = () => new Date(Date.now() + clockOffset)
const server = await startServer(env, { databaseUrl, now, onReady: (owner) => fill(owner).then(filled.resolve, filled.reject) })
await filled.promise
outbox.setHooks(hooksAt(server.url, hookPassword))
stripe.setWebhook(`${server.url}/api/hooks/stripe`)
phones.setHooks({ inbound: `${env.APP_URL}/api/hooks/twilio/inbound`, via: server.url })
const today = dayAt(new Date(), env.PRACTICE_TIME_ZONE)
const isConnected = await connectQuickBooks(server.url, { email: 'admin@refyne.example', password })
if (!isConnected) console.log('Could not connect QuickBooks: the password of admin@refyne.example was changed. To start over, use --reset.')
else {
  if (await takePayments(server.url, today)) {
    await recordPastPayments(databaseUrl, books, env.PRACTICE_TIME_ZONE)
    await writeQuotes(server.url, databaseUrl, today)
    await payOutCards(databaseUrl, stripe, `${server.url}/api/hooks/stripe`)
  }
}
await writeNotes(server.url, today)
await writeConsents(server.url, today)
await setUpCheckIns(server.url)
await addAvailability(server.url, today)
await putPhotosToUse(server.url, databaseUrl, today)
await recordAdverseEvents(server.url, today, env.PRACTICE_TIME_ZONE)
await nylas.setWebhook(nylasHook(server.url, nylasSecret))
await connectMailbox(server.url, { email: 'sales@refyne.example', password }, nylas)
await createConversations({ url: server.url, databaseUrl, outbox, phones })
await reachOut({
  url: server.url,
  databaseUrl,
  outbox,
  phones,
  scope: { ...server.runtime, actor: null, origin: { requestId: 'demo', address: null } } as unknown as Scope,
  setClock: (to) => (clockOffset = to === null ? 0 : to.getTime() - Date.now()),
  today,
  zone: env.PRACTICE_TIME_ZONE,
})

console.log(`
Refyne's demo clinic is open at ${env.APP_URL}

  admin@refyne.example       administrator
  sales@refyne.example       sales representative
  sales2@refyne.example      second sales representative
  provider@refyne.example    provider
  frontdesk@refyne.example   front desk
  billing@refyne.example     billing

  Password for all accounts: ${password}
  Sent emails, where you can reply as the patient: ${outbox.url}
  Phones of patients, where you can answer texts: ${phones.url}
  Mailboxes to connect under Email (Nylas and Gmail simulators): ${nylas.url} and ${gmail.url}
  QuickBooks simulator: ${books.url}
  Stripe simulator, where you tap cards at the reader and open disputes (test card 4242 4242 4242 4242): ${stripe.url}
  Data: ${dataDir} (to start over: npm run demo -- --reset)
`)

let stopping = false
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (stopping) return
    stopping = true
    void server
      .stop()
      .then(() =>
        Promise.all([
          outbox.stop(),
          books.stop(),
          nylas.stop(),
          gmail.stop(),
          phones.stop(),
          stripe.stop(),
          timestamps.stop(),
          postgres?.stop(),
        ]),
      )
      .then(() => process.exit(0))
  })
}

/** As root, PostgreSQL runs under another account that cannot read the checkout, so the data is in /var/tmp. */
function defaultDataDir(): string {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 8)
  return process.getuid?.() === 0 ? `/var/tmp/refyne-demo-${name}` : path.join(root, '.data/demo')
}

function build() {
  const built = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (built.status !== 0) process.exit(built.status ?? 1)
}

/** The secret of this demo, created once, so that sessions survive a restart. */
function savedSecret(): string {
  const file = path.join(dataDir, 'secret')
  if (!fs.existsSync(file)) fs.writeFileSync(file, randomBytes(48).toString('base64url'), { mode: 0o600 })
  return fs.readFileSync(file, 'utf8')
}

async function deleteData(url: string) {
  for (const file of [booksFile, grantsFile, gmailFile, stripeFile]) fs.rmSync(file, { force: true })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('set client_min_messages to warning')
  await client.query('drop schema if exists public, drizzle, graphile_worker cascade')
  await client.query('create schema public')
  await client.end()
}

async function fill(owner: string) {
  const live = process.stdout.isTTY
  let lastPhase = ''
  await fillDemo(owner, {
    contacts,
    seed: Number(options.seed),
    now: new Date(),
    files: openFileStore(env, { keys: fileKeys(env) }),
    secret: env.APP_SECRET,
    onProgress({ phase, done, total }) {
      const line = `${phase}: ${done.toLocaleString('en-CA')} of ${total.toLocaleString('en-CA')}`
      if (live) process.stdout.write(`\r\u001b[K${line}`)
      else if (phase !== lastPhase || done === total) console.log(line)
      lastPhase = phase
    },
  })
  if (live && lastPhase) process.stdout.write('\n')
}
