import type { Browser } from '@playwright/test'
import { openClinic } from '../clinic/clinic.ts'
import { serveLocally } from './local-server.ts'
import type { Options } from '../options.ts'
import { startServer } from '../load/processes.ts'
import { type Aim, progress, quantile, ratio, type Row } from '../report.ts'
import { signIn } from '../clinic/session.ts'
import { launchBrowser, newVisitor } from './browser.ts'
import { buildAll } from '../load/build.ts'

/** The wheel moves this many pixels at a time. */
type Pace = { name: string; wheel: number; everyMs: number; aims: Aim[] }

const slowed = 4
const seconds = 10
/** The frame rate varies by several frames between rounds: each is printed, and the median counts. */
const rounds = 3
/** Fast scrolling turns a wheel ten notches a second, each smoothed by the browser; a touchpad or a flick sends a few pixels per frame. */
const paces: Pace[] = [
  { name: 'ten notches of a wheel a second', wheel: 100, everyMs: 100, aims: [{ of: 'ours', atLeast: 55 }] },
  { name: 'a flick of 40 rows a second', wheel: 30, everyMs: 16, aims: [] },
]

/** Measures frames per second while the patient list is scrolled on a throttled processor, against a minimal page of virtual rows. */
export async function benchScroll({ sizes }: Options): Promise<Row[]> {
  buildAll()
  const rows: Row[] = []
  for (const contacts of sizes) {
    const clinic = await openClinic(contacts)
    const server = await startServer(clinic.ownerUrl)
    const bare = await serveBareRows()
    const browser = await launchBrowser()
    try {
      const cookie = await signIn(clinic.ownerUrl, server.url)
      for (const pace of paces) {
        const [baselines, all]: [Scrolled[], Scrolled[]] = [[], []]
        for (let round = 1; round <= rounds; round++) {
          baselines.push(await scroll(browser, bare.url, '', pace))
          all.push(await scroll(browser, `${server.url}/contacts`, cookie, pace))
          const { perSecond, scripting } = all.at(-1)!
          progress(`  ${pace.name}: ${perSecond.toFixed(1)} frames/s, ${scripting.toFixed(1)} ms of scripting each, slowed`)
        }
        const [baseline, ours] = [middle(baselines), middle(all)]
        rows.push({
          case: `${contacts.toLocaleString('en-CA')} patients, processor slowed ${slowed} times: ${pace.name}`,
          connections: null,
          unit: 'frames/s',
          ours: ours.perSecond,
          baseline: baseline.perSecond,
          ratio: ratio(ours.perSecond, baseline.perSecond),
          oursP50: quantile(ours.frames, 0.5),
          oursP99: quantile(ours.frames, 0.99),
          baselineP50: quantile(baseline.frames, 0.5),
          baselineP99: quantile(baseline.frames, 0.99),
          aims: pace.aims,
        })
      }
    } finally {
      await browser.close()
      bare.stop()
      await server.stop()
      await clinic.close()
    }
  }
  return rows
}

interface Scrolled {
  /** In ms. */
  frames: number[]
  perSecond: number
  /** In ms a frame, slowed. */
  scripting: number
}

const middle = (all: Scrolled[]): Scrolled => all.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(all.length / 2)]!

/** Opens a page and, once it has loaded, scrolls with the wheel for ten seconds. */
async function scroll(browser: Browser, url: string, cookie: string, { wheel, everyMs }: Pace): Promise<Scrolled> {
  const context = await newVisitor(browser, url, cookie)
  try {
    const page = await context.newPage()
    await page.goto(url)
    await page.locator('[data-row]').first().waitFor()
    await page.waitForFunction(isFullyLoaded)
    const devtools = await context.newCDPSession(page)
    await devtools.send('Performance.enable')
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowed })
    await page.mouse.move(800, 500)
    const scripted = async () =>
      (await devtools.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'ScriptDuration')!.value * 1000
    const before = await scripted()
    const counting = page.evaluate(countFrames, seconds * 1000)
    const end = performance.now() + seconds * 1000
    while (performance.now() < end) {
      const next = performance.now() + everyMs
      await page.mouse.wheel(0, wheel)
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())))
    }
    const frames = await counting
    return { frames, perSecond: frames.length / seconds, scripting: ((await scripted()) - before) / frames.length }
  } finally {
    await context.close()
  }
}

/** Runs in the page. Whether nothing has loaded for a second. */
function isFullyLoaded(): boolean {
  const ends = performance.getEntriesByType('resource').map((entry) => (entry as PerformanceResourceTiming).responseEnd)
  return document.readyState === 'complete' && performance.now() - Math.max(0, ...ends) > 1000
}

/** Runs in the page. Returns the time between frames in ms. */
function countFrames(forMs: number): Promise<number[]> {
  return new Promise((resolve) => {
    const frames: number[] = []
    let last = performance.now()
    const until = last + forMs
    const frame = (now: number) => {
      frames.push(now - last)
      last = now
      if (now < until) requestAnimationFrame(frame)
      else resolve(frames)
    }
    requestAnimationFrame(frame)
  })
}

/** The lower bound for virtual rows: a page without libraries that draws the visible rows, each with a line of text. */
const bareRows = `<!doctype html><meta charset="utf-8"><title>Bare</title>
<style>body{margin:0}#list{height:100vh;overflow:auto}#all{position:relative;height:1760000px}#all div{position:absolute;height:44px;left:0;right:0}</style>
<div id="list"><div id="all"></div></div><script>
const [list, all, drawn] = [document.getElementById('list'), document.getElementById('all'), new Map()]
function draw() {
  const from = Math.max(0, Math.floor(list.scrollTop / 44) - 10), to = from + Math.ceil(innerHeight / 44) + 20
  for (const [at, row] of drawn) if (at < from || at >= to) { row.remove(); drawn.delete(at) }
  for (let at = from; at < to; at++) {
    if (drawn.has(at)) continue
    const row = document.createElement('div')
    row.dataset.row = at
    row.style.top = at * 44 + 'px'
    row.textContent = 'Patient ' + at
    all.append(row)
    drawn.set(at, row)
  }
}
list.addEventListener('scroll', draw, { passive: true })
draw()
</script>`

const serveBareRows = () => serveLocally((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(bareRows))
