/** Makes the HTML of mails harmless in a thread of its own (sanitise-thread.ts starts it): a hostile one of megabytes takes seconds. */
import { answerThread } from '../../server/answer-thread.ts'
import { sanitiseMail } from './sanitise.ts'

answerThread(sanitiseMail)
