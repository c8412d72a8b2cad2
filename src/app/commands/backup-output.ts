import path from 'node:path'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import type { Progress } from '../../admin/backups/data-folder.ts'
import { BackupError, problemOf } from '../../admin/backups/vault.ts'
import { DamagedError } from '../../kernel/age.ts'
import { errorCode, isDiskFull } from '../../kernel/errors.ts'
import { SettingsError } from '../../kernel/env.ts'
import { UnreachableDataError } from '../../kernel/postgres/embedded-postgres.ts'

/** npm runs scripts in the package's folder; a relative path starts where npm was called. */
export const fromCaller = (name: string): string => (name.includes('://') ? name : path.resolve(process.env.INIT_CWD ?? '', name))

/** The command's options. Exits with a sentence where they are wrong. */
export function readOptions<Options extends NonNullable<ParseArgsConfig['options']>>(options: Options) {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    if (!errorCode(error)?.startsWith('ERR_PARSE_ARGS')) throw error
    console.error((error as Error).message)
    return process.exit(2)
  }
}

/** Runs a command and sets its exit code. What an operator can put right is a sentence. */
export async function runBackupCommand(run: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await run()
  } catch (error) {
    const isExpected = [BackupError, DamagedError, SettingsError, UnreachableDataError].some((kind) => error instanceof kind)
    console.error(isExpected ? (error as Error).message : isDiskFull(error) ? problemOf(error) : error)
    if (error instanceof BackupError && error.output) console.error(error.output)
    process.exitCode = 1
  }
}

const printEvery = 2_000
let printed = { step: '', at: 0 }

export function printProgress(step: string, progress?: Progress): void {
  const now = performance.now()
  if (step === printed.step && (!progress || now - printed.at < printEvery)) return
  printed = { step, at: now }
  const megabytes = (bytes: number) => Math.round(bytes / 1e6).toLocaleString('en-CA')
  console.error(progress ? `  ${step}: ${megabytes(progress.done)} of ${megabytes(progress.total)} MB` : `  ${step}`)
}
