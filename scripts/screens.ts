/**
 * `npm run screens`: takes a screenshot of every page of the running demo clinic (`npm run demo`), light and 1440 pixels wide, into docs/screens, and
 * the pictures of the guide, cropped to what they show, into docs/guide/pictures.
 *
 *   npm run screens                    at http://localhost:3000
 *   npm run screens -- --url http://localhost:4300 --only settings
 *   npm run screens -- --outbox http://localhost:4401       where the demo’s emails are, for the pages of patients
 *   npm run screens -- --only guide/                the guide’s pictures
 */
import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type BrowserContext, chromium, type Locator, type Page } from '@playwright/test'
import sharp from 'sharp'
import { chromiumFlags, findChromium } from './chromium.ts'
import { reportNames } from '../src/insight/reports/name-rules.ts'
import { urlTabs } from '../src/record/patient-search.ts'

const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://localhost:3000' },
    /** Where the demo’s emails are, for the code of a patient. */
    outbox: { type: 'string', default: 'http://localhost:4101' },
    /** Only the pages whose name contains this. */
    only: { type: 'string', default: '' },
  },
})
const folder = path.join(import.meta.dirname, '../docs/screens')
const guideFolder = path.join(import.meta.dirname, '../docs/guide/pictures')
const password = 'refyne-demo-2026'
const size = { width: 1440, height: 900 }
/** Small enough that text can be read in the guide's column. */
const guideSize = { width: 1120, height: 720 }
const phoneSize = { width: 375, height: 812 }

const signedOut: Record<string, string> = {
  'sign-in': '/auth',
  'reset-password': '/reset-password',
  'patient-portal-sign-in': '/patientdocuments',
  verify: '/verify',
}

const sections = [
  'profile',
  'security',
  'notifications',
  'calendar-feed',
  'users',
  'practice',
  'hours-and-rooms',
  'visit-types',
  'equipment',
  'staff-hours',
  'subscribed-calendars',
  'procedures',
  'checklists',
  'note-templates',
  'consent-forms',
  'forms',
  'templates',
  'sequences',
  'funnel-stages',
  'tags',
  'lead-sources',
  'integrations',
  'system',
  'backups',
  'roles',
  'audit-log',
  'import-export',
  'api-keys',
  'signing-keys',
  'webhooks',
  'retention',
]

/**
 * @param patient the id of a patient with data on every tab
 * @param charted the id of the patient with the most in the chart
 * @param photographed the id of a patient with photos
 */
const staffPages = (patient: string, charted: string, photographed: string): Record<string, string> => ({
  dashboard: '/',
  'adverse-events': '/adverse-events',
  gallery: '/gallery',
  patients: '/contacts',
  board: '/contacts?layout=board',
  'leads-queue': '/contacts/leads',
  duplicates: '/contacts/duplicates',
  'new-patient': '/contacts/new',
  import: '/contacts/import',
  'patient-timeline': `/contacts/${patient}`,
  ...Object.fromEntries(urlTabs.map((tab) => [`patient-${tab}`, `/contacts/${patient}?tab=${tab}`])),
  'patient-chart': `/contacts/${charted}?tab=chart`,
  'patient-photos': `/contacts/${photographed}?tab=photos`,
  'edit-patient': `/contacts/${patient}/edit`,
  'new-quote': `/contacts/${patient}/quotes/new`,
  'merge-patients': `/contacts/${patient}/merge`,
  tasks: '/tasks?show=everyone',
  documents: '/documents',
  inbox: '/inbox',
  email: '/email',
  campaigns: '/campaigns',
  appointments: '/appointments',
  'waiting-list': '/appointments/waiting-list',
  surgeries: '/surgeries',
  'payments-outstanding': '/collections?tab=outstanding',
  'payments-receipts': '/collections?tab=receipts&period=this-year',
  'payments-pending': '/collections?tab=pending',
  'payments-payouts': '/collections?tab=payouts',
  'payments-disputes': '/collections?tab=disputes',
  'report-spend': '/reports/spend',
  ...Object.fromEntries(reportNames.map((name) => [`report-${name}`, `/reports?report=${name}`])),
  ...Object.fromEntries(sections.map((section) => [`settings-${section}`, `/settings/${section}`])),
  help: '/help',
  'help-page': '/help/front-desk',
})

/** Reminders would cover the page. (The content security policy, bypassed below, would refuse this style.) */
const withoutReminders = '[aria-label="Reminders of overdue tasks"] { display: none }'

/** A picture of the guide: the page, what to do there first, and the part to show. */
interface GuidePicture {
  at: string
  as: string
  prepare?: (page: Page) => Promise<unknown>
  part: (page: Page) => Locator
}

const main = (page: Page) => page.getByRole('main')
const dialog = (page: Page) => page.getByRole('dialog')
const spreadsheet = {
  name: 'patients.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    'First name,Last name,E-mail,Mobile,Date of birth\nMaud,Tremblay,maud@example.com,514 555 0198,04/12/1988\nOdile,Vachon,odile@example.com,,21/03/1979\n',
  ),
}

async function openFormEditor(page: Page) {
  await main(page)
    .getByRole('button', { name: /^Medical history/ })
    .click()
  await main(page)
    .getByRole('button', { name: /^Are you allergic/ })
    .click()
  // From the top of the section, with what it contains.
  await main(page)
    .getByRole('heading', { name: 'Section 2' })
    .evaluate((heading) => heading.scrollIntoView({ block: 'start' }))
}

async function openReview(page: Page) {
  await main(page).getByRole('region', { name: 'Forms to review' }).getByRole('link').first().click()
  await main(page)
    .getByRole('button', { name: /^Review / })
    .click()
}

/** Pages with something to do first. */
const staffViews: Record<string, { at: string; prepare: (page: Page) => Promise<unknown> }> = {
  'form-editor': { at: '/settings/forms', prepare: openFormEditor },
  'form-review': { at: '/', prepare: openReview },
}

/** Scrolls a section of a settings page to the top. */
const showSection = (name: string) => (page: Page) =>
  main(page)
    .getByRole('heading', { name, exact: true })
    .evaluate((heading) => heading.scrollIntoView({ block: 'start' }))

/** The campaign that was sent and the one by text, and the sequence of new leads with the log of a patient. */
async function outreachViews(): Promise<typeof staffViews> {
  const { data } = await get<{ data: { id: string; status: string; channel: string }[] }>('/campaigns')
  const sent = data.find(({ status }) => status === 'done')
  const draft = data.find(({ status, channel }) => status === 'draft' && channel === 'text')
  const sequence = (await get<{ id: string; name: string }[]>('/sequences')).find(({ name }) => name.startsWith('New lead'))
  if (!sent || !draft || !sequence) throw new Error('The demo clinic has no campaigns or sequences: run it with --reset')
  const nothing = () => Promise.resolve()
  return {
    'campaign-results': { at: `/campaigns/${sent.id}`, prepare: nothing },
    'campaign-by-text': { at: `/campaigns/${draft.id}`, prepare: nothing },
    'sequence-editor': { at: `/settings/sequences/${sequence.id}`, prepare: nothing },
    'sequence-log': {
      at: `/settings/sequences/${sequence.id}?view=patients`,
      prepare: (page) =>
        main(page)
          .getByRole('button', { name: /replied/ })
          .first()
          .click(),
    },
    'closed-days': { at: '/settings/hours-and-rooms', prepare: showSection('Closed days') },
    'quick-replies': { at: '/settings/templates', prepare: showSection('Quick replies') },
  }
}

const selectPair = async (page: Page) => {
  const fronts = main(page).getByRole('checkbox', { name: /^Select Front/ })
  await fronts.nth(0).check()
  await fronts.nth(1).check()
}
const photoViews = (photographed: string): typeof staffViews => {
  const at = `/contacts/${photographed}?tab=photos`
  return {
    'photo-compare': { at, prepare: (page) => selectPair(page).then(() => main(page).getByRole('button', { name: 'Compare' }).click()) },
    'photo-share': { at, prepare: (page) => selectPair(page).then(() => main(page).getByRole('button', { name: 'Share' }).click()) },
    'photo-markup': {
      at,
      prepare: async (page) => {
        await main(page)
          .getByRole('button', { name: /^Open Front/ })
          .first()
          .click()
        await dialog(page).getByRole('button', { name: 'Mark up' }).click()
      },
    },
  }
}

const guidePictures = (patient: string, charted: string): Record<string, GuidePicture> => ({
  'appointments-week': { at: '/appointments?view=week', as: 'frontdesk', part: main },
  'book-appointment': {
    at: '/appointments?book=new',
    as: 'frontdesk',
    prepare: async (page) => {
      await dialog(page).getByRole('combobox', { name: 'Provider' }).click()
      await page.getByRole('option').nth(1).click()
    },
    part: dialog,
  },
  patient: { at: `/contacts/${patient}`, as: 'sales', part: main },
  chart: { at: `/contacts/${charted}?tab=chart`, as: 'provider', part: main },
  board: { at: '/contacts?layout=board', as: 'sales', part: main },
  'leads-to-complete': { at: '/contacts/leads', as: 'sales', part: main },
  merge: {
    at: '/contacts/duplicates',
    as: 'sales',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Similar name only' }).click()
      await page
        .getByRole('button', { name: /^Merge / })
        .first()
        .click()
    },
    part: main,
  },
  surgery: {
    at: '/surgeries?view=list',
    as: 'provider',
    prepare: (page) => main(page).getByRole('listitem').first().getByRole('button').first().click(),
    part: dialog,
  },
  receipts: { at: '/collections?tab=receipts&period=this-year', as: 'billing', part: main },
  outstanding: { at: '/collections?tab=outstanding', as: 'billing', part: main },
  users: { at: '/settings/users', as: 'admin', part: main },
  integrations: { at: '/settings/integrations', as: 'admin', part: main },
  palette: { at: '/tasks', as: 'sales', prepare: (page) => page.keyboard.press('Control+k'), part: dialog },
  tasks: { at: '/tasks', as: 'sales', part: main },
  quote: { at: `/contacts/${patient}/quotes/new`, as: 'sales', part: main },
  'take-payment': {
    at: `/contacts/${patient}`,
    as: 'frontdesk',
    prepare: (page) => page.getByRole('button', { name: 'Take Payment' }).click(),
    part: dialog,
  },
  'documents-to-review': { at: '/documents', as: 'frontdesk', part: main },
  inbox: {
    at: '/inbox',
    as: 'sales',
    prepare: (page) => page.getByRole('list', { name: 'Conversations' }).getByRole('listitem').first().click(),
    part: main,
  },
  'form-editor': {
    at: '/settings/forms',
    as: 'admin',
    prepare: openFormEditor,
    part: main,
  },
  'form-review': { at: '/', as: 'provider', prepare: openReview, part: dialog },
  'import-columns': {
    at: '/contacts/import',
    as: 'sales',
    prepare: (page) => page.getByLabel('CSV or Excel file').setInputFiles(spreadsheet),
    part: main,
  },
})

const found = await findChromium()
const browser = await chromium.launch({
  executablePath: found.executablePath,
  args: chromiumFlags,
  env: { ...process.env, ...found.env, LC_ALL: 'C.UTF-8' },
})
const newContext = (viewport = size) =>
  browser.newContext({
    baseURL: options.url,
    viewport,
    locale: 'en-CA',
    colorScheme: 'light',
    reducedMotion: 'reduce',
    bypassCSP: true,
  })

async function signIn(who: string, viewport = size): Promise<BrowserContext> {
  const context = await newContext(viewport)
  const answer = await context.request.post('/api/auth/sign-in', { data: { email: `${who}@refyne.example`, password } })
  if (!answer.ok()) throw new Error(`The demo clinic at ${options.url} refused the sign-in of ${who} with status ${answer.status()}`)
  return context
}

const visitor = await newContext()
for (const [name, at] of chosen(signedOut)) await capture(visitor, name, at)
const admin = await signIn('admin')
const patient = await patientWithData()
const charted = await patientWithChart()
const photographed = await patientWithPhotos()
for (const [name, at] of chosen(staffPages(patient, charted, photographed))) await capture(admin, name, at)
if ('consent-editor'.includes(options.only)) await capture(admin, 'consent-editor', `/settings/consent-forms/${await consentForm()}`)
if ('consent-tablet guide/consent-tablet'.includes(options.only)) await captureTablet()
for (const [name, { at, prepare }] of chosen({ ...staffViews, ...photoViews(photographed), ...(await outreachViews()) }))
  await capture(admin, name, at, prepare)
if (chosen({ 'patient-form': true }).length > 0) await captureForm('patient-form')
if ('patient-portal-photos'.includes(options.only)) await capturePortalPhotos(photographed)
if ('booking'.startsWith(options.only.split('-')[0]!)) await captureBooking()
const people = new Map<string, BrowserContext>()
if ('patient-portal-home-messages-instructions'.includes(options.only)) await capturePortal()
for (const [name, picture] of chosen(guidePictures(patient, charted), 'guide/')) await captureForGuide(name, picture)
await browser.close()

function chosen<Value>(pages: Record<string, Value>, prefix = ''): [string, Value][] {
  return Object.entries(pages).filter(([name]) => (prefix + name).includes(options.only))
}

/** A patient with a booked surgery has appointments, tasks, documents and payments. */
async function patientWithData(): Promise<string> {
  const answer = await admin.request.get('/api/contacts?stageId=surgery_booked&limit=1&sort=follow-up')
  const { data } = (await answer.json()) as { data: { id: string }[] }
  if (!data[0]) throw new Error('The demo clinic has no patient with a booked surgery')
  return data[0].id
}

/** Patients with a surgery, who have the most on record, and the newest ones. */
async function patientsToTry(): Promise<string[]> {
  const surgeries = await get<{ data: { contact: { id: string } }[] }>('/surgeries')
  const newest = await get<{ data: { id: string }[] }>('/contacts?limit=100&sort=newest')
  return [...new Set([...surgeries.data.map(({ contact }) => contact.id), ...newest.data.map(({ id }) => id)])]
}

async function patientWithPhotos(): Promise<string> {
  for (const id of await patientsToTry()) if ((await get<unknown[]>(`/contacts/${id}/photos`)).length > 0) return id
  throw new Error('No patient has photos: run the demo with --reset')
}

/** The patient with the most allergies, medications, conditions and alerts. */
async function patientWithChart(): Promise<string> {
  let most = { id: '', count: 0 }
  for (const id of await patientsToTry()) {
    const { entries } = await get<{ entries: unknown[] }>(`/contacts/${id}/health`)
    if (entries.length > most.count) most = { id, count: entries.length }
  }
  if (most.count === 0) throw new Error('The demo clinic has no patient with a chart')
  return most.id
}

async function get<Answer>(at: string): Promise<Answer> {
  const answer = await admin.request.get(`/api${at}`)
  return (await answer.json()) as Answer
}

async function consentForm(): Promise<string> {
  const found = (await get<{ id: string; use: string; publishedNumber: number | null }[]>('/consent-templates')).find(
    ({ use, publishedNumber }) => use === 'procedures' && publishedNumber !== null,
  )
  if (!found) throw new Error('The demo clinic has no published consent form')
  return found.id
}

/** A consent form that is read on a tablet of the practice, with the first clause initialled. */
async function captureTablet() {
  const { data } = await get<{ data: { id: string; contact: { id: string } }[] }>('/surgeries')
  for (const { id, contact } of data) {
    const required = await get<{ consent: { id: string; status: string } | null }[]>(`/surgeries/${id}/consent-forms`)
    const open = required.find(({ consent }) => consent?.status === 'sent')?.consent
    if (!open) continue
    const items = [{ kind: 'consent form', id: open.id }]
    const answer = await admin.request.post(`/api/contacts/${contact.id}/tablet`, { data: { items } })
    const { code } = (await answer.json()) as { code: string }
    const tablet = await newContext({ width: 1024, height: 768 })
    const page = await tablet.newPage()
    await page.goto(`/tablet#${code}`)
    await page
      .getByRole('button', { name: /^Initial/ })
      .first()
      .click()
    await waitUntilStill(page)
    const picture = await page.screenshot()
    await save(path.join(folder, 'consent-tablet.webp'), picture)
    await save(path.join(guideFolder, 'consent-tablet.webp'), picture)
    return
  }
  throw new Error('The demo clinic has no open consent form')
}

async function capture(context: BrowserContext, name: string, at: string, prepare?: (page: Page) => Promise<unknown>) {
  const page = await context.newPage()
  await page.goto(at)
  await waitUntilStill(page)
  if (prepare) {
    await prepare(page)
    await waitUntilStill(page)
  }
  await save(path.join(folder, `${name}.webp`), await page.screenshot({ style: withoutReminders }))
  await page.close()
}

/** A patient books a visit with a deposit: each step, on a desk and on a phone. It is paid, so the demo has one appointment more. */
async function captureBooking() {
  const { visits } = await get<{ visits: { name: string; depositCents: number }[] }>('/booking')
  const visit = visits.find(({ depositCents }) => depositCents > 0)
  if (!visit) throw new Error('The demo clinic has no visit with a deposit')
  const page = await visitor.newPage()
  const shoot = async (name: string) => {
    for (const [suffix, viewport] of [
      ['', size],
      ['-phone', phoneSize],
    ] as const) {
      await page.setViewportSize(viewport)
      await waitUntilStill(page)
      await save(path.join(folder, `booking-${name}${suffix}.webp`), await page.screenshot())
    }
    await page.setViewportSize(size)
  }
  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
  await page.goto('/book?language=en')
  await shoot('visits')
  await press(new RegExp(`^${visit.name}`))
  await page
    .getByRole('group')
    .getByRole('button', { name: /\d:\d\d/ })
    .first()
    .click()
  await shoot('times')
  await press('Continue')
  const email = `nora-${Date.now()}@example.ca`
  await page.getByLabel('First name').fill('Nora')
  await page.getByLabel('Last name').fill('Lindqvist')
  await page.getByLabel('Email').fill(email)
  await shoot('details')
  await press('Send me a code')
  const code = page.getByLabel('6-digit code')
  await code.waitFor()
  await shoot('code')
  await code.fill(await codeFor(email))
  await page.getByRole('checkbox').check()
  await shoot('held')
  await press('Continue to card details')
  const card = page.frameLocator('iframe')
  await card.locator('[name=number]').fill('4242424242424242')
  await card.locator('[name=expiry]').fill('12 / 40')
  await card.locator('[name=cvc]').fill('123')
  await shoot('payment')
  await press(/^Pay /)
  await page.getByRole('heading', { name: 'Your visit is booked' }).waitFor()
  await shoot('confirmed')
  await page.goto((await page.getByRole('link', { name: /cancel/ }).getAttribute('href'))!)
  await shoot('change')
  await page.close()
}

/** The portal of the patient who wrote a message there. A reload would end the session, so one page is walked. */
async function capturePortal() {
  const { data } = (await (await admin.request.get('/api/inbox/conversations?show=all&search=Portal')).json()) as {
    data: { channel: string; contact: { id: string } | null }[]
  }
  const contact = data.find(({ channel }) => channel === 'portal')?.contact
  if (!contact) throw new Error('The demo clinic has no conversation of the portal')
  const { email } = (await (await admin.request.get(`/api/contacts/${contact.id}`)).json()) as { email: string }
  const { page, home } = await enterPortal(email)
  const shoot = async (name: string) => {
    await waitUntilStill(page)
    await save(path.join(folder, `${name}.webp`), await page.screenshot({ fullPage: true }))
  }
  await shoot('patient-portal-home')
  await page.setViewportSize(phoneSize)
  await shoot('patient-portal-home-phone')
  for (const [name, button] of [
    ['messages', /^Messages/],
    ['instructions', /^How to prepare/],
  ] as const) {
    await page.getByRole('button', { name: button }).first().click()
    await home.waitFor({ state: 'hidden' })
    await waitUntilStill(page)
    await page.evaluate(() => scrollTo(0, 0))
    await shoot(`patient-portal-${name}-phone`)
    await page.getByRole('button', { name: 'Home' }).click()
    await home.waitFor()
  }
  await page.close()
}

async function enterPortal(email: string) {
  const page = await visitor.newPage()
  await page.goto(`/portal?email=${encodeURIComponent(email)}`)
  await page.getByRole('button', { name: 'Request Access' }).click()
  const code = page.getByLabel('Verification code')
  await code.waitFor()
  await waitUntilStill(page)
  await code.fill(await codeFor(email))
  await page.getByRole('button', { name: 'Verify' }).click()
  const home = page.getByRole('heading', { level: 1, name: /^Hello/ })
  await home.waitFor()
  return { page, home }
}

/** The released photos of a patient, on a desk and on a phone. */
async function capturePortalPhotos(id: string) {
  const { email } = await get<{ email: string }>(`/contacts/${id}`)
  const { page } = await enterPortal(email)
  await page.getByRole('button', { name: /^Your photos/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Your photos' }).waitFor()
  for (const [name, viewport] of [
    ['patient-portal-photos', size],
    ['patient-portal-photos-phone', phoneSize],
  ] as const) {
    await page.setViewportSize(viewport)
    await waitUntilStill(page)
    await save(path.join(folder, `${name}.webp`), await page.screenshot())
  }
  await page.close()
}

/** The newest code that was emailed to a patient. */
async function codeFor(email: string): Promise<string> {
  const emails = (await (await fetch(`${options.outbox}/_outbox?to=${encodeURIComponent(email)}`)).json()) as { Subject: string }[]
  return emails.map(({ Subject }) => /^\d{6}/.exec(Subject)?.[0]).find((code) => code !== undefined) ?? ''
}

/** A form that a patient has begun, on a phone. */
async function captureForm(name: string) {
  const { link, sentTo } = await startedForm()
  const page = await (await newContext(phoneSize)).newPage()
  await page.goto(`${new URL(link).pathname}?email=${encodeURIComponent(sentTo)}`)
  await page.getByRole('button', { name: 'Request Access' }).click()
  const field = page.getByLabel('Verification code')
  await field.waitFor()
  await waitUntilStill(page)
  await field.fill(await codeFor(sentTo))
  await field.press('Enter')
  await page.getByRole('progressbar').waitFor()
  await waitUntilStill(page)
  await save(path.join(folder, `${name}.webp`), await page.screenshot())
  await page.context().close()
}

async function startedForm(): Promise<{ link: string; sentTo: string }> {
  const { data } = (await (await admin.request.get('/api/contacts?limit=50&sort=newest')).json()) as { data: { id: string }[] }
  for (const { id } of data) {
    const forms = (await (await admin.request.get(`/api/contacts/${id}/forms`)).json()) as {
      status: string
      link: string
      sentTo: string | null
    }[]
    for (const { status, link, sentTo } of forms) if (status === 'started' && sentTo !== null) return { link, sentTo }
  }
  throw new Error('The demo clinic has no form that a patient has begun')
}

async function captureForGuide(name: string, { at, as, prepare, part }: GuidePicture) {
  const context = people.get(as) ?? (await signIn(as, guideSize))
  people.set(as, context)
  const page = await context.newPage()
  await page.goto(at)
  await page.addStyleTag({ content: withoutReminders })
  await waitUntilStill(page)
  await prepare?.(page)
  await waitUntilStill(page)
  await save(path.join(guideFolder, `${name}.webp`), await part(page).screenshot())
  await page.close()
}

async function save(file: string, picture: Buffer) {
  await sharp(picture).webp({ quality: 80, effort: 6 }).toFile(file)
  console.log(`${path.relative(process.cwd(), file)}: ${Math.round(fs.statSync(file).size / 1024)} KiB`)
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
