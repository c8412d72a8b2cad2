/**
 * `npm run screens`: takes a screenshot of every page of the running demo clinic (`npm run demo`), light and 1440 pixels wide, into docs/screens.
 *
 *   npm run screens                    at http://localhost:3000
 *   npm run screens -- --url http://localhost:4300 --only settings
 */
import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { chromiumFlags, findChromium } from './chromium.ts'
import { reportNames } from '../src/insight/reports/name-rules.ts'
import { urlTabs } from '../src/record/patient-search.ts'

const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://localhost:3000' },
    /** Only the pages whose name contains this. */
    only: { type: 'string', default: '' },
  },
})
const folder = path.join(import.meta.dirname, '../docs/screens')
const password = 'refyne-demo-2026'
const size = { width: 1440, height: 900 }

const signedOut: Record<string, string> = {
  'sign-in': '/auth',
  'reset-password': '/reset-password',
  'patient-portal-sign-in': '/patientdocuments',
}

const sections = [
  'profile',
  'security',
  'notifications',
  'calendar-feed',
  'users',
  'practice',
  'hours-and-rooms',
  'procedures',
  'checklists',
  'templates',
  'funnel-stages',
  'tags',
  'lead-sources',
  'integrations',
  'system',
  'roles',
  'audit-log',
  'import-export',
  'api-keys',
  'webhooks',
  'retention',
]

/** @param patient the id of a patient with data on every tab */
const staffPages = (patient: string): Record<string, string> => ({
  dashboard: '/',
  patients: '/contacts',
  board: '/contacts?layout=board',
  'leads-queue': '/contacts/leads',
  duplicates: '/contacts/duplicates',
  'new-patient': '/contacts/new',
  import: '/contacts/import',
  'patient-timeline': `/contacts/${patient}`,
  ...Object.fromEntries(urlTabs.map((tab) => [`patient-${tab}`, `/contacts/${patient}?tab=${tab}`])),
  'edit-patient': `/contacts/${patient}/edit`,
  'new-quote': `/contacts/${patient}/quotes/new`,
  'merge-patients': `/contacts/${patient}/merge`,
  tasks: '/tasks?show=everyone',
  documents: '/documents',
  inbox: '/inbox',
  email: '/email',
  appointments: '/appointments',
  surgeries: '/surgeries',
  'payments-outstanding': '/collections?tab=outstanding',
  'payments-receipts': '/collections?tab=receipts&period=this-year',
  'payments-pending': '/collections?tab=pending',
  ...Object.fromEntries(reportNames.map((name) => [`report-${name}`, `/reports?report=${name}`])),
  ...Object.fromEntries(sections.map((section) => [`settings-${section}`, `/settings/${section}`])),
})

const found = await findChromium()
const browser = await chromium.launch({
  executablePath: found.executablePath,
  args: chromiumFlags,
  env: { ...process.env, ...found.env, LC_ALL: 'C.UTF-8' },
})
const newContext = () =>
  browser.newContext({
    baseURL: options.url,
    viewport: size,
    locale: 'en-CA',
    colorScheme: 'light',
    reducedMotion: 'reduce',
    bypassCSP: true,
  })

const visitor = await newContext()
for (const [name, at] of chosen(signedOut)) await capture(visitor, name, at)
const admin = await newContext()
const signedIn = await admin.request.post('/api/auth/sign-in', { data: { email: 'admin@refyne.example', password } })
if (!signedIn.ok())
  throw new Error(`The demo clinic at ${options.url} refused the administrator’s sign-in with status ${signedIn.status()}`)
for (const [name, at] of chosen(staffPages(await patientWithData()))) await capture(admin, name, at)
await browser.close()

function chosen(pages: Record<string, string>): [string, string][] {
  return Object.entries(pages).filter(([name]) => name.includes(options.only))
}

/** A patient with a booked surgery has appointments, tasks, documents and payments. */
async function patientWithData(): Promise<string> {
  const answer = await admin.request.get('/api/contacts?stageId=surgery_booked&limit=1&sort=follow-up')
  const { data } = (await answer.json()) as { data: { id: string }[] }
  if (!data[0]) throw new Error('The demo clinic has no patient with a booked surgery')
  return data[0].id
}

async function capture(context: BrowserContext, name: string, at: string) {
  const page = await context.newPage()
  await page.goto(at)
  await waitUntilStill(page)
  // Reminders would cover the page. (The content security policy, bypassed above, would refuse this style.)
  const picture = await page.screenshot({ style: '[aria-label="Reminders of overdue tasks"] { display: none }' })
  await sharp(picture)
    .webp({ quality: 80, effort: 6 })
    .toFile(path.join(folder, `${name}.webp`))
  await page.close()
  console.log(`${name}: ${Math.round(fs.statSync(path.join(folder, `${name}.webp`)).size / 1024)} KiB`)
}

/** Waits until nothing on the page has changed for a second. The network never becomes idle, because of live updates. */
async function waitUntilStill(page: Page) {
  let before: Buffer | null = null
  for (let tries = 0; tries < 20; tries++) {
    await page.waitForTimeout(1_000)
    const now = await page.screenshot()
    if (before?.equals(now)) return
    before = now
  }
}
