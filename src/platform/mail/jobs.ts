import { defineJob } from '../../kernel/jobs.ts'
import { deliver } from './deliver.ts'
import { mail } from './rules.ts'

/** Sends one email through Postmark; no one waits for the result. */
export const sendMail = defineJob({
  name: 'mail.send',
  payload: mail,
  async run(scope, letter) {
    await deliver(scope, letter)
  },
})
