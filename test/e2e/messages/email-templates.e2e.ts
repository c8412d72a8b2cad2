import type { Page } from '@playwright/test'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'

const newName = () => `Spring offers ${crypto.randomUUID().slice(0, 8)}`
const list = (page: Page) => page.getByRole('region', { name: 'Email templates' })
const editor = (page: Page, title: 'Edit template' | 'New template' = 'Edit template') => page.getByRole('dialog', { name: title })
const mail = (page: Page) => page.frameLocator('iframe[title="The email as a patient sees it"]')

/** Creates a template for this test. */
async function newTemplate(page: Page, given: Record<string, unknown> = {}): Promise<{ id: string; name: string }> {
  const data = {
    name: newName(),
    subject: 'Hello {{first_name}}',
    body: 'Dear {{first_name}},\n\nGoodbye',
    category: 'follow_up',
    ...given,
  }
  const response = await page.request.post('/api/email-templates', { data })
  expect(response.status(), 'template added').toBe(200)
  return (await response.json()) as { id: string; name: string }
}

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 375, height: 812 },
]) {
  test.describe(`at ${viewport.width} px`, () => {
    // The browser logs that it blocked the draft's scripts.
    test.use({ viewport, expectedErrors: ['Blocked script execution'] })

    test('creates a template with a live preview, and edits, copies and deletes it', async ({ open }) => {
      const page = await open('frontdesk', '/settings/templates')
      const name = newName()
      await list(page).getByRole('button', { name: 'New template' }).click()
      const fields = editor(page, 'New template')
      await fields.getByRole('button', { name: 'Add template' }).click()
      await expect(fields.getByText('Name is required')).toBeVisible()
      await expect(fields.getByLabel('Name')).toBeFocused()

      await fields.getByLabel('Name').fill(name)
      await fields.getByLabel('Category').fill('marketing')
      await expect(fields.getByText(/^Commercial: /)).toBeVisible()
      await fields.getByLabel('Subject').fill('For you, ')
      await fields.getByRole('button', { name: 'Insert variable' }).click()
      await page.getByRole('menuitem', { name: 'First name' }).click()
      await expect(fields.getByLabel('Subject')).toHaveValue('For you, {{first_name}}')
      await fields.getByLabel('Text', { exact: true }).fill('Dear {{patient_name}},\n\n<b>Half</b> the price of {{procedur}}')
      await expect(fields.getByText('For you, Olivia')).toBeVisible()
      await expect(mail(page).getByText('Dear Olivia Tremblay,')).toBeVisible()
      await expect(mail(page).getByText('<b>Half</b> the price')).toBeVisible()
      await expect(fields.getByText('procedur is not a known variable.')).toBeVisible()

      await fields.getByRole('radio', { name: 'HTML' }).click()
      await fields.getByLabel('HTML (optional)').fill('<p style="color: rgb(200, 0, 0)">Dear {{first_name}}</p><script>alert(1)</script>')
      await expect(mail(page).getByText('Dear Olivia', { exact: true })).toHaveCSS('color', 'rgb(200, 0, 0)')
      await fields.getByRole('radio', { name: 'Phone' }).click()
      const frame = page.getByTitle('The email as a patient sees it')
      await expect.poll(async () => (await frame.boundingBox())!.width).toBeLessThanOrEqual(360)
      await fields.getByRole('button', { name: 'Add template' }).click()
      await expect(fields).toHaveCount(0)

      await page.getByRole('region', { name: 'Marketing' }).getByRole('button', { name }).click()
      await expect(editor(page).getByLabel('Subject')).toHaveValue('For you, {{first_name}}')
      await editor(page).getByRole('button', { name: 'Duplicate' }).click()
      await expect(editor(page).getByLabel('Name')).toHaveValue(`${name} (copy)`)
      await editor(page).getByRole('button', { name: 'Delete' }).click()
      await page
        .getByRole('dialog', { name: `Delete ${name} (copy)?` })
        .getByRole('button', { name: 'Delete template' })
        .click()
      await expect(editor(page)).toHaveCount(0)
      await expect(list(page).getByRole('button', { name: `${name} (copy)` })).toHaveCount(0)
      await expect(list(page).getByRole('button', { name: `${name} For you` })).toBeVisible()
      await expect(page.locator('html')).toHaveJSProperty('scrollLeft', 0)
    })

    for (const colorScheme of ['light', 'dark'] as const) {
      test(`meets the WCAG 2.2 AA rules that axe checks (${colorScheme})`, async ({ open }) => {
        const page = await open('frontdesk', '/settings/templates')
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        const { name } = await newTemplate(page, { body: 'Dear {{no one}}' })
        await expect(list(page).getByRole('button', { name })).toBeVisible()
        expect(await accessibilityViolations(page)).toEqual([])
        await list(page).getByRole('button', { name }).click()
        await expect(editor(page).getByText('no one is not a known variable.')).toBeVisible()
        // axe cannot run in the frame, where scripts are disabled.
        await expect(mail(page).getByText('Dear {{no one}}')).toBeVisible()
        await editor(page).getByRole('region', { name: 'Preview' }).getByRole('radio', { name: 'Text' }).click()
        await expect(page.getByTitle('The email as a patient sees it')).toHaveCount(0)
        expect(await accessibilityViolations(page)).toEqual([])
      })
    }
  })
}

test('edits by keyboard only, and Esc asks before discarding changes', async ({ open }) => {
  const page = await open('sales', '/settings/templates')
  const { name } = await newTemplate(page)
  const button = list(page).getByRole('button', { name })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(editor(page).getByLabel('Name')).toBeFocused()
  await editor(page).getByLabel('Subject').focus()
  await page.keyboard.type('!')
  await page.keyboard.press('Escape')
  const leaving = page.getByRole('dialog', { name: 'Leave without saving?' })
  await leaving.getByRole('button', { name: 'Keep editing' }).press('Enter')
  await expect(editor(page).getByLabel('Subject')).toHaveValue('Hello {{first_name}}!')
  await editor(page).getByLabel('Subject').press('Enter')
  await expect(editor(page)).toHaveCount(0)
  await expect(button).toBeFocused()
  await expect(list(page).getByText('Hello {{first_name}}!')).toBeVisible()
})

test.describe('with rejected requests', () => {
  test.use({ expectedErrors: ['status of 409'] })

  test('asks before the browser’s Back discards changes, and updates matching HTML with the text', async ({ open }) => {
    const page = await open('frontdesk', '/settings')
    const { name } = await newTemplate(page, { variables: { html_content: '<p>Dear {{first_name}},</p>\n<p>Goodbye</p>' } })
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Email and text templates' }).click()
    await list(page).getByRole('button', { name }).click()
    const text = editor(page).getByLabel('Text', { exact: true })
    await text.fill('Dear {{first_name}},\n\nSee you soon')
    await expect(mail(page).getByText('See you soon')).toBeVisible()
    await page.goBack()
    const confirmation = page.getByRole('dialog', { name: 'Leave without saving?' })
    await confirmation.getByRole('button', { name: 'Keep editing' }).click()
    await expect(text).toHaveValue('Dear {{first_name}},\n\nSee you soon')
    await editor(page).getByRole('button', { name: 'Save template' }).click()
    await expect(editor(page)).toHaveCount(0)
    await list(page).getByRole('button', { name }).click()
    await expect(text).toHaveValue('Dear {{first_name}},\n\nSee you soon')
    await editor(page).getByRole('radio', { name: 'HTML' }).click()
    await expect(editor(page).getByLabel('HTML (optional)')).toHaveValue('<p>Dear {{first_name}},</p>\n<p>See you soon</p>')
  })

  test('shows a taken name under its field, and lets the later of two editors overwrite', async ({ open }) => {
    const page = await open('admin', '/settings/templates')
    const [first, second] = [await newTemplate(page), await newTemplate(page)]
    await list(page).getByRole('button', { name: first.name }).click()
    await editor(page).getByLabel('Name').fill(second.name)
    await editor(page).getByRole('button', { name: 'Save template' }).click()
    await expect(editor(page).getByText('A template with this name already exists')).toBeVisible()
    await editor(page).getByLabel('Name').fill(first.name)

    const theirs = await page.request.patch(`/api/email-templates/${first.id}`, { data: { version: 1, subject: 'Theirs' } })
    expect(theirs.status()).toBe(200)
    await editor(page).getByLabel('Subject').fill('Mine')
    await editor(page).getByRole('button', { name: 'Save template' }).click()
    await expect(editor(page).getByText('Someone has changed this template since you opened it.')).toBeVisible()
    await editor(page).getByRole('button', { name: 'Use their version' }).click()
    await expect(editor(page).getByLabel('Subject')).toHaveValue('Theirs')
    await editor(page).getByLabel('Subject').fill('Mine')
    const again = await page.request.patch(`/api/email-templates/${first.id}`, { data: { version: 2, subject: 'Theirs again' } })
    expect(again.status()).toBe(200)
    await editor(page).getByRole('button', { name: 'Save template' }).click()
    await editor(page).getByRole('button', { name: 'Overwrite with mine' }).click()
    await expect(editor(page)).toHaveCount(0)
    const { subject } = (await (await page.request.get(`/api/email-templates/${first.id}`)).json()) as { subject: string }
    expect(subject).toBe('Mine')
  })
})

test('shows templates read-only to roles that do not write emails', async ({ open }) => {
  const page = await open('billing', '/settings/templates')
  await expect(list(page).getByRole('button', { name: 'New template' })).toHaveCount(0)
  await list(page)
    .getByRole('button', { name: /welcome_email$/ })
    .click()
  const view = page.getByRole('dialog', { name: 'Welcome email' })
  await expect(mail(page).getByText('Hello Olivia,')).toBeVisible()
  await expect(view.getByRole('textbox')).toHaveCount(0)
  await expect(view.getByRole('button', { name: /Save|Delete|Duplicate/ })).toHaveCount(0)
})

test('marks a French template that was left behind, and previews it with French values', async ({ open }) => {
  const page = await open('frontdesk', '/settings/templates')
  const row = (name: string) => list(page).getByRole('button', { name: new RegExp(`^${name}`) })
  await expect(row('Post-op check \\(French\\)')).toBeVisible()
  await expect(list(page).getByText('Default wording')).toHaveCount(0)
  const templates = (await (await page.request.get('/api/email-templates')).json()) as { id: string; name: string }[]
  const { id } = templates.find(({ name }) => name === 'post_op_check')!
  const changed = await page.request.patch(`/api/email-templates/${id}`, { data: { version: 1, subject: 'How are you?' } })
  expect(changed.status()).toBe(200)
  await expect(row('Post-op check \\(French\\)')).toContainText('The English version was changed. This one still has the default wording.')
  expect(await accessibilityViolations(page)).toEqual([])
  await row('Appointment confirmation \\(French\\)').click()
  await expect(mail(page).getByText('mardi 1er décembre 2026 à 10 h 00')).toBeVisible()
})
