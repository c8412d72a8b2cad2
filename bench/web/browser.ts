import { gzipSync } from 'node:zlib'
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from '@playwright/test'
import { chromiumFlags, findChromium } from '../../scripts/chromium.ts'

declare global {
  interface Window {
    /** When the page became usable, in milliseconds since the navigation started. */
    usableAt?: number
    /** When its largest text or picture was painted, in the same unit. */
    largestPaintAt?: number
  }
}

/** A page is usable once `row`, if it has one, is on the screen and `field` keeps what is typed into it. Selectors. */
export type Usable = { row?: string; field: string }

export const usableList: Usable = { row: '[data-row]', field: 'input[type=search]' }
export const usableSignIn: Usable = { field: 'input[type=email]' }

/** How long a page may still paint after it became usable, in milliseconds. */
const lastPaints = 1_000

export async function launchBrowser(): Promise<Browser> {
  const { executablePath, env } = await findChromium()
  return chromium.launch({ executablePath, args: chromiumFlags, env: { ...(process.env as Record<string, string>), ...env } })
}

/** A browser context that records when a page becomes usable (see `usable`). */
export async function newWaiter(browser: Browser, url: string, cookie: string, what: Usable): Promise<BrowserContext> {
  const context = await newVisitor(browser, url, cookie)
  await context.addInitScript(watchLoad, what)
  return context
}

/** An entry of the sidebar. */
export const menuLink = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })

/** Switches to the list or the board. */
export const layoutLink = (page: Page, name: 'List' | 'Board'): Locator =>
  page.getByRole('navigation', { name: 'Layout' }).getByRole('link', { name, exact: true })

/** The first patient of the list. */
export const firstRow = (page: Page): Locator => page.locator('[data-row]').first()

/** Throttles the processor of a page by the factor `slowed`. */
export async function slowDown(page: Page, slowed: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowed })
}

/** A browser context with an empty cache. `cookie`: the session cookie as `name=value; name=value`. */
export async function newVisitor(browser: Browser, url: string, cookie: string): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const cookies = cookie
    .split('; ')
    .map((pair) => ({ name: pair.slice(0, pair.indexOf('=')), value: pair.slice(pair.indexOf('=') + 1), url }))
  if (cookie) await context.addCookies(cookies)
  return context
}

/** Runs in the page. */
function watchLoad({ row, field }: Usable): void {
  new PerformanceObserver((list) => {
    window.largestPaintAt = list.getEntries().at(-1)!.startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  const look = () => {
    const input = document.querySelector<HTMLInputElement>(field)
    const isShown = row === undefined || document.querySelector(row)?.getClientRects().length
    if (!isShown || !input || input.disabled || input.readOnly) return requestAnimationFrame(look)
    input.focus()
    document.execCommand('insertText', false, 'a')
    // A field whose script has not loaded yet would lose the letter once it does.
    return requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (input.value === 'a') window.usableAt = performance.now()
        else look()
      }),
    )
  }
  requestAnimationFrame(look)
}

/** In milliseconds since the navigation started. */
export type Load = { usable: number; largestPaint: number }

/** Times a navigation, with an empty cache and the processor throttled by the factor `slowed`. */
export async function timeLoad(browser: Browser, url: string, cookie: string, what: Usable, slowed: number): Promise<Load> {
  const context = await newWaiter(browser, url, cookie, what)
  try {
    const page = await context.newPage()
    await slowDown(page, slowed)
    await page.goto(url, { waitUntil: 'commit' })
    const usableAt = await usable(page)
    await page.waitForTimeout(lastPaints)
    return { usable: usableAt, largestPaint: (await page.evaluate(() => window.largestPaintAt)) ?? Number.NaN }
  } finally {
    await context.close()
  }
}

/** Waits until the page is usable and returns when that was. */
export async function usable(page: Page): Promise<number> {
  const found = await page.waitForFunction(() => window.usableAt, null, { polling: 100, timeout: 60_000 })
  return (await found.jsonValue())!
}

/** Opens a page and sums up the JavaScript that it loads until `done`, gzipped, in KB of 1000 bytes. */
export async function javascriptOf(context: BrowserContext, url: string, done: (page: Page) => Promise<unknown>): Promise<number> {
  const page = await context.newPage()
  const sizes: Promise<number>[] = []
  page.on('response', (response) => {
    if (!/javascript/.test(response.headers()['content-type'] ?? '')) return
    sizes.push(response.body().then((body) => gzipSync(body, { level: 9 }).length))
  })
  await page.goto(url, { waitUntil: 'load' })
  await done(page)
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  await page.close()
  return total / 1000
}
