import { type DestinationStream, type Logger, pino } from 'pino'

/**
 * The fields allowed in a log line besides time, level and message: our ids, and what failed where. Other fields are dropped, so that no
 * one logs a body, a token or a patient's data by passing an object that contains one.
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
  // Of the access log.
  'method',
  'status',
  'milliseconds',
  'bytes',
  'accountId',
])

/** The server's log: one JSON object per line, to standard output by default. */
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
