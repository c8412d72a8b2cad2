import { type DestinationStream, type Logger, pino } from 'pino'

/**
 * All that a line of the log may say besides its time, level and message: ids of ours, what kind of thing failed, and where. What is called
 * anything else is dropped, so that no one logs a body, a token or a patient's data by handing over an object that has one.
 */
const allowed = new Set([
  'requestId',
  'route',
  'paths',
  'error',
  'job',
  'attempt',
  'kind',
  'reason',
  'retried',
  'isUncertain',
  'signature',
  'seal',
  'appointmentId',
  'contactId',
  'documentId',
  'draftId',
  'messageId',
  'receiptId',
])

/** The server's log: JSON, a line each, on the standard output unless told otherwise. */
export function openLog(level: string, to?: DestinationStream): Logger {
  const options = {
    level,
    base: undefined,
    formatters: {
      log: (given: Record<string, unknown>) => Object.fromEntries(Object.entries(given).filter(([name]) => allowed.has(name))),
    },
  }
  return to ? pino(options, to) : pino(options)
}
