/**
 * `npm run audit:verify`: compares each entry of the audit log with its seal (docs/decisions/audit-chain.md), beside the running clinic. Names
 * each entry that was altered, taken away or put in afterwards. Exit code 1 when there is one.
 *
 *   --seal 12345:abcd.efgh   a seal that was kept elsewhere, from the logs or from an earlier run; may be given several times
 */
import { parseArgs } from 'node:util'
import { verifyLog } from '../src/platform/audit/verify.ts'
import { openClinic } from './open-clinic.ts'

const { values } = parseArgs({ options: { seal: { type: 'string', multiple: true, default: [] } } })
const { db, env, close } = await openClinic()
try {
  const { problems, intact, unsealed, newest } = await verifyLog(db, env, values.seal)
  for (const problem of problems) console.error(problem)
  console.log(`${intact.toLocaleString('en-CA')} entries are as they were sealed; ${unsealed.toLocaleString('en-CA')} wait for their seal.`)
  if (newest) console.log(`The newest seal, to be kept elsewhere: ${newest}`)
  process.exitCode = problems.length > 0 ? 1 : 0
} finally {
  await close()
}
