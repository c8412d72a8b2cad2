import type { Locator, Page } from '@playwright/test'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'

const number = '+14165556001'

/** Adds a step by the keyboard, from the focused button, and returns its drawer. */
async function addStep(page: Page, button: Locator, kind: string): Promise<Locator> {
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  const names = await page.getByRole('menuitem').allTextContents()
  for (const name of names) {
    await expect(page.getByRole('menuitem', { name, exact: true })).toBeFocused()
    if (name.startsWith(kind)) break
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog', { name: kind })
  await expect(drawer).toBeVisible()
  return drawer
}

const stops = (page: Page) => page.getByRole('group', { name: 'Steps of the sequence' })

test.describe('sequences', () => {
  test.afterEach(({ clinic }) => clinic.setClock(null))

  test('one built by keyboard alone texts a lead, takes the answer, and logs each step (issue 28) @journey', async ({ open, clinic }) => {
    test.setTimeout(120_000)
    // Noon at the practice: no text is held back until morning.
    clinic.setClock(new Date(`${new Date().toISOString().slice(0, 10)}T17:00:00Z`))
    const page = await open('admin', '/settings/sequences')
    const template = {
      name: 'lead_hello_text',
      channel: 'text',
      category: 'lead',
      subject: '',
      body: 'Hello {{first_name}}, which day suits you?',
    }
    expect((await page.request.post('/api/email-templates', { data: template })).status()).toBe(200)

    await page.getByRole('button', { name: 'New sequence' }).press('Enter')
    // What is typed before the list has the focus would choose nothing.
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    await page.keyboard.type('Empty')
    await expect(page.getByRole('menuitem', { name: /^Empty/ })).toBeFocused()
    await page.keyboard.press('Enter')
    const trigger = stops(page).getByRole('button', { name: 'When a lead arrives' })
    await expect(trigger).toBeVisible()

    // Messages may leave at any time of day: the test runs at all of them.
    await trigger.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const rules = page.getByRole('dialog', { name: 'Hours and exits' })
    await rules.getByRole('textbox', { name: 'From' }).fill('12:00 a.m.')
    await rules.getByRole('textbox', { name: 'To', exact: true }).fill('11:59 p.m.')
    await page.keyboard.press('Escape')
    await expect(stops(page).getByRole('button', { name: 'Messages are sent from 12:00 a.m. to 11:59 p.m.' })).toBeFocused()

    const add = page.getByRole('button', { name: 'Add step', exact: true })
    let drawer = await addStep(page, add, 'Send a text')
    await drawer.getByRole('combobox', { name: 'Template' }).press('Enter')
    await page.keyboard.type('Lead hello')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    const text = stops(page).getByRole('button', { name: 'Text “Lead hello text”' })
    await expect(text).toBeFocused()

    await addStep(page, add, 'Ask what the patient did')
    await page.keyboard.press('Escape')
    const branch = stops(page).getByRole('button', { name: 'Did they reply?' })
    await expect(branch).toBeFocused()

    // A task, moved up into the branch from below it.
    drawer = await addStep(page, add, 'Create a task')
    await expect(drawer.getByLabel('Title')).toBeFocused()
    await page.keyboard.type('Book the consult')
    await page.keyboard.press('Escape')
    const task = stops(page).getByRole('button', { name: 'Task “Book the consult”' })
    await expect(task).toBeFocused()
    await page.keyboard.press('Alt+ArrowUp')
    await page.keyboard.press('Alt+ArrowUp')
    await expect(task).toBeFocused()
    await expect(page.getByRole('region', { name: 'They replied' }).getByRole('button', { name: 'Task “Book the consult”' })).toBeVisible()

    // Delete removes a step, and Undo brings it back.
    await branch.focus()
    await page.keyboard.press('Delete')
    await expect(branch).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    await expect(task).toBeVisible()
    expect(await accessibilityViolations(page)).toEqual([])

    await page.getByRole('button', { name: 'Save draft' }).press('Enter')
    await expect(page.getByText('Draft saved')).toBeVisible()
    await expect(page.getByRole('term').filter({ hasText: 'Would start' })).toBeVisible()
    await page.getByRole('button', { name: 'Publish version 1' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Publish version 1' }).press('Enter')
    await expect(page.getByText('Version 1 published')).toBeVisible()
    await page.getByRole('button', { name: 'Turn on', exact: true }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).press('Enter')
    await expect(page.getByText('On, version 1')).toBeVisible()

    const source = { name: `Landing ${crypto.randomUUID().slice(0, 8)}`, sendsWelcome: false }
    const { webhookKey } = (await (await page.request.post('/api/lead-sources', { data: source })).json()) as { webhookKey: string }
    const email = `${crypto.randomUUID()}@example.com`
    const lead = { first_name: 'Lea', last_name: 'Sequence', email, phone: number }
    expect((await page.request.post(`/api/leads/${webhookKey}`, { data: lead })).status()).toBe(202)
    const textsTo = () => clinic.twilio.messages.filter(({ to }) => to === number).map(({ body }) => body)
    await expect.poll(textsTo, { timeout: 5_000 }).toEqual(['Hello Lea, which day suits you?'])
    await clinic.twilio.receive({ from: number, body: 'Thursday' })

    await page.getByRole('radio', { name: 'Patients' }).press('Enter')
    await page.getByRole('button', { name: /^Lea Sequence/ }).press('Enter')
    const log = page.getByRole('dialog', { name: 'Lea Sequence' })
    await expect(log.getByText('Finished')).toBeVisible()
    for (const line of [/Text “Lead hello text”Sent/, /Did they reply\?Yes/, /Task “Book the consult”Done/])
      await expect(log.getByRole('listitem').filter({ hasText: line })).toBeVisible()
    expect(await accessibilityViolations(page)).toEqual([])

    await log.getByRole('link', { name: 'Open patient' }).press('Enter')
    await expect(page.getByRole('list', { name: 'Sequences of the patient' })).toContainText('Finished')
  })

  test('asks before unsaved changes are lost, and marks what is missing (issue 28)', async ({ open }) => {
    const page = await open('sales', '/settings/sequences')
    await page.getByRole('button', { name: 'New sequence' }).click()
    await page.getByRole('menuitem', { name: 'Quote follow-up' }).click()
    await expect(page.getByText('When a quote is sent')).toBeVisible()
    await page.getByRole('button', { name: 'Add step', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Send an email' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Save draft' }).click()
    await expect(page.getByText('Correct the marked parts first.')).toBeVisible()
    await expect(stops(page).getByRole('button', { name: 'Send an email Choose a template' })).toBeVisible()
    await page.getByRole('link', { name: 'Tasks' }).first().click()
    await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await expect(page.getByText('Unsaved changes')).toBeVisible()
  })
})
