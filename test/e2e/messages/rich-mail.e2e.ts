import sharp from 'sharp'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'
import { messageList, receiveEmail } from '../pages/inbox.ts'

test('writes an email with formatting, a picture and a signature, which arrive as they were written (issue 28) @journey', async ({
  open,
  clinic,
}) => {
  const page = await open('sales', '/settings/profile')
  const signature = page.getByRole('textbox', { name: 'Signature in English' })
  await signature.click()
  await page.keyboard.press('ControlOrMeta+b')
  await page.keyboard.type('Dana Reyes')
  await page.getByRole('button', { name: 'Save signature' }).click()
  await expect(page.getByText('Signature saved')).toBeVisible()
  expect(await accessibilityViolations(page)).toEqual([])

  const email = `${crypto.randomUUID()}@fastmail.example`
  await receiveEmail(clinic, { from: email, subject: 'Where to park' })
  await page.goto('/inbox')
  await page.getByRole('button', { name: new RegExp(email) }).click()
  const reply = page.getByRole('textbox', { name: 'Your reply' })
  await reply.click()
  await page.keyboard.type('Please note:')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ControlOrMeta+Shift+8')
  await page.keyboard.press('ControlOrMeta+i')
  await page.keyboard.type('Enter from the lane')
  const form = page.getByRole('form', { name: 'Reply' })
  await expect(form.getByRole('button', { name: 'Italic' })).toHaveAttribute('aria-pressed', 'true')
  const map = await sharp({ create: { width: 900, height: 500, channels: 3, background: '#7aa' } })
    .png()
    .toBuffer()
  const added = page.waitForResponse('**/api/inbox/pictures?*')
  await form.getByLabel('Pictures to add').setInputFiles({ name: 'map.png', mimeType: 'image/png', buffer: map })
  expect((await added).status()).toBe(201)
  await expect(reply.getByRole('img', { name: 'map' })).toBeVisible()
  await expect(form.getByRole('group', { name: 'Your signature' })).toHaveText('Dana Reyes')
  expect(await accessibilityViolations(page)).toEqual([])

  // The draft survives, and another page does not lose it.
  await page.reload()
  await expect(reply.getByRole('img', { name: 'map' })).toBeVisible()
  await form.getByRole('button', { name: 'Send email' }).click()
  await expect(messageList(page)).toContainText('Sent')
  const sent = clinic.outbox.messages.find(({ To }) => To === email)!
  expect(sent.HtmlBody).toMatch(/<p>Please note:<\/p><ul><li><p><em>Enter from the lane<\/em><img src="cid:[^"]+" alt="map"/)
  expect(sent.HtmlBody).toContain('<strong>Dana Reyes</strong>')
  expect(sent.TextBody).toMatch(/^Please note:\n\n- Enter from the lane\[map\]\n\n-- \nDana Reyes$/)
  expect(sent.Attachments).toMatchObject([{ Name: 'map.jpg', ContentType: 'image/jpeg' }])
  await expect(reply).toHaveText('')
})
