import type { Page } from '@playwright/test'
import { expect, test } from '../clinic.ts'
import { documentedJobs, Hands } from '../hands.ts'

const documented = documentedJobs()
const done = new Set<string>()

type Open = (who: string, at: string) => Promise<Page>

/** Does a job as the page tells how, from the list of patients on, and holds what it took against the page. */
function job(name: string, work: (page: Page, hands: Hands, open: Open) => Promise<void>) {
  done.add(name)
  test(`issue 3: everyday job: ${name}`, async ({ open }) => {
    const page = await open('sales', '/contacts')
    await expect(page.getByRole('table', { name: 'Patients' }).getByRole('row').nth(1)).toBeVisible()
    const hands = new Hands(page)
    await work(page, hands, open)
    expect(hands.effort).toEqual(documented.get(name))
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

/** Adds a patient the way the test needs one; not part of the job. */
async function patient(page: Page, input: NewPatient): Promise<string> {
  const answer = await page.request.post('/api/contacts', { data: input })
  expect(answer.status()).toBe(200)
  const { id } = (await answer.json()) as { id: string }
  return id
}

const rows = (page: Page) => page.getByRole('table', { name: 'Patients' }).locator('[data-row]')

job('Add a lead from a phone call', async (page, hands) => {
  await hands.press('n')
  await expect(page.getByLabel('First name')).toBeFocused()
  await hands.type('Maud')
  await hands.press('Tab')
  await hands.type('Tremblay')
  await hands.press('Tab')
  await hands.type('maud.tremblay@example.com')
  await hands.press('Tab')
  await hands.type('5145550198')
  await hands.press('Enter')
  await expect(page.getByRole('heading', { name: 'Maud Tremblay' })).toBeVisible()
})

job('Find a patient by the last four digits and log a call', async (page, hands) => {
  await patient(page, { firstName: 'Odile', lastName: 'Vachon', phone: '(514) 555-7391' })
  await hands.press('/')
  await hands.type('7391')
  await expect(rows(page)).toHaveCount(1)
  await hands.press('ArrowDown', 'Enter')
  await expect(page.getByRole('heading', { name: 'Odile Vachon' })).toBeVisible()
  await hands.press('l')
  await hands.type('Will think about the date')
  await hands.press('Control+Enter')
  await expect(page.getByRole('tabpanel').getByText('Will think about the date')).toBeVisible()
})

job('Move 20 leads to another stage', async (page, hands) => {
  const lastName = `Batch${Date.now()}`
  for (let i = 0; i < 20; i++) await patient(page, { firstName: `Lead ${i}`, lastName })
  await page.goto(`/contacts?search=${lastName}`)
  await expect(rows(page)).toHaveCount(20)
  await hands.press('Control+a', 's')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await hands.press('q', 'u')
  await expect(page.getByRole('menuitem', { name: 'Quote Sent' })).toBeFocused()
  await hands.press('Enter')
  await expect(page.getByText('20 patients moved to Quote Sent')).toBeVisible()
})

job('Assign a lead to a colleague', async (page, hands) => {
  await patient(page, { firstName: 'Rosalie', lastName: 'Fontaine' })
  await expect(rows(page).first()).toContainText('Rosalie Fontaine')
  await hands.press('j', 'a')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await hands.press('d')
  await expect(page.getByRole('menuitem', { name: 'Devon Achebe' })).toBeFocused()
  await hands.press('Enter')
  await expect(page.getByText(/1 patient assigned to Devon Achebe/)).toBeVisible()
})

job('Book a follow-up in a week', async (page, hands) => {
  const id = await patient(page, { firstName: 'Justine', lastName: 'Morin' })
  await expect(rows(page).first()).toContainText('Justine Morin')
  await hands.press('j', 'f')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await hands.press('ArrowDown')
  await expect(page.getByRole('menuitem').nth(1)).toBeFocused()
  await hands.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: /In a week/ })).toBeFocused()
  await hands.press('Enter')
  await expect(page.getByText(/^1 patient to follow up/)).toBeVisible()
  const { nextFollowUpDate } = (await (await page.request.get(`/api/contacts/${id}`)).json()) as { nextFollowUpDate: string }
  const days = (Date.parse(nextFollowUpDate) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(5.9)
  expect(days).toBeLessThan(8.1)
})

job('Find today’s new leads of a source', async (page, hands) => {
  await patient(page, { firstName: 'Anaïs', lastName: 'Gauthier', leadSource: 'Social Media' })
  await hands.press('Shift+F')
  const option = (name: string) => page.getByRole('dialog', { name: 'Filter' }).getByRole('option', { name }).first()
  await expect(option('Stage')).toBeVisible()
  await hands.type('social')
  await expect(option('Source: Social Media')).toHaveAttribute('aria-selected', 'true')
  await hands.press('Enter')
  await expect(page.getByRole('button', { name: 'Source: Social Media' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Filter', exact: true })).toBeFocused()
  await hands.press('Enter')
  await expect(option('Stage')).toBeVisible()
  await hands.type('added to')
  await expect(option('Added: Today')).toHaveAttribute('aria-selected', 'true')
  await hands.press('Enter')
  await expect(page.getByRole('button', { name: 'Added: Today' })).toBeVisible()
  await expect(rows(page).first()).toContainText('Anaïs Gauthier')
})

job('Merge two records of one patient', async (page, hands) => {
  const id = await patient(page, { firstName: 'Noemie', lastName: 'Lavallée', phone: '(514) 555-0163' })
  const twice = await patient(page, { firstName: 'Noémie', lastName: 'Lavallée' })
  await hands.press('/')
  await hands.type('lavallee')
  await expect(rows(page)).toHaveCount(2)
  await hands.press('ArrowDown', 'ArrowDown', 'Enter')
  await expect(page.getByRole('heading', { name: 'Noemie Lavallée' })).toBeVisible()
  await hands.press('m')
  await expect(page.getByRole('combobox', { name: /same person/ })).toBeVisible()
  await hands.click(page.getByRole('combobox', { name: /same person/ }))
  await hands.type('lavallee')
  await expect(page.getByRole('option')).toHaveCount(1)
  await expect(page.getByRole('option', { name: 'Noémie Lavallée' })).toHaveAttribute('aria-selected', 'true')
  await hands.press('Enter')
  await expect(page.getByRole('button', { name: 'Merge patients' })).toBeEnabled()
  await hands.press('m')
  await expect(page).toHaveURL(`/contacts/${id}`)
  expect((await page.request.get(`/api/contacts/${twice}`)).status()).toBe(404)
})

job('Fix a phone number', async (page, hands) => {
  const id = await patient(page, { firstName: 'Rosemonde', lastName: 'Thériault', phone: '(514) 555-0117' })
  await hands.press('/')
  await hands.type('theriault')
  await expect(rows(page)).toHaveCount(1)
  await hands.press('ArrowDown', 'Enter')
  await hands.click(page.getByRole('button', { name: 'Phone: ' }))
  await expect(page.getByLabel('Phone', { exact: true })).toBeFocused()
  await hands.press('ControlOrMeta+A')
  await hands.type('5145550171')
  await hands.press('Enter')
  await expect(page.getByRole('button', { name: 'Phone: ' })).toHaveText(/\(514\) 555-0171/)
  expect(await page.request.get(`/api/contacts/${id}`).then((answer) => answer.json())).toMatchObject({ phone: '5145550171' })
})

job('See why a lead was lost', async (page, hands) => {
  const id = await patient(page, { firstName: 'Bérénice', lastName: 'Ouimet' })
  const lost = { version: 1, funnelStage: 'Cold Lead', lostReason: 'Price: wants to save up' }
  expect((await page.request.patch(`/api/contacts/${id}`, { data: lost })).status()).toBe(200)
  await hands.press('/')
  await hands.type('ouimet')
  await expect(rows(page)).toHaveCount(1)
  await hands.press('ArrowDown', 'Enter')
  await expect(page.getByText('Price: wants to save up').first()).toBeVisible()
})

job('Send a colleague a view', async (page, hands, open) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await hands.press('Shift+F')
  const option = (name: string) => page.getByRole('dialog', { name: 'Filter' }).getByRole('option', { name }).first()
  await expect(option('Stage')).toBeVisible()
  await hands.type('cold')
  await expect(option('Stage: Cold Lead')).toHaveAttribute('aria-selected', 'true')
  await hands.press('Enter')
  await hands.click(page.getByRole('button', { name: 'Save as…' }))
  await expect(page.getByRole('dialog', { name: 'Save view' }).getByLabel('Name')).toBeFocused()
  await hands.type('Gone cold')
  await hands.press('Tab', 'Space', 'Enter')
  await expect(page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: /^Gone cold/ })).toHaveAttribute(
    'aria-current',
    'page',
  )
  await hands.click(page.getByRole('button', { name: 'View options' }))
  await hands.click(page.getByRole('menuitem', { name: 'Copy link' }))
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/view=/)
  const address = new URL(await page.evaluate(() => navigator.clipboard.readText()))
  const theirs = await open('provider', address.pathname + address.search)
  await expect(theirs.getByRole('button', { name: 'Stage: Cold Lead' })).toBeVisible()
})

job('Quote a patient’s procedure of interest and send it', async (page, hands) => {
  const email = 'solange.paradis@example.com'
  await patient(page, { firstName: 'Solange', lastName: 'Paradis', email, procedureOfInterest: 'Rhinoplasty' })
  await hands.click(page.getByRole('link', { name: 'Solange Paradis' }))
  await expect(page.getByRole('heading', { name: 'Solange Paradis' })).toBeVisible()
  await hands.press('q')
  await expect(page.getByLabel('Description of line 1')).toHaveValue('Rhinoplasty, surgeon’s fee')
  await hands.press('Control+Enter')
  await hands.click(page.getByRole('dialog', { name: /^Send quote/ }).getByRole('button', { name: 'Send quote' }))
  await expect(page.getByRole('list', { name: 'Quotes' })).toContainText('Sent')
  const effort = hands.effort.clicks + hands.effort.keys + hands.effort.typed
  expect(effort, 'a quote for a known procedure in at most 4 actions').toBeLessThanOrEqual(4)
})

job('Book an appointment', async (page, hands) => {
  const people = (await (await page.request.get('/api/people')).json()) as { id: string; role: string }[]
  const assignedProviderId = people.find(({ role }) => role === 'provider')!.id
  const id = await patient(page, { firstName: 'Ghislaine', lastName: 'Paradis', assignedProviderId })
  await expect(rows(page).first()).toContainText('Ghislaine Paradis')
  await hands.press('j', 'Enter')
  await expect(page.getByRole('heading', { name: 'Ghislaine Paradis' })).toBeVisible()
  await hands.press('b')
  const booking = page.getByRole('dialog', { name: 'Book appointment' })
  await hands.click(booking.getByRole('radiogroup', { name: 'Openings of the day' }).getByRole('radio').first())
  await hands.click(booking.getByRole('button', { name: /^Book \w{3}, / }))
  await expect(booking).toHaveCount(0)
  expect(await (await page.request.get(`/api/contacts/${id}/appointments`)).json()).toMatchObject([{ status: 'booked' }])
  const effort = hands.effort.clicks + hands.effort.keys + hands.effort.typed
  expect(effort, 'booking in at most 5 actions').toBeLessThanOrEqual(5)
})

test('issue 3: every job of docs/everyday-jobs.md is done by a test here', () => {
  expect([...done]).toEqual([...documented.keys()])
})
