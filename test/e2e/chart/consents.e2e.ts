import type { Page } from '@playwright/test'
import { definitionOf } from '../../chart/consent-forms.ts'
import { pdf } from '../../portal.ts'
import { accessibilityViolations } from '../support/axe.ts'
import { type Clinic, expect, test } from '../support/clinic.ts'
import { asStaff } from '../pages/forms.ts'
import { createPatient } from '../pages/patient.ts'
import { getSurgery } from '../pages/surgeries.ts'

const main = (page: Page) => page.getByRole('main')

const codesTo = ({ outbox }: Clinic, email: string) =>
  outbox.messages.filter((mail) => mail.To === email).flatMap((mail) => /^\d{6}$/m.exec(mail.TextBody ?? '')?.[0] ?? [])

async function enterCode(page: Page, clinic: Clinic, email: string) {
  const before = codesTo(clinic, email).length
  await page.getByRole('button', { name: 'Request Access' }).click()
  await expect.poll(() => codesTo(clinic, email).length).toBe(before + 1)
  await page.getByLabel('Verification code').fill(codesTo(clinic, email)[0]!)
  await page.keyboard.press('Enter')
}

for (const width of [1440, 375]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: width === 375 ? 812 : 900 } })

    test(
      'closes the checklist item once the required consent is signed and countersigned, and opens it when it is withdrawn (issue 26)',
      { tag: width === 1440 ? '@journey' : [] },
      async ({ page, open, clinic }) => {
        // Two PDFs are sealed by a process that gives way to the browsers.
        test.setTimeout(120_000)
        const email = `consents-${width}@fastmail.example`
        const title = `Septorhinoplasty ${width}`
        const admin = await open('admin', '/settings/consent-forms')
        const procedure = await asStaff<{ id: string }>(admin, 'POST', '/procedures', { name: title })
        const { id: templateId } = await asStaff<{ id: string }>(admin, 'POST', '/consent-templates', {})
        const definition = {
          ...definitionOf({ procedureIds: [procedure.id], needsCountersignature: true }),
          title: { en: title, fr: `${title} (fr)` },
        }
        const { draft } = await asStaff<{ draft: { revision: number } }>(admin, 'PUT', `/consent-templates/${templateId}/draft`, {
          revision: 1,
          definition,
        })
        expect(draft.revision).toBe(2)
        await admin.goto(`/settings/consent-forms/${templateId}`)
        // Where there is no room, the preview takes the place of the fields.
        if (width === 375) await main(admin).getByRole('button', { name: 'Show preview' }).click()
        await expect(main(admin).getByRole('complementary', { name: 'Preview' })).toContainText('Deepa Thambirajah')
        expect(await accessibilityViolations(admin)).toEqual([])
        await main(admin).getByRole('button', { name: 'Publish consent form' }).click()
        await admin.getByRole('dialog').getByRole('button', { name: 'Publish consent form' }).click()
        await expect(main(admin).getByText('Published', { exact: true })).toBeVisible()

        const desk = await open('frontdesk', '/contacts')
        const contactId = await createPatient(desk, clinic, { firstName: 'Deepa', email }, [])
        const surgery = await asStaff<{ id: string }>(desk, 'POST', '/surgeries', {
          contactId,
          procedureIds: [procedure.id],
          anaesthesia: 'general',
          startsAt: '2027-12-17T13:00:00Z',
          minutes: 120,
          idempotencyKey: crypto.randomUUID(),
        })
        await desk.goto(`/contacts/${contactId}?tab=surgery`)
        const required = main(desk).getByRole('group', { name: 'Consents' })
        await expect(required.getByText('Not sent')).toBeVisible()
        await required.getByRole('button', { name: 'Send all required' }).click()
        await desk
          .getByRole('dialog')
          .getByRole('button', { name: /^Send consent form/ })
          .click()
        await expect(required.getByText('Sent, not signed')).toBeVisible()

        await expect.poll(() => clinic.outbox.messages.filter((mail) => mail.To === email).length).toBe(1)
        const mail = clinic.outbox.messages.find(({ To }) => To === email)!
        await page.goto(/https?:\S+\/consents\/\S+/.exec(mail.TextBody ?? '')![0].replace(/^https?:\/\/[^/]+/, ''))
        await enterCode(page, clinic, email)
        await expect(page.getByRole('heading', { level: 1, name: title })).toBeFocused()
        await expect(page.getByText('1 initial left')).toBeVisible()
        expect(await page.evaluate(() => document.documentElement.scrollWidth), 'nothing scrolls sideways').toBe(width)
        expect(await accessibilityViolations(page)).toEqual([])

        // Tapped early, it leads to what is missing.
        await page.getByRole('button', { name: 'Sign consent' }).click()
        const initials = page.getByRole('button', { name: 'Initial “Risks”' })
        await expect(initials).toBeFocused()
        await page.keyboard.press('Enter')
        await expect(page.getByRole('button', { name: /^D\.L\./ })).toBeVisible()
        await page.getByRole('checkbox', { name: /I have read this consent/ }).check()
        await page.getByRole('button', { name: 'Type my name instead' }).click()
        await page.getByLabel('Your full name').fill('Deepa Lavoie')
        await expect(page.getByText('Ready to sign')).toBeVisible()
        await page.getByRole('button', { name: 'Sign consent' }).click()
        await expect(page.getByRole('heading', { level: 1, name: 'Thank you' })).toBeFocused()

        await expect(required.getByText('To countersign')).toBeVisible()
        const item = async () => {
          const { items } = await getSurgery(desk, surgery.id)
          return items.find(({ kind }) => kind === 'consents')?.isDone
        }
        expect(await item()).toBe(false)
        const provider = await open('provider', `/contacts/${contactId}?tab=chart`)
        if (width === 375) await main(provider).getByRole('button', { name: 'Consents' }).click()
        await main(provider)
          .getByRole('list', { name: 'Consents' })
          .getByRole('button', { name: new RegExp(`^${title}`) })
          .click()
        const drawer = provider.getByRole('dialog', { name: title })
        await expect(drawer.getByRole('link', { name: /^Sealed PDF: signed/ })).toBeVisible({ timeout: 20_000 })
        expect(await accessibilityViolations(provider)).toEqual([])
        await drawer.getByRole('button', { name: 'Countersign' }).click()
        await provider.getByRole('dialog', { name: 'Countersign this consent form?' }).getByRole('button', { name: 'Countersign' }).click()
        await expect(drawer.getByRole('link', { name: /^Sealed PDF: countersigned/ })).toBeVisible({ timeout: 20_000 })
        await expect(required.getByText('1 of 1 in force')).toBeVisible()
        expect(await accessibilityViolations(desk)).toEqual([])
        expect(await item()).toBe(true)

        await required.getByRole('button', { name: `Actions for ${title}` }).click()
        await desk.getByRole('menuitem', { name: 'Record withdrawal' }).click()
        const withdrawal = desk.getByRole('dialog', { name: `Record withdrawal of “${title}”?` })
        await withdrawal.getByLabel('By whom').fill('The patient, by phone')
        expect(await accessibilityViolations(desk)).toEqual([])
        await withdrawal.getByRole('button', { name: 'Record withdrawal' }).click()
        await expect(required.getByText('0 of 1 in force')).toBeVisible()
        expect(await item()).toBe(false)

        await page.goto(`/PatientDocuments?email=${email}`)
        await enterCode(page, clinic, email)
        await expect(page.getByRole('region', { name: 'Consents' })).toContainText('Withdrawn')
        expect(await accessibilityViolations(page)).toEqual([])
      },
    )
  })
}

test('a publication says which booked surgery needs the form and emails it, and a paper counts as signed (issue 26)', async ({
  open,
  clinic,
}) => {
  const email = 'paper-consents@fastmail.example'
  const title = 'Otoplasty on paper'
  const admin = await open('admin', '/settings/consent-forms')
  const procedure = await asStaff<{ id: string }>(admin, 'POST', '/procedures', { name: title })
  const desk = await open('frontdesk', '/contacts')
  const contactId = await createPatient(desk, clinic, { firstName: 'Deepa', email }, [])
  await asStaff(desk, 'POST', '/surgeries', {
    contactId,
    procedureIds: [procedure.id],
    anaesthesia: 'general',
    startsAt: '2027-11-17T13:00:00Z',
    minutes: 120,
    idempotencyKey: crypto.randomUUID(),
  })
  const { id } = await asStaff<{ id: string }>(admin, 'POST', '/consent-templates', {})
  const definition = { ...definitionOf({ procedureIds: [procedure.id] }), title: { en: title, fr: `${title} (fr)` } }
  await asStaff(admin, 'PUT', `/consent-templates/${id}/draft`, { revision: 1, definition })
  await admin.goto(`/settings/consent-forms/${id}`)
  await main(admin).getByRole('button', { name: 'Publish consent form' }).click()
  const review = admin.getByRole('dialog')
  await expect(review).toContainText('1 booked surgery is not ready until its patient has signed it')
  await expect(review.getByRole('list', { name: 'Surgeries that need it' })).toContainText('Deepa')
  expect(await accessibilityViolations(admin)).toEqual([])
  await review.getByRole('checkbox', { name: 'Email it to this patient now' }).check()
  await review.getByRole('button', { name: 'Publish consent form' }).click()
  await expect(admin.getByText('Published and sent to 1 patient')).toBeVisible()

  await desk.goto(`/contacts/${contactId}?tab=surgery`)
  const required = main(desk).getByRole('group', { name: 'Consents' })
  await expect(required.getByText('Sent, not signed')).toBeVisible()
  await required.getByRole('button', { name: `Actions for ${title}` }).click()
  await desk.getByRole('menuitem', { name: 'Record paper consent' }).click()
  const dialog = desk.getByRole('dialog', { name: 'Record paper consent' })
  await dialog.getByLabel('File of the scan').setInputFiles({ name: 'scan.pdf', mimeType: 'application/pdf', buffer: pdf() })
  await expect(dialog.getByRole('combobox', { name: 'Scan' })).toContainText('scan.pdf')
  expect(await accessibilityViolations(desk)).toEqual([])
  await dialog.getByRole('button', { name: 'Record as signed' }).click()
  await expect(required.getByText('Signed on paper', { exact: true })).toBeVisible()
  await expect(required.getByText('1 of 1 in force')).toBeVisible()
})
