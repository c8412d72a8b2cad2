import type { Page } from '@playwright/test'
import { brokenRules } from './axe.ts'
import { textOfPdf } from '../pdf.ts'
import { type Clinic, expect, test } from './clinic.ts'
import { enterPortal, newPatient } from './patient.ts'

const choose = async (page: Page, field: string | RegExp, option: string | RegExp) => {
  await page.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option }).click()
  await expect(page.getByRole('listbox')).toHaveCount(0)
}
const addressOf = (name: string) => `${name}-${crypto.randomUUID().slice(0, 8)}@fastmail.example`

/** A case of theirs, half a year from now. */
async function newCase(staff: Page, clinic: Clinic, contactId: string): Promise<string> {
  const [procedure] = (await (await staff.request.get('/api/procedures')).json()) as { id: string; name: string }[]
  const startsAt = new Date(Date.now() + 180 * 86_400_000).toISOString()
  const answer = await staff.request.post('/api/surgeries', {
    data: { contactId, procedureIds: [procedure!.id], anaesthesia: 'general', startsAt, minutes: 120, idempotencyKey: crypto.randomUUID() },
    headers: { origin: clinic.url },
  })
  expect(answer.status(), await answer.text()).toBe(200)
  return procedure!.name
}

/** A quote over $1,130.00 that the patient was handed. */
async function handedOver(staff: Page, clinic: Clinic, contactId: string, title: string): Promise<{ id: string; number: number }> {
  const headers = { origin: clinic.url }
  const data = {
    contactId,
    title,
    validUntil: '2199-01-31',
    lines: [{ kind: 'surgeon', words: title, quantity: 1, unitPriceCents: 100_000, taxCodeId: 'TAX' }],
    depositCents: 113_000,
    instalments: [],
    subtotalCents: 100_000,
    taxCents: 13_000,
    totalCents: 113_000,
    idempotencyKey: crypto.randomUUID(),
  }
  const created = await staff.request.post('/api/quotes', { data, headers })
  expect(created.status(), await created.text()).toBe(200)
  const { id, version, number } = (await created.json()) as { id: string; version: number; number: number }
  const sent = await staff.request.post(`/api/quotes/${id}/send`, {
    data: { version, email: null, idempotencyKey: crypto.randomUUID() },
    headers,
  })
  expect(sent.status(), await sent.text()).toBe(200)
  return { id, number }
}

for (const width of [1440, 375]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: width === 375 ? 812 : 900 } })

    test('issue 8: a quote is written, e-mailed with its PDF, and accepted in the portal; the case is priced and the ledger shows the charge with its instalments', async ({
      page,
      open,
      clinic,
    }) => {
      const email = addressOf('eloise')
      const staff = await open('frontdesk', '/contacts')
      const id = await newPatient(staff, clinic, { firstName: 'Éloïse', email }, [])
      const procedure = await newCase(staff, clinic, id)
      await staff.goto(`/contacts/${id}?tab=account`)

      await staff.getByRole('button', { name: 'New quote' }).click()
      const dialog = staff.getByRole('dialog', { name: 'New quote' })
      // What is missing is said, and the first of it has the focus.
      await dialog.getByRole('button', { name: 'Save as draft' }).click()
      await expect(dialog.getByLabel('For', { exact: true })).toBeFocused()
      await expect(dialog.getByText('Say what the quote is for')).toBeVisible()
      await choose(staff, /^Surgery/, new RegExp(procedure))
      await expect(dialog.getByLabel('For', { exact: true })).toHaveValue(procedure)
      await expect(dialog.getByLabel('What line 1 is for')).toHaveValue(procedure)
      await dialog.getByLabel('Unit price of line 1').fill('6200')
      await dialog.getByLabel('Quantity of line 2').fill('3')
      await dialog.getByLabel('Unit price of line 2').fill('558.66')
      await dialog.getByRole('button', { name: 'Add line' }).click()
      await expect(dialog.getByLabel('What line 3 is for')).toBeFocused()
      await staff.keyboard.type('Garment')
      await choose(staff, 'Kind of line 3', 'Extras')
      await dialog.getByLabel('Unit price of line 3').fill('100')
      await choose(staff, 'Tax code of line 3', 'Exempt')
      await dialog.getByLabel('Why line 3 is exempt').fill('Medical device')
      await expect(dialog.getByText('$8,999.86', { exact: true })).toBeVisible() // 7,975.98 + 1,023.88
      await dialog.getByLabel(/^Deposit, due on acceptance/).fill('2,999.86')
      await expect(dialog.getByText('$6,000.00 is due later.')).toBeVisible()
      await dialog.getByRole('checkbox', { name: 'In instalments' }).check()
      await expect(dialog.getByText('Together $6,000.00')).toBeVisible()
      expect(await brokenRules(staff)).toEqual([])
      await dialog.getByRole('button', { name: 'Save as draft' }).click()
      await expect(dialog).toHaveCount(0)

      const drawer = staff.getByRole('dialog', { name: /^Quote \d+$/ })
      await expect(drawer.getByText('Draft', { exact: true })).toBeVisible()
      const number = Number(/\d+/.exec((await drawer.getByRole('heading', { level: 2 }).first().textContent()) ?? '')![0])
      expect(await brokenRules(staff)).toEqual([])
      await drawer.getByRole('button', { name: 'Send…' }).click()
      const sending = staff.getByRole('dialog', { name: `Send quote ${number}` })
      await expect(sending.getByRole('combobox', { name: 'To' })).toContainText(email)
      await sending.getByRole('button', { name: 'Send quote' }).click()
      await expect(drawer.getByText('Sent', { exact: true }).first()).toBeVisible()

      const mails = () => clinic.outbox.messages.filter(({ To, Subject }) => To === email && Subject?.startsWith('Quote'))
      await expect.poll(() => mails().length, { message: 'the mail of the quote' }).toBe(1)
      const [attachment] = mails()[0]!.Attachments!
      expect(attachment).toMatchObject({ Name: `quote-${number}.pdf`, ContentType: 'application/pdf' })
      expect((await textOfPdf(new Uint8Array(Buffer.from(attachment!.Content, 'base64')))).join(' ')).toContain('$8,999.86')

      await enterPortal(page, clinic, email)
      await expect(page.getByRole('heading', { name: 'Your Quotes' })).toBeVisible()
      await expect(page.getByText('Waits for your answer')).toBeVisible()
      expect(await page.evaluate(() => document.documentElement.scrollWidth), 'nothing scrolls sideways').toBe(width)
      expect(await brokenRules(page)).toEqual([])
      await page.getByRole('button', { name: `PDF of Quote ${number}` }).click()
      const viewer = page.getByRole('dialog', { name: `Quote ${number}.pdf` })
      await expect(viewer.locator('canvas').first()).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(viewer).toHaveCount(0)

      // By the keyboard alone.
      const read = page.getByRole('button', { name: `Read Quote ${number}` })
      await read.focus()
      await page.keyboard.press('Enter')
      const quote = page.getByRole('dialog', { name: procedure })
      await expect(quote.getByText('$8,999.86', { exact: true })).toBeVisible()
      await expect(quote.getByRole('list', { name: 'What is quoted' })).toContainText('3 × $558.66')
      expect(await brokenRules(page)).toEqual([])
      await quote.getByRole('button', { name: 'Accept quote' }).focus()
      await page.keyboard.press('Enter')
      await expect(quote.getByLabel('Your full name, as a signature')).toBeFocused()
      await expect(quote.getByText('Please tick the box to accept')).toBeVisible()
      await page.keyboard.type('Éloïse Lavoie')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Space')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expect(quote.getByRole('status')).toContainText('signed Éloïse Lavoie. Thank you.')
      await expect(quote.getByRole('status')).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(page.getByText('Accepted', { exact: true })).toBeVisible()

      // Staff see it without loading anything anew.
      await expect(drawer.getByText('Accepted', { exact: true }).first()).toBeVisible()
      await expect(drawer.getByText(/by the patient in the portal, signed “Éloïse Lavoie”/)).toBeVisible()
      await staff.keyboard.press('Escape')
      await expect(drawer).toHaveCount(0)
      await expect(staff.getByRole('list', { name: 'Charges' })).toContainText(`Quote ${number}: ${procedure}`)
      await expect(staff.getByRole('list', { name: 'Charges' })).toContainText('$8,999.86')
      const account = (await (await staff.request.get(`/api/contacts/${id}/account`)).json()) as {
        charges: { plan: { amountCents: number }[] }[]
      }
      expect(account.charges.map(({ plan }) => plan.map(({ amountCents }) => amountCents))).toEqual([[299_986, 200_000, 200_000, 200_000]])
      const [surgery] = (await (await staff.request.get(`/api/contacts/${id}/surgeries`)).json()) as { priceCents: number }[]
      expect(surgery!.priceCents).toBe(797_598)
      const tasks = (await (await staff.request.get(`/api/contacts/${id}/tasks`)).json()) as { title: string }[]
      expect(tasks.map(({ title }) => title)).toContain(`Quote ${number} accepted in the portal: plan what comes next`)
    })

    test('issue 8: a patient declines with a reason, which staff read', async ({ page, open, clinic }) => {
      const email = addressOf('noor')
      const staff = await open('billing', '/contacts')
      const id = await newPatient(staff, clinic, { firstName: 'Noor', email }, [])
      const { number } = await handedOver(staff, clinic, id, 'Chin implant')
      await enterPortal(page, clinic, email)
      await page.getByRole('button', { name: `Read Quote ${number}` }).click()
      const quote = page.getByRole('dialog', { name: 'Chin implant' })
      await quote.getByRole('button', { name: 'Decline…' }).click()
      await quote.getByRole('button', { name: 'Decline quote' }).click()
      await expect(quote.getByRole('alert')).toHaveText('Please tell us why in a few words')
      await quote.getByLabel('Why do you decline?').fill('I wait until spring')
      await quote.getByRole('button', { name: 'Decline quote' }).click()
      await expect(quote.getByRole('status')).toContainText('You declined this quote.')
      await staff.goto(`/contacts/${id}?tab=account`)
      await staff.getByRole('list', { name: 'Quotes' }).getByRole('button').click()
      await expect(staff.getByRole('dialog', { name: `Quote ${number}` })).toContainText('I wait until spring')
    })
  })
}

test.describe('of two who are at it at the same time', () => {
  test.use({ expectedErrors: ['409'] })
  test('issue 8: a new version replaces the one that was sent; the patient, who still reads the old one, is told so', async ({
    page,
    open,
    clinic,
  }) => {
    const email = addressOf('ines')
    const staff = await open('frontdesk', '/contacts')
    const id = await newPatient(staff, clinic, { firstName: 'Inês', email }, [])
    const { number } = await handedOver(staff, clinic, id, 'Neck lift')
    await enterPortal(page, clinic, email)
    await page.getByRole('button', { name: `Read Quote ${number}` }).click()
    const quote = page.getByRole('dialog', { name: 'Neck lift' })

    await staff.goto(`/contacts/${id}?tab=account`)
    await staff.getByRole('list', { name: 'Quotes' }).getByRole('button').click()
    await staff
      .getByRole('dialog', { name: `Quote ${number}` })
      .getByRole('button', { name: `More about quote ${number}` })
      .click()
    await staff.getByRole('menuitem', { name: 'New version…' }).click()
    await staff.getByRole('dialog', { name: 'Make a new version?' }).getByRole('button', { name: 'Make new version' }).click()
    const second = staff.getByRole('dialog', { name: `Quote ${number}, version 2` })
    await expect(second.getByRole('list', { name: 'Versions' }).getByRole('listitem')).toHaveCount(2)
    await second.getByRole('button', { name: 'Edit' }).click()
    const editor = staff.getByRole('dialog', { name: `Edit quote ${number}, version 2` })
    await editor.getByLabel('Unit price of line 1').fill('900')
    await editor.getByLabel(/^Deposit/).fill('1017')
    await editor.getByRole('button', { name: 'Save quote' }).click()
    await expect(second.getByText('$1,017.00', { exact: true }).first()).toBeVisible()

    await quote.getByLabel('Your full name, as a signature').fill('Inês Lavoie')
    await quote.getByRole('checkbox').check()
    await quote.getByRole('button', { name: 'Accept quote' }).click()
    // The one that was replaced is gone from the list as well.
    await expect(page.getByText('We have changed this quote. Please read the newest version.')).toBeVisible()
  })
})
