import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { progress } from './report.ts'

const root = path.join(import.meta.dirname, '..')
const sources = ['src', 'index.html', 'vite.config.ts', 'package-lock.json']

/** Builds the web application if any of its sources is newer than what was built. */
export function buildIfStale(): void {
  const built = path.join(root, 'dist/index.html')
  const newest = Math.max(...sources.flatMap((source) => changedAt(path.join(root, source))))
  if (fs.existsSync(built) && fs.statSync(built).mtimeMs >= newest) return
  progress('Building the web application')
  run(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'])
  run(process.execPath, ['scripts/compress-assets.ts'])
}

function changedAt(file: string): number[] {
  if (!fs.statSync(file).isDirectory()) return [fs.statSync(file).mtimeMs]
  return fs.readdirSync(file, { recursive: true, encoding: 'utf8' }).map((name) => fs.statSync(path.join(file, name)).mtimeMs)
}

function run(program: string, args: string[]): void {
  const { status } = spawnSync(program, args, { cwd: root, stdio: ['ignore', 2, 'inherit'] })
  if (status !== 0) throw new Error(`${args.join(' ')} failed`)
}
