import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '../..')
const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true })
})

/** A partial checkout with the files read before the server starts. Nothing is installed, so build tools are missing too. */
function checkout(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-start-'))
  folders.push(folder)
  for (const name of ['scripts/start.ts', 'scripts/built.ts', 'scripts/require-node.mjs', 'package.json', 'package-lock.json'])
    fs.cpSync(path.join(root, name), path.join(folder, name))
  for (const name of ['index.html', 'book.html', 'vite.config.ts', 'vite.book.config.ts', 'vite.server.config.ts', 'scripts/guide.ts'])
    fs.writeFileSync(path.join(folder, name), '')
  for (const name of ['src', 'docs/guide']) fs.mkdirSync(path.join(folder, name), { recursive: true })
  return folder
}

function run(folder: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

test('refuses to start a production install without a build, and says how to build it', () => {
  const folder = checkout()
  const unbuilt = run(folder, 'scripts/start.ts')
  expect(unbuilt.status).toBe(1)
  expect(unbuilt.output).toBe(
    'Refyne has not been built, and a production install cannot build it. Run "npm ci && npm run build && npm ci --omit=dev".\n',
  )

  fs.mkdirSync(path.join(folder, 'dist/server'), { recursive: true })
  fs.writeFileSync(path.join(folder, 'dist/server/main.js'), "console.log('The server runs')")
  const markBuilt = [
    '--input-type=module',
    '--eval',
    "import('./scripts/built.ts').then(({ markBuilt }) => ['web', 'server'].forEach(markBuilt))",
  ]
  expect(run(folder, ...markBuilt)).toEqual({ status: 0, output: '' })
  expect(run(folder, 'scripts/start.ts')).toEqual({ status: 0, output: 'The server runs\n' })

  fs.appendFileSync(path.join(folder, 'index.html'), '<!-- upgraded -->')
  const outdated = run(folder, 'scripts/start.ts')
  expect([outdated.status, outdated.output]).toEqual([1, expect.stringContaining('was built from other sources')])
})

test('runs a release from any folder in its own, and lists the commands for one that it does not have', () => {
  const folder = checkout()
  for (const name of ['index.html', 'book.html', 'vite.config.ts', 'vite.book.config.ts', 'vite.server.config.ts'])
    fs.rmSync(path.join(folder, name))
  fs.mkdirSync(path.join(folder, 'dist/server'), { recursive: true })
  fs.writeFileSync(path.join(folder, 'dist/server/import.js'), 'console.log(process.cwd(), process.env.INIT_CWD, process.argv[2])')
  const { INIT_CWD: _, ...env } = process.env
  const start = path.join(folder, 'scripts/start.ts')
  const { stdout } = spawnSync(process.execPath, [start, 'import', 'file.csv'], { cwd: os.tmpdir(), env, encoding: 'utf8' })
  expect(stdout).toBe(`${folder} ${os.tmpdir()} file.csv\n`)
  expect(run(folder, 'scripts/start.ts', 'imports')).toEqual({
    status: 2,
    output: 'There is no command imports. The commands are backup, restore, import, audit-verify, verify-consent and upgrade-check.\n',
  })
})

test('prints what to install on an older Node before it reads TypeScript', () => {
  const folder = checkout()
  const older = path.join(folder, 'older.mjs')
  fs.writeFileSync(older, "Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } })")
  const { status, output } = run(folder, '--import', older, '--import', './scripts/require-node.mjs', 'scripts/start.ts')
  expect([status, output]).toEqual([1, expect.stringContaining('Refyne needs Node.js 24 or later; this is 20.20.2.')])
})
