/**
 * Checks that the migrations in drizzle/ create the declared tables: drizzle-kit generates the next migration in a copy of the folder. If
 * there is one, a table.ts was changed without `npm run migrations`. The checkout is not modified.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import config from '../../drizzle.config.ts'

const migrations = config.out ?? 'drizzle'
const folder = mkdtempSync(path.join(os.tmpdir(), 'refyne-migrations-'))
// drizzle-kit prepends ./ to the path, so it must be relative.
const copy = path.relative(process.cwd(), path.join(folder, 'drizzle'))
process.exitCode = check()
rmSync(folder, { recursive: true, force: true })

function check(): number {
  mkdirSync(copy)
  cpSync(migrations, copy, { recursive: true })
  const before = new Set(migrationFiles())

  const configFile = path.join(folder, 'drizzle.config.json')
  writeFileSync(configFile, JSON.stringify({ ...config, out: copy }))
  // drizzle-kit asks whether a column was renamed, and fails without input: a migration is missing then, too.
  const { status, stdout, stderr, error } = spawnSync('drizzle-kit', ['generate', '--config', configFile, '--name', 'missing'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const missing = migrationFiles().filter((file) => !before.has(file))
  if (missing.length > 0) {
    console.error('Tables changed since the last migration. Run `npm run migrations` and commit the result. It would be:\n')
    for (const file of missing) console.error(readFileSync(path.join(copy, file), 'utf8'))
    return 1
  }
  if (status !== 0 || /\berror\b/i.test(stderr)) {
    console.error(
      'drizzle-kit could not compare them. If you renamed a column, run `npm run migrations` yourself:\n' +
        `${error?.message ?? ''}${stdout}${stderr}`,
    )
    return 1
  }
  console.log(`${before.size} migrations, nothing missing`)
  return 0
}

function migrationFiles(): string[] {
  return readdirSync(copy).filter((file) => file.endsWith('.sql'))
}
