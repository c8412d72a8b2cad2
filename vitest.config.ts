import path from 'node:path'
import { defineConfig } from 'vitest/config'

/**
 * Every test that needs no browser: pure files, integrations against their simulators, and the HTTP door against a real database. The global
 * set-up boots one PostgreSQL and makes the migrated template that a test file copies. Two workers leave the other cores to PostgreSQL.
 */
export default defineConfig({
  test: {
    include: [
      'src/**/*.test.{ts,tsx}',
      'simulators/**/*.test.ts',
      'test/**/*.test.ts',
      'demo/**/*.test.ts',
      'bench/**/*.test.ts',
      'experiments/**/*.test.ts',
    ],
    exclude: ['test/e2e/**', 'node_modules/**'],
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/failure-reports.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // Files share their worker's modules, because loading the server for each took most of the time. So a module must keep no state between tests.
    isolate: false,
    // They end what hangs, and are no measure of speed: a walk over all calls takes a minute on a busy machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    unstubEnvs: true,
    restoreMocks: true,
    env: {
      // The practice's time zone is a setting. A test that passes only where the machine happens to have the same one must fail here.
      TZ: 'Pacific/Auckland',
      // Processes that tests start (servers, commands, workers) load a third faster with what an earlier one compiled.
      NODE_COMPILE_CACHE: path.resolve('node_modules/.cache/node'),
    },
  },
})
