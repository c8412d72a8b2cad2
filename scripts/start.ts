/** `npm start`: builds the web application unless dist/ is of this checkout, then runs the server. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { isBuilt } from './built.ts'

const root = path.join(import.meta.dirname, '..')

if (!isBuilt()) {
  const built = spawnSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  if (built.status !== 0) process.exit(built.status ?? 1)
}
const settings = path.join(root, '.env')
if (existsSync(settings)) process.loadEnvFile(settings)
await import('../src/app/main.ts')
