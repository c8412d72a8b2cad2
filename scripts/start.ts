/**
 * `npm start`, `npm run import`, `backup`, `restore`, `audit:verify`, `verify-consent` and `upgrade:check`: builds the product unless dist/ matches the sources, then runs
 * the server or the command. A production install cannot build, and a release has no sources.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { areBuilt } from './built.ts'

const root = path.join(import.meta.dirname, '..')
const [, , command = 'main', ...args] = process.argv

const isRelease = !existsSync(path.join(root, 'vite.config.ts'))
if (!isRelease && !areBuilt('web', 'server')) {
  if (!existsSync(path.join(root, 'node_modules/vite'))) {
    const state = existsSync(path.join(root, 'dist')) ? 'was built from other sources' : 'has not been built'
    console.error(`Refyne ${state}, and a production install cannot build it. Run "npm ci && npm run build && npm ci --omit=dev".`)
    process.exit(1)
  }
  const built = spawnSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  if (built.status !== 0) process.exit(built.status ?? 1)
}
const settings = path.join(root, '.env')
if (existsSync(settings)) process.loadEnvFile(settings)
const program = path.join(root, `dist/server/${command}.js`)
if (!existsSync(program)) {
  console.error(`There is no command ${command}. The commands are backup, restore, import, audit-verify, verify-consent and upgrade-check.`)
  process.exit(2)
}
// Libraries look for settings in the folder that a program is run in, which its user may not be allowed to enter. Arguments are relative to it.
process.env.INIT_CWD ??= process.cwd()
process.chdir(root)
// The program sees its arguments as if Node had started it directly.
process.argv.splice(1, Infinity, program, ...args)
// Later starts reuse the compiled code.
enableCompileCache()
await import(pathToFileURL(program).href)
