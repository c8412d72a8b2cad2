import { defineJob } from '../../kernel/jobs.ts'
import { deliver } from './deliver.ts'
import { mail } from './rules.ts'

/** Sends one mail through Postmark, where no one waits to hear of it. */
export const sendMail = defineJob({
  name: 'mail.send',
  payload: mail,
  async run(scope, letter) {
    await deliver(scope, letter)
  },
})
