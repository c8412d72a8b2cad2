/**
 * Checks that migrations can run beside the previous release, and under it after a way back (docs/decisions/upgrades.md). A statement
 * that breaks a rule needs a comment above it with the reason:
 *
 *   -- exception: removal: no release since 0.3.0 reads this column
 */
import { readdirSync, readFileSync } from 'node:fs'
import { readMigration } from '../../src/kernel/postgres/migration-statements.ts'

/** Earlier ones are part of the first release, so that no installation is upgraded by them (docs/decisions/upgrades.md). */
const firstChecked = 12

const files = readdirSync('drizzle').filter((file) => file.endsWith('.sql') && Number.parseInt(file, 10) >= firstChecked)
let found = 0
for (const file of files.toSorted()) {
  for (const problem of readMigration(readFileSync(`drizzle/${file}`, 'utf8')).problems) {
    found++
    console.error(`drizzle/${file}: ${problem}`)
  }
}
console.log(`${files.length} migrations, ${found} problems`)
process.exitCode = found > 0 ? 1 : 0
