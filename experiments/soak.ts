/**
 * `npm run soak`: an experiment that looks for what grows. It runs a clinic on two processes with mixed work of staff, patients and web forms, cuts
 * 20 event streams each minute, and prints the memory, database connections, jobs and streams. At the end it says what holds.
 *
 *   npm run soak -- --minutes 60       how long (memory is judged from the tenth minute on)
 *   npm run soak -- --contacts 10000   patients at the beginning
 *   npm run soak -- --rate 4           requests a second to each process
 *
 * Exit code 1: the experiment could not run.
 */
import { parseArgs } from 'node:util'
import { openClinic } from '../bench/clinic/clinic.ts'
import { buildAll } from '../bench/load/build.ts'
import { judge, type Sample } from './soak/rules.ts'
import { soak } from './soak/soak.ts'

const streams = 20
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    contacts: { type: 'string', default: '10000' },
    rate: { type: 'string', default: '4' },
  },
})
const [minutes, contacts, perSecond] = [values.minutes, values.contacts, values.rate].map(Number) as [number, number, number]
if (![minutes, contacts, perSecond].every((value) => Number.isSafeInteger(value) && value > 0) || contacts < 1_000) {
  console.error('--minutes and --rate take whole numbers, and --contacts one of at least 1000')
  process.exit(1)
}

buildAll()
const clinic = await openClinic(contacts, { isCurrent: true })
try {
  const { samples, errors } = await soak({ clinic, contacts, minutes, perSecond, streams, onSample: printSample })
  for (const [error, count] of errors) console.log(`${count} times: ${error}`)
  console.log('\nMemory is judged by the heap after garbage collection, by linear regression from the tenth minute on.\n')
  const verdicts = judge(samples, streams)
  if (verdicts.some(({ holds }) => holds === false)) process.exitCode = 1
  for (const { what, result, aim, holds } of verdicts) {
    const word = holds === null ? '' : holds ? 'holds' : 'FAILS'
    console.log(`${word.padEnd(7)}${what}: ${result}${aim && ` (aim ${aim})`}`)
  }
} finally {
  await clinic.close()
}

function printSample({ minute, processes, connections, jobsDue, streams, reconnects, errors }: Sample) {
  const memory = processes.map(
    ({ heapMb, rssMb, workers, workersMb }) =>
      `heap ${heapMb.toFixed(1)} rss ${rssMb.toFixed(0)} workers ${workers}: ${workersMb.toFixed(0)} MB`,
  )
  const figures = [
    `${connections} connections`,
    `${jobsDue} jobs due`,
    `${streams} streams`,
    `${reconnects} reconnects`,
    `${errors} errors`,
  ]
  console.log([`${minute.toFixed(0).padStart(3)} min`, ...memory, ...figures].join(' | '))
}
