import { describe, expect, it } from 'vitest'
import { openLog } from './log.ts'

const linesOf = (write: (log: ReturnType<typeof openLog>) => void): Record<string, unknown>[] => {
  const lines: string[] = []
  write(openLog('debug', { write: (line) => void lines.push(line) }))
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

describe('log lines', () => {
  it('contain only allowed fields', () => {
    const [line] = linesOf((log) =>
      log.error({ requestId: 'r', body: { password: 'x' }, email: 'a@b.example', token: 't' }, 'A call failed'),
    )
    expect(line).toEqual({ level: 50, time: expect.any(Number), requestId: 'r', msg: 'A call failed' })
  })

  it('omit the message of an error object', () => {
    const [line] = linesOf((log) => log.error({ err: new Error('Key (email)=(ana@b.example) exists') }, 'A call failed'))
    expect(JSON.stringify(line)).not.toContain('ana@')
  })
})
