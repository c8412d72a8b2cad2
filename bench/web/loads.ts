import type { Browser, Page } from '@playwright/test'
import { serveBarePage } from '../baseline/web.ts'
import { type Aim, progress, quantile, ratio, type Row, toRow } from '../report.ts'
import { javascriptOf, type Load, newVisitor, newWaiter, timeLoad, usable, type Usable, usableList, usableSignIn } from './browser.ts'

const loads = 5
/** Longer than the delay of the idle prefetch (spec 9: 2 s). */
const untilIdle = 4_000
/** Scripts requested before the list was usable may still be loading. */
const lastScripts = 1_000

/** Measures first loads against a minimal page: their JavaScript, and when they show their largest part and are usable. */
export async function measureLoads(browser: Browser, url: string, cookie: string, slowed: number): Promise<Row[]> {
  const bare = await serveBarePage(url)
  try {
    const scripts = await measureScripts(browser, url, cookie, bare.url)
    const [signIn, list, theirs]: [Load[], Load[], Load[]] = [[], [], []]
    for (let load = 1; load <= loads; load++) {
      signIn.push(await timeLoad(browser, `${url}/auth`, '', usableSignIn, slowed))
      list.push(await timeLoad(browser, `${url}/contacts`, cookie, usableList, slowed))
      theirs.push(await timeLoad(browser, bare.url, cookie, usableList, slowed))
      progress(
        `  load ${load}: ${[signIn, list, theirs].map((all) => all.at(-1)!.usable.toFixed(0)).join(', ')} ms until /auth, /contacts and the bare page are usable`,
      )
    }
    const at = `processor slowed ${slowed} times`
    return [
      ...scripts,
      timeRow(`/auth: usable, ${at}`, signIn, theirs, 'usable', [{ of: 'ours', atMost: 500 }]),
      timeRow(`/auth: largest contentful paint, ${at}`, signIn, theirs, 'largestPaint'),
      timeRow(`/contacts: list usable, ${at}`, list, theirs, 'usable', [{ of: 'ours', atMost: 1_200 }]),
      timeRow(`/contacts: largest contentful paint, ${at}`, list, theirs, 'largestPaint'),
    ]
  } finally {
    bare.stop()
  }
}

async function measureScripts(browser: Browser, url: string, cookie: string, bareUrl: string): Promise<Row[]> {
  const bareScript = await scriptsUntil(browser, bareUrl, cookie, usableList, usable)
  const ofAuth = await scriptsUntil(browser, `${url}/auth`, '', null, (page) => page.waitForLoadState('networkidle'))
  const ofDashboard = await scriptsUntil(
    browser,
    `${url}/`,
    cookie,
    null,
    (page) =>
      page
        .getByRole('heading', { name: 'Sales Funnel' })
        .waitFor()
        .then(() => page.waitForTimeout(lastScripts)),
    neverIdle,
  )
  const ofList = await scriptsUntil(
    browser,
    `${url}/contacts`,
    cookie,
    usableList,
    (page) => usable(page).then(() => page.waitForTimeout(lastScripts)),
    neverIdle,
  )
  const ofListIdle = await scriptsUntil(browser, `${url}/contacts`, cookie, usableList, (page) =>
    usable(page).then(() => page.waitForTimeout(untilIdle)),
  )
  return [
    sizeRow('/auth: JavaScript of the first load, gzipped', ofAuth, bareScript, 100),
    sizeRow('/: JavaScript until the dashboard is there, gzipped', ofDashboard, bareScript, 185),
    sizeRow('/contacts: JavaScript until the list is usable, gzipped', ofList, bareScript, 180),
    sizeRow('/contacts: JavaScript with the idle prefetch, gzipped', ofListIdle, bareScript, null),
  ]
}

/** Runs in the page. The browser never reports that it is idle. */
function neverIdle(): void {
  window.requestIdleCallback = () => 0
}

async function scriptsUntil(
  browser: Browser,
  url: string,
  cookie: string,
  what: Usable | null,
  done: (page: Page) => Promise<unknown>,
  before?: () => void,
): Promise<number> {
  const visitor = await (what ? newWaiter(browser, url, cookie, what) : newVisitor(browser, url, cookie))
  if (before) await visitor.addInitScript(before)
  const size = await javascriptOf(visitor, url, done)
  await visitor.close()
  return size
}

const sizeRow = (name: string, ours: number, baseline: number, atMost: number | null): Row =>
  toRow({
    case: name,
    unit: 'KB',
    ours,
    baseline,
    ratio: ratio(ours, baseline),
    aims: atMost === null ? [] : [{ of: 'ours', atMost }],
  })

/** Of five loads, p99 is the slowest. */
function timeRow(name: string, ours: Load[], baseline: Load[], of: keyof Load, aims: Aim[] = []): Row {
  const at = (all: Load[], part: number) =>
    quantile(
      all.map((load) => load[of]),
      part,
    )
  return {
    case: name,
    connections: null,
    unit: 'ms',
    ours: at(ours, 0.5),
    baseline: at(baseline, 0.5),
    ratio: ratio(at(ours, 0.5), at(baseline, 0.5)),
    oursP50: at(ours, 0.5),
    oursP99: at(ours, 0.99),
    baselineP50: at(baseline, 0.5),
    baselineP99: at(baseline, 0.99),
    aims,
  }
}
