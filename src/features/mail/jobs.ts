import { defineJob } from '../../server/jobs.ts'
import { deliver } from './deliver.ts'
import { mail } from './rules.ts'

/** Sends one mail through Postmark. */
export const sendMail = defineJob({ name: 'mail.send', payload: mail, run: (scope, letter) => deliver(scope, letter) })
