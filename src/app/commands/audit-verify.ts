/**
 * `npm run audit:verify`: compares each entry of the audit log with its seal (docs/decisions/audit-chain.md), and each signed clinical note with
 * its own (docs/decisions/clinical-notes.md), while the clinic may be running. Prints each that was altered, deleted or inserted. Exit code 1 if there are any, 2 if the database is unavailable.
 *
 *   --seal 12345:abcd.efgh   a seal that was stored elsewhere, from the logs or an earlier run; can be repeated
 */
import { parseArgs } from 'node:util'
import { verifyNotes } from '../../chart/notes/service.ts'
import { verifyLog } from '../../platform/audit/service.ts'
import { errorCode, isDatabaseUnavailable } from '../../kernel/errors.ts'
import { openClinic } from './open-clinic.ts'

const { values } = parseArgs({ options: { seal: { type: 'string', multiple: true, default: [] } } })
const { db, env, close } = await openClinic()
try {
  const { problems, intact, unsealed, newest } = await verifyLog(db, env, values.seal)
  const notes = await verifyNotes(db, env)
  for (const problem of [...problems, ...notes.problems]) console.error(problem)
  console.log(`${intact.toLocaleString('en-CA')} entries match their seal; ${unsealed.toLocaleString('en-CA')} are not sealed yet.`)
  console.log(`${notes.intact.toLocaleString('en-CA')} signed clinical notes are as they were signed.`)
  if (newest) console.log(`Newest seal (store it elsewhere): ${newest}`)
  process.exitCode = problems.length + notes.problems.length > 0 ? 1 : 0
} catch (error) {
  if (!isDatabaseUnavailable(error)) throw error
  console.error(`The database is unavailable (${errorCode(error) ?? 'no answer'}). The log was not compared.`)
  process.exitCode = 2
} finally {
  await close()
}
