import type { Page } from '@playwright/test'
import { blankQuestion } from '../../../src/chart/forms/definition-rules.ts'
import { starters } from '../../../src/chart/forms/starters.ts'
import { accessibilityViolations } from '../support/axe.ts'
import { type Clinic, expect, test } from '../support/clinic.ts'
import { asStaff, publish } from '../pages/forms.ts'
import { createPatient, pdfOf } from '../pages/patient.ts'

const main = (page: Page) => page.getByRole('main')

const codesTo = ({ outbox }: Clinic, email: string) =>
  outbox.messages.filter((mail) => mail.To === email).flatMap((mail) => /^\d{6}$/m.exec(mail.TextBody ?? '')?.[0] ?? [])

/** Enters the code that is emailed, in the language of the page. */
async function enterCode(page: Page, clinic: Clinic, email: string, french = false) {
  const before = codesTo(clinic, email).length
  await page.getByRole('button', { name: french ? 'Envoyer le code' : 'Request Access' }).click()
  await expect.poll(() => codesTo(clinic, email).length).toBe(before + 1)
  await page.getByLabel(french ? 'Code de vérification' : 'Verification code').fill(codesTo(clinic, email)[0]!)
  await page.keyboard.press('Enter')
}

for (const width of [1440, 375]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: width === 375 ? 812 : 900 } })

    test(
      'sends a form by email, which the patient fills in by keyboard in French, and shows its red flags to a provider (issue 26)',
      { tag: width === 375 ? '@journey' : [] },
      async ({ page, open, clinic }) => {
        const email = `forms-${width}@fastmail.example`
        const title = `Screening ${width}`
        const admin = await open('admin', '/settings/forms')
        await publish(admin, starters.covid, title)
        const desk = await open('frontdesk', '/contacts')
        const id = await createPatient(desk, clinic, { firstName: 'Chloé', email }, [])
        await asStaff(desk, 'PATCH', `/contacts/${id}`, { version: 1, preferredLanguage: 'fr' })

        await desk.goto(`/contacts/${id}?tab=forms`)
        await main(desk).getByRole('button', { name: 'Send form' }).click()
        const dialog = desk.getByRole('dialog', { name: 'Send form' })
        await dialog.getByRole('combobox', { name: 'Form' }).click()
        await desk.getByRole('option', { name: title }).click()
        await expect(dialog.getByText('In French. The patient can switch the language.')).toBeVisible()
        await dialog.getByRole('button', { name: 'Send form' }).click()
        await expect(main(desk).getByText(`Emailed to ${email}`)).toBeVisible()
        await expect.poll(() => clinic.outbox.messages.filter((mail) => mail.To === email).length).toBe(1)
        const mail = clinic.outbox.messages.find(({ To }) => To === email)!
        expect(mail.Subject).toBe('Un formulaire à remplir pour Harbourview')

        await page.goto(/https?:\S+\/forms\/\S+/.exec(mail.TextBody ?? '')![0].replace(/^https?:\/\/[^/]+/, ''))
        await expect(page.getByLabel('Courriel')).toHaveValue(email)
        await enterCode(page, clinic, email, true)
        await expect(page.getByRole('heading', { level: 1, name: `${title} (fr)` })).toBeFocused()
        expect(await page.evaluate(() => document.documentElement.lang)).toBe('fr')
        expect(await accessibilityViolations(page)).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth), 'nothing scrolls sideways').toBe(width)

        // Nothing is answered: the summary takes the focus and leads to the questions.
        await page.getByRole('button', { name: 'Envoyer le formulaire' }).click()
        await expect(page.getByText('3 questions demandent votre attention :')).toBeVisible()
        await expect(page.getByText('Veuillez répondre à cette question')).toHaveCount(3 * 2)
        expect(await accessibilityViolations(page)).toEqual([])
        const contact = page.getByRole('group', { name: /Avez-vous été en contact étroit/ })
        await page.getByRole('link', { name: /Avez-vous été en contact étroit/ }).press('Enter')
        await expect(contact.getByRole('radio', { name: 'Oui' })).toBeFocused()
        await page.keyboard.press('Space')
        await expect(page.getByText('2 questions demandent votre attention :')).toBeVisible()
        await page
          .getByRole('group', { name: /Avez-vous de la fièvre/ })
          .getByRole('radio', { name: 'Non' })
          .check()
        await page
          .getByRole('group', { name: /test positif/ })
          .getByRole('radio', { name: 'Non' })
          .check()
        await expect(page.getByRole('status').filter({ hasText: 'Enregistré' })).toBeVisible()
        await expect(main(desk).getByText('Started', { exact: true })).toBeVisible()
        await page.getByRole('button', { name: 'Envoyer le formulaire' }).press('Enter')
        await expect(page.getByRole('heading', { level: 1, name: 'Merci' })).toBeFocused()

        await expect(main(desk).getByText('Submitted', { exact: true })).toBeVisible()
        await expect(main(desk).getByText('red flag')).toHaveCount(0)
        const provider = await open('provider', `/contacts/${id}?tab=forms`)
        await main(provider)
          .getByRole('button', { name: new RegExp(`^${title}`) })
          .click()
        const drawer = provider.getByRole('dialog', { name: title })
        await expect(drawer.getByRole('list', { name: 'Red flags' })).toContainText('May be contagious: call before the visit')
        await expect(drawer.getByText(/in French/)).toBeVisible()
        expect(await accessibilityViolations(provider)).toEqual([])
      },
    )
  })
}

test.describe('a patient on a phone', () => {
  test.use({ viewport: { width: 375, height: 812 }, expectedErrors: ['ERR_INTERNET_DISCONNECTED', '401', '409'] })

  test('goes on without a network, on another device and after the session has ended, and loses nothing (issue 26)', async ({
    page,
    open,
    clinic,
    browser,
  }) => {
    const email = 'forms-phone@fastmail.example'
    const admin = await open('admin', '/settings/forms')
    const templateId = await publish(admin, starters.medical_history, 'Medical history')
    const contactId = await createPatient(admin, clinic, { firstName: 'Ana', email }, [])
    const { id, link } = await asStaff<{ id: string; link: string }>(admin, 'POST', `/contacts/${contactId}/forms`, {
      templateId,
      email: null,
    })
    expect(link).toContain(`/forms/${id}`)
    await page.goto(`/forms/${id}`)
    await page.getByLabel('Email').fill(email)
    await enterCode(page, clinic, email)
    await expect(page.getByRole('heading', { level: 2, name: 'About you' })).toBeVisible()
    await page.getByLabel('Date of birth').fill('1988-03-14')
    await page.getByLabel('Height').fill('172,5')
    await page.getByLabel('Weight').fill('sixty')
    await page.getByLabel(/Emergency contact/).fill('Bo, 905 555 0142')
    await page.getByRole('button', { name: 'Next' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Please enter a number' })).toBeVisible()
    await page.getByLabel('Weight').fill('20')
    await expect(page.getByRole('alert').filter({ hasText: 'Please enter 30' })).toBeVisible()

    await page.context().setOffline(true)
    await page.getByLabel('Weight').fill('64')
    await expect(page.getByText(/^Not saved yet\./)).toBeVisible()
    await page.getByRole('button', { name: 'Next' }).click()
    await expect(page.getByRole('heading', { level: 2, name: 'Allergies' })).toBeFocused()
    await page.getByRole('radio', { name: 'No', exact: true }).check()
    await page.context().setOffline(false)
    await expect(page.getByRole('status').filter({ hasText: /^Saved$/ })).toBeVisible()
    await expect
      .poll(() => clinic.rows('select answers from forms where id = $1', [id]))
      .toEqual([
        { answers: { born: '1988-03-14', height: 172.5, weight: 64, emergency_contact: 'Bo, 905 555 0142', has_allergies: false } },
      ])

    // Another device saves in the meantime: both keep what they entered.
    const tablet = await (await browser.newContext({ baseURL: clinic.url })).newPage()
    await tablet.goto(`/forms/${id}`)
    await tablet.getByLabel('Email').fill(email)
    await enterCode(tablet, clinic, email)
    // It continues with the first part that is not complete.
    await expect(tablet.getByRole('heading', { level: 2, name: 'Medications' })).toBeVisible()
    for (const name of ['Allergies', 'About you']) {
      await tablet.getByRole('button', { name: 'Back' }).click()
      await expect(tablet.getByRole('heading', { level: 2, name })).toBeFocused()
    }
    await expect(tablet.getByLabel('Height')).toHaveValue('172.5')
    await tablet.getByLabel('Pharmacy').fill('Main Street')
    await expect(tablet.getByRole('status').filter({ hasText: /^Saved$/ })).toBeVisible()
    await page.getByRole('radio', { name: 'Yes', exact: true }).check()
    await expect(page.getByText(/^This form was changed on another device/)).toBeVisible()
    await page.getByRole('button', { name: 'Back' }).click()
    await expect(page.getByLabel('Pharmacy')).toHaveValue('Main Street')

    // The session ends: what is typed next is kept, and saved with the next code.
    await clinic.rows('update portal_sessions set ended_at = now() where contact_id = $1', [contactId])
    await page.getByLabel('Family doctor').fill('Dr. Roy')
    await expect(page.getByText(/^Your session has ended\./)).toBeVisible()
    await enterCode(page, clinic, email)
    await expect(page.getByLabel('Family doctor')).toHaveValue('Dr. Roy')
    await expect
      .poll(async () => (await clinic.rows<{ answers: object }>('select answers from forms where id = $1', [id]))[0]!.answers)
      .toMatchObject({
        family_doctor: 'Dr. Roy',
        pharmacy: 'Main Street',
        has_allergies: true,
      })

    // Withdrawn by the clinic while it is open.
    await asStaff(admin, 'POST', `/forms/${id}/withdraw`, {})
    await page.getByLabel('Family doctor').fill('Dr. Roy II')
    await expect(page.getByText('The clinic has withdrawn this form. You do not need to fill it in.')).toBeVisible()
    await tablet.context().close()
  })

  test('draws a signature, marks areas and chooses on a scale', async ({ page, open, clinic }) => {
    const email = 'forms-drawn@fastmail.example'
    const admin = await open('admin', '/settings/forms')
    const [goals] = starters.aesthetic_goals.sections
    const signing = starters.medical_history.sections.at(-1)!
    const templateId = await publish(admin, { ...starters.aesthetic_goals, sections: [goals!, signing] }, 'Goals')
    const contactId = await createPatient(admin, clinic, { firstName: 'Ana', email }, [])
    const { id } = await asStaff<{ id: string }>(admin, 'POST', `/contacts/${contactId}/forms`, { templateId, email: null })
    await page.goto(`/forms/${id}?email=${encodeURIComponent(email)}`)
    await enterCode(page, clinic, email)
    await page.getByRole('img', { name: 'Face' }).click({ position: { x: 150, y: 70 } })
    await expect(page.getByRole('button', { name: 'Remove Face, Forehead' })).toBeVisible()
    await page.getByRole('button', { name: 'Front', exact: true }).click()
    await page.getByLabel('Add an area').selectOption('Abdomen')
    await expect(page.getByRole('button', { name: 'Remove Front, Abdomen' })).toBeVisible()
    await page.getByLabel(/What would you like to change/).fill('My nose')
    await page.getByRole('radio', { name: '7', exact: true }).check()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Next' }).click()
    const pad = page.getByRole('img', { name: 'Draw your signature here' })
    await pad.scrollIntoViewIfNeeded()
    const box = (await pad.boundingBox())!
    await page.mouse.move(box.x + 20, box.y + 80)
    await page.mouse.down()
    await page.mouse.move(box.x + 150, box.y + 30, { steps: 10 })
    await page.mouse.move(box.x + 250, box.y + 120, { steps: 10 })
    await page.mouse.up()
    await expect(page.getByRole('img', { name: 'Signed' })).toBeVisible()
    // The day of signing is today, and not for the patient to change.
    await expect(page.getByLabel('Date', { exact: true })).toHaveText(/^[A-Z][a-z]+ \d+, \d{4}$/)
    await expect(page.locator('input[type="date"]')).toHaveCount(0)
    await page.getByRole('button', { name: 'Submit form' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Thank you' })).toBeVisible()
    const provider = await open('provider', `/contacts/${contactId}?tab=forms`)
    await main(provider).getByRole('button', { name: /Goals/ }).click()
    const drawer = provider.getByRole('dialog')
    await expect(drawer.getByText('Face, Forehead; Front, Abdomen')).toBeVisible()
    await expect(drawer.getByRole('img', { name: 'Signature of the patient' })).toBeVisible()
  })
})

test.describe('files and photos', () => {
  test.use({ viewport: { width: 375, height: 812 }, expectedErrors: ['422'] })

  test('are added to a form on a phone, named, removed and read by a provider; a refused file says why (issue 26)', async ({
    page,
    open,
    clinic,
  }) => {
    const email = 'forms-files@fastmail.example'
    const admin = await open('admin', '/settings/forms')
    const both = (text: string) => ({ en: text, fr: `${text} (fr)` })
    const asked = { ...blankQuestion, isRequired: true }
    const questions = [
      { ...asked, id: 'letter', type: 'file' as const, label: both('Referral letter') },
      { ...asked, id: 'face', type: 'photo' as const, label: both('A photo of your face') },
    ]
    const sections = [{ id: 'all', title: both('Files'), help: null, showIf: null, questions }]
    const templateId = await publish(admin, { title: both('Files'), sections }, 'Letters and photos')
    const contactId = await createPatient(admin, clinic, { firstName: 'Ana', email }, [])
    const { id } = await asStaff<{ id: string }>(admin, 'POST', `/contacts/${contactId}/forms`, { templateId, email: null })
    await page.goto(`/forms/${id}?email=${encodeURIComponent(email)}`)
    await enterCode(page, clinic, email)
    const letter = page.getByRole('group', { name: 'Referral letter' })
    const face = page.getByRole('group', { name: 'A photo of your face' })
    // Without `capture`, a phone offers its camera and the photos on it.
    await expect(face.locator('input')).not.toHaveAttribute('capture')
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Submit form' }).click()
    await expect(page.getByText('2 questions need your attention:')).toBeVisible()

    await letter.locator('input').setInputFiles({ name: 'page.pdf', mimeType: 'application/pdf', buffer: Buffer.from('no pdf') })
    await expect(letter.getByText('This file type is not supported.')).toBeVisible()
    await expect(letter.getByRole('listitem')).toHaveCount(0)
    await letter.locator('input').setInputFiles({ name: 'letter.pdf', mimeType: 'application/pdf', buffer: pdfOf(1) })
    await expect(letter.getByRole('listitem')).toContainText('letter.pdf')
    const onePixel = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    await face.locator('input').setInputFiles({ name: 'face.png', mimeType: 'image/png', buffer: onePixel })
    await face.getByRole('button', { name: 'Remove face.png' }).click()
    await expect(face.getByRole('listitem')).toHaveCount(0)
    await face.locator('input').setInputFiles({ name: 'face.png', mimeType: 'image/png', buffer: onePixel })
    await expect(face.getByRole('listitem')).toContainText('face.png')
    await page.getByRole('button', { name: 'Submit form' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Thank you' })).toBeVisible()

    const provider = await open('provider', `/contacts/${contactId}?tab=forms`)
    await main(provider)
      .getByRole('button', { name: /Letters and photos/ })
      .click()
    const link = provider.getByRole('dialog').getByRole('link', { name: 'letter.pdf' })
    expect((await provider.request.get((await link.getAttribute('href'))!)).status()).toBe(200)
  })
})

test('an administrator builds, previews in both languages and publishes a form (issue 26)', async ({ open }) => {
  const admin = await open('admin', '/settings/forms')
  await main(admin).getByRole('button', { name: 'New form' }).first().click()
  await admin.getByRole('menuitem', { name: 'Empty form' }).click()
  await admin.getByLabel('Title (English)', { exact: true }).fill('Skin care')
  await admin.getByLabel('Section title (English)').fill('Your skin')
  await admin.getByLabel('Section title (French)').fill('Votre peau')
  await admin.getByRole('button', { name: /New question/ }).click()
  await admin.getByLabel('Question (English)').fill('Do you use retinol?')
  await admin.getByRole('combobox', { name: 'Type' }).click()
  await admin.getByRole('option', { name: 'Yes or no' }).click()
  await admin.getByLabel('Required').check()
  await admin.getByLabel('Red flag').check()
  await admin.getByLabel('Message for staff (English)').fill('Uses retinol')

  // What is missing is marked, and nothing is published.
  await admin.getByRole('button', { name: 'Publish form' }).click()
  await expect(admin.getByText('The French text is missing')).toHaveCount(3)
  await admin.getByLabel('Title (French)', { exact: true }).fill('Soins de la peau')
  await admin.getByLabel('Question (French)').fill('Utilisez-vous du rétinol?')
  await admin.getByLabel('Message for staff (French)').fill('Utilise du rétinol')
  await expect(admin.getByText('The French text is missing')).toHaveCount(0)

  const preview = admin.getByRole('complementary', { name: 'Preview' })
  await preview.getByRole('button', { name: 'Submit form' }).click()
  await expect(preview.getByText('One question needs your attention:')).toBeVisible()
  await preview.getByRole('radio', { name: 'French' }).click()
  await expect(preview.getByRole('group', { name: 'Utilisez-vous du rétinol?' })).toBeVisible()
  await preview.getByRole('radio', { name: 'Oui' }).check()
  await expect(preview.getByText('Red flags: Uses retinol')).toBeVisible()
  expect(await accessibilityViolations(admin)).toEqual([])

  // A removal can be taken back.
  await admin.getByRole('button', { name: 'Remove Do you use retinol?' }).click()
  await expect(admin.getByLabel('Question (English)')).toHaveCount(0)
  await admin.getByRole('button', { name: /^Undo/ }).click()
  await expect(admin.getByLabel('Question (English)')).toHaveValue('Do you use retinol?')

  await admin.getByRole('button', { name: 'Publish form' }).click()
  await expect(main(admin).getByText('Published', { exact: true })).toBeVisible()
  await admin.getByRole('link', { name: 'All forms' }).click()
  const row = main(admin).getByRole('button', { name: /^Skin care/ })
  await expect(row).toContainText('1 question · version 1')
  await row.click()
  // Leaving with changes asks first.
  await admin.getByLabel('Title (English)', { exact: true }).fill('Skin')
  await admin.getByRole('link', { name: 'All forms' }).click()
  await admin.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Keep editing' }).click()
  await admin.getByRole('button', { name: 'Save draft' }).click()
  await expect(main(admin).getByText('Unpublished changes')).toBeVisible()
})
