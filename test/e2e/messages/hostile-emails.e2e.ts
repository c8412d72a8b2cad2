import { hostileEmails, outsideHost } from '../../messages/hostile-emails.ts'
import { expect, test } from '../support/clinic.ts'

/** HOSTILE=1000 opens all of them; the default run opens a sample of every kind. */
const count = Math.min(hostileEmails.length, Number(process.env.HOSTILE ?? 25))
const opened = hostileEmails.filter(
  (_, index) => Math.floor((index * count) / hostileEmails.length) !== Math.floor(((index - 1) * count) / hostileEmails.length),
)

test(`opens ${count} hostile emails without a dialog, a script or a request to another host`, async ({ open, clinic }) => {
  test.setTimeout(600_000)
  for (const { from, to, subject, text, html, headers } of opened) {
    const { status, body } = await clinic.outbox.inbound({ from, to, subject, text, html, headers })
    expect(status, body).toBe(200)
  }
  const page = await open('sales', '/tasks')
  const incidents: string[] = []
  page.on('dialog', (dialog) => {
    incidents.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.context().on('page', (other) => incidents.push(`window: ${other.url()}`))
  page.context().on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (origin !== clinic.url && protocol !== 'data:' && protocol !== 'blob:') incidents.push(`request: ${request.url()}`)
  })
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const response = await page.request.get(`/api/inbox/conversations?show=all&limit=200${cursor && `&cursor=${cursor}`}`)
    const { data, nextCursor } = (await response.json()) as { data: { id: string }[]; nextCursor: string | null }
    ids.push(...data.map(({ id }) => id))
    cursor = nextCursor
  }
  let emails = 0
  for (const id of ids) {
    const response = await page.request.get(`/api/inbox/conversations/${id}`)
    emails += ((await response.json()) as { messages: unknown[] }).messages.length
  }
  expect(emails).toBeGreaterThanOrEqual(opened.length)

  await page.goto('/inbox')
  await expect(page.getByRole('list', { name: 'Conversations' })).toBeVisible()
  const messages = page.getByRole('list', { name: 'Messages' })
  for (const id of ids) {
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`/inbox\\?conversation=${id}$`))
    await expect(messages).toBeVisible()
    const collapsed = messages.locator('li > button[aria-expanded=false]')
    while ((await collapsed.count()) > 0) await collapsed.first().press('Enter')
    for (const frame of await messages.locator('iframe').all()) {
      await frame.scrollIntoViewIfNeeded()
      const inside = await (await frame.elementHandle()).contentFrame()
      await inside!.waitForURL(/\/api\/inbox\/messages\/[0-9a-f-]{36}\/mail$/)
      expect(await inside!.locator('script, form, base, iframe, object, svg, link, meta[http-equiv=refresh]').count()).toBe(0)
    }
    expect(incidents).toEqual([])
    await page.getByRole('list', { name: 'Conversations' }).locator(`[data-row="${id}"] button`).focus()
  }
  expect(incidents.filter((line) => line.includes(outsideHost))).toEqual([])
})

test('loads remote images only on request', async ({ open, clinic }) => {
  const page = await open('sales', '/inbox')
  const requests: string[] = []
  await page.context().route(`https://${outsideHost}/**`, (route) => {
    requests.push(`${route.request().url()} ${route.request().headers().referer ?? 'no referrer'}`)
    return route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>' })
  })
  const subject = `Pictures ${crypto.randomUUID()}`
  await clinic.outbox.inbound({
    from: 'shop@work.example',
    subject,
    html: `<p style="color: #ff0000">Look</p><img src="https://${outsideHost}/pixel.png" alt="A pixel">`,
  })
  await page.getByRole('button', { name: subject }).click()
  const mail = page.frameLocator('iframe')
  // The email's own styles are kept.
  await expect(mail.getByText('Look')).toHaveCSS('color', 'rgb(255, 0, 0)')
  expect(requests).toEqual([])
  await page.getByRole('button', { name: 'Show images' }).click()
  await expect.poll(() => requests).toEqual([`https://${outsideHost}/pixel.png no referrer`])
  await page.getByRole('button', { name: 'Show as text' }).click()
  await expect(page.locator('iframe')).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'Messages' })).toContainText('Look')
})
