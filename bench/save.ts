import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Row } from './report.ts'

/**
 * Writes the rows to a file of their own, so that a result can be compared with that of an earlier commit on the same machine.
 *
 * @returns the file's path. Its name ends in `-changed` if the checkout differs from its commit.
 */
export function saveRows(benchmark: string, rows: readonly Row[]): string {
  const commit = git('rev-parse', '--short=12', 'HEAD')
  const isChanged = git('status', '--porcelain', '--', '.', ':!bench/history') !== ''
  const folder = path.join(import.meta.dirname, 'history')
  const file = path.join(folder, `${commit}-${benchmark}${isChanged ? '-changed' : ''}.json`)
  const machine = { cpu: os.cpus()[0]?.model ?? null, cores: os.availableParallelism(), memoryMb: Math.round(os.totalmem() / 2 ** 20) }
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(file, `${JSON.stringify({ commit, isChanged, at: new Date(), node: process.version, machine, rows }, null, 2)}\n`)
  return file
}

const git = (...args: string[]): string => execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim()
