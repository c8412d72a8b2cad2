/** Reads calendars in a worker (started by fetch.ts): they come from elsewhere, and a rule of repetition can be made to take long. */
import { runWorker } from '../../kernel/workers/worker-process.ts'
import { type CalendarToRead, type ReadBusy, readBusy } from './read-busy.ts'

export type CalendarWork = (given: CalendarToRead) => Promise<ReadBusy>

runWorker<CalendarWork>((given) => Promise.resolve(readBusy(given)))
