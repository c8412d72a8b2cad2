import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { newNumber, useTexts } from '../../../../test/messages/texts.ts'

const texts = useTexts({ HOOKS_PER_MINUTE: '5' })

describe('the limit of Twilio’s posts', () => {
  it('counts what is refused, so that the reports of our texts cannot crowd out a STOP (issue 28)', async () => {
    const number = newNumber()
    const received = []
    for (const body of ['1', '2', '3', '4', '5', '6', '7', 'STOP'])
      received.push((await texts.twilio.receive({ from: number, body })).status)
    expect(received).toEqual(Array(8).fill(200))
    const forge = async () =>
      (await texts.server.request(`/api/hooks/twilio/inbound`, { method: 'POST', body: new URLSearchParams({ MessageSid: randomUUID() }) }))
        .status
    const refused = []
    for (let n = 0; n < 6; n++) refused.push(await forge())
    expect(refused).toEqual([401, 401, 401, 401, 401, 429])
    expect((await texts.twilio.receive({ from: number, body: 'START' })).status).toBe(200)
  })
})
