import type { Page } from '@playwright/test'
import { accessibilityViolations } from '../support/axe.ts'
import { textOfPdf } from '../../formats/pdf.ts'
import { type Clinic, expect, test } from '../support/clinic.ts'
import { signInToPortal, createPatient } from '../pages/patient.ts'
import { addCustomer } from '../pages/receipts.ts'

const choose = async (page: Page, field: string | RegExp, option: string | RegExp) => {
  await page.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option }).click()
  await expect(page.getByRole('listbox')).toHaveCount(0)
}
const newEmail = (name: string) => `${name}-${crypto.randomUUID().slice(0, 8)}@fastmail.example`

/** Books a surgery for the patient, half a year from now. */
async function bookSurgery(staff: Page, clinic: Clinic, contactId: string): Promise<string> {
  const [procedure] = (await (await staff.request.get('/api/procedures')).json()) as { id: string; name: string }[]
  const startsAt = new Date(Date.now() + 180 * 86_400_000).toISOString()
  const answer = await staff.request.post('/api/surgeries', {
    data: { contactId, procedureIds: [procedure!.id], anaesthesia: 'general', startsAt, minutes: 120, idempotencyKey: crypto.randomUUID() },
    headers: { origin: clinic.url },
  })
  expect(answer.status(), await answer.text()).toBe(200)
  return procedure!.name
}

/** Creates a quote of $1,130.00, marked as delivered. */
async function createDeliveredQuote(
  staff: Page,
  clinic: Clinic,
  contactId: string,
  title: string,
): Promise<{ id: string; number: number }> {
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

    test('writes a quote, emails its PDF, accepts it in the portal, prices the case, and adds the charge with its instalments', async ({
      page,
      open,
      clinic,
    }) => {
      const email = newEmail('eloise')
      const staff = await open('frontdesk', '/contacts')
      const id = await createPatient(staff, clinic, { firstName: 'Éloïse', email }, [])
      const procedure = await bookSurgery(staff, clinic, id)
      const { procedures } = (await (await staff.request.get(`/api/contacts/${id}/quote-choices`)).json()) as {
        procedures: { name: string; prices: { description: string }[] }[]
      }
      const { prices } = procedures.find(({ name }) => name === procedure)!
      await staff.goto(`/contacts/${id}?tab=account`)

      // It is prefilled with the booked surgery and its procedure's price list.
      await staff.getByRole('link', { name: 'New quote' }).click()
      await expect(staff.getByRole('heading', { name: /^Quote for Éloïse/ })).toBeVisible()
      const title = staff.getByLabel('Title, as the patient reads it')
      await expect(title).toHaveValue(procedure)
      await expect(title).toBeFocused()
      await expect(staff.getByRole('combobox', { name: /^Surgery/ })).toContainText(procedure)
      await expect(staff.getByLabel('Description of line 1')).toHaveValue(prices[0]!.description)
      const lines = staff.getByRole('list', { name: 'Lines' }).getByRole('listitem')
      await expect(lines).toHaveCount(prices.length)
      // Missing fields show messages, and the first has the focus.
      await title.fill('')
      await staff.getByRole('button', { name: 'Save draft' }).click()
      await expect(title).toBeFocused()
      await expect(staff.getByText('Enter a title for the quote')).toBeVisible()
      await title.fill(procedure)

      while ((await lines.count()) > 2) await staff.getByRole('button', { name: 'Remove line 3' }).click()
      await staff.getByLabel('Quantity of line 1').fill('1')
      await staff.getByLabel('Unit price of line 1').fill('6200')
      await staff.keyboard.press('Tab')
      await expect(staff.getByLabel('Unit price of line 1')).toHaveValue('6,200.00')
      // A changed price shows the list price too.
      await expect(staff.getByText(/^List price \$/).first()).toBeVisible()
      await staff.getByLabel('Quantity of line 2').fill('3')
      await staff.getByLabel('Unit price of line 2').fill('$558.66')
      await staff.keyboard.press('Enter')
      await expect(staff.getByLabel('Description of line 3')).toBeFocused()
      await staff.keyboard.type('Garment')
      await choose(staff, 'Type of line 3', 'Extras')
      await staff.getByLabel('Unit price of line 3').fill('100')
      await choose(staff, 'Tax code of line 3', 'Exempt')
      await staff.getByLabel('Why line 3 is exempt').fill('Medical device')
      await staff.keyboard.press('Alt+ArrowUp')
      await expect(staff.getByLabel('Description of line 2')).toHaveValue('Garment')
      await expect(staff.getByLabel('Why line 2 is exempt')).toBeFocused()
      await staff.keyboard.press('Alt+ArrowDown')
      await expect(staff.getByLabel('Description of line 3')).toHaveValue('Garment')
      await expect(staff.getByText('$8,999.86', { exact: true }).filter({ visible: true }).first()).toBeVisible() // 7,975.98 + 1,023.88
      await staff.getByLabel(/^Deposit, due on acceptance/).fill('2,999.86')
      await expect(staff.getByLabel('Amount of instalment 1')).toHaveText('$6,000.00')
      await staff.getByRole('button', { name: 'Add instalment' }).click()
      await staff.getByRole('button', { name: 'Add instalment' }).click()
      await expect(staff.getByLabel('Amount of instalment 3')).toHaveText('$2,000.00')
      await expect(staff.getByText('Adds up to the total')).toBeVisible()
      // Named by purpose: the balance is due a week before surgery, the others after it.
      await expect(staff.getByLabel('Name of instalment 1')).toHaveValue('Instalment 1 of 3')
      await expect(staff.getByText('Before surgery', { exact: true })).toHaveCount(1)
      await expect(staff.getByText('After surgery', { exact: true })).toHaveCount(2)
      expect(await staff.evaluate(() => document.documentElement.scrollWidth), 'nothing scrolls sideways').toBe(width)
      expect(await accessibilityViolations(staff)).toEqual([])
      // Leaving with unsaved changes asks for confirmation.
      await staff.getByRole('link', { name: /^Éloïse/ }).click()
      await staff.getByRole('button', { name: 'Keep editing' }).click()
      await staff.getByRole('button', { name: 'Save draft' }).click()
      await expect(staff).toHaveURL(/\/quotes\/[0-9a-f-]+\/edit$/)
      const number = Number(/^Quote (\d+) · Draft/.exec((await staff.getByText(/^Quote \d+ · Draft/).textContent()) ?? '')![1])
      await staff.getByRole('button', { name: 'Send quote' }).click()
      const sending = staff.getByRole('dialog', { name: `Send quote ${number}` })
      await expect(sending.getByRole('combobox', { name: 'To' })).toContainText(email)
      await sending.getByRole('button', { name: 'Send quote' }).click()
      await expect(staff).toHaveURL(/tab=account/)
      await staff.getByRole('list', { name: 'Quotes' }).getByRole('button').click()
      const drawer = staff.getByRole('dialog', { name: `Quote ${number}` })
      await expect(drawer.getByText('Sent', { exact: true }).first()).toBeVisible()
      expect(await accessibilityViolations(staff)).toEqual([])

      const emails = () => clinic.outbox.messages.filter(({ To, Subject }) => To === email && Subject?.startsWith('Quote'))
      await expect.poll(() => emails().length, { message: 'the quote’s email' }).toBe(1)
      const [attachment] = emails()[0]!.Attachments!
      expect(attachment).toMatchObject({ Name: `quote-${number}.pdf`, ContentType: 'application/pdf' })
      const pdf = (await textOfPdf(new Uint8Array(Buffer.from(attachment!.Content, 'base64')))).join(' ')
      for (const part of ['$8,999.86', '1 Lakeshore Road', '(905) 555-0118', 'Instalment 3 of 3, after surgery'])
        expect(pdf).toContain(part)
      expect(pdf, 'no line types').not.toContain('Extras')

      await signInToPortal(page, clinic, email)
      await expect(page.getByRole('heading', { name: 'Quotes', exact: true })).toBeVisible()
      await expect(page.getByText('Awaiting your response')).toBeVisible()
      expect(await page.evaluate(() => document.documentElement.scrollWidth), 'nothing scrolls sideways').toBe(width)
      expect(await accessibilityViolations(page)).toEqual([])
      await page.getByRole('button', { name: `PDF of Quote ${number}` }).click()
      const viewer = page.getByRole('dialog', { name: `Quote ${number}.pdf` })
      await expect(viewer.locator('canvas').first()).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(viewer).toHaveCount(0)

      // By keyboard only.
      const read = page.getByRole('button', { name: `Review Quote ${number}` })
      await read.focus()
      await page.keyboard.press('Enter')
      const quote = page.getByRole('dialog', { name: procedure })
      await expect(quote.getByText('$8,999.86', { exact: true })).toBeVisible()
      await expect(quote.getByRole('list', { name: 'Quoted items' })).toContainText('3 × $558.66')
      await expect(quote.getByText(/^Instalment 2 of 3, after surgery/)).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
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

      // Staff see it live.
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

    test('shows staff the reason for which a patient declined', async ({ page, open, clinic }) => {
      const email = newEmail('noor')
      const staff = await open('billing', '/contacts')
      const id = await createPatient(staff, clinic, { firstName: 'Noor', email }, [])
      const { number } = await createDeliveredQuote(staff, clinic, id, 'Chin implant')
      await signInToPortal(page, clinic, email)
      await page.getByRole('button', { name: `Review Quote ${number}` }).click()
      const quote = page.getByRole('dialog', { name: 'Chin implant' })
      await quote.getByRole('button', { name: 'Decline…' }).click()
      await quote.getByRole('button', { name: 'Decline quote' }).click()
      await expect(quote.getByRole('alert')).toHaveText('Please tell us why in a few words')
      await quote.getByLabel('Reason for declining').fill('I wait until spring')
      await quote.getByRole('button', { name: 'Decline quote' }).click()
      await expect(quote.getByRole('status')).toContainText('You declined this quote.')
      await staff.goto(`/contacts/${id}?tab=account`)
      await staff.getByRole('list', { name: 'Quotes' }).getByRole('button').click()
      await expect(staff.getByRole('dialog', { name: `Quote ${number}` })).toContainText('I wait until spring')
    })
  })
}

test.describe('with concurrent users', () => {
  test.use({ expectedErrors: ['409', 'ERR_INTERNET_DISCONNECTED'] })
  test('replaces a sent quote with a new version, and tells the patient who still views the old one', async ({ page, open, clinic }) => {
    const email = newEmail('ines')
    const staff = await open('frontdesk', '/contacts')
    const id = await createPatient(staff, clinic, { firstName: 'Inês', email }, [])
    const { number } = await createDeliveredQuote(staff, clinic, id, 'Neck lift')
    await signInToPortal(page, clinic, email)
    await page.getByRole('button', { name: `Review Quote ${number}` }).click()
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
    await expect(staff.getByText(`Quote ${number}, version 2 · Draft`)).toBeVisible()
    await expect(staff.getByText(/^Version 1, replaced/).filter({ visible: true })).toHaveCount(1)
    await staff.getByLabel('Unit price of line 1').fill('900')
    await staff.getByLabel(/^Deposit/).fill('1017')
    await staff.getByRole('button', { name: 'Save draft' }).click()
    await expect(staff.getByText(`Quote ${number}, version 2 saved as a draft`)).toBeVisible()

    await quote.getByLabel('Your full name, as a signature').fill('Inês Lavoie')
    await quote.getByRole('checkbox').check()
    await quote.getByRole('button', { name: 'Accept quote' }).click()
    // The replaced quote is gone from the list too.
    await expect(page.getByText('We have changed this quote. Please read the newest version.')).toBeVisible()
  })

  for (const width of [1440, 375]) {
    test(`adds a discount and payment names, rejects invalid ones, and shows them to the patient (${width} px)`, async ({
      page,
      open,
      clinic,
    }) => {
      const email = newEmail('noemie')
      const staff = await open('frontdesk', '/contacts')
      await staff.setViewportSize({ width, height: 812 })
      const id = await createPatient(staff, clinic, { firstName: 'Noémie', email }, [])
      await staff.goto(`/contacts/${id}/quotes/new`)
      await staff.getByLabel('Title, as the patient reads it').fill('Neck lift')
      await staff.getByLabel('Description of line 1').fill('Neck lift')
      await staff.getByLabel('Unit price of line 1').fill('1000')
      const total = (amount: string) => expect(staff.getByText(amount, { exact: true }).filter({ visible: true }).first()).toBeVisible()
      await total('$1,130.00')
      await staff.getByRole('button', { name: 'Add discount' }).click()
      const percent = staff.getByLabel('Discount in percent')
      await expect(percent).toBeFocused()
      await percent.fill('150')
      await staff.getByRole('button', { name: 'Save draft' }).click()
      const allowed = staff.getByText('Enter a percentage from 0.01 to 99.99. At least $0.01 must remain.')
      await expect(allowed).toBeVisible()
      await expect(percent).toBeFocused()
      // An invalid discount is not applied.
      await expect(staff.getByText(/^Discount, /)).toHaveCount(0)
      await total('$1,130.00')
      await percent.fill('100')
      await expect(allowed).toBeVisible()
      await percent.fill('10')
      await expect(allowed).toHaveCount(0)
      await total('$1,017.00')
      await choose(staff, 'Discount in', 'Amount')
      const amount = staff.getByLabel('Discount in dollars')
      await amount.fill('1000.01')
      await expect(staff.getByText('The discount is more than the subtotal')).toBeVisible()
      await amount.fill('150.5')
      await staff.keyboard.press('Tab')
      await expect(amount).toHaveValue('150.50')
      await expect(staff.getByLabel('Amount of the discount')).toHaveText('−$150.50')
      await total('$959.94') // 849.50 + 110.44
      await staff.getByLabel('Deposit, due on acceptance').fill('159.94')
      await staff.getByRole('button', { name: 'Add instalment' }).click()
      const first = staff.getByLabel('Name of instalment 1')
      await expect(staff.getByLabel('Name of the deposit')).toHaveValue('Deposit')
      await expect(first).toHaveValue('Instalment 1 of 2')
      await first.fill('Facility fee')
      // An empty name restores the default.
      await staff.getByLabel('Name of the deposit').fill('')
      await staff.keyboard.press('Tab')
      await expect(staff.getByLabel('Name of the deposit')).toHaveValue('Deposit')
      await staff.getByLabel('Name of the deposit').fill('Booking fee')
      expect(await staff.evaluate(() => document.documentElement.scrollWidth), 'nothing scrolls sideways').toBe(width)
      expect(await accessibilityViolations(staff)).toEqual([])
      await staff.getByRole('button', { name: 'Save draft' }).click()
      await expect(staff).toHaveURL(/\/edit$/)
      await staff.reload()
      await expect(amount).toHaveValue('150.50')
      await expect(first).toHaveValue('Facility fee')
      await staff.getByRole('button', { name: 'Send quote' }).click()
      await staff
        .getByRole('dialog', { name: /^Send quote/ })
        .getByRole('button', { name: 'Send quote' })
        .click()
      await expect(staff).toHaveURL(/tab=account/)
      await expect.poll(() => clinic.outbox.messages.filter(({ To }) => To === email).length, { message: 'the quote’s email' }).toBe(1)

      await signInToPortal(page, clinic, email)
      await page.getByRole('button', { name: /^Review Quote/ }).click()
      const quote = page.getByRole('dialog', { name: 'Neck lift' })
      await expect(quote).toContainText('Subtotal$1,000.00Discount−$150.50HST ON 13%$110.44Total$959.94')
      await expect(quote).toContainText('Booking fee, when you accept$159.94Facility fee: ')
      expect(await accessibilityViolations(page)).toEqual([])
    })
  }

  test('sells the QuickBooks items of an accepted quote’s price list with its discount', async ({ open, clinic }) => {
    const admin = await open('admin', '/contacts')
    const headers = { origin: clinic.url }
    const ask = async (method: 'get' | 'post' | 'put', path: string, data?: object) => {
      const answer = await admin.request[method](path, { ...(data && { data }), headers })
      expect(answer.status(), await answer.text()).toBe(200)
      return (await answer.json()) as Record<string, never>
    }
    const { customer, contactId } = await addCustomer(admin, `Roy-${crypto.randomUUID().slice(0, 8)}`)
    const { id: procedureId } = await ask('post', '/api/procedures', { name: `Neck lift ${crypto.randomUUID().slice(0, 8)}` })
    const { items } = (await ask('get', '/api/qbo/items/search?query=rhinoplasty')) as unknown as {
      items: { qbItemId: string; name: string }[]
    }
    const item = items[0]!
    const line = { kind: 'surgeon', description: 'Neck lift', quantity: 1, unitPriceCents: 100_000 }
    const { prices } = (await ask('put', `/api/procedures/${String(procedureId)}/price-list`, {
      version: 1,
      prices: [
        { ...line, itemId: item.qbItemId },
        { ...line, description: 'Garment', unitPriceCents: 10_000 },
      ],
    })) as unknown as { prices: { id: string }[] }
    const quoteLine = {
      kind: 'surgeon',
      words: 'Neck lift',
      quantity: 1,
      unitPriceCents: 100_000,
      taxCodeId: 'TAX',
      priceId: prices[0]!.id,
    }
    const { id, version } = await ask('post', '/api/quotes', {
      contactId,
      title: 'Neck lift',
      validUntil: '2199-01-31',
      lines: [quoteLine, { ...quoteLine, words: 'Garment', unitPriceCents: 10_000, priceId: prices[1]!.id }],
      discountPercent: 1_000,
      discountCents: 11_000,
      depositCents: 111_870,
      instalments: [],
      subtotalCents: 110_000,
      taxCents: 12_870,
      totalCents: 111_870,
      idempotencyKey: crypto.randomUUID(),
    })
    await ask('post', `/api/quotes/${String(id)}/send`, { version, email: null, idempotencyKey: crypto.randomUUID() })
    await ask('post', `/api/quotes/${String(id)}/accept`, { totalCents: 111_870 })
    const page = await open('billing', `/contacts/${contactId}?tab=account`)
    await page.getByRole('tabpanel').getByRole('button', { name: 'Take payment' }).click()
    const dialog = page.getByRole('dialog', { name: 'Take Payment' })
    await expect(dialog).toContainText(customer)
    await expect(dialog.getByText(/^Pays Quote \d+: Neck lift, of which \$1,118\.70 is open/)).toBeVisible()
    await dialog.getByRole('button', { name: 'Add quoted items' }).click()
    await expect(dialog.getByRole('list', { name: 'Cart' }).getByRole('listitem')).toHaveCount(1)
    // Its button is gone, so the focus is on the added line.
    await expect(dialog.getByRole('list', { name: 'Cart' }).locator(':focus')).toHaveCount(1)
    await expect(dialog.getByRole('status').filter({ hasText: '1 quoted item in cart' })).toHaveCount(1)
    await expect(dialog.getByRole('list', { name: 'Cart' })).toContainText(item.name)
    await expect(dialog.getByText('Not in QuickBooks, add by hand: Garment.')).toBeVisible()
    await expect(dialog.getByLabel('Discount')).toHaveValue('10.00')
    await expect(dialog.getByRole('button', { name: 'Take Payment - $1,017.00' })).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Add quoted items' })).toHaveCount(0)
    expect(await accessibilityViolations(page)).toEqual([])
  })

  test('shows the default lines in full at 1440 px, and says that previewing a new quote saves a draft', async ({ open, clinic }) => {
    const staff = await open('frontdesk', '/contacts')
    const id = await createPatient(staff, clinic, { firstName: 'Odile', email: newEmail('odile') }, [])
    await bookSurgery(staff, clinic, id)
    await staff.goto(`/contacts/${id}/quotes/new`)
    const descriptions = staff.getByLabel(/^Description of line /)
    await descriptions.first().fill('Anaesthesia and recovery, nurses')
    const cut = await descriptions.evaluateAll((fields: HTMLInputElement[]) =>
      fields.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ value }) => value),
    )
    expect(cut).toEqual([])
    const choices = staff.getByRole('combobox', { name: /^(Type|Tax code) of line / })
    const cutChoices = await choices.evaluateAll((boxes) =>
      boxes
        .flatMap((box) => [...box.querySelectorAll('span')])
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ textContent }) => textContent),
    )
    expect(cutChoices).toEqual([])
    await staff.getByLabel('Unit price of line 1').fill('100')
    const preview = staff.getByRole('button', { name: 'Preview PDF' })
    const [pdf] = await Promise.all([staff.waitForEvent('popup'), preview.click()])
    await pdf.close()
    await expect(staff.getByText('Draft saved')).toBeVisible()
    await expect(staff).toHaveURL(/\/quotes\/[\w-]{36}\/edit$/)
    await expect(preview).toBeFocused()
  })

  test('reorders lines by dragging their handles, and reverts with Escape', async ({ open, clinic }) => {
    const staff = await open('frontdesk', '/contacts')
    const id = await createPatient(staff, clinic, { firstName: 'Renée', email: newEmail('renee') }, [])
    await staff.goto(`/contacts/${id}/quotes/new`)
    await staff.getByLabel('Title, as the patient reads it').fill('Neck lift')
    await staff.getByLabel('Description of line 1').fill('One')
    for (const name of ['Two', 'Three', 'Four']) {
      await staff.keyboard.press('Enter')
      await staff.keyboard.type(name)
    }
    const order = () =>
      staff
        .getByLabel(/^Description of line \d$/)
        .evaluateAll((fields) => fields.map((field) => (field instanceof HTMLInputElement ? field.value : '')))
    const middle = async (line: number) => {
      const box = (await staff.getByRole('button', { name: `Move line ${line}`, exact: true }).boundingBox())!
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    }
    const lift = async (from: number, to: number) => {
      const [begin, end] = [await middle(from), await middle(to)]
      await staff.mouse.move(begin.x, begin.y)
      await staff.mouse.down()
      await staff.mouse.move(end.x, end.y + Math.sign(end.y - begin.y) * 12, { steps: 16 })
    }
    await lift(1, 3)
    await expect.poll(order).toEqual(['Two', 'Three', 'One', 'Four'])
    await staff.mouse.up()
    await expect(staff.getByRole('status').filter({ hasText: 'One is 3 of 4.' })).toHaveCount(1)
    // Back up past two others.
    await lift(4, 2)
    await staff.mouse.up()
    await expect.poll(order).toEqual(['Two', 'Four', 'Three', 'One'])
    await lift(4, 1)
    await expect.poll(order).toEqual(['One', 'Two', 'Four', 'Three'])
    await staff.keyboard.press('Escape')
    await staff.mouse.up()
    await expect.poll(order).toEqual(['Two', 'Four', 'Three', 'One'])
    for (const line of [1, 2, 3, 4]) await staff.getByLabel(`Unit price of line ${line}`).fill('1')
    await staff.getByRole('button', { name: 'Save draft' }).click()
    await expect(staff).toHaveURL(/\/edit$/)
    await staff.reload()
    await expect.poll(order).toEqual(['Two', 'Four', 'Three', 'One'])
  })

  test('creates one quote when it is saved again before its page opens', async ({ open, clinic }) => {
    const staff = await open('frontdesk', '/contacts')
    const id = await createPatient(staff, clinic, { firstName: 'Ondine', email: newEmail('ondine') }, [])
    await staff.goto(`/contacts/${id}/quotes/new`)
    await staff.getByLabel('Title, as the patient reads it').fill('Neck lift')
    await staff.getByLabel('Description of line 1').fill('Neck lift')
    await staff.getByLabel('Unit price of line 1').fill('1 000')
    // In the page itself, so that both clicks happen before the next page.
    await staff.evaluate(() => {
      const press = () =>
        dispatchEvent(new KeyboardEvent('keydown', { key: 's', code: 'KeyS', ctrlKey: true, bubbles: true, cancelable: true }))
      new PerformanceObserver((list) => {
        if (list.getEntries().some(({ name }) => name.endsWith('/api/quotes'))) for (let turn = 0; turn < 5; turn++) setTimeout(press, turn)
      }).observe({ type: 'resource' })
    })
    const created: string[] = []
    staff.on('request', (request) => request.method() === 'POST' && request.url().endsWith('/api/quotes') && created.push(request.url()))
    await staff.keyboard.press('Control+s')
    await expect(staff).toHaveURL(/\/edit$/)
    await expect(staff.getByText(/saved as a draft$/).first()).toBeVisible()
    expect(created).toHaveLength(1)
    expect(await (await staff.request.get(`/api/contacts/${id}/quotes`)).json()).toHaveLength(1)
  })

  test('lets the second of two tabs choose when saving a draft, and keeps its input, offline too', async ({ open, clinic }) => {
    const staff = await open('frontdesk', '/contacts')
    const id = await createPatient(staff, clinic, { firstName: 'Odette', email: newEmail('odette') }, [])
    await staff.goto(`/contacts/${id}/quotes/new`)
    await staff.getByLabel('Title, as the patient reads it').fill('Neck lift')
    await staff.getByLabel('Description of line 1').fill('Neck lift')
    await staff.getByLabel('Unit price of line 1').fill('1 000')
    await staff.context().setOffline(true)
    await staff.getByRole('button', { name: 'Save draft' }).click()
    await expect(staff.getByText(/The connection was lost. What you typed is still here/)).toBeVisible()
    await expect(staff.getByLabel('Unit price of line 1')).toHaveValue('1,000.00')
    await staff.context().setOffline(false)
    await staff.getByRole('button', { name: 'Save draft' }).click()
    await expect(staff).toHaveURL(/\/edit$/)
    const { pathname } = new URL(staff.url())

    const other = await staff.context().newPage()
    await other.goto(pathname)
    await other.getByLabel('Unit price of line 1').fill('1100')
    await staff.getByLabel('Unit price of line 1').fill('1200')
    await other.getByRole('button', { name: 'Save draft' }).click()
    await expect(other.getByText(/saved as a draft$/)).toBeVisible()
    await staff.getByRole('button', { name: 'Save draft' }).click()
    await expect(staff.getByText('Someone else has changed this quote.')).toBeVisible()
    await staff.getByRole('button', { name: 'Keep what I typed' }).click()
    await staff.getByRole('button', { name: 'Save draft' }).click()
    await expect(staff.getByText('Someone else has changed this quote.')).toHaveCount(0)
    await expect
      .poll(async () =>
        ((await (await staff.request.get(`/api/contacts/${id}/quotes`)).json()) as { subtotalCents: number }[]).map(
          ({ subtotalCents }) => subtotalCents,
        ),
      )
      .toEqual([120_000])
  })
})
