import { defineConfig } from '@playwright/test'
import { chromiumFlags, findChromium } from './scripts/chromium.ts'

const browser = await findChromium()
// Workers load this file too; print the message only once.
if (process.env.TEST_WORKER_INDEX === undefined) console.log(browser.found)

/**
 * The browser tests, which drive the built application (`npm test` builds it first). No retries: a test that passes the second time is broken.
 * Traces are off because they hold what the page showed; a screenshot of the failure is kept in test-results/.
 */
export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '**/*.e2e.ts',
  outputDir: 'test-results',
  // Playwright need not transpile the built server.
  build: { external: ['**/dist/**'] },
  workers: 2,
  fullyParallel: false,
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  projects: [
    // What people do all day. `npm test` runs these; `npm run test:all` the details of each screen as well.
    { name: 'journeys', grep: /@journey/ },
    { name: 'details', grepInvert: /@journey/ },
  ],
  use: {
    browserName: 'chromium',
    headless: true,
    viewport: { width: 1440, height: 900 },
    locale: 'en-CA',
    // Not the practice's zone, on purpose: what the screens show must come from the setting, not from the browser.
    timezoneId: 'Pacific/Auckland',
    screenshot: 'only-on-failure',
    trace: 'off',
    video: 'off',
    // Animations take a sixth of the run, and no test checks them.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: browser.executablePath,
      args: chromiumFlags,
      // Without a UTF-8 locale, Chromium saves a file with an accent in its name as 'download'.
      env: { ...process.env, ...browser.env, LC_ALL: 'C.UTF-8' },
    },
  },
})
