import type { Page } from '@playwright/test'
import { expect, test } from './clinic.ts'

type Given = Record<string, unknown>

/** A patient of this test alone; answers with the address of the page. */
async function newPatient(page: Page, given: Given = {}): Promise<string> {
  const data = { firstName: 'Odile', lastName: `Beaulieu ${crypto.randomUUID().slice(0, 8)}`, phone: '905-555-0142', ...given }
  const answer = await page.request.post('/api/contacts', { data })
  expect(answer.status(), 'patient added').toBe(200)
  const { id } = (await answer.json()) as { id: string }
  return `/contacts/${id}`
}

/** The value of a fact, which is the button that edits it. */
const fact = (page: Page, label: string) => page.getByRole('button', { name: `${label}: ` })

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 375, height: 812 },
]) {
  test.describe(`at ${viewport.width} px`, () => {
    test.use({ viewport })

    async function openPatient(page: Page, address: string) {
      await page.goto(address)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      if (viewport.width < 1152) await page.getByRole('tab', { name: 'Details' }).click()
    }

    test('issue 3: each kind of value is edited where it stands, by mouse', async ({ open }) => {
      const page = await open('sales', '/contacts')
      await openPatient(page, await newPatient(page))
      const save = page.getByRole('button', { name: 'Save', exact: true })

      await fact(page, 'Phone').click()
      await page.getByLabel('Phone', { exact: true }).fill('(905) 555-0177')
      await save.click()
      await expect(fact(page, 'Phone')).toHaveText(/\(905\) 555-0177/)

      await fact(page, 'Owner').click()
      await page.getByRole('option', { name: 'Devon Achebe' }).click()
      await expect(fact(page, 'Owner')).toHaveText(/Devon Achebe/)

      await fact(page, 'Procedure').click()
      await page.getByPlaceholder('Choose, or type another').fill('Scar revision of the chin')
      await page.getByRole('option', { name: /Scar revision of the chin/ }).click()
      await expect(fact(page, 'Procedure')).toHaveText(/Scar revision of the chin/)

      await fact(page, 'Consent').click()
      await page.getByRole('checkbox', { name: /May be contacted/ }).click()
      await save.click()
      await expect(fact(page, 'Consent')).toHaveText(/May be contacted/)

      await fact(page, 'Revenue').click()
      await page.getByLabel('Revenue').fill('8200.5')
      await save.click()
      await expect(fact(page, 'Revenue')).toHaveText(/\$8,200\.50/)

      await fact(page, 'Surgery').click()
      await page.getByLabel('Surgical date').fill('2027-02-03')
      await save.click()
      await expect(fact(page, 'Surgery')).toHaveText(/Feb 3, 2027/)

      await fact(page, 'Specialist').click()
      await page.getByRole('checkbox', { name: /consult is required/ }).click()
      await save.click()
      await expect(page.getByText('Type is required')).toBeVisible()
      await page.getByLabel('Type').fill('Cardiology')
      await page.getByLabel('Reason').fill('Murmur')
      await save.click()
      await expect(fact(page, 'Specialist')).toHaveText(/Cardiology/)
      await expect(fact(page, 'Notes')).toHaveText(/Specialist consult required \(Cardiology\): Murmur/)

      await fact(page, 'Name').click()
      await page.getByLabel('First name').fill('Odette')
      await save.click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Odette Beaulieu/)
      await page.reload()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Odette Beaulieu/)
    })

    test('issue 3: values are edited by the keyboard alone: Enter, Tab to the next, Esc', async ({ open }) => {
      const page = await open('frontdesk', '/contacts')
      await openPatient(page, await newPatient(page))
      await fact(page, 'Phone').focus()
      await page.keyboard.press('Enter')
      await expect(page.getByLabel('Phone', { exact: true })).toBeFocused()
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.type('416 555 0188')
      await page.keyboard.press('Tab')
      await expect(page.getByLabel('Email', { exact: true })).toBeFocused()
      await page.keyboard.type('odile@')
      await page.keyboard.press('Enter')
      await expect(page.getByText('Please enter a valid email address')).toBeVisible()
      await page.keyboard.press('End')
      await page.keyboard.type('fastmail.example')
      await page.keyboard.press('Tab')
      await expect(page.getByLabel('Address')).toBeFocused()
      await page.keyboard.type('9 King St')
      await page.keyboard.press('Tab')
      await page.keyboard.type('Oakville')
      await page.keyboard.press('Enter')
      await expect(fact(page, 'Address')).toBeFocused()
      await expect(fact(page, 'Address')).toHaveText(/9 King St, Oakville/)
      await expect(fact(page, 'Phone')).toHaveText(/\(416\) 555-0188/)
      await expect(fact(page, 'Email')).toHaveText(/odile@fastmail\.example/)

      await page.keyboard.press('Enter')
      await page.keyboard.type(' never')
      await page.keyboard.press('Escape')
      await expect(fact(page, 'Address')).toBeFocused()
      await expect(fact(page, 'Address')).toHaveText(/9 King St, Oakville$/)

      await fact(page, 'Notes').focus()
      await page.keyboard.press('Enter')
      await page.keyboard.type('First line')
      await page.keyboard.press('Enter')
      await page.keyboard.type('second line')
      await page.keyboard.press('ControlOrMeta+Enter')
      await expect(fact(page, 'Notes')).toBeFocused()
      await expect(fact(page, 'Notes')).toHaveText(/First line\s+second line/)
    })
  })
}

test('issue 3: two edit one field: both values are shown, and either can be kept', async ({ open, expectedErrors }) => {
  expectedErrors.push('409')
  const mine = await open('sales', '/contacts')
  const address = await newPatient(mine)
  const theirs = await open('provider', address)
  await mine.goto(address)

  await fact(mine, 'Phone').click()
  await mine.getByLabel('Phone', { exact: true }).fill('905 555 0101')
  await fact(theirs, 'Phone').click()
  await theirs.getByLabel('Phone', { exact: true }).fill('905 555 0202')
  await theirs.keyboard.press('Enter')
  await expect(fact(theirs, 'Phone')).toHaveText(/\(905\) 555-0202/)
  // The page knows of it by now: what was typed here still counts as written on the older version.
  await expect(mine.getByText(/Phone changed/).first()).toBeVisible()
  await mine.keyboard.press('Enter')
  const dialog = mine.getByRole('dialog', { name: 'Changed by somebody else meanwhile' })
  await expect(dialog).toContainText('(905) 555-0101')
  await expect(dialog).toContainText('(905) 555-0202')
  await dialog.getByRole('radio', { name: 'Keep mine' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(fact(mine, 'Phone')).toHaveText(/\(905\) 555-0101/)
  await expect(fact(theirs, 'Phone')).toHaveText(/\(905\) 555-0101/)
})

test('issue 3: what is typed in place is not lost by a failure, another tab of the page, or leaving it', async ({
  open,
  expectedErrors,
}) => {
  expectedErrors.push('Failed to load resource')
  const page = await open('sales', '/contacts')
  await page.goto(await newPatient(page))
  await fact(page, 'Company').click()
  await page.getByLabel('Company').fill('Fieldstone')
  await page.context().setOffline(true)
  await page.keyboard.press('Enter')
  await expect(page.getByText(/What you typed is kept/)).toBeVisible()
  await expect(page.getByLabel('Company')).toHaveValue('Fieldstone')
  await page.context().setOffline(false)

  await page.setViewportSize({ width: 375, height: 812 })
  await page.getByRole('tab', { name: 'Details' }).click()
  await page.getByRole('tab', { name: 'Timeline' }).click()
  await page.getByRole('tab', { name: 'Details' }).click()
  await expect(page.getByLabel('Company')).toHaveValue('Fieldstone')
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(page.getByLabel('Company')).toHaveValue('Fieldstone')

  await page.getByRole('link', { name: 'Tasks', exact: true }).first().click()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await page.getByLabel('Company').press('Enter')
  await expect(fact(page, 'Company')).toHaveText(/Fieldstone/)
})

test('issue 3: a change can be taken back; billing reads that clinical notes are not theirs to change', async ({ open }) => {
  const page = await open('sales', '/contacts')
  const address = await newPatient(page, { notes: 'Allergic to latex' })
  await page.goto(address)
  await fact(page, 'Phone').click()
  await page.getByLabel('Phone', { exact: true }).fill('')
  await page.keyboard.press('Enter')
  await expect(fact(page, 'Phone')).toHaveText(/None/)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(fact(page, 'Phone')).toHaveText(/\(905\) 555-0142/)

  const billing = await open('billing', address)
  await expect(billing.getByText('Billing neither sees nor changes clinical notes.')).toBeVisible()
  await expect(fact(billing, 'Notes')).toHaveCount(0)
  await expect(billing.getByText('Allergic to latex')).toHaveCount(0)
  await fact(billing, 'Revenue').click()
  await billing.getByLabel('Revenue').fill('lots')
  await billing.keyboard.press('Enter')
  await expect(billing.getByText('Enter an amount such as 8,200.00')).toBeVisible()
})
