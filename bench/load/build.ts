import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { areBuilt } from '../../scripts/built.ts'
import { progress } from '../report.ts'

const root = path.join(import.meta.dirname, '../..')

/** Builds the screens and the server unless dist/ is up to date. */
export function buildIfStale(): void {
  if (areBuilt('web', 'server')) return
  progress('Building')
  run(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'])
  run(process.execPath, ['scripts/compress-assets.ts'])
  run(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--config', 'vite.server.config.ts', '--logLevel', 'warn'])
}

function run(program: string, args: string[]): void {
  const { status } = spawnSync(program, args, { cwd: root, stdio: ['ignore', 2, 'inherit'] })
  if (status !== 0) throw new Error(`${args.join(' ')} failed`)
}
