import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '..')
const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true })
})

/** As much of a checkout as is read before the server is. Nothing is installed in it, so the tools that build are not either. */
function checkout(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-start-'))
  folders.push(folder)
  for (const name of ['scripts/start.ts', 'scripts/built.ts', 'scripts/require-node.mjs', 'package.json', 'package-lock.json'])
    fs.cpSync(path.join(root, name), path.join(folder, name))
  for (const name of ['index.html', 'vite.config.ts']) fs.writeFileSync(path.join(folder, name), '')
  fs.mkdirSync(path.join(folder, 'src/app'), { recursive: true })
  fs.writeFileSync(path.join(folder, 'src/app/main.ts'), "console.log('The server runs')")
  return folder
}

function run(folder: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

test('a production install says how the web application is built, and does not start without it', () => {
  const folder = checkout()
  const none = run(folder, 'scripts/start.ts')
  expect(none.status).toBe(1)
  expect(none.output).toBe(
    'The web application has not been built, and a production install cannot build it. Run "npm ci && npm run build && npm ci --omit=dev".\n',
  )

  fs.mkdirSync(path.join(folder, 'dist'))
  const markBuilt = ['--input-type=module', '--eval', "(await import('./scripts/built.ts')).markBuilt()"]
  expect(run(folder, ...markBuilt)).toEqual({ status: 0, output: '' })
  expect(run(folder, 'scripts/start.ts')).toEqual({ status: 0, output: 'The server runs\n' })

  fs.appendFileSync(path.join(folder, 'index.html'), '<!-- upgraded -->')
  const other = run(folder, 'scripts/start.ts')
  expect([other.status, other.output]).toEqual([1, expect.stringContaining('was built from other sources than these')])
})

test('an older Node prints what to install before it reads TypeScript', () => {
  const folder = checkout()
  const older = path.join(folder, 'older.mjs')
  fs.writeFileSync(older, "Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } })")
  const { status, output } = run(folder, '--import', older, '--import', './scripts/require-node.mjs', 'scripts/start.ts')
  expect([status, output]).toEqual([1, expect.stringContaining('Refyne needs Node.js 24 or later, and this is 20.20.2.')])
})
