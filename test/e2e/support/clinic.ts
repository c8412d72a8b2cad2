import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test as base, expect, type Page } from '@playwright/test'
import pg from 'pg'
import { pino } from 'pino'
import { quickBooksCredentials, quickBooksSettings, connectQuickBooks } from '../../../demo/billing/quickbooks.ts'
import { gmailCredentials, gmailSettings, nylasCredentials, nylasHook, nylasSettings } from '../../../demo/messages/mailboxes.ts'
import { stripeSettings } from '../../../demo/billing/stripe.ts'
import { hooksAt } from '../../../demo/messages/hooks.ts'
import { fillDemo } from '../../../demo/fill.ts'
import { type GmailSimulator, startGmailSimulator } from '../../../simulators/gmail/server.ts'
import { type NylasSimulator, startNylasSimulator } from '../../../simulators/nylas/server.ts'
import { startPostmarkSimulator } from '../../../simulators/postmark/server.ts'
import { startStripeSimulator, type StripeSimulator } from '../../../simulators/stripe/server.ts'
import { startTwilioSimulator, type TwilioSimulator } from '../../../simulators/twilio/server.ts'
import { type QuickBooksSimulator, startQuickBooksSimulator } from '../../../simulators/quickbooks/server.ts'
import { createTaskReminders } from '../../../src/crm/notifications/jobs.ts'
import { readEnv } from '../../../src/kernel/env.ts'
import type { Scope } from '../../../src/kernel/scope.ts'
import { testSecret } from '../../database.ts'
import { freePort } from '../../network/free-port.ts'
import { startTestPostgres } from '../../postgres.ts'

export { expect }
export const demoPassword = 'refyne-demo-2026'
const hookPassword = 'hook-password-of-the-tests'
const patients = 300

export type Clinic = {
  url: string
  outbox: Awaited<ReturnType<typeof startPostmarkSimulator>>
  /** Runs a statement as the owner of the tables and returns its rows, for data that no page can create. */
  rows: <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>
  /** The QuickBooks simulator, connected. */
  quickBooks: QuickBooksSimulator
  /** Mailbox simulators; nothing is connected yet. */
  nylas: NylasSimulator
  gmail: GmailSimulator
  /** The phones of patients. */
  twilio: TwilioSimulator
  /** Takes the cards of patients. */
  stripe: StripeSimulator
  /** Reconnects QuickBooks as an administrator. */
  connectQuickBooks: () => Promise<void>
  /** Runs the reminder job now; the server runs it every minute. */
  remind: () => Promise<void>
  /** Sets the server's clock, which keeps running; null restores the real time. Sessions that began before may expire. */
  setClock: (to: Date | null) => void
  /** Starts another process of the same clinic with other settings, which may depend on its address. */
  startWith: (
    settings: (url: string) => Promise<Record<string, string>> | Record<string, string>,
  ) => Promise<{ url: string; stop: () => Promise<void> }>
}

type Fixtures = {
  /** Parts of console errors that this test expects. Any other console error fails it. */
  expectedErrors: string[]
  /** Opens a page as a member of the demo's staff, given the local part of the email address ('sales'). */
  open: (who: string, at: string) => Promise<Page>
}

/** The server as it is built for `npm start`. */
const { startServer } = (await import(
  path.join(import.meta.dirname, '../../../dist/server/serve.js')
)) as typeof import('../../../src/app/serve.ts')

/** Each worker has its own clinic: the built application, its database and the simulators. */
export const test = base.extend<Fixtures, { clinic: Clinic }>({
  clinic: [
    async ({}, use) => {
      const root = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-e2e-'))
      fs.chmodSync(root, 0o755)
      const postgres = await startTestPostgres(root)
      const outbox = await startPostmarkSimulator({ port: 0, host: '127.0.0.1' })
      const quickBooks = await startQuickBooksSimulator(quickBooksCredentials)
      const nylas = await startNylasSimulator({ ...nylasCredentials, messages: 1_000 })
      const twilio = await startTwilioSimulator()
      const gmail = await startGmailSimulator({ ...gmailCredentials, messages: 1_000 })
      const stripe = await startStripeSimulator()
      const given = {
        PORT: '0',
        DATA_DIR: root,
        APP_SECRET: testSecret,
        COMPANY_DOMAINS: 'refyne.example',
        PRACTICE_NAME: 'Harbourview',
        PRACTICE_SUBTITLE: 'Plastic Surgery, Oakville',
        PRACTICE_ADDRESS: '1 Lakeshore Road, Oakville, ON L6J 1H5',
        PRACTICE_PHONE: '(905) 555-0118',
        PRACTICE_HOURS: 'Monday to Friday, 8:30 a.m. to 4:30 p.m.',
        PRACTICE_HST_NUMBER: '123456789 RT0001',
        APPOINTMENT_MAIL_SECONDS: '0',
        POSTMARK_TOKEN: 'test-token',
        POSTMARK_URL: outbox.url,
        ...quickBooksSettings(quickBooks.url),
        ...nylasSettings(nylas.url, hookPassword),
        ...gmailSettings(gmail.url),
        TWILIO_ACCOUNT_SID: twilio.accountSid,
        TWILIO_AUTH_TOKEN: twilio.authToken,
        TWILIO_NUMBER: twilio.number,
        TWILIO_URL: twilio.url,
        ...stripeSettings(stripe.url),
        // The tests run at any time of day.
        TEXT_QUIET_FROM: '00:00',
        TEXT_QUIET_TO: '00:00',
        LEADS_PER_MINUTE_PER_ADDRESS: '100000',
        POSTMARK_HOOK_PASSWORD: hookPassword,
        HOOKS_PER_MINUTE: '100000',
        DEMO: 'true',
        WEBHOOKS_LOCAL: 'true',
      }
      const env = readEnv(given)
      let offset = 0
      const now = () => new Date(Date.now() + offset)
      const setClock = (to: Date | null) => {
        offset = to === null ? 0 : to.getTime() - Date.now()
      }
      const ready = Promise.withResolvers<void>()
      const onReady = (owner: string) =>
        fillDemo(owner, {
          contacts: patients,
          seed: 7,
          withTasks: false,
          withSurgeries: false,
          withHistory: false,
          secret: testSecret,
        }).then(() => ready.resolve(), ready.reject)
      const server = await startServer(env, { databaseUrl: postgres.url('postgres'), log: pino({ level: 'silent' }), onReady, now })
      await ready.promise
      outbox.setHooks(hooksAt(server.url, hookPassword))
      twilio.setHooks({ inbound: `${env.APP_URL}/api/hooks/twilio/inbound`, via: server.url })
      stripe.setWebhook(`${server.url}/api/hooks/stripe`)
      await nylas.setWebhook(nylasHook(server.url, hookPassword))
      const connect = async () => {
        if (!(await connectQuickBooks(server.url, { email: 'admin@refyne.example', password: demoPassword })))
          throw new Error('The administrator could not sign in')
      }
      await connect()
      quickBooks.resetCalls()
      const remind = () => createTaskReminders.run(server.runtime as unknown as Scope, {}, { last: true })
      const startWith: Clinic['startWith'] = async (settings) => {
        const port = await freePort()
        const url = `http://localhost:${port}`
        const own = readEnv({ ...given, PORT: String(port), HOST: 'localhost', APP_URL: url, ...(await settings(url)) })
        const another = await startServer(own, { databaseUrl: postgres.url('postgres'), isMigrated: true, log: pino({ level: 'silent' }) })
        await another.prepared
        return { url, stop: another.stop }
      }
      const owner = new pg.Pool({ connectionString: postgres.url('postgres'), max: 2 })
      // A connection that is being closed may hear that PostgreSQL stops.
      owner.on('connect', (client) => client.on('error', () => {}))
      owner.on('error', () => {})
      const rows: Clinic['rows'] = async (text, values) => (await owner.query(text, values)).rows
      await use({
        url: server.url,
        outbox,
        rows,
        quickBooks,
        nylas,
        gmail,
        twilio,
        stripe,
        connectQuickBooks: connect,
        remind,
        setClock,
        startWith,
      })
      await owner.end()
      await server.stop()
      await outbox.stop()
      await quickBooks.stop()
      await nylas.stop()
      await gmail.stop()
      await twilio.stop()
      await stripe.stop()
      await postgres.stop()
      fs.rmSync(root, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  expectedErrors: [[], { option: true }],
  baseURL: async ({ clinic }, use) => use(clinic.url),
  page: async ({ page, expectedErrors }, use) => use(failOnErrors(page, expectedErrors)),
  open: async ({ browser, clinic, contextOptions, expectedErrors }, use) => {
    const contexts: { close: () => Promise<void> }[] = []
    await use(async (who, at) => {
      const context = await browser.newContext({ ...contextOptions, baseURL: clinic.url })
      contexts.push(context)
      const response = await context.request.post('/api/auth/sign-in', { data: { email: `${who}@refyne.example`, password: demoPassword } })
      expect(response.status(), 'sign-in').toBe(200)
      const page = failOnErrors(await context.newPage(), expectedErrors)
      await page.goto(at)
      return page
    })
    for (const context of contexts) await context.close()
  },
})

/** Fails the test on an unexpected console error or uncaught exception. */
function failOnErrors(page: Page, expected: string[]): Page {
  const unexpected = (text: string) => expect.soft(expected.some((part) => text.includes(part)) ? '' : text, 'console error').toBe('')
  page.on('console', (message) => message.type() === 'error' && unexpected(message.text()))
  page.on('pageerror', (error) => unexpected(error.message))
  return page
}
