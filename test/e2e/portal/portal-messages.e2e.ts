import { asStaff } from '../pages/forms.ts'
import { enterPortal } from '../pages/patient.ts'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'

test(
  'a patient writes to the practice, staff answer in the inbox, and the answer shows in the portal, read on both sides (issue 26)',
  { tag: '@journey' },
  async ({ page, open, clinic }) => {
    const admin = await open('admin', '/contacts')
    await enterPortal(page, admin, clinic, { firstName: 'Deepa', email: 'messages@fastmail.example' })
    await page.getByRole('button', { name: 'Messages' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Messages' })).toBeFocused()
    await expect(page.getByText('No messages yet.')).toBeVisible()
    await page.getByRole('button', { name: 'Send message' }).click()
    await expect(page.getByText('Please write a message')).toBeVisible()
    const field = page.getByLabel('Your message')
    await expect(field).toBeFocused()
    await page.keyboard.type('May I shower tomorrow?')
    // What is written stays while the patient looks at other parts.
    await page.getByRole('button', { name: 'Home' }).click()
    await page.getByRole('button', { name: 'Messages' }).click()
    await expect(field).toHaveValue('May I shower tomorrow?')
    // What is too long is kept whole, and nothing is sent.
    const long = 'a'.repeat(4_100)
    await field.fill(long)
    await page.getByRole('button', { name: 'Send message' }).click()
    await expect(page.getByText('100 characters too many')).toBeVisible()
    await expect(field).toBeFocused()
    await expect(field).toHaveValue(long)
    await field.fill('May I shower tomorrow?')
    await page.getByRole('button', { name: 'Send message' }).dblclick()
    await expect(page.getByText('Message sent.')).toBeVisible()
    const list = page.getByRole('list', { name: 'All messages' })
    await expect(list.getByRole('listitem')).toHaveCount(1)

    await admin.goto('/inbox')
    await admin.getByText('May I shower tomorrow?').first().click()
    const thread = admin.getByRole('region', { name: /^Conversation with Deepa/ })
    await expect(thread.getByText('Portal', { exact: true })).toBeVisible()
    await expect(thread.getByRole('button', { name: 'Attach' })).toHaveCount(0)
    await thread.getByLabel('Your reply').fill('Yes, from tomorrow on.')
    await thread.getByRole('button', { name: 'Send reply' }).click()
    await expect(thread.getByText('In the portal, not read yet')).toBeVisible()
    if (process.env.LOOK) await admin.screenshot({ path: `${process.env.LOOK}/inbox-portal.png` })

    await page.getByRole('button', { name: 'Home' }).click()
    await expect(page.getByText('1 new')).toBeVisible()
    await page.getByRole('button', { name: /^Messages/ }).click()
    await expect(list.getByText('Yes, from tomorrow on.')).toBeVisible()
    await expect(list.getByText('New', { exact: true })).toBeVisible()
    await expect(thread.getByText('Read by the patient')).toBeVisible()
  },
)

for (const colorScheme of ['light', 'dark'] as const)
  test(`messages meet the WCAG 2.2 AA rules that axe checks, in both languages, and never scroll sideways (${colorScheme})`, async ({
    page,
    open,
    clinic,
  }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const admin = await open('admin', '/contacts')
    const id = await enterPortal(page, admin, clinic, { firstName: 'Deepa', email: `messages-${colorScheme}@fastmail.example` })
    await page.getByRole('button', { name: 'Messages' }).click()
    for (const text of ['May I shower?\nAnd when may I run?', `https://elsewhere.example/${'a'.repeat(80)}`]) {
      await page.getByLabel('Your message').fill(text)
      await page.getByRole('button', { name: 'Send message' }).click()
      await expect(page.getByText('Message sent.')).toBeVisible()
    }
    const { data } = (await (await admin.request.get(`/api/inbox/conversations?contactId=${id}&show=all`)).json()) as {
      data: { id: string }[]
    }
    const answer = { text: 'Yes, from tomorrow on.', idempotencyKey: crypto.randomUUID() }
    await asStaff(admin, 'POST', `/inbox/conversations/${data[0]!.id}/reply`, answer)
    await page.getByRole('button', { name: 'Home' }).click()
    await page.getByRole('button', { name: /^Messages/ }).click()
    await expect(page.getByText('Yes, from tomorrow on.')).toBeVisible()
    for (const width of [1440, 375])
      for (const other of ['Français', 'English']) {
        await page.setViewportSize({ width, height: 900 })
        await page.getByRole('button', { name: other }).click()
        await expect(page.getByRole('button', { name: other === 'English' ? 'Send message' : 'Envoyer le message' })).toBeVisible()
        if (process.env.LOOK)
          await page.screenshot({ path: `${process.env.LOOK}/messages-${colorScheme}-${width}-${other}.png`, fullPage: true })
        expect.soft(await accessibilityViolations(page), `${other}, ${width}`).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${other}, ${width}`).toBe(true)
      }
  })
