import type { Page } from '@playwright/test'
import { expect, test } from '../support/clinic.ts'
import { documentedJobs, type Effort, SimulatedUser } from '../support/simulated-user.ts'

const done = new Set<string>()

type Open = (who: string, at: string) => Promise<Page>

/** Runs a job as the guide describes it, starting from the patient list, and counts what it takes. */
function job(name: string, effort: Effort, work: (page: Page, user: SimulatedUser, open: Open) => Promise<void>) {
  done.add(name)
  test(`everyday job: ${name}`, { tag: '@journey' }, async ({ open }) => {
    const page = await open('sales', '/contacts')
    await expect(page.getByRole('table', { name: 'Patients' }).getByRole('row').nth(1)).toBeVisible()
    const user = new SimulatedUser(page)
    await work(page, user, open)
    expect(user.effort).toEqual(effort)
  })
}

type NewPatient = {
  firstName: string
  lastName: string
  email?: string
  phone?: string
  leadSource?: string
  procedureOfInterest?: string
  assignedProviderId?: string
}

/** Adds a patient for the test; not part of the job. */
async function addPatient(page: Page, input: NewPatient): Promise<string> {
  const response = await page.request.post('/api/contacts', { data: input })
  expect(response.status()).toBe(200)
  const { id } = (await response.json()) as { id: string }
  return id
}

const rows = (page: Page) => page.getByRole('table', { name: 'Patients' }).locator('[data-row]')

job('Add a lead from a phone call', { clicks: 0, keys: 5, typed: 47 }, async (page, user) => {
  await user.press('n')
  await expect(page.getByLabel('First name')).toBeFocused()
  await user.type('Maud')
  await user.press('Tab')
  await user.type('Tremblay')
  await user.press('Tab')
  await user.type('maud.tremblay@example.com')
  await user.press('Tab')
  await user.type('5145550198')
  await user.press('Enter')
  await expect(page.getByRole('heading', { name: 'Maud Tremblay' })).toBeVisible()
})

job('Find a patient by the last four digits and log a call', { clicks: 0, keys: 5, typed: 29 }, async (page, user) => {
  await addPatient(page, { firstName: 'Odile', lastName: 'Vachon', phone: '(514) 555-7391' })
  await user.press('/')
  await user.type('7391')
  await expect(rows(page)).toHaveCount(1)
  await user.press('ArrowDown', 'Enter')
  await expect(page.getByRole('heading', { name: 'Odile Vachon' })).toBeVisible()
  await user.press('l')
  await user.type('Will think about the date')
  await user.press('Control+Enter')
  await expect(page.getByRole('tabpanel').getByText('Will think about the date')).toBeVisible()
})

job('Move 20 leads to another stage', { clicks: 0, keys: 5, typed: 0 }, async (page, user) => {
  const lastName = `Batch${Date.now()}`
  for (let i = 0; i < 20; i++) await addPatient(page, { firstName: `Lead ${i}`, lastName })
  await page.goto(`/contacts?search=${lastName}`)
  await expect(rows(page)).toHaveCount(20)
  await user.press('Control+a', 's')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await user.press('q', 'u')
  await expect(page.getByRole('menuitem', { name: 'Quote Sent' })).toBeFocused()
  await user.press('Enter')
  await expect(page.getByText('20 patients moved to Quote Sent')).toBeVisible()
})

job('Assign a lead to a colleague', { clicks: 0, keys: 4, typed: 0 }, async (page, user) => {
  await addPatient(page, { firstName: 'Rosalie', lastName: 'Fontaine' })
  await expect(rows(page).first()).toContainText('Rosalie Fontaine')
  await user.press('j', 'a')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await user.press('d')
  await expect(page.getByRole('menuitem', { name: 'Devon Achebe' })).toBeFocused()
  await user.press('Enter')
  await expect(page.getByText(/1 patient assigned to Devon Achebe/)).toBeVisible()
})

job('Book a follow-up in a week', { clicks: 0, keys: 5, typed: 0 }, async (page, user) => {
  const id = await addPatient(page, { firstName: 'Justine', lastName: 'Morin' })
  await expect(rows(page).first()).toContainText('Justine Morin')
  await user.press('j', 'f')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await user.press('ArrowDown')
  await expect(page.getByRole('menuitem').nth(1)).toBeFocused()
  await user.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: /In a week/ })).toBeFocused()
  await user.press('Enter')
  await expect(page.getByText(/^1 patient set to follow up/)).toBeVisible()
  const { nextFollowUpDate } = (await (await page.request.get(`/api/contacts/${id}`)).json()) as { nextFollowUpDate: string }
  const days = (Date.parse(nextFollowUpDate) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(5.9)
  expect(days).toBeLessThan(8.1)
})

job('Find today’s new leads of a source', { clicks: 0, keys: 4, typed: 14 }, async (page, user) => {
  await addPatient(page, { firstName: 'Anaïs', lastName: 'Gauthier', leadSource: 'Social Media' })
  await user.press('Shift+F')
  const option = (name: string) => page.getByRole('dialog', { name: 'Filter' }).getByRole('option', { name }).first()
  await expect(option('Stage')).toBeVisible()
  await user.type('social')
  await expect(option('Source: Social Media')).toHaveAttribute('aria-selected', 'true')
  await user.press('Enter')
  await expect(page.getByRole('button', { name: 'Source: Social Media' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Filter', exact: true })).toBeFocused()
  await user.press('Enter')
  await expect(option('Stage')).toBeVisible()
  await user.type('added to')
  await expect(option('Added: Today')).toHaveAttribute('aria-selected', 'true')
  await user.press('Enter')
  await expect(page.getByRole('button', { name: 'Added: Today' })).toBeVisible()
  await expect(rows(page).first()).toContainText('Anaïs Gauthier')
})

job('Merge two records of one patient', { clicks: 1, keys: 7, typed: 16 }, async (page, user) => {
  const id = await addPatient(page, { firstName: 'Noemie', lastName: 'Lavallée', phone: '(514) 555-0163' })
  const duplicateId = await addPatient(page, { firstName: 'Noémie', lastName: 'Lavallée' })
  await user.press('/')
  await user.type('lavallee')
  await expect(rows(page)).toHaveCount(2)
  await user.press('ArrowDown', 'ArrowDown', 'Enter')
  await expect(page.getByRole('heading', { name: 'Noemie Lavallée' })).toBeVisible()
  await user.press('m')
  await expect(page.getByRole('combobox', { name: /same person/ })).toBeVisible()
  await user.click(page.getByRole('combobox', { name: /same person/ }))
  await user.type('lavallee')
  await expect(page.getByRole('option')).toHaveCount(1)
  await expect(page.getByRole('option', { name: 'Noémie Lavallée' })).toHaveAttribute('aria-selected', 'true')
  await user.press('Enter')
  await expect(page.getByRole('button', { name: 'Merge patients' })).toBeEnabled()
  await user.press('m')
  await expect(page).toHaveURL(`/contacts/${id}`)
  expect((await page.request.get(`/api/contacts/${duplicateId}`)).status()).toBe(404)
})

job('Fix a phone number', { clicks: 1, keys: 5, typed: 19 }, async (page, user) => {
  const id = await addPatient(page, { firstName: 'Rosemonde', lastName: 'Thériault', phone: '(514) 555-0117' })
  await user.press('/')
  await user.type('theriault')
  await expect(rows(page)).toHaveCount(1)
  await user.press('ArrowDown', 'Enter')
  await user.click(page.getByRole('button', { name: 'Phone: ' }))
  await expect(page.getByLabel('Phone', { exact: true })).toBeFocused()
  await user.press('ControlOrMeta+A')
  await user.type('5145550171')
  await user.press('Enter')
  await expect(page.getByRole('button', { name: 'Phone: ' })).toHaveText(/\(514\) 555-0171/)
  expect(await page.request.get(`/api/contacts/${id}`).then((response) => response.json())).toMatchObject({ phone: '5145550171' })
})

job('See why a lead was lost', { clicks: 0, keys: 3, typed: 6 }, async (page, user) => {
  const id = await addPatient(page, { firstName: 'Bérénice', lastName: 'Ouimet' })
  const lost = { version: 1, funnelStage: 'Cold Lead', lostReason: 'Price: wants to save up' }
  expect((await page.request.patch(`/api/contacts/${id}`, { data: lost })).status()).toBe(200)
  await user.press('/')
  await user.type('ouimet')
  await expect(rows(page)).toHaveCount(1)
  await user.press('ArrowDown', 'Enter')
  await expect(page.getByText('Price: wants to save up').first()).toBeVisible()
})

job('Send a colleague a view', { clicks: 3, keys: 5, typed: 13 }, async (page, user, open) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await user.press('Shift+F')
  const option = (name: string) => page.getByRole('dialog', { name: 'Filter' }).getByRole('option', { name }).first()
  await expect(option('Stage')).toBeVisible()
  await user.type('cold')
  await expect(option('Stage: Cold Lead')).toHaveAttribute('aria-selected', 'true')
  await user.press('Enter')
  await user.click(page.getByRole('button', { name: 'Save as…' }))
  await expect(page.getByRole('dialog', { name: 'Save view' }).getByLabel('Name')).toBeFocused()
  await user.type('Gone cold')
  await user.press('Tab', 'Space', 'Enter')
  await expect(page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: /^Gone cold/ })).toHaveAttribute(
    'aria-current',
    'page',
  )
  await user.click(page.getByRole('button', { name: 'View options' }))
  await user.click(page.getByRole('menuitem', { name: 'Copy link' }))
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/view=/)
  const address = new URL(await page.evaluate(() => navigator.clipboard.readText()))
  const colleaguePage = await open('provider', address.pathname + address.search)
  await expect(colleaguePage.getByRole('button', { name: 'Stage: Cold Lead' })).toBeVisible()
})

job('Quote a patient’s procedure of interest and send it', { clicks: 2, keys: 2, typed: 0 }, async (page, user) => {
  const email = 'solange.paradis@example.com'
  await addPatient(page, { firstName: 'Solange', lastName: 'Paradis', email, procedureOfInterest: 'Rhinoplasty' })
  await user.click(page.getByRole('link', { name: 'Solange Paradis' }))
  await expect(page.getByRole('heading', { name: 'Solange Paradis' })).toBeVisible()
  await user.press('q')
  await expect(page.getByLabel('Description of line 1')).toHaveValue('Rhinoplasty, surgeon’s fee')
  await user.press('Control+Enter')
  await user.click(page.getByRole('dialog', { name: /^Send quote/ }).getByRole('button', { name: 'Send quote' }))
  await expect(page.getByRole('list', { name: 'Quotes' })).toContainText('Sent')
  const effort = user.effort.clicks + user.effort.keys + user.effort.typed
  expect(effort, 'a quote for a known procedure in at most 4 actions').toBeLessThanOrEqual(4)
})

job('Book an appointment', { clicks: 2, keys: 3, typed: 0 }, async (page, user) => {
  const people = (await (await page.request.get('/api/people')).json()) as { id: string; role: string }[]
  const assignedProviderId = people.find(({ role }) => role === 'provider')!.id
  const id = await addPatient(page, { firstName: 'Ghislaine', lastName: 'Paradis', assignedProviderId })
  await expect(rows(page).first()).toContainText('Ghislaine Paradis')
  await user.press('j', 'Enter')
  await expect(page.getByRole('heading', { name: 'Ghislaine Paradis' })).toBeVisible()
  await user.press('b')
  const booking = page.getByRole('dialog', { name: 'Book appointment' })
  await user.click(booking.getByRole('radiogroup', { name: 'Openings of the day' }).getByRole('radio').first())
  await user.click(booking.getByRole('button', { name: /^Book \w{3}, / }))
  await expect(booking).toHaveCount(0)
  expect(await (await page.request.get(`/api/contacts/${id}/appointments`)).json()).toMatchObject([{ status: 'booked' }])
  const effort = user.effort.clicks + user.effort.keys + user.effort.typed
  expect(effort, 'booking in at most 5 actions').toBeLessThanOrEqual(5)
})

test('covers every job of docs/guide/everyday-jobs.md', () => {
  expect([...done]).toEqual(documentedJobs())
})
