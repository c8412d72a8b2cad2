import { keepThread } from '../../server/thread.ts'
import { sanitiseMail as sanitise, type SanitisedMail } from './sanitise.ts'

/** Characters. Anything shorter is done in a few milliseconds, less than a thread takes to be asked. */
const short = 20_000

const inThread = keepThread<(html: string) => Promise<SanitisedMail>>(new URL('./sanitise-worker.ts', import.meta.url), {
  name: 'making mails harmless',
  patience: 30_000,
})

/** `sanitiseMail` without holding up everybody else. Null: it was not done within half a minute. */
export async function sanitiseMail(html: string): Promise<SanitisedMail | null> {
  if (html.length <= short) return sanitise(html)
  return inThread(html).catch(() => null)
}
