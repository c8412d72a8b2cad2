import { gzipSync } from 'node:zlib'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { chromiumFlags, findChromium } from '../../scripts/chromium.ts'

declare global {
  interface Window {
    /** When the list became usable, in milliseconds since the navigation started. */
    listUsableAt?: number
  }
}

export async function launchBrowser(): Promise<Browser> {
  const { executablePath, env } = await findChromium()
  return chromium.launch({ executablePath, args: chromiumFlags, env: { ...(process.env as Record<string, string>), ...env } })
}

/** A browser context that records when the list becomes usable (see `usable`). */
export async function newWaiter(browser: Browser, url: string, cookie: string): Promise<BrowserContext> {
  const context = await newVisitor(browser, url, cookie)
  await context.addInitScript(watchForList)
  return context
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

/** Runs in the page: the list is usable once its first row is on the screen and the search field keeps what is typed into it. */
function watchForList(): void {
  const look = () => {
    const row = document.querySelector('[data-row]')
    const input = document.querySelector<HTMLInputElement>('input[type=search]')
    if (!row?.getClientRects().length || !input || input.disabled || input.readOnly) return requestAnimationFrame(look)
    input.focus()
    document.execCommand('insertText', false, 'a')
    // A field whose script has not loaded yet would lose the letter once it does.
    return requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (input.value === 'a') window.listUsableAt = performance.now()
        else look()
      }),
    )
  }
  requestAnimationFrame(look)
}

/** Times a navigation until the list is usable, in milliseconds, with an empty cache and a CPU throttled by the factor `slowed`. */
export async function timeUntilUsable(browser: Browser, url: string, cookie: string, slowed: number): Promise<number> {
  const context = await newWaiter(browser, url, cookie)
  try {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowed })
    await page.goto(url, { waitUntil: 'commit' })
    return await usable(page)
  } finally {
    await context.close()
  }
}

/** Waits for the list and returns when it became usable. */
export async function usable(page: Page): Promise<number> {
  const found = await page.waitForFunction(() => window.listUsableAt, null, { polling: 100, timeout: 60_000 })
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
