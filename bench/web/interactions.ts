import type { Browser, Locator, Page } from '@playwright/test'
import { median, progress, quantile, type Row, toRow } from '../report.ts'
import { firstRow, layoutLink, menuLink, newVisitor, slowDown } from './browser.ts'

declare global {
  interface Window {
    /** The events of interactions so far. */
    interactions?: { id: number; duration: number }[]
  }
}

const rounds = 8
/** The target of Interaction to Next Paint, in milliseconds. */
const maxLatency = 200
/** The browser reports no event that takes less, in milliseconds. */
const leastReported = 16
/** How long after an interaction the page is left to finish its work, in milliseconds. */
const untilQuiet = 1_000
/** Between two keys, in milliseconds: 400 keys a minute. */
const betweenKeys = 150

const search = (page: Page): Locator => page.locator('input[type=search]')

/** `prepare` makes the page ready and is not measured. `act` interacts and returns what must show afterwards. */
type Interaction = { name: string; prepare: (page: Page) => Promise<void>; act: (page: Page) => Promise<Locator> }

const paymentField = (page: Page): Locator => page.getByRole('dialog', { name: 'Take Payment', exact: true }).getByRole('combobox').first()

/** In the order in which someone makes them. */
const interactions: Interaction[] = [
  {
    name: 'open the list from the dashboard',
    prepare: async (page) => {
      await menuLink(page, 'Dashboard').click()
      await page.getByRole('heading', { name: 'Sales Funnel' }).waitFor()
    },
    act: async (page) => {
      await press(page, menuLink(page, 'Patients'))
      return firstRow(page)
    },
  },
  {
    name: 'type in the search',
    prepare: (page) => search(page).focus(),
    act: async (page) => {
      await page.keyboard.type('maria', { delay: betweenKeys })
      return firstRow(page).filter({ hasText: /maria/i })
    },
  },
  {
    name: 'open a record from the list',
    prepare: async (page) => {
      await search(page).fill('')
      await firstRow(page).waitFor()
    },
    act: async (page) => {
      await press(page, firstRow(page).getByRole('link').first())
      return page.getByRole('tab').first()
    },
  },
  {
    name: 'open Take Payment from a record',
    prepare: async () => {},
    act: async (page) => {
      await press(page, page.getByRole('button', { name: 'Take Payment', exact: true }))
      return paymentField(page)
    },
  },
  {
    name: 'move a card on the board',
    prepare: async (page) => {
      await page.keyboard.press('Escape')
      await paymentField(page).waitFor({ state: 'hidden' })
      await menuLink(page, 'Patients').click()
      await layoutLink(page, 'Board').click()
      await page.locator('[data-card]').first().waitFor()
    },
    act: moveCard,
  },
]

/** Measures how long after each interaction the browser shows its first effect, with the processor slowed. */
export async function measureInteractions(browser: Browser, url: string, cookie: string, slowed: number): Promise<Row[]> {
  const context = await newVisitor(browser, url, cookie)
  await context.addInitScript(watchInteractions)
  const page = await context.newPage()
  await slowDown(page, slowed)
  await page.goto(url)
  await page.waitForTimeout(5 * untilQuiet)
  const latencies = new Map<string, number[]>(interactions.map(({ name }) => [name, []]))
  for (let round = 1; round <= rounds; round++)
    for (const interaction of interactions) latencies.get(interaction.name)!.push(...(await latenciesOf(page, interaction)))
  await context.close()
  return [...latencies].map(([name, all]) => {
    progress(`  ${name}: ${all.map((ms) => ms.toFixed(0)).join(', ')} ms`)
    return rowOf(`${name}, processor slowed ${slowed} times`, all)
  })
}

/** Carries out an interaction. Returns the latency of each press or key in it, in milliseconds. */
async function latenciesOf(page: Page, { prepare, act }: Interaction): Promise<number[]> {
  await prepare(page)
  await page.waitForTimeout(untilQuiet)
  await page.evaluate(() => (window.interactions = []))
  const effect = await act(page)
  // Waiting for the effect itself would keep the page busy.
  await page.waitForTimeout(untilQuiet)
  await effect.waitFor()
  const events = await page.evaluate(() => window.interactions!)
  const byInteraction = Map.groupBy(events, ({ id }) => id)
  const latencies = [...byInteraction.values()].map((all) => Math.max(...all.map(({ duration }) => duration)))
  return latencies.length > 0 ? latencies : [leastReported]
}

/** Runs in the page. */
function watchInteractions(): void {
  window.interactions = []
  new PerformanceObserver((list) => {
    for (const { interactionId: id, duration } of list.getEntries() as PerformanceEventTiming[])
      if (id > 0) window.interactions!.push({ id, duration })
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
}

/** Clicks as a person does. Playwright's own click adds checks to the page's handling of the events. */
async function press(page: Page, target: Locator): Promise<void> {
  const { x, y, width, height } = (await target.boundingBox())!
  await page.mouse.click(x + width / 2, y + height / 2)
}

/** Drags the first card of the first column to the second column. */
async function moveCard(page: Page): Promise<Locator> {
  const [from, to] = [page.locator('[data-stage]').nth(0), page.locator('[data-stage]').nth(1)]
  const card = from.locator('[data-card]').first()
  const id = await card.getAttribute('data-card')
  const [start, target] = [(await card.boundingBox())!, (await to.boundingBox())!]
  const y = start.y + start.height / 2
  await page.mouse.move(start.x + start.width / 2, y)
  await page.mouse.down()
  await page.mouse.move(target.x + target.width / 2, y, { steps: 12 })
  await page.mouse.up()
  return to.locator(`[data-card="${id}"]`)
}

/** Of few interactions, p99 is the slowest. */
const rowOf = (name: string, latencies: number[]): Row =>
  toRow({
    case: name,
    unit: 'ms',
    ours: median(latencies),
    oursP50: median(latencies),
    oursP99: quantile(latencies, 0.99),
    aims: [{ of: 'oursP99', atMost: maxLatency }],
  })
