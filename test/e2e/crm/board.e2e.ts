import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../support/clinic.ts'

interface Lead {
  id: string
  name: string
}

/** Creates leads for this test with a tag of their own. Returns the URLs of the board and the list that show only them. */
async function makeLeads(page: Page, firstNames: string[]): Promise<{ leads: Lead[]; board: string; list: string }> {
  const lastName = `Board${randomUUID().slice(0, 8)}`
  const post = async (method: 'post' | 'put', path: string, data: object) => {
    const answer = await page.request[method](`/api${path}`, { data, headers: { origin: new URL(page.url()).origin } })
    expect(answer.ok(), `${path} ${answer.status()}`).toBe(true)
    return (await answer.json().catch(() => ({}))) as { id: string }
  }
  const tag = await post('post', '/tags', { name: lastName })
  const leads: Lead[] = []
  for (const firstName of firstNames) {
    const { id } = await post('post', '/contacts', { firstName, lastName })
    await post('put', `/contacts/${id}/tags/${tag.id}`, {})
    leads.push({ id, name: `${firstName} ${lastName}` })
  }
  return { leads, board: `/contacts?layout=board&filter=tag:${tag.id}`, list: `/contacts?filter=tag:${tag.id}` }
}

const column = (page: Page, stage: string): Locator => page.getByRole('region', { name: new RegExp(`^${stage} `) })
const cardIn = (page: Page, stage: string, lead: Lead | undefined): Locator =>
  column(page, stage).getByRole('article', { name: lead?.name ?? '', exact: true })
const middle = async (of: Locator) => {
  const { x, y, width, height } = (await of.boundingBox())!
  return { x: x + width / 2, y: y + Math.min(height / 2, 200) }
}
const fields = async (page: Page, lead: Lead | undefined) =>
  (await (await page.request.get(`/api/contacts/${lead?.id}`)).json()) as {
    version: number
    lostReason: string | null
    funnelStageId: string
  }

/** A change by another user, outside the page. */
async function changeElsewhere(page: Page, lead: Lead | undefined, data: object) {
  const { version } = await fields(page, lead)
  const headers = { origin: new URL(page.url()).origin }
  expect((await page.request.patch(`/api/contacts/${lead?.id}`, { data: { version, ...data }, headers })).status()).toBe(200)
}

test('switches between list and board, keeps the filters, and opens the same board from its URL', async ({ open }) => {
  const page = await open('sales', '/contacts')
  const { leads, list } = await makeLeads(page, ['Ada', 'Bo'])
  const layout = page.getByRole('navigation', { name: 'Layout' })
  await page.goto(list)
  await expect(page.getByRole('row')).toHaveCount(3)
  await layout.getByRole('link', { name: 'Board' }).click()
  await expect(page).toHaveURL(/layout=board/)
  for (const lead of leads) await expect(cardIn(page, 'Lead', lead)).toBeVisible()
  await expect(column(page, 'Lead').getByRole('heading')).toContainText('2')
  await page.reload()
  await expect(cardIn(page, 'Lead', leads[1])).toBeVisible()
  await cardIn(page, 'Lead', leads[1]).getByRole('link').click()
  await expect(page.getByRole('heading', { name: leads[1]?.name })).toBeVisible()
  await page.goBack()
  await expect(cardIn(page, 'Lead', leads[0])).toBeVisible()
  await layout.getByRole('link', { name: 'List' }).click()
  await expect(page.getByRole('row')).toHaveCount(3)
  await expect(page).not.toHaveURL(/layout/)
})

test('moves a card to another stage by mouse and back with Undo, and shows others’ moves live', async ({ open }) => {
  const page = await open('sales', '/contacts')
  const { leads, board } = await makeLeads(page, ['Ada', 'Bo', 'Cy'])
  await page.goto(board)
  const from = await middle(cardIn(page, 'Lead', leads[0]))
  const to = await middle(column(page, 'Contacted'))
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 8 })
  await expect(column(page, 'Contacted')).toHaveAttribute('data-target', 'true')
  await changeElsewhere(page, leads[1], { funnelStage: 'quote_sent' }) // held back during the drag
  await page.mouse.up()
  await expect(cardIn(page, 'Contacted', leads[0])).toBeVisible()
  await expect(page).toHaveURL(/layout=board/) // the drop does not follow the link
  await expect(cardIn(page, 'Quote Sent', leads[1])).toBeVisible()
  const toast = page.getByRole('status').filter({ hasText: `${leads[0]?.name} moved to Contacted` })
  await toast.getByRole('button', { name: 'Undo' }).click()
  await expect(cardIn(page, 'Lead', leads[0])).toBeVisible()
  await expect(column(page, 'Contacted').getByRole('heading')).toContainText('0')

  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 8 })
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect(column(page, 'Lead').getByRole('article')).toHaveCount(2)
})

test('moves a card by keyboard: Space lifts and drops, arrows choose the column, Escape cancels; announces each step', async ({ open }) => {
  const page = await open('sales', '/contacts')
  const { leads, board } = await makeLeads(page, ['Ada', 'Bo'])
  await page.goto(board)
  const [top, below] = [leads[1], leads[0]] // the most recent in the stage comes first
  await expect(cardIn(page, 'Lead', top)).toBeVisible()
  const announcement = page.getByRole('status').filter({ hasText: /picked up|of 7|stays|moved/ })
  await page.keyboard.press('ArrowDown')
  await expect(cardIn(page, 'Lead', top).getByRole('link')).toBeFocused()
  await page.keyboard.press('j')
  await expect(cardIn(page, 'Lead', below).getByRole('link')).toBeFocused()
  await page.keyboard.press('Space')
  await expect(announcement.first()).toContainText(`${below?.name} picked up from Lead`)
  await page.keyboard.press('ArrowRight')
  await expect(announcement.first()).toContainText('Contacted, 2 of 7')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await expect(cardIn(page, 'Consult Booked', below).getByRole('link')).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(cardIn(page, 'Lead', top).getByRole('link')).toBeFocused()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Escape')
  await expect(announcement.first()).toContainText(`${top?.name} stays in Lead`)
  await expect(cardIn(page, 'Lead', top)).toBeVisible()
  await page.keyboard.press('s')
  await page.getByRole('menuitemradio', { name: 'Quote Sent' }).press('Enter')
  await expect(cardIn(page, 'Quote Sent', top)).toBeVisible()
  await expect.poll(async () => (await fields(page, top)).version).toBe(2)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/contacts/(${top?.id}|${below?.id})$`))
})

test.describe('with failed requests', () => {
  test.use({ expectedErrors: ['409', 'ERR_INTERNET_DISCONNECTED', 'Failed to fetch'] })

  test('reverts a move that conflicts or gets no response, and shows the reason', async ({ open }) => {
    const page = await open('sales', '/contacts')
    const { leads, board } = await makeLeads(page, ['Ada', 'Bo'])
    await page.goto(board)
    await cardIn(page, 'Lead', leads[0]).getByRole('link').focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowRight')
    await changeElsewhere(page, leads[0], { funnelStage: 'quote_sent' })
    await page.keyboard.press('Space')
    const refused = page.getByRole('alert').filter({ hasText: `${leads[0]?.name} was not moved` })
    await expect(refused).toContainText(/changed Stage just now\. Nothing was overwritten\./)
    await expect(cardIn(page, 'Quote Sent', leads[0])).toBeVisible()
    await refused.getByRole('button', { name: 'Dismiss' }).click()

    await page.context().setOffline(true)
    await cardIn(page, 'Lead', leads[1]).getByRole('link').focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    const lost = page.getByRole('alert').filter({ hasText: `${leads[1]?.name} was not moved` })
    await expect(lost).toContainText('The connection was lost')
    await expect(cardIn(page, 'Lead', leads[1])).toBeVisible()
    await page.context().setOffline(false)
    await lost.getByRole('button', { name: 'Retry' }).click()
    await expect(cardIn(page, 'Contacted', leads[1])).toBeVisible()
    await expect.poll(async () => (await fields(page, leads[1])).version).toBe(2)
  })
})

test('asks for the reason a lead was lost on the board, on the record and in bulk, and shows it until the lead returns', async ({
  open,
}) => {
  const page = await open('sales', '/contacts')
  const { leads, board, list } = await makeLeads(page, ['Ada', 'Bo', 'Cy'])
  await page.goto(board)
  const dialog = page.getByRole('dialog', { name: 'Why was this lead lost?' })
  const lose = async (lead: Lead | undefined) => {
    await cardIn(page, 'Lead', lead).hover()
    await cardIn(page, 'Lead', lead).getByRole('button').click()
    await page.getByRole('menuitemradio', { name: 'Cold Lead' }).click()
    await expect(dialog).toBeVisible()
  }
  await lose(leads[0])
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(cardIn(page, 'Lead', leads[0])).toBeVisible()
  await lose(leads[0])
  await dialog.getByRole('radio', { name: 'Price' }).click()
  await dialog.getByLabel('Details').fill('wants to save up')
  await page.keyboard.press('Enter')
  await expect(cardIn(page, 'Cold Lead', leads[0])).toContainText('Price: wants to save up')

  await cardIn(page, 'Cold Lead', leads[0]).getByRole('link').click()
  await expect(page.getByText('Price: wants to save up').filter({ visible: true })).toHaveCount(2) // next to the stage and on the timeline
  await page.getByRole('button', { name: /^Contacted/ }).click()
  await expect(page.getByText('Price: wants to save up').filter({ visible: true })).toHaveCount(1)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Move to stage' }).press('ArrowRight')
  await page.getByRole('menuitemradio', { name: 'Cold Lead' }).press('Enter')
  await dialog.getByRole('button', { name: 'Skip' }).click()
  await expect.poll(() => fields(page, leads[0])).toMatchObject({ version: 4, lostReason: null })

  await page.goto(list)
  await expect(page.getByRole('row')).toHaveCount(4)
  await page.getByRole('checkbox', { name: `Select ${leads[1]?.name}` }).click()
  await page.getByRole('checkbox', { name: `Select ${leads[2]?.name}` }).click()
  await page.keyboard.press('s')
  await page.getByRole('menuitem', { name: 'Cold Lead' }).press('Enter')
  await expect(dialog).toContainText('2 patients')
  await expect(dialog.getByRole('radio', { name: 'Price' })).toBeFocused()
  await page.keyboard.down('ArrowDown') // hold the key: the selection follows the focus only while it is down
  await expect(dialog.getByRole('radio', { checked: true })).toBeFocused()
  await page.keyboard.up('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByText('2 patients moved to Cold Lead')).toBeVisible()
  await expect.poll(async () => (await fields(page, leads[2])).lostReason).toMatch(/Price|Timing/)
})

test('loads a long column on scroll and renders only visible cards', async ({ open }) => {
  const page = await open('sales', '/contacts')
  const { board, leads } = await makeLeads(
    page,
    Array.from({ length: 60 }, (_, i) => `Lead${i}`),
  )
  await page.goto(board)
  const lead = column(page, 'Lead')
  await expect(lead.getByRole('article').first()).toBeVisible()
  expect(await lead.getByRole('article').count()).toBeLessThan(25)
  await cardIn(page, 'Lead', leads[59]).hover()
  await expect(async () => {
    await page.mouse.wheel(0, 2000)
    await expect(cardIn(page, 'Lead', leads[0])).toBeVisible({ timeout: 500 })
  }).toPass()
  expect(await lead.getByRole('article').count()).toBeLessThan(25)
})

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 375, height: 812 } })

  test('lifts a card by long press and carries it over the edge, scrolls on swipe, and moves it from the menu', async ({ open }) => {
    const page = await open('sales', '/contacts')
    const { leads, board } = await makeLeads(page, ['Ada', 'Bo'])
    await page.goto(board)
    const card = cardIn(page, 'Lead', leads[0])
    const from = await middle(card)
    const cdp = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
      cdp.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] })
    const scrolled = () => page.getByRole('group', { name: 'Board' }).evaluate((element) => element.scrollLeft)

    // More than half a column, so that it snaps to the next one however slow the swipe.
    await touch('touchStart', 300, from.y)
    for (let x = 300; x > 40; x -= 20) await touch('touchMove', x, from.y)
    await touch('touchEnd')
    await expect(column(page, 'Contacted')).toBeInViewport({ ratio: 0.8 })
    await expect(page.locator('[data-target]')).toHaveCount(0)
    await expect(async () => {
      await page.getByRole('group', { name: 'Board' }).evaluate((element) => element.scrollTo({ left: 0, behavior: 'instant' }))
      await expect(column(page, 'Lead')).toBeInViewport({ ratio: 0.95 })
      expect(await scrolled()).toBe(0)
    }).toPass()

    await touch('touchStart', from.x, from.y)
    await expect(card).toHaveClass(/opacity-45/)
    await touch('touchMove', 365, from.y)
    await expect.poll(scrolled).toBeGreaterThan(250)
    await touch('touchMove', 187, from.y)
    // The column under the finger is highlighted in the next frame.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    const target = page.locator('[data-target]')
    const stage = (await target.getByRole('heading').innerText()).split('\n')[0] ?? ''
    expect(stage).not.toBe('')
    await touch('touchEnd')
    await expect(page.getByText(`${leads[0]?.name} moved to`).last()).toBeAttached()
    await expect(cardIn(page, stage.replace(/ \d.*/, ''), leads[0])).toBeVisible()

    await page.goto(board)
    await cardIn(page, 'Lead', leads[1]).getByRole('button').tap()
    await page.getByRole('menuitemradio', { name: 'Quote Sent' }).tap()
    await expect(cardIn(page, 'Quote Sent', leads[1])).toBeAttached()
    await expect.poll(async () => (await fields(page, leads[1])).version).toBe(2)
  })
})
