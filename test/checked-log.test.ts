import { expect, it } from 'vitest'
import { takeLoggedFailures, watchedLog } from './checked-log.ts'

it('fails tests that log a secret, a session or an email address', () => {
  const { log, watch, breaches } = watchedLog(['a-password'])
  watch('a-session')
  log.info({ route: '/api/contacts/:id', contactId: 'c1', nobody: 'anna@mail.example' }, 'Answered')
  expect(breaches()).toEqual([])
  log.error({ error: 'No mail for anna@mail.example' }, 'The email was not sent')
  log.warn('a-password is wrong')
  log.debug({ reason: 'a-session is over' }, 'Signed out')
  expect(breaches()).toHaveLength(3)
})

it('keeps the lines of failures until they are taken', () => {
  const { log } = watchedLog([])
  log.warn('The worker stopped')
  log.error({ route: '/api/tags' }, 'A call failed')
  expect(takeLoggedFailures()).toEqual([expect.stringContaining('"msg":"A call failed"')])
  expect(takeLoggedFailures()).toEqual([])
})
