/** `npm start`: builds the web application if that has not been done, then runs the server. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '..')

if (!existsSync(path.join(root, 'dist/index.html'))) {
  const built = spawnSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  if (built.status !== 0) process.exit(built.status ?? 1)
}
const settings = path.join(root, '.env')
if (existsSync(settings)) process.loadEnvFile(settings)
await import('../src/app/main.ts')
