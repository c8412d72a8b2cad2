/**
 * Finds the browser of the end-to-end tests: CHROMIUM_PATH, an installed Chromium or Chrome, else the one that comes with the development
 * dependencies (Linux x64), unpacked once per version. Playwright's own download is not used: it needs a host that closed networks lack.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { inflate } from '@sparticuz/chromium'
import { z } from 'zod'

const packageFolder = path.resolve(import.meta.dirname, '../node_modules/@sparticuz/chromium')

/** The browser, the environment variables for its process, and how it was found. */
export type Chromium = { executablePath: string; env: Record<string, string>; found: string }

/** For test browsers only: they run as root in a container without a display, and must not send telemetry. */
export const chromiumFlags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** @throws if CHROMIUM_PATH does not exist, or if no browser is installed and none can be unpacked for this platform. */
export async function findChromium(): Promise<Chromium> {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (!existsSync(named)) throw new Error(`CHROMIUM_PATH is ${named}, but that file does not exist.`)
    return { executablePath: named, env: {}, found: `Browser: ${named} (from CHROMIUM_PATH).` }
  }
  const system = installed.find((file) => existsSync(file))
  if (system) return { executablePath: system, env: {}, found: `Browser: ${system}, installed on this machine.` }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('No browser found: install Chrome or Chromium, or set CHROMIUM_PATH.')
  }
  return await unpackChromium()
}

async function unpackChromium(): Promise<Chromium> {
  const version = packageVersion()
  const home = path.join(os.tmpdir(), `refyne-chromium-${version}-${os.userInfo().uid}`)
  const executablePath = path.join(home, 'chromium')
  // The package includes libraries and fonts that a minimal container lacks.
  const env = { LD_LIBRARY_PATH: path.join(home, 'al2023/lib'), FONTCONFIG_PATH: path.join(home, 'fonts') }
  if (existsSync(home))
    return { executablePath, env, found: `Browser: Chromium ${version} from @sparticuz/chromium, unpacked earlier in ${home}.` }

  // Unpacked into a temporary folder and renamed when complete, so that an interrupted or concurrent run never leaves an incomplete
  // browser.
  const partial = `${home}.${process.pid}`
  mkdirSync(partial, { recursive: true, mode: 0o700 })
  const tmpdir = process.env.TMPDIR
  process.env.TMPDIR = partial // where the package unpacks
  try {
    const packed = path.join(packageFolder, 'bin')
    await Promise.all(
      ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'].map((file) => inflate(path.join(packed, file))),
    )
  } finally {
    if (tmpdir === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = tmpdir
  }
  // The package's configuration expects fonts in /tmp/fonts; without fonts, pages have no visible text.
  writeFileSync(path.join(partial, 'fonts/fonts.conf'), fontSettings(home))
  try {
    renameSync(partial, home)
  } catch (error) {
    if (!existsSync(executablePath)) throw error // otherwise a concurrent run has unpacked it
    rmSync(partial, { recursive: true, force: true })
  }
  return { executablePath, env, found: `Browser: Chromium ${version} from @sparticuz/chromium, unpacked into ${home}.` }
}

const fontSettings = (home: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${home}/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${home}/fonts-cache</cachedir>
</fontconfig>
`

/** The package does not export its package.json, so it is read as a file. */
function packageVersion(): string {
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(path.join(packageFolder, 'package.json'), 'utf8'))).version
}
