import { expect, it } from 'vitest'
import { mailState } from './email-labels.ts'

it('says that an email was sent even if there is a problem', () => {
  const message = { to: 'ann@patient.example', status: 'sent', problem: null } as const
  expect(mailState({ refusal: null, message })).toEqual({ text: 'Sent to ann@patient.example', isProblem: false })
  expect(mailState({ refusal: null, message: { ...message, problem: 'The recipient marked it as spam.' } })).toEqual({
    text: 'Sent to ann@patient.example. The recipient marked it as spam.',
    isProblem: true,
  })
})
