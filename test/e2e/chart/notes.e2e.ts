import type { Page } from '@playwright/test'
import { textOfPdf } from '../../formats/pdf.ts'
import { createPatient } from '../pages/patient.ts'
import { accessibilityViolations } from '../support/axe.ts'
import { type Clinic, expect, test } from '../support/clinic.ts'
import { loseConnection } from '../support/offline.ts'

const newPatient = async (staff: Page, clinic: Clinic) =>
  createPatient(staff, clinic, { firstName: 'Deepa', email: `deepa-${crypto.randomUUID().slice(0, 8)}@fastmail.example` }, [])
const saveState = (page: Page) => page.locator('[data-save-state]')
const startNote = async (page: Page, contactId: string, template: string) => {
  await page.goto(`/contacts/${contactId}?tab=chart`)
  await page.getByRole('button', { name: 'New note' }).click()
  await page.getByRole('menuitem', { name: template }).click()
  await expect(page.getByLabel('Title')).toHaveValue(template)
}

for (const width of [1440, 375]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: width === 375 ? 812 : 900 }, expectedErrors: ['ERR_INTERNET_DISCONNECTED'] })

    test(
      'writes a note, keeps writing offline, saves it when the network is back, signs it, adds an addendum and prints it',
      { tag: '@journey' },
      async ({ open, clinic }) => {
        const page = await open('provider', '/contacts')
        const id = await newPatient(page, clinic)
        await startNote(page, id, 'Consultation')
        await expect(saveState(page)).toHaveText(/^Saved \d/)
        expect(await accessibilityViolations(page)).toEqual([])

        await page.getByLabel('History of present concern').fill('Wishes a smaller dorsum.')
        await page.getByRole('combobox', { name: 'Nicotine' }).click()
        await page.getByRole('option', { name: 'Former' }).click()
        await page.getByRole('checkbox', { name: 'Infection' }).check()
        await page.getByLabel('Weight (kg)').fill('71.2')
        await expect(saveState(page)).toHaveText('Saving…')
        await expect(saveState(page)).toHaveText(/^Saved \d/)

        await loseConnection(page)
        await page.getByLabel('Assessment').fill('Good candidate.')
        await expect(saveState(page)).toHaveText('Offline: kept on this device')
        // The text is on this page only: the browser asks before it is closed.
        const asked = page.waitForEvent('dialog')
        await page.close({ runBeforeUnload: true })
        expect((await asked).type()).toBe('beforeunload')
        await (await asked).dismiss()
        await page.context().setOffline(false)
        await expect(saveState(page)).toHaveText(/^Saved \d/)
        await page.reload()
        await expect(page.getByLabel('Assessment')).toHaveValue('Good candidate.')
        await expect(page.getByRole('checkbox', { name: 'Infection' })).toBeChecked()

        await page.getByRole('button', { name: 'Sign note' }).click()
        const dialog = page.getByRole('dialog', { name: 'Sign this note?' })
        await expect(dialog).toContainText('A signed note can’t be changed or deleted.')
        await expect(dialog.getByRole('region', { name: 'Allergies and alerts' })).toContainText('Allergies not recorded yet')
        await dialog.getByRole('button', { name: 'Sign note' }).click()
        await expect(page.getByText('Sealed.')).toBeVisible()
        await expect(page.getByRole('article')).toContainText('Weight (kg): 71.2')
        await expect(page.getByLabel('Assessment')).toHaveCount(1) // the section, no field
        await expect(page.getByRole('textbox')).toHaveCount(0)

        await page.getByRole('button', { name: 'Add addendum' }).click()
        await page.getByRole('textbox', { name: 'Addendum' }).fill('Blood work normal.')
        await page.getByRole('dialog').getByRole('button', { name: 'Add addendum' }).click()
        await expect(page.getByRole('region', { name: 'Addendum' })).toContainText('Blood work normal.')
        expect(await accessibilityViolations(page)).toEqual([])

        const pdf = await page.request.get((await page.getByRole('link', { name: 'Print PDF' }).getAttribute('href'))!)
        expect((await textOfPdf(new Uint8Array(await pdf.body()))).join(' ')).toContain('Signed electronically by Dr. Ngozi Okafor')
        await page.goto(`/contacts/${id}?tab=chart`)
        await expect(page.getByRole('listitem').filter({ hasText: 'Consultation' })).toContainText(/Signed.*1 addendum/s)
        expect(await accessibilityViolations(page)).toEqual([])
      },
    )
  })
}

test.describe('a conflict', () => {
  test.use({ expectedErrors: ['409'] })

  test('shows both texts when the note was saved in another window, and someone who takes over loses no one’s text', async ({
    open,
    clinic,
  }) => {
    const page = await open('provider', '/contacts')
    const id = await newPatient(page, clinic)
    await startNote(page, id, 'Phone call')
    const noteId = page.url().split('/').at(-1)!
    await page.getByLabel('Advice given').fill('Rest')
    await expect(saveState(page)).toHaveText(/^Saved \d/)

    // Another window saves while this one is being typed in.
    const note = (await (await page.request.get(`/api/notes/${noteId}`)).json()) as { version: number }
    await page.getByLabel('Plan').pressSequentially('Mine')
    const other = await page.request.patch(`/api/notes/${noteId}`, {
      data: { version: note.version, answers: { plan: 'Theirs' } },
      headers: { origin: clinic.url },
    })
    expect(other.status()).toBe(200)
    await expect(page.getByText('This note was changed in another window')).toBeVisible()
    const differences = page.getByLabel('From the saved text to yours')
    await expect(differences.locator('del')).toHaveText('Theirs')
    await expect(differences.locator('ins')).toHaveText('Mine')
    await page.getByRole('button', { name: 'Keep my text' }).click()
    await expect(saveState(page)).toHaveText(/^Saved \d/)
    await expect(page.getByLabel('Plan')).toHaveValue('Mine')

    await page.getByRole('button', { name: 'More actions' }).last().click()
    await page.getByRole('menuitem', { name: 'Earlier versions' }).click()
    const drawer = page.getByRole('dialog', { name: 'Earlier versions' })
    await drawer.getByRole('listitem').first().getByRole('button').click()
    await expect(drawer.getByLabel('Changes since this version')).toContainText('Mine')
    await page.keyboard.press('Escape')

    const admin = await open('admin', `/contacts/${id}/notes/${noteId}`)
    await expect(admin.getByText('Dr. Ngozi Okafor is writing this note.')).toBeVisible()
    await admin.getByRole('button', { name: 'Take over draft' }).click()
    await admin.getByRole('dialog').getByRole('button', { name: 'Take over draft' }).click()
    await expect(admin.getByRole('textbox', { name: 'Plan' })).toHaveValue('Mine')
    await expect(admin.getByText('A provider has to sign it.')).toBeVisible()
    // The author is shown the note read-only, and may sign what the administrator writes.
    await expect(page.getByText('Helena Marchetti is writing this note.')).toBeVisible()
    await expect(page.getByText('Needs co-signature')).toBeVisible()
  })
})

test('adds a template by keyboard alone, and hides notes from the front desk', async ({ open, clinic }) => {
  const admin = await open('admin', '/settings/note-templates')
  await admin.getByRole('link', { name: 'New template' }).press('Enter')
  await admin.getByLabel('Name').fill('Injection visit')
  await admin.getByLabel('Heading of section 1').fill('Sites')
  await admin.getByRole('button', { name: 'Add section' }).press('Enter')
  await expect(admin.getByLabel('Heading of section 2')).toBeFocused()
  await admin.keyboard.type('Product')
  await admin.keyboard.press('Alt+ArrowUp')
  await expect(admin.getByLabel('Heading of section 1')).toHaveValue('Product')
  expect(await accessibilityViolations(admin)).toEqual([])
  await admin.getByRole('button', { name: 'Save template' }).press('Enter')
  await expect(admin.getByRole('list', { name: 'Note templates' })).toContainText('Injection visit')

  const id = await newPatient(admin, clinic)
  await startNote(admin, id, 'Injection visit')
  const address = admin.url()
  const desk = await open('frontdesk', `/contacts/${id}?tab=chart`)
  await expect(desk.getByRole('heading', { name: /^Allergies/ })).toBeVisible()
  await expect(desk.getByRole('button', { name: 'New note' })).toHaveCount(0)
  await desk.goto(address)
  await expect(desk.getByText('Your role doesn’t see clinical notes')).toBeVisible()

  // A draft that is discarded is gone from the chart at once.
  await admin.getByRole('button', { name: 'More actions' }).click()
  await admin.getByRole('menuitem', { name: 'Discard draft' }).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Discard draft' }).click()
  await expect(admin.getByRole('heading', { name: /^Allergies/ })).toBeVisible()
  await expect(admin.getByRole('main').getByText('Injection visit')).toHaveCount(0)
})
