/**
 * Checks the import rules (depcruise.config.cjs), and that dependency-cruiser read every file: without a parser, or with a mistyped path,
 * it reads no files and passes.
 */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { cruise, roots } from './cruise.ts'

const { modules, summary } = cruise()

const reasons = new Map(summary.ruleSetUsed.forbidden.map((rule) => [rule.name, rule.comment]))
for (const [name, violations] of Map.groupBy(summary.violations, (violation) => violation.rule.name)) {
  console.error(`${name}: ${reasons.get(name) ?? ''}`)
  for (const { from, to, cycle } of violations) console.error(`  ${[from, ...(cycle?.map((step) => step.name) ?? [to])].join(' -> ')}`)
}

const onDisk = roots.flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => path.posix.join(root, ...file.split(path.sep))),
)
const read = new Map(modules.filter((module) => !module.couldNotResolve).map((module) => [module.source, module.dependencies.length]))
const unread = onDisk.filter((file) => !read.has(file))
const imports = onDisk.reduce((sum, file) => sum + (read.get(file) ?? 0), 0)
if (unread.length > 0 || imports === 0) {
  console.error(`dependency-cruiser read only ${onDisk.length - unread.length} of ${onDisk.length} files and found ${imports} imports.`)
  for (const file of unread.slice(0, 20)) console.error(`  not read: ${file}`)
  process.exit(2)
}
console.log(`${onDisk.length} files, ${imports} imports`)
process.exit(summary.error > 0 ? 1 : 0)
