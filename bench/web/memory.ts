import type { Browser, CDPSession, Page } from '@playwright/test'
import { progress, type Row, slope, toRow } from '../report.ts'
import { firstRow, layoutLink, menuLink, newVisitor } from './browser.ts'

const navigations = 500
/** The heap is measured after this many navigations, and again after as many more. */
const interval = 50
/** The first navigations load code and fill caches. */
const warmUp = 100
/** The target of the growth, in KB a navigation. */
const maxGrowth = 20
/** How long each page is looked at, in milliseconds. */
const untilLoaded = 100
/** The rows of the list whose records are opened in turn. */
const patients = 10

type Visit = (page: Page, round: number) => Promise<void>

/** Follows an entry of the sidebar. */
const section =
  (name: string): Visit =>
  async (page) => {
    await menuLink(page, name).click()
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  }
const list: Visit = async (page) => {
  await menuLink(page, 'Patients').click()
  await firstRow(page).waitFor()
}
const board: Visit = async (page) => {
  await layoutLink(page, 'Board').click()
  await page.locator('[data-card]').first().waitFor()
}
const record: Visit = async (page, round) => {
  await page
    .locator('[data-row]')
    .nth(round % patients)
    .getByRole('link')
    .first()
    .click()
  await page.getByRole('tab').first().waitFor()
}
/** Ten navigations. */
const tour = [list, record, list, board, section('Dashboard'), section('Appointments'), list, record, section('Tasks'), section('Reports')]

/** Measures how much the page's heap of JavaScript grows with each navigation. */
export async function measureMemory(browser: Browser, url: string, cookie: string): Promise<Row[]> {
  const context = await newVisitor(browser, url, cookie)
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await page.goto(url)
  const heaps: [navigations: number, kilobytes: number][] = []
  for (let done = 0; done < navigations;) {
    const round = done / tour.length
    for (const visit of tour) {
      await visit(page, round)
      await page.waitForTimeout(untilLoaded)
    }
    done += tour.length
    if (done % interval !== 0) continue
    heaps.push([done, await heapOf(devtools)])
    progress(`  ${done} navigations: ${heaps.at(-1)![1].toFixed(0)} KB of JavaScript heap`)
  }
  await context.close()
  return [rowOf(slope(heaps.filter(([done]) => done >= warmUp)))]
}

/** The heap once the garbage is collected, in KB of 1000 bytes. */
async function heapOf(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage')
  return (await devtools.send('Runtime.getHeapUsage')).usedSize / 1000
}

const rowOf = (growth: number): Row =>
  toRow({
    case: `JavaScript heap, growth a navigation over ${navigations}`,
    unit: 'KB',
    ours: growth,
    aims: [{ of: 'ours', atMost: maxGrowth }],
  })
