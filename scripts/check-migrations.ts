/**
 * Do the migrations in drizzle/ make the tables that the code declares? drizzle-kit is asked for the next migration against a copy of the
 * folder; if it writes one, someone changed a table.ts and forgot `npm run migrations`. The checkout is not touched.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import config from '../drizzle.config.ts'

const migrations = config.out ?? 'drizzle'
const folder = mkdtempSync(path.join(os.tmpdir(), 'refyne-migrations-'))
// drizzle-kit puts a ./ before the path, so it has to be a relative one.
const copy = path.relative(process.cwd(), path.join(folder, 'drizzle'))
process.exitCode = check()
rmSync(folder, { recursive: true, force: true })

function check(): number {
  mkdirSync(copy)
  cpSync(migrations, copy, { recursive: true })
  const before = new Set(migrationFiles())

  const configFile = path.join(folder, 'drizzle.config.json')
  writeFileSync(configFile, JSON.stringify({ ...config, out: copy }))
  // No input: where drizzle-kit would ask whether a column was renamed, it fails instead, and that too means a migration is missing.
  const { status, stdout, stderr, error } = spawnSync('drizzle-kit', ['generate', '--config', configFile, '--name', 'missing'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const missing = migrationFiles().filter((file) => !before.has(file))
  if (missing.length > 0) {
    console.error('The tables have changed since the last migration: run `npm run migrations` and commit what it writes. It would be:\n')
    for (const file of missing) console.error(readFileSync(path.join(copy, file), 'utf8'))
    return 1
  }
  if (status !== 0 || /\berror\b/i.test(stderr)) {
    console.error(
      `drizzle-kit could not compare (a renamed column needs \`npm run migrations\` by hand):\n${error?.message ?? ''}${stdout}${stderr}`,
    )
    return 1
  }
  console.log(`${before.size} migrations, nothing missing`)
  return 0
}

function migrationFiles(): string[] {
  return readdirSync(copy).filter((file) => file.endsWith('.sql'))
}
