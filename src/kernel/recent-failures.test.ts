import { describe, expect, it } from 'vitest'
import { openLog } from './log.ts'
import { rememberFailures } from './recent-failures.ts'

describe('recent failures', () => {
  it('are counted by message, kind and place, newest first, and written to the log as before', () => {
    const lines: string[] = []
    const { log, recent } = rememberFailures(openLog('info', { write: (line) => void lines.push(line) }))
    log.error({ route: 'tags.list', requestId: 'one', error: { kind: 'DatabaseError' } }, 'A call failed')
    log.warn({ kind: 'network', retried: true }, 'Postmark rejected an email')
    log.error({ route: 'tags.list', requestId: 'two', error: { kind: 'DatabaseError' } }, 'A call failed')
    log.warn('The process of the backups ended; starting another')
    log.info({ seal: 'x' }, 'The audit log is sealed')
    expect(lines).toHaveLength(5)
    expect(recent().map(({ message, kind, where, count, requestId }) => [message, kind, where, count, requestId])).toEqual([
      ['The process of the backups ended; starting another', null, null, 1, null],
      ['A call failed', 'DatabaseError', 'tags.list', 2, 'two'],
      ['Postmark rejected an email', 'network', null, 1, null],
    ])
  })

  it('keep the 50 newest kinds, also when the log is silent', () => {
    const { log, recent } = rememberFailures(openLog('silent'))
    for (let job = 0; job < 60; job++) log.error({ job: String(job) }, 'A job failed')
    expect(recent().map(({ where }) => Number(where))).toEqual(Array.from({ length: 50 }, (_, index) => 59 - index))
  })
})
