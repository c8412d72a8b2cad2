import { expect, it } from 'vitest'
import { mailState } from './mail-labels.ts'

it('issue 7: a mail that was sent says so, whatever else is known of it', () => {
  const message = { to: 'ann@patient.example', status: 'sent', problem: null } as const
  expect(mailState({ refusal: null, message })).toEqual({ words: 'Sent to ann@patient.example', isProblem: false })
  expect(mailState({ refusal: null, message: { ...message, problem: 'The recipient has marked it as spam.' } })).toEqual({
    words: 'Sent to ann@patient.example. The recipient has marked it as spam.',
    isProblem: true,
  })
})
