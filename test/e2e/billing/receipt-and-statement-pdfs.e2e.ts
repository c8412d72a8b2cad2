import type { Page } from '@playwright/test'
import { textOfPdf } from '../../formats/pdf.ts'
import { expect, test } from '../support/clinic.ts'
import { addCustomer, sell } from '../pages/receipts.ts'

/** Fetches the link's file: the test browser has no PDF viewer. */
async function pdfAt(page: Page, address: string | null) {
  const response = await page.request.get(address ?? '')
  expect(response.status(), address ?? '').toBe(200)
  expect(response.headers()['content-type']).toBe('application/pdf')
  return (await textOfPdf(await response.body())).join(' ')
}

async function addCharge(page: Page, contactId: string) {
  const data = { description: 'Rhinoplasty', amountCents: 500_000, dueOn: '2020-01-15', isBeforeSurgery: true }
  expect((await page.request.post(`/api/contacts/${contactId}/charges`, { data })).status()).toBe(200)
}

test('opens a receipt as a PDF and emails it to the patient', async ({ open, clinic }) => {
  const page = await open('frontdesk', '/collections?tab=receipts')
  const sale = await sell(page)
  const { emails } = await addressesOf(page, sale.receiptId)
  await page.getByRole('button', { name: sale.customer }).click()
  const drawer = page.getByRole('dialog', { name: `Receipt ${sale.number}` })
  const link = drawer.getByRole('link', { name: 'Print or save' })
  await expect(link).toHaveAttribute('target', '_blank')
  const text = await pdfAt(page, await link.getAttribute('href'))
  for (const words of [`Receipt ${sale.number}`, sale.customer, 'HST ON 13% on $100.00 $13.00', 'Total $113.00'])
    expect(text).toContain(words)

  await drawer.getByRole('button', { name: 'Email…' }).click()
  const dialog = page.getByRole('dialog', { name: `Email receipt ${sale.number}` })
  await expect(dialog.getByRole('combobox', { name: 'To' })).toContainText(emails[0]!)
  await dialog.getByRole('button', { name: 'Send receipt' }).click()
  await expect(page.getByText(`Receipt sent to ${emails[0]}`)).toBeVisible()
  await expect(dialog).toHaveCount(0)
  const mail = () => clinic.outbox.messages.find(({ To }) => To === emails[0])
  await expect.poll(() => mail()?.Attachments?.[0]?.Name).toBe(`receipt-${sale.number}.pdf`)
  const [attached] = await textOfPdf(Buffer.from(mail()!.Attachments![0]!.Content, 'base64'))
  expect(attached).toContain(sale.customer)
  await page.goto(`/contacts/${sale.contactId}`)
  await expect(page.getByText(`Receipt ${sale.number} emailed to ${emails[0]}`)).toBeVisible()
})

async function addressesOf(page: Page, receiptId: string) {
  const response = await page.request.get(`/api/pos/receipts/${receiptId}/addresses`)
  const { addresses } = (await response.json()) as { addresses: { email: string }[] }
  return { emails: addresses.map(({ email }) => email) }
}

test('emails a balance reminder with editable text, and opens the statement', async ({ open, clinic }) => {
  const page = await open('frontdesk', '/collections?tab=receipts')
  const { customer, contactId } = await addCustomer(page, `Vasquez-${crypto.randomUUID().slice(0, 8)}`)
  await addCharge(page, contactId)
  await page.goto(`/contacts/${contactId}?tab=account`)
  await page.getByRole('button', { name: 'More about this account' }).click()
  const statement = page.getByRole('menuitem', { name: 'Statement in English' })
  await expect(statement).toHaveAttribute('target', '_blank')
  const text = await pdfAt(page, await statement.getAttribute('href'))
  for (const words of ['Statement of account', customer, 'Opening balance $0.00', 'Balance $5,000.00']) expect(text).toContain(words)
  expect(text).toMatch(/Due before surgery Jan 15, 2020 \d+ days late/)
  expect(text).toContain('Current 1–30 days 31–60 days 61–90 days 90+ days Balance $0.00 $0.00 $0.00 $0.00 $5,000.00 $5,000.00')

  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Send reminder' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send payment reminder' })
  await expect(dialog.getByRole('textbox', { name: 'Subject' })).toHaveValue('Your balance with Harbourview')
  const body = dialog.getByRole('textbox', { name: 'Message' })
  await expect(body).toHaveValue(
    /^Hello Noor,\n\nYour balance with Harbourview is \$5,000\.00\.\n\n\$5,000\.00 was due on January 15, 2020\. The full balance must be paid before your surgery\./,
  )
  await dialog.getByRole('textbox', { name: 'Subject' }).fill('')
  await dialog.getByRole('button', { name: 'Send reminder' }).click()
  await expect(dialog.getByText('Subject is required')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Subject' }).fill('Before your surgery')
  await body.fill('Hello Noor,\n\nplease call us <today>.')
  const to = await dialog.getByRole('combobox', { name: 'To' }).textContent()
  await dialog.getByRole('button', { name: 'Send reminder' }).click()
  await expect(page.getByText(`Reminder sent to ${to}`)).toBeVisible()
  const mail = () => clinic.outbox.messages.find(({ To }) => To === to)
  await expect.poll(() => mail()?.Subject).toBe('Before your surgery')
  expect(mail()!.TextBody).toBe('Hello Noor,\n\nplease call us <today>.')
  expect(mail()!.Attachments).toHaveLength(1)
  await expect(page.getByRole('list', { name: 'Notes' }).getByRole('listitem').first()).toContainText('Reminder of $5,000.00 sent')
  await page.goto(`/contacts/${contactId}`)
  await expect(page.getByText(`Reminder emailed to ${to}`)).toBeVisible()
})

test('offers a statement and no reminder when nothing is outstanding', async ({ open }) => {
  const page = await open('billing', '/collections?tab=receipts')
  const { contactId } = await addCustomer(page, `Vasquez-${crypto.randomUUID().slice(0, 8)}`)
  await page.goto(`/contacts/${contactId}?tab=account`)
  await page.getByRole('button', { name: 'More about this account' }).click()
  await expect(page.getByRole('menuitem', { name: 'Statement in English' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send reminder', includeHidden: true })).toHaveCount(0)
})

test('expectToFit both dialogs on a 375 px phone without horizontal scrolling', async ({ open }) => {
  const page = await open('billing', '/collections?tab=receipts')
  await page.setViewportSize({ width: 375, height: 812 })
  const sale = await sell(page)
  await addCharge(page, sale.contactId)
  const expectToFit = async (name: string) => {
    const dialog = page.getByRole('dialog', { name })
    await expect(dialog.getByRole('combobox', { name: 'To' })).toBeVisible()
    expect((await dialog.boundingBox())!.width).toBeCloseTo(375, 0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toHaveCount(0)
  }
  await page.getByRole('list', { name: 'Receipts' }).getByRole('button', { name: sale.customer }).click()
  await page.getByRole('button', { name: 'Email…' }).click()
  await expectToFit(`Email receipt ${sale.number}`)
  await page.goto(`/contacts/${sale.contactId}?tab=account`)
  await page.getByRole('button', { name: 'Send reminder' }).click()
  await expectToFit('Send payment reminder')
})
