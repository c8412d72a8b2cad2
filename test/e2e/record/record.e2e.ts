import type { Page } from '@playwright/test'
import { expect, test } from '../support/clinic.ts'
import { loseConnection } from '../support/offline.ts'

type Given = Record<string, unknown>

/** Creates a patient for this test and returns the URL of the page. */
async function newPatient(page: Page, given: Given = {}): Promise<string> {
  const data = { firstName: 'Odile', lastName: `Beaulieu ${crypto.randomUUID().slice(0, 8)}`, phone: '905-555-0142', ...given }
  const answer = await page.request.post('/api/contacts', { data })
  expect(answer.status(), 'patient added').toBe(200)
  const { id } = (await answer.json()) as { id: string }
  return `/contacts/${id}`
}

/** The button that shows a value and edits it. */
const fact = (page: Page, label: string) => page.getByRole('button', { name: new RegExp(`^${label}: `) })

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

    test('edits each type of field in place by mouse', async ({ open }) => {
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
      await expect(page.getByRole('checkbox', { name: /May be contacted/ })).toBeChecked()
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

    test('edits fields by keyboard only: Enter, Tab to the next, Esc', async ({ open }) => {
      const page = await open('frontdesk', '/contacts')
      await openPatient(page, await newPatient(page))
      await fact(page, 'Phone').focus()
      await page.keyboard.press('Enter')
      await expect(page.getByLabel('Phone', { exact: true })).toBeFocused()
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.type('416 555 0188')
      await page.keyboard.press('Tab') // to "Add another phone"
      await page.keyboard.press('Tab')
      await expect(page.getByLabel('Email', { exact: true })).toBeFocused()
      await page.keyboard.type('odile@')
      await page.keyboard.press('Enter')
      await expect(page.getByText('Please enter a valid email address')).toBeVisible()
      await page.keyboard.press('End')
      await page.keyboard.type('fastmail.example')
      await page.keyboard.press('Tab') // to "Add another email"
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

test('shows both values when two users edit a field, and can keep either', async ({ open, expectedErrors }) => {
  expectedErrors.push('409')
  const mine = await open('sales', '/contacts')
  const address = await newPatient(mine)
  const otherPage = await open('provider', address)
  await mine.goto(address)

  await fact(mine, 'Phone').click()
  await mine.getByLabel('Phone', { exact: true }).fill('905 555 0101')
  await fact(otherPage, 'Phone').click()
  await otherPage.getByLabel('Phone', { exact: true }).fill('905 555 0202')
  await otherPage.keyboard.press('Enter')
  await expect(fact(otherPage, 'Phone')).toHaveText(/\(905\) 555-0202/)
  // The page knows about the change by now: what was typed still counts as an edit of the older version.
  await expect(mine.getByText(/Phone changed/).first()).toBeVisible()
  await mine.keyboard.press('Enter')
  const dialog = mine.getByRole('dialog', { name: 'Changed by someone else' })
  await expect(dialog).toContainText('(905) 555-0101')
  await expect(dialog).toContainText('(905) 555-0202')
  await dialog.getByRole('radio', { name: 'Keep mine' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(fact(mine, 'Phone')).toHaveText(/\(905\) 555-0101/)
  await expect(fact(otherPage, 'Phone')).toHaveText(/\(905\) 555-0101/)
})

test('keeps what is typed in place after a failure, on another tab, and on leaving the page', async ({ open, expectedErrors }) => {
  expectedErrors.push('Failed to load resource')
  const page = await open('sales', '/contacts')
  await page.goto(await newPatient(page))
  await fact(page, 'Company').click()
  await page.getByLabel('Company').fill('Fieldstone')
  await loseConnection(page)
  await page.keyboard.press('Enter')
  await expect(page.getByText(/Your input is kept/)).toBeVisible()
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

test('undoes a change, and tells billing that clinical notes are read-only for them', async ({ open }) => {
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
  await expect(billing.getByText('The billing role cannot see or change clinical notes.')).toBeVisible()
  await expect(fact(billing, 'Notes')).toHaveCount(0)
  await expect(billing.getByText('Allergic to latex')).toHaveCount(0)
  await fact(billing, 'Revenue').click()
  await billing.getByLabel('Revenue').fill('lots')
  await billing.keyboard.press('Enter')
  await expect(billing.getByText('Enter an amount such as 8,200.00')).toBeVisible()
})

test('pins notes above the timeline for everyone, by mouse and keyboard', async ({ open }) => {
  const page = await open('sales', '/contacts')
  const address = await newPatient(page)
  await page.goto(address)
  await expect(page.getByRole('textbox', { name: 'Call notes' })).toBeVisible()
  await page.keyboard.press('n')
  await page.keyboard.type('Allergic to latex')
  await page.keyboard.press('ControlOrMeta+Enter')
  const pinned = page.getByRole('region', { name: 'Pinned notes' })
  await page.getByText('Allergic to latex').hover()
  await page.getByRole('button', { name: 'Pin this note' }).click()
  await expect(pinned).toContainText('Allergic to latex')
  await expect(pinned).toContainText('Pinned by Mireille Daoust')

  const other = await open('frontdesk', address)
  const otherPage = other.getByRole('region', { name: 'Pinned notes' })
  await expect(otherPage).toContainText('Allergic to latex')
  await otherPage.getByRole('button', { name: 'Unpin this note' }).press('Enter')
  await expect(otherPage).toBeHidden()
  await expect(pinned, 'removed in the other window too').toBeHidden()

  const billing = await open('billing', address)
  await expect(billing.getByRole('radio', { name: 'Stage changes' })).toBeVisible()
  await expect(billing.getByRole('radio', { name: 'Notes' })).toHaveCount(0)
})

test('filters the timeline by type, by arrow keys too, with an empty state', async ({ open }) => {
  const page = await open('sales', '/contacts')
  const address = await newPatient(page)
  const path = `/api${address}/interactions`
  for (let i = 1; i <= 60; i++) await page.request.post(path, { data: { type: 'note', description: `Note number ${i}.` } })
  await page.request.post(path, { data: { type: 'call', description: 'Prefers texts', outcome: 'reached' } })
  for (const width of [1440, 375]) {
    await page.setViewportSize({ width, height: 812 })
    await page.goto(address)
    await page.getByRole('radio', { name: 'Calls' }).click()
    await expect(page.getByText('Prefers texts')).toBeVisible()
    await expect(page.getByText('Note number 60.')).toHaveCount(0)
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('radio', { name: 'Emails' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByText('No emails yet')).toBeVisible()
    await page.getByRole('button', { name: 'Show everything' }).press('Enter')
    await expect(page.getByText('Note number 60.')).toBeVisible()
    await page.getByRole('radio', { name: 'Notes' }).click()
    await expect(page.getByText('Prefers texts')).toHaveCount(0)
    await page.getByRole('button', { name: 'Show older' }).scrollIntoViewIfNeeded()
    await expect(page.getByText('Note number 1.', { exact: true }), 'older entries load near the end').toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  }
})

test('shows who changed the stage, when and for how long, live', async ({ open }) => {
  const page = await open('sales', '/contacts')
  const address = await newPatient(page)
  await page.goto(address)
  await page.getByRole('button', { name: /^Consult Booked/ }).click()
  await page.getByRole('button', { name: 'Stage history' }).press('Enter')
  const visits = page.getByRole('dialog', { name: 'Stage history' }).getByRole('listitem')
  await expect(visits).toHaveCount(2)
  await expect(visits.first()).toContainText(/Consult Booked.*less than a minute so far.*Mireille Daoust/)
  await expect(visits.nth(1)).toContainText(/Lead.*Mireille Daoust/)

  const other = await open('provider', address)
  await other.getByRole('button', { name: /^Consult Done/ }).click()
  await expect(visits).toHaveCount(3)
  await expect(visits.first()).toContainText(/Consult Done.*Ngozi Okafor/)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Stage history' })).toBeFocused()
})

test('shows a lead’s original and latest source', async ({ open, clinic }) => {
  const page = await open('sales', '/contacts')
  const lead = { first_name: 'Ines', last_name: `Moreau ${crypto.randomUUID().slice(0, 8)}`, email: `${crypto.randomUUID()}@example.com` }
  const send = async (more: object) =>
    fetch(`${clinic.url}/api/leads/demo-website-form`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...lead, ...more }),
    })
  await send({ utm_source: 'google', utm_medium: 'cpc', landing_page: 'https://www.clinic.example/rhinoplasty-oakville?gclid=abc' })
  await page.getByText(lead.last_name).click()
  await expect(page.getByRole('definition').filter({ hasText: 'google · cpc' })).toBeVisible()
  await expect(page.getByText('/rhinoplasty-oakville')).toBeVisible()
  await expect(page.getByText('Latest', { exact: true })).toHaveCount(0)
  await send({ utm_source: 'instagram' })
  await expect(page.getByText('Latest', { exact: true }), 'the next lead appears live').toBeVisible()
  await expect(page.getByRole('definition').filter({ hasText: 'google · cpc' })).toBeVisible()
  await expect(page.getByRole('definition').filter({ hasText: /^instagram$/ })).toBeVisible()
})

test('moves through the list across pages with j and k, and restores the last position in the list', async ({ open }) => {
  const page = await open('sales', '/contacts?sort=name')
  const family = `Okonkwo${crypto.randomUUID().slice(0, 6)}`
  for (let i = 0; i < 53; i++) {
    const data = { firstName: `Ada ${String(i).padStart(2, '0')}`, lastName: family }
    expect((await page.request.post('/api/contacts', { data })).status()).toBe(200)
  }
  await page.goto(`/contacts?search=${family}&sort=name`)
  await page.getByRole('link', { name: `Ada 00 ${family}` }).click()
  const heading = page.getByRole('heading', { level: 1 })
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' })
  await expect(heading).toHaveText(new RegExp(`Ada 00 ${family}`))
  await expect(crumbs).toContainText('1 of 53')
  await expect(page.getByRole('button', { name: 'Previous patient' })).toBeDisabled()
  for (let i = 1; i <= 51; i++) {
    await page.keyboard.press('j')
    await expect(heading).toHaveText(new RegExp(`Ada ${String(i).padStart(2, '0')} ${family}`))
  }
  await expect(crumbs, 'on the second page of the list').toContainText('52 of 53')
  await page.getByRole('button', { name: 'Next patient' }).click()
  await expect(crumbs).toContainText('53 of 53')
  await expect(page.getByRole('button', { name: 'Next patient' })).toBeDisabled()
  await page.keyboard.press('k')
  await page.keyboard.press('k')
  await expect(heading).toHaveText(new RegExp(`Ada 50 ${family}`))

  await page.goBack()
  const row = page.getByRole('row').filter({ hasText: `Ada 50 ${family}` })
  await expect(row).toBeInViewport()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(heading, 'the focused row is the last viewed patient').toHaveText(new RegExp(`Ada 51 ${family}`))
})

test('deletes a patient and restores them with Undo, or deletes permanently', async ({ open }) => {
  const page = await open('sales', '/contacts')
  const address = await newPatient(page, { firstName: 'Gone' })
  const remove = async (forGood: boolean) => {
    await page.goto(address)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete patient' }).click()
    const dialog = page.getByRole('dialog', { name: /^Delete Gone/ })
    await expect(dialog).toContainText('You can undo this for 24 hours.')
    if (forGood) await dialog.getByRole('checkbox', { name: 'Delete permanently' }).click()
    await dialog.getByRole('button', { name: 'Delete patient' }).click()
    await expect(page).toHaveURL(/\/contacts$/)
  }
  const answer = () => page.request.get(`/api${address}`).then((response) => response.status())
  await remove(false)
  const toast = page.getByRole('status').filter({ hasText: 'was deleted' })
  await expect.poll(answer).toBe(404)
  await toast.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(answer).toBe(200)
  await remove(true)
  await expect(page.getByText('was deleted permanently')).toBeVisible()
  await expect.poll(answer).toBe(404)
})

test('keeps the list after a reload of the page', async ({ open }) => {
  const page = await open('sales', '/contacts?sort=name')
  const rows = page.getByRole('table', { name: 'Patients' }).locator('[data-row]')
  await rows.nth(2).getByRole('link').click()
  await expect(page).toHaveURL(/contacts\/[0-9a-f-]{36}$/)
  await page.reload()
  await expect(page.getByText(/^3 of \d/)).toBeVisible()
  await page.keyboard.press('j')
  await expect(page.getByText(/^4 of \d/)).toBeVisible()
})

test('opens follow-up and tags by key, in the tabbed layout too, and the full form with e', async ({ open }) => {
  const page = await open('frontdesk', '/contacts')
  const address = await newPatient(page)
  for (const width of [1440, 375]) {
    await page.setViewportSize({ width, height: 812 })
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.keyboard.press('f')
    await page
      .getByRole('dialog', { name: 'Set the follow-up' })
      .getByRole('button', { name: /Tomorrow/ })
      .press('Enter')
    await expect(page.getByText(/^Tomorrow, /)).toBeVisible()
    await expect(page.locator('[role=dialog]')).toHaveCount(0)
    await page.keyboard.press('#')
    await expect(page.locator('input:focus')).toBeVisible()
    await page.keyboard.type(`Key ${width}`)
    await page.getByRole('option', { name: `Create “Key ${width}”` }).press('Enter')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('list', { name: 'Tags' })).toContainText(`Key ${width}`)
  }
  await page.keyboard.press('e')
  await expect(page).toHaveURL(`${address}/edit`)
})

test('wraps a long first name at 375 px', async ({ open }) => {
  const page = await open('sales', '/contacts')
  const data = { firstName: 'Wolfeschlegelsteinhausenbergerdorff', lastName: 'Qureshi' }
  const { id } = (await (await page.request.post('/api/contacts', { data })).json()) as { id: string }
  await page.setViewportSize({ width: 375, height: 812 })
  await page.goto(`/contacts/${id}`)
  const name = page.getByRole('heading', { level: 1, name: /Wolfe/ }).getByRole('button')
  await expect(name).toBeVisible()
  expect(
    await name.evaluate(
      (element) => element.getBoundingClientRect().right <= innerWidth - 10 && element.scrollWidth <= element.clientWidth,
    ),
  ).toBe(true)
})
