import type { Browser, Page } from '@playwright/test'
import { openClinic } from '../clinic/clinic.ts'
import { startServer } from '../load/processes.ts'
import { progress, quantile, ratio, type Row } from '../report.ts'
import { signIn } from '../clinic/session.ts'
import { serveBarePage } from '../baseline/web.ts'
import { launchBrowser, javascriptOf, newWaiter, timeUntilUsable, usable } from './browser.ts'
import { buildIfStale } from '../load/build.ts'

const contacts = 2_500
const loads = 5
const slowed = 4
/** Longer than the delay of the idle prefetch (spec 9: 2 s). */
const untilIdle = 4_000
/** Scripts requested before the list was usable may still be loading. */
const lastScripts = 1_000

/** Measures a first load against a minimal page: the JavaScript of /auth, / and /contacts, and the time until the list is usable. */
export async function benchWeb(): Promise<Row[]> {
  buildIfStale()
  const clinic = await openClinic(contacts)
  const server = await startServer(clinic.ownerUrl)
  const bare = await serveBarePage(server.url)
  const browser = await launchBrowser()
  try {
    const cookie = await signIn(clinic.ownerUrl, server.url)
    const bareScript = await scriptsUntil(browser, bare.url, cookie, usable)
    const ofAuth = await scriptsUntil(browser, `${server.url}/auth`, '', (page) => page.waitForLoadState('networkidle'))
    const ofDashboard = await scriptsUntil(
      browser,
      `${server.url}/`,
      cookie,
      (page) =>
        page
          .getByRole('heading', { name: 'Sales Funnel' })
          .waitFor()
          .then(() => page.waitForTimeout(lastScripts)),
      neverIdle,
    )
    const ofList = await scriptsUntil(
      browser,
      `${server.url}/contacts`,
      cookie,
      (page) => usable(page).then(() => page.waitForTimeout(lastScripts)),
      neverIdle,
    )
    const ofListIdle = await scriptsUntil(browser, `${server.url}/contacts`, cookie, (page) =>
      usable(page).then(() => page.waitForTimeout(untilIdle)),
    )
    const [ours, theirs]: [number[], number[]] = [[], []]
    for (let load = 1; load <= loads; load++) {
      ours.push(await timeUntilUsable(browser, `${server.url}/contacts`, cookie, slowed))
      theirs.push(await timeUntilUsable(browser, bare.url, cookie, slowed))
      progress(`  load ${load}: usable after ${ours.at(-1)!.toFixed(0)} ms, the bare page after ${theirs.at(-1)!.toFixed(0)} ms`)
    }
    return [
      sizeRow('/auth: JavaScript of the first load, gzipped', ofAuth, bareScript, 100),
      sizeRow('/: JavaScript until the dashboard is there, gzipped', ofDashboard, bareScript, 185),
      sizeRow('/contacts: JavaScript until the list is usable, gzipped', ofList, bareScript, 180),
      sizeRow('/contacts: JavaScript with the idle prefetch, gzipped', ofListIdle, bareScript, null),
      timeRow(`/contacts: list usable, processor slowed ${slowed} times`, ours, theirs),
    ]
  } finally {
    await browser.close()
    bare.stop()
    await server.stop()
    await clinic.close()
  }
}

/** Runs in the page. The browser never reports that it is idle. */
function neverIdle(): void {
  window.requestIdleCallback = () => 0
}

async function scriptsUntil(
  browser: Browser,
  url: string,
  cookie: string,
  done: (page: Page) => Promise<unknown>,
  before?: () => void,
): Promise<number> {
  const visitor = await newWaiter(browser, url, cookie)
  if (before) await visitor.addInitScript(before)
  const size = await javascriptOf(visitor, url, done)
  await visitor.close()
  return size
}

const sizeRow = (name: string, ours: number, baseline: number, atMost: number | null): Row => ({
  case: name,
  connections: null,
  unit: 'KB',
  ours,
  baseline,
  ratio: ratio(ours, baseline),
  oursP50: null,
  oursP99: null,
  baselineP50: null,
  baselineP99: null,
  aims: atMost === null ? [] : [{ of: 'ours', atMost }],
})

/** Of five loads, p99 is the slowest. */
const timeRow = (name: string, ours: number[], baseline: number[]): Row => ({
  case: name,
  connections: null,
  unit: 'ms',
  ours: quantile(ours, 0.5),
  baseline: quantile(baseline, 0.5),
  ratio: ratio(quantile(ours, 0.5), quantile(baseline, 0.5)),
  oursP50: quantile(ours, 0.5),
  oursP99: quantile(ours, 0.99),
  baselineP50: quantile(baseline, 0.5),
  baselineP99: quantile(baseline, 0.99),
  aims: [],
})
