import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { openClinic } from '../clinic/clinic.ts'
import { signIn } from '../clinic/session.ts'
import type { Options } from '../options.ts'
import type { Row } from '../report.ts'
import { measureBusy } from './busy.ts'
import { dayOf } from './day.ts'
import { startWatchedServer } from './server.ts'
import { measureSteady } from './steady.ts'

/** Exports are limited to sixty an hour for each person, which two minutes of the mix would exceed. */
const maxSteadySeconds = 100

/** Measures a server with a mixed load, then reads alone and while leads are processed and an import runs. */
export async function benchMixed({ sizes, seconds, leads, only }: Options): Promise<Row[]> {
  const rows: Row[] = []
  for (const size of sizes) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-bench-mixed-'))
    const clinic = await openClinic(size)
    const server = await startWatchedServer(clinic.ownerUrl, folder)
    try {
      const cookie = await signIn(clinic.ownerUrl, server.url)
      // The server's clock is behind that of the database, by which expired sessions are deleted each hour.
      await clinic.query(`update sessions set expires_at = now() + interval '1 day'`)
      if ('steady'.includes(only)) {
        const kinds = await dayOf(clinic, size, server.url, [cookie])
        rows.push(...(await measureSteady(server, kinds, Math.min(10 * seconds, maxSteadySeconds))))
      }
      if ('busy'.includes(only)) rows.push(...(await measureBusy(clinic, size, server, cookie, leads, seconds)))
    } catch (error) {
      process.stderr.write(server.output())
      throw error
    } finally {
      await server.stop()
      await clinic.close()
      fs.rmSync(folder, { recursive: true })
    }
  }
  return rows
}
