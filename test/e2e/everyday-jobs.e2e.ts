import type { Page } from '@playwright/test'
import { expect, test } from './clinic.ts'
import { documentedJobs, Hands } from './hands.ts'

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

type NewPatient = { firstName: string; lastName: string; email?: string; phone?: string }

/** Adds a patient the way the test needs one; not part of the job. */
async function patient(page: Page, input: NewPatient): Promise<string> {
  const answer = await page.request.post('/api/contacts', { data: input })
  expect(answer.status()).toBe(200)
  const { id } = (await answer.json()) as { id: string }
  return id
}

const rows = (page: Page) => page.getByRole('table', { name: 'Patients' }).locator('tbody tr')

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
  await hands.press('q', 'u', 'Enter')
  await expect(page.getByText('20 patients moved to Quote Sent')).toBeVisible()
})

job('Assign a lead to a colleague', async (page, hands) => {
  await patient(page, { firstName: 'Rosalie', lastName: 'Fontaine' })
  await expect(rows(page).first()).toContainText('Rosalie Fontaine')
  await hands.press('j', 'a')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await hands.press('d', 'Enter')
  await expect(page.getByText(/1 patient assigned to Devon Achebe/)).toBeVisible()
})

job('Book a follow-up in a week', async (page, hands) => {
  const id = await patient(page, { firstName: 'Justine', lastName: 'Morin' })
  await expect(rows(page).first()).toContainText('Justine Morin')
  await hands.press('j', 'f')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await hands.press('ArrowDown', 'ArrowDown', 'Enter')
  await expect(page.getByText(/^1 patient to follow up/)).toBeVisible()
  const { nextFollowUpDate } = (await (await page.request.get(`/api/contacts/${id}`)).json()) as { nextFollowUpDate: string }
  const days = (Date.parse(nextFollowUpDate) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(5.9)
  expect(days).toBeLessThan(8.1)
})

test('issue 3: every job of docs/everyday-jobs.md is done by a test here', () => {
  expect([...done]).toEqual([...documented.keys()])
})
